#!/bin/sh
# pflag 1.0.10 (cobra's). A list of texts is cut at commas, one would guess, and nothing is lost: StringSlice and
# StringToString read the first line as CSV and drop all that follows, without an error. And one number has two
# readings: Int takes 010 as octal, 8; IntSlice takes it as 10; Int64Slice as 8 again.
# Prints what was seen; fails when that changes. Needs go.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export GOFLAGS=-mod=mod
cd "$dir"
cat > main.go <<'G'
package main

import (
	"fmt"

	"github.com/spf13/pflag"
)

func main() {
	f := pflag.NewFlagSet("t", pflag.ContinueOnError)
	tools, env := f.StringSlice("tools", nil, ""), f.StringToString("env", nil, "")
	one, some, long := f.Int("int", 0, ""), f.IntSlice("ints", nil, ""), f.Int64Slice("int64s", nil, "")
	numbers := []string{"--int", "010", "--ints", "010", "--int64s", "010"}
	err := f.Parse(append(numbers, "--tools", "a,b\nc,d", "--env", "x=1\ny=2"))
	fmt.Printf("err=%v tools=%q env=%q int=%d ints=%d int64s=%d\n", err, *tools, *env, *one, *some, *long)
}
G
go mod init example.org/t 2> /dev/null
go get github.com/spf13/pflag@v1.0.10 2> /dev/null
go list -m github.com/spf13/pflag
seen=$(go run .)
echo "$seen"
test "$seen" = 'err=<nil> tools=["a" "b"] env=map["x":"1"] int=8 ints=[10] int64s=[8]'
