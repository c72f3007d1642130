package cmd

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/diagnostic"
	"podium/models"
	"podium/scoring"
)

// certificate is what a referee has proved, with the digest of its file.
type certificate struct {
	*examinations.Certificate
	values map[examinations.Key]examinations.Value
	digest string // sha256, hexadecimal
}

// certifiedName is the directory in which a campaign keeps the certificate of
// `podium certify`.
const certifiedName = "certified"

func certifiedDir(c *campaign.Campaign) string { return filepath.Join(c.Dir, certifiedName) }

func registerCertified(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "certified", "", "certificate that podium certify wrote to `DIR` (default: the campaign's own, if it has one)")
}

// openCertificate reads a certificate: that of a campaign, that in a directory,
// or the file itself.
func openCertificate(s *streams, path string) (*certificate, error) {
	if isCampaign(path) {
		path = filepath.Join(path, certifiedName)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, examinations.CertificateFile)
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, diagnostic.List{{File: path, Code: "certificate-missing", Message: "there is no certificate here",
			Hint: "`podium certify CAMPAIGN` makes that of a campaign, `podium certify --out DIR` any other"}}
	} else if err != nil {
		return nil, err
	}
	read, found := examinations.ReadCertificate(bytes.NewReader(text), path)
	if err := sayWarnings(s, found); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return &certificate{read, read.Values(), hex.EncodeToString(sum[:])}, nil
}

// certificateOf gives the certificate at path that is valid for a campaign, or
// the campaign's own when path is empty, or nil when it has none.
func certificateOf(s *streams, c *campaign.Campaign, path string) (*certificate, error) {
	if path == "" {
		path = filepath.Join(certifiedDir(c), examinations.CertificateFile)
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			return nil, nil
		}
	}
	found, err := openCertificate(s, path)
	if err != nil {
		return nil, err
	}
	for _, p := range found.Proofs() {
		if planned, ok := c.Plan.Instance(p.Instance); !ok || planned.Digest == p.Digest {
			continue
		}
		fmt.Fprintf(s.err, "%s: what is proved of %s %s is left aside, because the campaign has another instance of that name\n", path, p.Instance, p.Exam)
		id, _ := models.ParseID(p.Instance) // was checked when it was read
		for _, v := range p.Values {
			delete(found.values, examinations.Key{Instance: id, Exam: p.Exam, Item: v.Item})
		}
	}
	return found, nil
}

// evidence says how a value was proved.
func (c *certificate) evidence(key examinations.Key) (how string, value examinations.ProvedValue, ok bool) {
	if _, valid := c.values[key]; !valid {
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

// printCertainties prints every value with what was elected and what the referee
// says of it, and then how many there are of each kind.
func printCertainties(out io.Writer, r *scoring.Result) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "value\telected\treferee\tproved")
	counts := make([][scoring.Supplied + 1]int, len(r.Contest.Exams))
	for sheet, s := range r.Contest.Sheets {
		exam := r.Contest.Exams[s.Exam].ID
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			certainty, elected := r.Certainty(sheet, v), "?"
			counts[s.Exam][certainty]++
			if ref := r.Elected(sheet, v); ref.Known() {
				elected = r.Contest.Values[ref.Answer].Text
			}
			proved, _ := r.Certified(v)
			fmt.Fprintf(w, "%s %s %s\t%s\t%s\t%s\n", r.Contest.Instances[s.Instance].Name, exam, r.Contest.Items[v], short(elected), certainty, short(proved.Text))
		}
	}
	fmt.Fprintln(w)
	if err := w.Flush(); err != nil {
		return err
	}
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "examination\tproved\trefuted\tundecided\tsupplied\t")
	for i, n := range counts {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\n", r.Contest.Exams[i].ID, n[scoring.Proved], n[scoring.Refuted], n[scoring.Undecided], n[scoring.Supplied])
	}
	fmt.Fprintln(w)
	return w.Flush()
}
