#!/bin/sh
# github.com/diskfs/go-diskfs 1.9.4 writes Joliet trees (FinalizeOptions.Joliet), whose names have two bytes a
# character. The names of the top directory are right; one would guess that those below are. They are the plain ones,
# one byte a character: a/user-data has a name of five other characters (USER_DAT.;1), and is not found. No call
# returns an error.
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

	diskfs "github.com/diskfs/go-diskfs"
	"github.com/diskfs/go-diskfs/disk"
	"github.com/diskfs/go-diskfs/filesystem"
	"github.com/diskfs/go-diskfs/filesystem/iso9660"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	d, err := diskfs.Create("disk.iso", 10<<20, diskfs.SectorSizeDefault)
	check(err)
	d.LogicalBlocksize = 2048
	fs, err := d.CreateFilesystem(disk.FilesystemSpec{FSType: filesystem.TypeISO9660})
	check(err)
	check(fs.Mkdir("/a"))
	for _, name := range []string{"/meta-data", "/a/user-data"} {
		f, err := fs.OpenFile(name, os.O_CREATE|os.O_RDWR)
		check(err)
		_, err = f.Write([]byte("text"))
		check(err)
		check(f.Close())
	}
	check(fs.(*iso9660.FileSystem).Finalize(iso9660.FinalizeOptions{Joliet: true, VolumeIdentifier: "cidata"}))
	check(fs.Close())
}
G
go mod init example.org/t 2> /dev/null
go get github.com/diskfs/go-diskfs@v1.9.4 2> /dev/null
go mod tidy 2> /dev/null
go list -m github.com/diskfs/go-diskfs
go run .
echo "== Joliet"
isoinfo -J -f -i disk.iso | tee joliet
echo "== plain"
isoinfo -f -i disk.iso | tee plain
test "$(isoinfo -J -i disk.iso -x /meta-data)" = text
test -z "$(isoinfo -J -i disk.iso -x /a/user-data)"
grep -qx '/meta-data' joliet
grep -qx '/a/.....' joliet
if grep -q '/a/user-data' joliet; then exit 1; fi
grep -qx '/A/USER_DAT.;1' plain
