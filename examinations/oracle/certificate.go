package oracle

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"podium/examinations"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml/diagnostic"
)

// CertificateFile is the name of a certificate. Oracle files with the same
// values lie in the same directory.
const CertificateFile = "certificate.jsonl"

// MaxCertificate bounds the certificates that are read, in bytes.
const MaxCertificate = 1 << 30

// CertificateFormat is the value of the key "format" in the first line of a
// certificate. Each further line is a [Proof]. A last line without an end is
// left by a crash and is no damage.
const CertificateFormat = "podium-certificate/1"

// Proof is what a referee found out about one examination of one instance:
// proved values, each with its evidence. Times are in microseconds, sizes in
// bytes.
type Proof struct {
	Instance string          `json:"instance"`
	Digest   string          `json:"sha256"` // of the instance
	Exam     examinations.ID `json:"examination"`
	Asked    int             `json:"asked"` // number of values asked
	Version  string          `json:"version"`
	Budget   int64           `json:"budget_us"`
	Memory   int64           `json:"memory"`
	Took     int64           `json:"took_us"`
	Markings uint64          `json:"markings"` // enumerated
	Firings  uint64          `json:"firings"`
	Ended    string          `json:"ended"` // why the enumeration ended
	Values   []ProvedValue   `json:"values"`
}

// ProvedValue is one proved value with its evidence.
type ProvedValue struct {
	Item string `json:"item"`
	// Markings is the number of markings that were enumerated for it.
	Markings uint64   `json:"markings,omitempty"`
	Text     string   `json:"value"` // as in Value
	By       Evidence `json:"by"`
	// Run and Cycle are the ids of the transitions of a run that shows the
	// value, Cycle those that may be repeated for ever. They are left out where
	// it is too long or takes several runs; Length is the number of all firings.
	Run    []string `json:"run,omitempty"`
	Cycle  []string `json:"cycle,omitempty"`
	Length int      `json:"length,omitempty"`
	// Enumerate tells that the witness file asks `podium check witness` to show the value by
	// visiting all markings once more.
	Enumerate bool `json:"enumerate,omitempty"`
	Runs      int  `json:"runs,omitempty"`
	// After is how long after the beginning of the budget the value, and what shows it, was
	// found, 0 where that is not known.
	After int64 `json:"after_us,omitempty"`
}

// Evidence is the way in which a value was proved.
type Evidence string

// The kinds of evidence.
const (
	ByAllMarkings  Evidence = "all-markings"      // every reachable marking was enumerated
	BySomeMarkings Evidence = "some-markings"     // the markings enumerated so far, or a coverability graph, suffice
	ByReduced      Evidence = "reduced"           // markings of a net that was reduced in a way that keeps the answer
	ByStubborn     Evidence = "stubborn-sets"     // markings suffice that are found without firings that cannot matter
	ByWalks        Evidence = "walks"             // markings on walks and near them suffice
	ByDiagrams     Evidence = "decision-diagrams" // the reachable markings were computed as decision diagrams, and all of them decide it
	ByLaws         Evidence = "simplification"    // laws of logic, and formulas that linear programs prove to hold always or never
	ByRun          Evidence = "run"               // a run from the initial marking shows it
	ByProof        Evidence = "proof"             // a proof without enumeration shows it: docs/witnesses.md
)

// Shown is what the witness file of a certificate holds for a value, for `podium check witness`.
type Shown string

// What is shown: nothing, a run, a proof, or that all markings are to be visited again.
const (
	NotShown         Shown = ""
	ShownByRun       Shown = "run"
	ShownByProof     Shown = "proof"
	ShownByRepeating Shown = "enumeration"
)

// Shown says how a replay shows the value.
func (v ProvedValue) Shown() Shown {
	switch {
	case v.By == ByRun:
		return ShownByRun
	case v.By == ByProof:
		return ShownByProof
	case v.Enumerate:
		return ShownByRepeating
	}
	return NotShown
}

// String describes the evidence in words.
func (v ProvedValue) String() string {
	switch {
	case v.Enumerate:
		return v.Found() + "; `podium check witness` repeats that by enumeration"
	case v.By == ByProof:
		return v.Found() + ", which the witness file holds"
	}
	return v.Found()
}

