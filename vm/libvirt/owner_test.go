//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"testing"

	"podium/vm/proc"
)

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
