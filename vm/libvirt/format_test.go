//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"strings"
	"testing"

	"podium/vm/proc"
)

func TestFormatOf(t *testing.T) {
	head := func(start string) []byte { return append([]byte(start), make([]byte, 1024-len(start))...) }
	external := head("QFI\xfb\x00\x00\x00\x03")
	external[79] = 4
	for _, c := range []struct {
		name      string
		head      []byte
		form, err string
	}{
		{"qcow2", head("QFI\xfb\x00\x00\x00\x03"), "qcow2", ""},
		{"qcow2 with a backing file", head("QFI\xfb\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x01\x00"), "", "another file"},
		{"qcow2 with a data file", external, "", "another file"},
		{"vmdk", head("KDMV"), "vmdk", ""},
		{"vmdk that is only described", head("# Disk DescriptorFile\n"), "", "qemu-img"},
		{"raw", head("\xeb"), "raw", ""},
	} {
		form, err := formatOf(c.head)
		if form != c.form || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v", c.name, form, err)
		}
	}
}

func TestOwnerOf(t *testing.T) {
	me, err := self()
	if err != nil || me.Dead() {
		t.Fatal(me, err)
	}
	if o, ok := ownerOf("podium-" + me.String() + "-3-name"); !ok || o != me {
		t.Error(o, ok)
	}
	other := owner{proc.Process{PID: me.PID, Start: me.Start + 1}}
	if o, ok := ownerOf(other.String() + "-1"); !ok || !o.Dead() {
		t.Error("a process that started at another time is alive")
	}
	for _, name := range []string{"podium-x-1-y", "other-1-2-x", "podium-1-2", "1", ""} {
		if o, ok := ownerOf(name); ok {
			t.Errorf("%q belongs to %v", name, o)
		}
	}
}
