//go:build linux

package vmtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"podium/vm"
)

// resultAttacks leave results that are hard to take.
var resultAttacks = []attack{
	{"results in 6000 directories, each in the one before", everyDriver, nil, func() error {
		for range 6000 {
			if err := errors.Join(os.Mkdir("deep", 0o755), syscall.Chdir("deep")); err != nil {
				return err
			}
		}
		return os.WriteFile("proof", []byte("deep\n"), 0o644)
	}, harmless{}},
	{"results in 3000 directories that nobody may read", everyDriver, nil, func() error {
		for i := range 3000 {
			if err := os.Mkdir(fmt.Sprint("shut-", i), 0); err != nil {
				return err
			}
		}
		return nil
	}, harmless{}},
	{"results with holes, longer than the disk", everyDriver, nil, func() error {
		f, err := os.Create("holes")
		return errors.Join(err, f.Truncate(64<<20), f.Close())
	}, harmless{}},
	{"results with long names", everyDriver, nil, func() error {
		name := make([]byte, 255)
		for i := range name {
			name[i] = 'x'
		}
		for range 12 {
			if err := errors.Join(os.Mkdir(string(name), 0o755), os.Chdir(string(name))); err != nil {
				return err
			}
		}
		return os.WriteFile(string(name), nil, 0o644)
	}, harmless{}},
}

// harmless is the ending of an attack on results: the run counts, what can be taken
// is, and little is said of the rest.
type harmless struct{}

func (harmless) String() string { return "the run counts, the rest of the results is left out" }

func (harmless) check(b *bench, a attack) {
	job := limited(script("cd $BK_RESULT_DIR && echo good > one && $ACTOR attack '"+a.name+"'"), vm.Limits{WallTime: time.Minute, Disk: 32 << 20})
	job.SideOut = b.TempDir()
	r := b.do(job)
	b.wantOut(r, "done\n")
	b.wantFile(filepath.Join(job.SideOut, "one"), "good\n")
	if len(r.Warnings) > 5 {
		b.Errorf("warnings: %q", r.Warnings)
	}
	if taken, err := os.ReadDir(job.SideOut); err != nil || len(taken) != 1 {
		b.Errorf("taken: %v, %v", taken, err)
	}
}
