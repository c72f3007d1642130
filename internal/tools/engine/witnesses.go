package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"podium/examinations"
	"podium/internal/witness"
	"podium/internal/witness/replay"
)

// Witnesses writes the witnesses of an engine's answers, see docs/witnesses.md.
// Only one goroutine at a time may use it.
type Witnesses struct {
	Dir      string
	Instance string
	Exam     examinations.ID

	files int
	err   error
}

// Leave writes a witness into a file of its own, which appears whole or not at
// all. The first error is kept for Err: an answer without its witness still
// counts.
func (d *Witnesses) Leave(net *replay.Net, claims []witness.Claim, runs ...witness.Path) {
	if d.err != nil {
		return
	}
	d.files++
	path := filepath.Join(d.Dir, fmt.Sprintf("%04d%s", d.files, witness.Suffix))
	d.err = write(path, func(f *os.File) error {
		return net.Write(f, &witness.Witness{Instance: d.Instance, Exam: d.Exam, Claims: claims, Paths: runs})
	})
}

// Err is the first error, nil also when there are no witnesses.
func (d *Witnesses) Err() error {
	if d == nil {
		return nil
	}
	return d.err
}

func write(path string, content func(*os.File) error) error {
	f, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	if err = errors.Join(content(f), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), path)
}
