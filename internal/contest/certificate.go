package contest

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
	"podium/models"
	"podium/pnml/diagnostic"
)

// Certificate is a certificate of the referee, with the digest of its file.
type Certificate struct {
	*oracle.Certificate
	Values map[examinations.Key]examinations.Value // those that hold for the contest at hand
	Digest string                                  // sha256, hexadecimal
}

// certifiedName is the directory in which a campaign keeps the certificate of
// `podium certify`.
const certifiedName = "certified"

// CertifiedDir gives the directory of a campaign's certificate.
func CertifiedDir(c *campaign.Campaign) string { return filepath.Join(c.Dir, certifiedName) }

// OpenCertificate reads a certificate. The path is a campaign, a directory with
// a certificate, or the file itself. Warnings are passed to say.
func OpenCertificate(path string, say func(remark string)) (*Certificate, error) {
	if IsCampaign(path) {
		path = filepath.Join(path, certifiedName)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, oracle.CertificateFile)
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, diagnostic.List{{File: path, Code: "certificate-missing", Message: "there is no certificate here",
			Hint: "`podium certify CAMPAIGN` makes that of a campaign, `podium certify --out DIR` any other"}}
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
	return &Certificate{read, read.Values(), hex.EncodeToString(sum[:])}, nil
}

// certificateOf gives the certificate at path that is valid for a campaign, or
// the campaign's own when path is empty, or nil when it has none.
func certificateOf(c *campaign.Campaign, path string, say func(remark string)) (*Certificate, error) {
	if path == "" {
		path = filepath.Join(CertifiedDir(c), oracle.CertificateFile)
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			return nil, nil
		}
	}
	found, err := OpenCertificate(path, say)
	if err != nil {
		return nil, err
	}
	for _, p := range found.Proofs() {
		if planned, ok := c.Plan.Instance(p.Instance); !ok || planned.Digest == p.Digest {
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

// Evidence says how a value was proved.
func (c *Certificate) Evidence(key examinations.Key) (how string, value oracle.ProvedValue, ok bool) {
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

// IsCampaign tells whether a directory is that of a campaign.
func IsCampaign(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "campaign.json"))
	return err == nil
}
