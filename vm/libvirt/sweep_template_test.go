//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"podium/vm/guest/image"
)

// TestSweepTemplates wants templates of another time and what dead drivers were
// making to be removed, and nothing else.
func TestSweepTemplates(t *testing.T) {
	host, err1 := hostBoot()
	store, err2 := image.OpenStore(t.TempDir())
	own, err3 := self()
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	dead := owner{own.pid, own.start + 1}
	old := time.Now().Add(-2 * templateAge)
	kept := []string{"template-" + host + "-used", own.String() + "-making-x", "something"}
	for _, name := range append(slices.Clone(kept), "template-"+host+"-unused", "template-of-another-time", dead.String()+"-making-x") {
		if err := os.Mkdir(store.Path(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(store.Path("template-"+host+"-unused"), old, old); err != nil {
		t.Fatal(err)
	}
	if err := (&Driver{store: store}).sweepTemplates(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(store.Path(""))
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	slices.Sort(kept)
	if !slices.Equal(left, kept) {
		t.Errorf("%q are left, not %q", left, kept)
	}
}
