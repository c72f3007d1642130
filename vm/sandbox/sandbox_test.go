//go:build linux && amd64

package sandbox_test

import (
	"os"
	"testing"

	"podium/vm"
	"podium/vm/sandbox"
	"podium/vm/vmtest"
)

func TestMain(m *testing.M) {
	vmtest.Act()
	os.Exit(m.Run())
}

func open(t *testing.T) vm.Driver {
	d, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestConformance(t *testing.T) {
	vmtest.TestDriver(t, open, vmtest.Options{})
}