// Found says in words how the value was found, without what a file of witnesses holds.
func (v ProvedValue) Found() string {
	switch {
	case v.By == ByRun && v.Runs > 1:
		return fmt.Sprintf("%d runs of %s together show it", v.Runs, wording.Count(v.Length, "firing", "firings"))
	case v.By == ByRun && len(v.Cycle) > 0:
		return fmt.Sprintf("a run of %s that ends in a cycle shows it", wording.Count(v.Length, "firing", "firings"))
	case v.By == ByRun:
		return fmt.Sprintf("a run of %s shows it", wording.Count(v.Length, "firing", "firings"))
	case v.By == ByProof:
		return "by a proof without enumeration"
	case v.By == ByStubborn:
		return wording.Count(v.Markings, "marking was", "markings were") + " visited with stubborn sets, which leave out firings that cannot matter"
	case v.By == ByWalks:
		return "markings on walks and near them suffice"
	case v.By == ByLaws:
		return "the formula becomes a constant, by laws of logic and by parts that are proved to hold always or never"
	case v.By == ByDiagrams:
		return "all reachable markings were computed, as decision diagrams"
	case v.By == ByAllMarkings:
		if v.Markings == 1 {
			return "the initial marking is the only reachable one"
		}
		return fmt.Sprintf("all %d reachable markings were enumerated", v.Markings)
	case v.By == ByReduced:
		return fmt.Sprintf("the net was reduced in a way that keeps the answer, and %s enumerated", wording.Count(v.Markings, "marking", "markings"))
	}
	if v.Markings == 1 {
		return "the initial marking suffices"
	}
	return fmt.Sprintf("the first %d markings suffice", v.Markings)
}

// Keep adds the values of an earlier proof of the same examination and
// instance, and its evidence where it has some and a value has none. It is an error when
// the two contradict each other.
func (p *Proof) Keep(earlier Proof) error {
	for _, v := range earlier.Values {
		switch i := slices.IndexFunc(p.Values, func(w ProvedValue) bool { return w.Item == v.Item }); {
		case i < 0:
			p.Values = append(p.Values, v)
		case p.Values[i].Text != v.Text:
			return fmt.Errorf("%s of %s is proved to be %s, and was proved to be %s", v.Item, p.Instance, p.Values[i].Text, v.Text)
		case p.Values[i].Shown() == NotShown && v.Shown() != NotShown:
			p.Values[i] = v
		}
	}
	return nil
}

// Certificate holds the proofs of a file. Proofs of the same examination of the
// same instance are joined to one.
type Certificate struct {
	proofs map[proofKey]Proof
}

type proofKey struct {
	instance string
	exam     examinations.ID
}

// Find returns the proof of an examination of an instance, and false when there
// is none.
func (c *Certificate) Find(instance string, exam examinations.ID) (Proof, bool) {
	p, ok := c.proofs[proofKey{instance, exam}]
	return p, ok
}

// Without returns the certificate without the proofs of some instances.
func (c *Certificate) Without(gone func(instance string) bool) *Certificate {
	rest := maps.Clone(c.proofs)
	maps.DeleteFunc(rest, func(k proofKey, _ Proof) bool { return gone(k.instance) })
	return &Certificate{proofs: rest}
}

// Proofs lists the proofs by instance and examination.
func (c *Certificate) Proofs() []Proof {
	return slices.SortedFunc(maps.Values(c.proofs), func(a, b Proof) int {
		return bytes.Compare([]byte(a.Instance+" "+string(a.Exam)), []byte(b.Instance+" "+string(b.Exam)))
	})
}

// Values returns all proved values.
func (c *Certificate) Values() map[examinations.Key]examinations.Value {
	values := map[examinations.Key]examinations.Value{}
	for _, p := range c.proofs {
		id, _ := models.ParseID(p.Instance) // was checked when it was read
		for _, v := range p.Values {
			values[examinations.Key{Instance: id, Exam: p.Exam, Item: v.Item}] = examinations.Value{Kind: p.Exam.Kind(), Text: v.Text}
		}
	}
	return values
}

// Limits of a certificate: bytes of a line, and proofs.
const (
	maxProof  = 64 << 20
	maxProofs = 1 << 20
)

