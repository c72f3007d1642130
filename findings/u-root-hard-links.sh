#!/bin/sh
# github.com/u-root/u-root 0.16.0, pkg/cpio. GNU cpio puts the text of files with several links (newc) behind the last
# of their names, and one would guess that CreateFileInRoot of all records makes what cpio makes: the first link
# becomes an empty file of its own, without an error. Linux itself links them when it unpacks an initramfs.
# Prints what was seen; fails when that changes. Needs go and cpio (Debian 2.13+dfsg-7.1).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export GOFLAGS=-mod=mod
cd "$dir"
mkdir in go cpio
echo text > in/a
ln in/a in/b
(cd in && printf 'a\nb\n' | cpio -o -H newc --quiet) > t.cpio
(cd cpio && cpio -i --quiet < ../t.cpio)
cat > main.go <<'G'
package main

import (
	"os"

	"github.com/u-root/u-root/pkg/cpio"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	f, err := os.Open("t.cpio")
	check(err)
	records, err := cpio.ReadAllRecords(cpio.Newc.Reader(f))
	check(err)
	for _, r := range records {
		check(cpio.CreateFileInRoot(r, "go", false))
	}
}
G
go mod init example.org/t 2> /dev/null
go get github.com/u-root/u-root@v0.16.0 2> /dev/null
go mod tidy 2> /dev/null
go list -m github.com/u-root/u-root
go run .
seen=$(wc -c cpio/a cpio/b go/a go/b | awk '{ print $2 "=" $1 }' | xargs)
echo "$seen"
test "$seen" = "cpio/a=5 cpio/b=5 go/a=0 go/b=5 total=15"
