//go:build linux

package proc

import (
	"errors"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestHost(t *testing.T) {
	cores := Cores()
	if len(cores) == 0 || !slices.IsSorted(cores) {
		t.Errorf("cores %v", cores)
	}
	if m := FreeMemory(); m < 1<<20 || m > 1<<50 {
		t.Errorf("%d bytes are free", m)
	}
}

// TestDead follows a process through its life, its death, and after.
func TestDead(t *testing.T) {
	self, err := Self()
	if err != nil || self.Start == 0 || self.Dead() {
		t.Errorf("%+v, %v", self, err)
	}
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p, err := Find(cmd.Process.Pid)
	if err != nil || p.Start < self.Start || p.Dead() {
		t.Errorf("%+v, %v", p, err)
	}
	in.Close()
	for !p.Dead() { // as a zombie
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(p.PID); !errors.Is(err, fs.ErrNotExist) || !p.Dead() {
		t.Errorf("a dead process is found: %v", err)
	}
	other := self
	other.Start++
	if !other.Dead() {
		t.Error("a process with the id of another one is not dead")
	}
}

func TestStatFields(t *testing.T) {
	rest := strings.Repeat(" 1", 21)
	for _, line := range []string{"7 (cat) S" + rest, "7 (a) R 1 2 (x)) S" + rest} {
		if got, err := StatFields(line); err != nil || got[0] != "S" || len(got) != 22 {
			t.Errorf("%q: %q, %v", line, got, err)
		}
	}
	for _, line := range []string{"", "7 (cat", "7 (cat) S 1"} {
		if got, err := StatFields(line); err == nil {
			t.Errorf("%q: %q", line, got)
		}
	}
}