// ReadCertificate reads a certificate. What is wrong with a line is an error and
// the line is left out; a last line without end is a warning, and so is an empty file:
// nothing is proved there.
func ReadCertificate(r io.Reader, file string) (*Certificate, diagnostic.List) {
	return readCertificate(r, file, maxProofs)
}

// readCertificate reads at most so many lines.
func readCertificate(r io.Reader, file string, most int) (*Certificate, diagnostic.List) {
	c := &Certificate{proofs: map[proofKey]Proof{}}
	var list diagnostic.List
	fail := func(line int, severity diagnostic.Severity, message string) {
		list.Add(diagnostic.Diagnostic{File: file, Line: line, Severity: severity, Code: "certificate", Message: message,
			Hint: "`podium prove` writes certificates"})
	}
	lines := bufio.NewReaderSize(r, 64<<10)
	for line := 1; ; line++ {
		text, err := readLine(lines, maxProof)
		switch {
		case err == io.EOF && line == 1 && strings.HasPrefix(certificateBegin, string(text)):
			fail(0, diagnostic.Warning, "nothing is proved here: the file was cut off at its beginning")
			return c, list
		case err == io.EOF && len(text) == 0:
			return c, list
		case err == io.EOF && line > 1:
			fail(line, diagnostic.Warning, "the last line is cut off and is left out")
			return c, list
		case err != nil && err != io.EOF:
			fail(line, diagnostic.Error, err.Error())
			return c, list
		case line > most:
			fail(line, diagnostic.Error, fmt.Sprintf("there are more than %d lines", most))
			return c, list
		}
		if line == 1 {
			if err := certificateHead(text); err != nil {
				fail(1, diagnostic.Error, err.Error())
				return c, list
			}
			continue
		}
		p, err := parseProof(text)
		if err != nil {
			fail(line, diagnostic.Error, err.Error())
			continue
		}
		key := proofKey{p.Instance, p.Exam}
		if earlier, ok := c.proofs[key]; ok && earlier.Digest == p.Digest {
			if err := p.Keep(earlier); err != nil {
				fail(line, diagnostic.Error, err.Error())
				continue
			}
		}
		c.proofs[key] = p
	}
}

// readLine reads a line without its end. The error is io.EOF where the end is
// missing.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var text []byte
	for {
		part, err := r.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > most:
			return nil, fmt.Errorf("the line is longer than %d bytes", most)
		case err == nil:
			return text[:len(text)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return text, err
		}
	}
}

// certificateBegin is the first line.
const certificateBegin = `{"format":"` + CertificateFormat + `"}`

type certificateHeader struct {
	Format string `json:"format"`
}

func certificateHead(text []byte) error {
	var head certificateHeader
	if err := strictly(text, &head); err != nil || head.Format != CertificateFormat {
		return fmt.Errorf("the file does not begin with the format %s", CertificateFormat)
	}
	return nil
}

func strictly(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("the line holds more than one object")
	}
	return nil
}

func parseProof(text []byte) (Proof, error) {
	var p Proof
	if err := strictly(text, &p); err != nil {
		return p, err
	}
	if _, err := models.ParseID(p.Instance); err != nil {
		return p, err
	}
	if _, err := examinations.ParseID(string(p.Exam)); err != nil {
		return p, err
	}
	seen := make(map[string]bool, len(p.Values))
	for _, v := range p.Values {
		if value, ok := examinations.ParseValue(v.Text, p.Exam.Kind()); !ok || value.Text != v.Text {
			return p, fmt.Errorf("%s is no value of %s in canonical form", diagnostic.Excerpt(v.Text), p.Exam)
		}
		if v.Item == "" || seen[v.Item] {
			return p, fmt.Errorf("the value %s has no name or stands twice", diagnostic.Excerpt(v.Item))
		}
		seen[v.Item] = true
	}
	return p, nil
}

// WriteCertificateHead writes the first line of a certificate.
func WriteCertificateHead(w io.Writer) error {
	_, err := io.WriteString(w, certificateBegin+"\n")
	return err
}

// Write appends the proof to a certificate, with one call of w.Write.
func (p Proof) Write(w io.Writer) error { return writeJSONLine(w, p) }

func writeJSONLine(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
