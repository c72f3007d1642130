package referee

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
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
	text, err := os.ReadFile(path)
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
		if !r.Again {
			r.before = before
		}
	}
	if r.file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return err
	}
	if len(text) == 0 {
		err = oracle.WriteCertificateHead(r.file)
	} else {
		// What a crash has cut off is written over.
		whole := int64(bytes.LastIndexByte(text, '\n') + 1)
		_, serr := r.file.Seek(whole, io.SeekStart)
		err = errors.Join(r.file.Truncate(whole), serr)
	}
	if err != nil {
		r.file.Close()
	}
	return err
}

// earlier gives what an earlier call has proved of an examination.
func (r *Referee) earlier(instance, digest string, exam examinations.ID) (p oracle.Proof, ok bool) {
	if r.before == nil {
		return p, false
	}
	p, ok = r.before.Find(instance, exam)
	return p, ok && p.Digest == digest
}

// recall gives the proof of an earlier call; fresh says that there is none, or
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
	if err := p.Write(r.file); err != nil || len(p.Values) == 0 {
		return err
	}
	return files.Write(filepath.Join(r.Dir, oracle.FileName(id, p.Exam)), func(w io.Writer) error {
		return oracle.Write(w, id, p.Exam, items, valuesOf(id, p), "PODIUM")
	})
}

// leave writes the witnesses of an examination into one file, for replay.
func (r *Referee) leave(c *clock.Clock, id models.ID, net *net, exam examinations.ID) error {
	if r.file == nil || len(net.witnesses) == 0 {
		return nil
	}
	name := strings.TrimSuffix(oracle.FileName(id, exam), ".out") + witness.Suffix
	named := replay.NewNet(net.View)
	return files.Write(filepath.Join(r.Dir, name), func(w io.Writer) error {
		for _, proof := range net.witnesses {
			if err := named.Write(c.Writer(w), proof); err != nil {
				return err
			}
		}
		return nil
	})
}
