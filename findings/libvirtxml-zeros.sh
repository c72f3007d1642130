#!/bin/sh
# libvirt.org/go/libvirtxml 1.12008.0. A domain that is read and written again is the same domain, one would guess.
# What is 0 is left out: <thread_pool size='0'/> of virtiofsd (no pool) becomes <thread_pool/>,
# <iothreads>0</iothreads> and <total_bytes_sec>0</total_bytes_sec> vanish, so does frequency='0' of a timer. Other
# zeros, as timeout='0' of <bootmenu> and period='0' of <stats>, stay.
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

	"libvirt.org/go/libvirtxml"
)

const domain = `<domain type="kvm"><name>n</name><memory>1</memory><iothreads>0</iothreads>
<os><type>hvm</type><bootmenu enable="yes" timeout="0"/></os>
<clock offset="utc"><timer name="tsc" frequency="0"/></clock>
<devices>
<disk type="file"><source file="/d"/><target dev="vda"/><iotune><total_bytes_sec>0</total_bytes_sec></iotune></disk>
<filesystem><driver type="virtiofs"/><binary><thread_pool size="0"/></binary>
<source dir="/s"/><target dir="t"/></filesystem>
<memballoon model="virtio"><stats period="0"/></memballoon>
</devices></domain>`

func main() {
	var d libvirtxml.Domain
	if err := d.Unmarshal(domain); err != nil {
		panic(err)
	}
	s, err := d.Marshal()
	if err != nil {
		panic(err)
	}
	fmt.Println(s)
}
G
go mod init example.org/t 2> /dev/null
go get libvirt.org/go/libvirtxml@v1.12008.0 2> /dev/null
go list -m libvirt.org/go/libvirtxml
go run . | tee out
for lost in '<iothreads>' 'frequency=' '<total_bytes_sec>' 'size="0"'; do
	if grep -q "$lost" out; then exit 1; fi
done
for kept in '<thread_pool></thread_pool>' 'timeout="0"' 'period="0"'; do
	grep -q "$kept" out
done
