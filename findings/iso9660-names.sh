#!/bin/sh
# github.com/kdomanski/iso9660 0.4.0 writes images as for cloud-init's seeds. A name that the image cannot hold is an
# error, one would guess: README and readme become one file with the later text, x.tar.gz becomes x_tar.gz, Grüße
# becomes gr____e, and no call returns an error.
# Prints what was seen; fails when that changes. Needs go and isoinfo (Debian genisoimage 9:1.1.11-3.4).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export GOFLAGS=-mod=mod
cd "$dir"
cat > main.go <<'G'
package main

import (
	"os"
	"strings"

	"github.com/kdomanski/iso9660"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	w, err := iso9660.NewWriter()
	check(err)
	defer w.Cleanup()
	for _, name := range []string{"user-data", "README", "readme", "x.tar.gz", "Grüße"} {
		check(w.AddFile(strings.NewReader("text of "+name), name))
	}
	f, err := os.Create("seed.iso")
	check(err)
	check(w.WriteTo(f, "cidata"))
	check(f.Close())
}
G
go mod init example.org/t 2> /dev/null
go get github.com/kdomanski/iso9660@v0.4.0 2> /dev/null
go list -m github.com/kdomanski/iso9660
go run .
isoinfo -f -i seed.iso | sort | tee names
printf '%s\n' '/gr____e;1' '/readme;1' '/user-data;1' '/x_tar.gz;1' | cmp - names
isoinfo -i seed.iso -x '/readme;1' | tee text
echo
test "$(cat text)" = "text of readme"
