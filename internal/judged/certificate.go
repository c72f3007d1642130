package judged

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/witness"
	"podium/models"
	"podium/pnml/diagnostic"
)

// Certificate is a certificate of the referee, with the digest of its file, and what witnesses
// of tools show besides.
type Certificate struct {
	*oracle.Certificate
	Values map[examinations.Key]examinations.Value // those that hold for the contest at hand
	Digest string                                  // sha256, hexadecimal; empty where only tools have shown something

	byTools map[examinations.Key]string // says which witness shows a value that the referee has not proved
}

// certifiedName is the directory in which a campaign keeps the certificate of
// `podium prove`.
const certifiedName = "certified"

// CertifiedDir returns the directory of a campaign's certificate.
func CertifiedDir(c *campaign.Campaign) string { return filepath.Join(c.Dir, certifiedName) }

// IsCertificate reports whether a path is a certificate, or a directory with one.
func IsCertificate(path string) bool {
	_, err := os.Stat(filepath.Join(path, oracle.CertificateFile))
	return err == nil || filepath.Base(path) == oracle.CertificateFile
}

// OpenCertificate reads a certificate. The path is a campaign, a directory with
// a certificate, or the file itself. Warnings are passed to say.
func OpenCertificate(path string, say func(remark string)) (*Certificate, error) {
	var text []byte
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		dir, name := path, oracle.CertificateFile
		if IsCampaign(path) {
			name = filepath.Join(certifiedName, name)
		}
		path = filepath.Join(dir, name)
		text, err = files.Read(dir, name, oracle.MaxCertificate)
	} else {
		text, err = files.ReadNamed(path, oracle.MaxCertificate)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, diagnostic.List{{File: path, Code: "certificate-missing", Message: "there is no certificate here",
			Hint: "`podium prove CAMPAIGN` makes that of a campaign, `podium prove --out DIR` any other"}}
	} else if err != nil {
		return nil, err
	}
	read, found := oracle.ReadCertificate(bytes.NewReader(text), path)
	if err := found.Err(); err != nil {
		return nil, err
	}
	for _, d := range found {
		say(d.Error())
	}
	sum := sha256.Sum256(text)
	return &Certificate{Certificate: read, Values: read.Values(), Digest: hex.EncodeToString(sum[:])}, nil
}

// certificateOf returns the certificate at path that is valid for a campaign, or
// the campaign's own when path is empty, or nil when it has none.
func certificateOf(c *campaign.Campaign, path string, say func(remark string)) (*Certificate, error) {
	open := path
	if path == "" {
		open, path = c.Dir, filepath.Join(CertifiedDir(c), oracle.CertificateFile)
		if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
			return nil, nil
		}
	}
	found, err := OpenCertificate(open, say)
	if err != nil {
		return nil, err
	}
	for _, p := range found.Proofs() {
		if planned, ok := c.Plan.Instance(p.Instance); !ok || planned.Digest == p.Digest || planned.Whole == p.Digest {
			continue
		}
		say(fmt.Sprintf("%s: what is proved of %s %s is left aside, because the campaign has another instance of that name", path, p.Instance, p.Exam))
		id, _ := models.ParseID(p.Instance) // was checked when it was read
		for _, v := range p.Values {
			delete(found.Values, examinations.Key{Instance: id, Exam: p.Exam, Item: v.Item})
		}
	}
	return found, nil
}

// withWitnesses adds the values that witnesses of tools show: those that the replay has
// confirmed, whatever validators say. What the referee has proved itself stays. It returns the
// certificate as it is, which may be nil, where there are none.
func (c *Certificate) withWitnesses(log *campaign.Log) *Certificate {
	for run, f := range log.Finished {
		for _, w := range f.Witnesses {
			proved := witness.ParseBound(w.Item, w.Proved, run.Exam.Kind())
			if w.State != witness.Confirmed || proved.Value.IsZero() || proved.AtLeast {
				continue
			}
			id, _ := models.ParseID(run.Instance) // was checked when the campaign was planned
			key := examinations.Key{Instance: id, Exam: run.Exam, Item: w.Item}
			how := "the witness of " + run.Tool + ", which a replay confirmed: " + w.Detail
			if c == nil {
				c = &Certificate{Certificate: &oracle.Certificate{}, Values: map[examinations.Key]examinations.Value{}}
			}
			if c.byTools == nil {
				c.byTools = map[examinations.Key]string{}
			}
			before, met := c.byTools[key]
			if _, known := c.Values[key]; known && !met || met && before <= how {
				continue
			}
			c.Values[key], c.byTools[key] = proved.Value, how
		}
	}
	return c
}

// Evidence says how a value was proved.
func (c *Certificate) Evidence(key examinations.Key) (how string, value oracle.ProvedValue, ok bool) {
	if how, shown := c.byTools[key]; shown {
		return how, value, true
	}
	if _, valid := c.Values[key]; !valid {
		return "", value, false
	}
	p, _ := c.Find(key.Instance.String(), key.Exam)
	for _, v := range p.Values {
		if v.Item == key.Item {
			return v.String(), v, true
		}
	}
	return "", value, false
}

// WriteEvidence says how the referee has proved a value, if it has.
func (c *Certificate) WriteEvidence(out io.Writer, key examinations.Key) {
	how, value, ok := c.Evidence(key)
	if !ok {
		return
	}
	fmt.Fprintf(out, "  evidence: %s\n", how)
	if len(value.Run) > 0 {
		fmt.Fprintf(out, "  run: %s\n", strings.Join(value.Run, " "))
	}
	if len(value.Cycle) > 0 {
		fmt.Fprintf(out, "  cycle: %s\n", strings.Join(value.Cycle, " "))
	}
}

// IsCampaign reports whether a directory is that of a campaign.
func IsCampaign(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "campaign.json"))
	return err == nil
}

// ByTool reports whether a witness of a tool alone shows a value.
func (c *Certificate) ByTool(key examinations.Key) bool {
	_, shown := c.byTools[key]
	return shown
}

// ByTools is the number of values that witnesses of tools alone show.
func (c *Certificate) ByTools() int { return len(c.byTools) }
