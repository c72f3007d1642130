//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"podium/vm/guest/image"
	"podium/vm/proc"
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
	dead := owner{proc.Process{PID: own.PID, Start: own.Start + 1}}
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

// TestFasterIsChosen gives a template up when restoring is slower than booting
// again and again, or fails.
func TestFasterIsChosen(t *testing.T) {
	for _, c := range []struct {
		name   string
		took   []time.Duration
		err    error
		only   bool
		gaveUp bool
	}{
		{"faster", []time.Duration{1, 1, 1, 1}, nil, false, false},
		{"slower", []time.Duration{9, 9, 9}, nil, false, true},
		{"sometimes slower", []time.Duration{9, 9, 1, 9, 9}, nil, false, false},
		{"slower, but asked for", []time.Duration{9, 9, 9, 9}, nil, true, false},
		{"fails", []time.Duration{1}, errors.New("no"), false, true},
	} {
		s := &shape{}
		made := &template{Boot: 5, shape: s}
		for _, took := range c.took {
			made.restored(took, c.err, c.only)
		}
		if (s.reason != nil) != c.gaveUp {
			t.Errorf("%s: %v", c.name, s.reason)
		}
	}
}
