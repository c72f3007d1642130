package engine

import (
	"fmt"
	"io"
	"path/filepath"

	"podium/examinations"
	"podium/internal/files"
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
func (d *Witnesses) Leave(net *replay.Net, left *witness.Witness) {
	if d.err != nil {
		return
	}
	d.files++
	path := filepath.Join(d.Dir, fmt.Sprintf("%04d%s", d.files, witness.Suffix))
	left.Instance, left.Exam = d.Instance, d.Exam
	d.err = files.Replace(path, func(w io.Writer) error { return net.Write(w, left) })
}

// Err is the first error, nil also when there are no witnesses.
func (d *Witnesses) Err() error {
	if d == nil {
		return nil
	}
	return d.err
}
