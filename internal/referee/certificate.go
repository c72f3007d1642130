package referee

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/files"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/models"
)

// open reads the certificate of an earlier call and prepares to append to it.
func (r *Referee) open() error {
	if r.Dir == "" {
		return nil
	}
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(r.Dir, oracle.CertificateFile)
	text, err := files.Read(r.Dir, oracle.CertificateFile, oracle.MaxCertificate)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if len(text) > 0 {
		before, found := oracle.ReadCertificate(bytes.NewReader(text), path)
		if err := found.Err(); err != nil {
			return err
		}
		for _, d := range found {
			r.Say(d.Error())
		}
		r.written = before
		if !r.Again {
			r.before = before
		}
	}
	// What a crash has cut off is written over. Where it is the first line, nothing is left.
	whole := int64(bytes.LastIndexByte(text, '\n') + 1)
	if whole == 0 {
		if err := files.Replace(path, oracle.WriteCertificateHead); err != nil {
			return err
		}
	}
	if r.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0); err != nil {
		return err
	}
	if whole > 0 {
		err = r.file.Truncate(whole)
	}
	if err != nil {
		r.file.Close()
	}
	return err
}

// earlier returns what an earlier call has proved of an examination.
func (r *Referee) earlier(instance, digest string, exam examinations.ID) (p oracle.Proof, ok bool) {
	if r.before == nil {
		return p, false
	}
	p, ok = r.before.Find(instance, exam)
	return p, ok && p.Digest == digest
}

// recall returns the proof of an earlier call; fresh says that there is none, or
// that a larger budget may find more.
func (r *Referee) recall(id models.ID, digest string, exam examinations.ID) (p oracle.Proof, fresh bool) {
	if p, ok := r.earlier(id.String(), digest, exam); ok {
		if len(p.Values) == p.Asked || p.Budget >= r.Budget.Microseconds() && p.Memory >= r.Memory {
			return p, false
		}
	}
	return oracle.Proof{Instance: id.String(), Digest: digest, Exam: exam, Version: r.Version,
		Budget: r.Budget.Microseconds(), Memory: r.Memory}, true
}

// join adds what an earlier call has proved to a proof.
func (r *Referee) join(p oracle.Proof) (oracle.Proof, error) {
	before, ok := r.earlier(p.Instance, p.Digest, p.Exam)
	if !ok {
		return p, nil
	}
	return p, p.Keep(before)
}

// keep writes a proof to the certificate, and the oracle file of its values.
func (r *Referee) keep(id models.ID, p oracle.Proof, items []string) error {
	if r.file == nil {
		return nil
	}
	if err := p.Write(r.file); err != nil {
		return kept(err)
	}
	if r.written != nil {
		if before, ok := r.written.Find(p.Instance, p.Exam); ok && before.Digest == p.Digest {
			p.Values = slices.Clone(p.Values)
			if err := p.Keep(before); err != nil {
				return err
			}
		}
	}
	if len(p.Values) == 0 {
		return nil
	}
	return kept(files.Write(filepath.Join(r.Dir, oracle.FileName(id, p.Exam)), func(w io.Writer) error {
		return oracle.Write(w, id, p.Exam, items, valuesOf(id, p), "PODIUM")
	}))
}

// witnessFile is where the witnesses of an examination lie.
func (r *Referee) witnessFile(id models.ID, exam examinations.ID) string {
	return filepath.Join(r.Dir, strings.TrimSuffix(oracle.FileName(id, exam), ".out")+witness.Suffix)
}

// leave writes the witnesses of an examination into one file, for replay. Those of an
// earlier call stay, where the certificate speaks of the same instance and no new one shows
// the same values.
func (h *hearing) leave(c *clock.Clock, id models.ID, digest string, exam examinations.ID) error {
	list := h.witnesses()
	if h.file == nil || len(list) == 0 {
		return nil
	}
	path := h.witnessFile(id, exam)
	var earlier []*witness.Witness
	opened := h.opened()
	if h.written != nil {
		if before, ok := h.written.Find(id.String(), exam); ok && before.Digest == digest {
			var err error
			if earlier, err = stillNeeded(c, path, opened, id.String(), list); err != nil {
				return err
			}
		}
	}
	return kept(files.Write(path, func(w io.Writer) (err error) {
		write := func(net *replay.Net, list []*witness.Witness) {
			for _, x := range list {
				if err == nil {
					err = net.Write(c.Writer(w), x)
				}
			}
		}
		write(opened, earlier)
		for _, n := range h.looked() {
			write(replay.NewNet(n.View), n.witnesses)
		}
		return err
	}))
}

// stillNeeded reads the witnesses of a file that have a value which none of a list has.
func stillNeeded(c *clock.Clock, path string, net *replay.Net, instance string, list []*witness.Witness) (kept []*witness.Witness, err error) {
	shown := map[string]bool{}
	for _, w := range list {
		for _, claim := range w.Claims {
			shown[claim.Item] = true
		}
	}
	in, err := files.Open(filepath.Dir(path), filepath.Base(path))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer in.Close()
	reader := replay.NewReader(c.Reader(in), net, replay.Options{File: path, Instance: instance})
	for reader.Scan() {
		w := reader.Witness()
		if len(w.Faults) == 0 && slices.ContainsFunc(w.Claims, func(claim witness.Claim) bool { return !shown[claim.Item] }) {
			kept = append(kept, w)
		}
	}
	return kept, reader.Err()
}
