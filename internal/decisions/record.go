package decisions

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"podium/internal/campaign"
	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// MaxNumber bounds the decisions of a campaign.
const MaxNumber = 10_000

// Record is what was decided on a campaign, in the order of the numbers.
type Record struct {
	Decisions []Decision
	Digest    string // SHA-256 of the last file, which depends on all before; empty without decisions
}

// Dir is the directory of the decisions of a campaign.
func Dir(campaign string) string { return filepath.Join(campaign, "decisions") }

// Read reads the decisions of the campaign in a directory, none where there are
// none. Errors name the file that was edited, or the decision that is missing.
func Read(dir string) (*Record, error) {
	names, err := os.ReadDir(Dir(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return &Record{}, nil
	} else if err != nil {
		return nil, err
	}
	last := 0
	for _, e := range names {
		if n, err := strconv.Atoi(cutJSON(e.Name())); err == nil && n > last {
			last = n
		}
	}
	if last > MaxNumber {
		return nil, damaged(campaign.DecisionFile(dir, last), fmt.Sprintf("a campaign has at most %d decisions", MaxNumber), "remove the file")
	}
	r := &Record{}
	for n := 1; n <= last; n++ {
		if err := r.read(dir, n); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func cutJSON(name string) string {
	if filepath.Ext(name) != ".json" {
		return ""
	}
	return name[:len(name)-len(".json")]
}

// read adds the decision in a file.
func (r *Record) read(dir string, number int) error {
	file := campaign.DecisionFile(dir, number)
	name, err := filepath.Rel(dir, file)
	if err != nil {
		return err
	}
	f, err := files.Open(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return damaged(file, "the decision is missing, and later ones are there", "restore the file: decisions are revoked by `podium decide revoke`, and never deleted")
	} else if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, campaign.MaxDecision+1))
	if err != nil {
		return err
	}
	return r.add(file, text, number)
}

// add adds the decision with a text, and checks that it follows on the one before.
func (r *Record) add(file string, text []byte, number int) error {
	const restore = "restore the file as it was written"
	if len(text) > campaign.MaxDecision {
		return damaged(file, fmt.Sprintf("the file is larger than %d bytes", campaign.MaxDecision), restore)
	}
	var d Decision
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		return damaged(file, err.Error(), restore)
	}
	switch {
	case d.Format != Format:
		return damaged(file, "the format is "+diagnostic.Excerpt(d.Format)+", and this version reads "+Format, "use the version that wrote it")
	case d.Number != number:
		return damaged(file, fmt.Sprintf("the file holds decision %d", d.Number), restore)
	case d.Previous != r.Digest:
		return damaged(file, fmt.Sprintf("decision %d was written when decision %d was another one than now", number, number-1), "restore the earlier file as it was written")
	case d.Kind == Revoke && d.Revokes >= number:
		return damaged(file, fmt.Sprintf("it revokes decision %d, which is not earlier", d.Revokes), restore)
	}
	if err := d.Check(); err != nil {
		return damaged(file, err.Error(), restore)
	}
	r.Decisions = append(r.Decisions, d)
	r.Digest = digest(text)
	return nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func damaged(file, message, hint string) error {
	return diagnostic.List{{File: file, Code: "decision", Message: message, Hint: hint}}
}

// Next returns the record with one more decision, which is not written yet, and that
// decision with its number.
func (r *Record) Next(d Decision) (*Record, *Decision, error) {
	d.Format, d.Number, d.Previous = Format, len(r.Decisions)+1, r.Digest
	if err := d.Check(); err != nil {
		return nil, nil, err
	}
	if d.Number > MaxNumber {
		return nil, nil, fmt.Errorf("a campaign has at most %d decisions", MaxNumber)
	}
	if d.Kind == Revoke {
		if d.Revokes >= d.Number {
			return nil, nil, fmt.Errorf("there is no decision %d: the last one is %d", d.Revokes, len(r.Decisions))
		}
		if !r.inForce()[d.Revokes-1] {
			return nil, nil, fmt.Errorf("decision %d is revoked already", d.Revokes)
		}
	}
	if same := r.sameAs(&d); same > 0 {
		return nil, nil, fmt.Errorf("decision %d says so already: %s; nothing is changed", same, d.Text())
	}
	next := &Record{Decisions: append(r.Decisions[:len(r.Decisions):len(r.Decisions)], d), Digest: r.Digest}
	return next, &next.Decisions[d.Number-1], nil
}

// sameAs returns the number of the decision in force that does what d does, 0 for none.
// Runs may be done again any number of times, and where others set references later, those
// count: then an earlier correction is no longer the same.
func (r *Record) sameAs(d *Decision) int {
	same := 0
	for _, other := range r.InForce() {
		switch {
		case d.Kind != Redo && other.what() == d.what():
			same = other.Number
		case d.Kind == Correct && other.Kind == Correct:
			same = 0
		}
	}
	return same
}

// ErrOvertaken says that somebody else decided in between.
var ErrOvertaken = errors.New("somebody else took a decision meanwhile: look at `podium decide list`, and call this again")

// Write writes the last decision of a record that Next gave. It is written whole or
// not at all; the error is ErrOvertaken where its number is taken.
func (r *Record) Write(dir string) error {
	if err := os.MkdirAll(Dir(dir), 0o755); err != nil {
		return err
	}
	number := len(r.Decisions)
	text, err := r.last()
	if err != nil {
		return err
	}
	err = campaign.WriteOnce(campaign.DecisionFile(dir, number), text)
	if errors.Is(err, fs.ErrExist) {
		return ErrOvertaken
	}
	if err == nil {
		r.Digest = digest(text)
	}
	return err
}

// last is the text of the last decision.
func (r *Record) last() ([]byte, error) {
	text, err := json.MarshalIndent(r.Decisions[len(r.Decisions)-1], "", "  ")
	return append(text, '\n'), err
}

// Sum is the SHA-256, in hexadecimal, that the file of the last decision has or will have.
func (r *Record) Sum() (string, error) {
	text, err := r.last()
	return digest(text), err
}

// Revokes returns for each decision the number of the one that it revokes, 0 for none.
func (r *Record) Revokes() []int {
	list := make([]int, len(r.Decisions))
	for i, d := range r.Decisions {
		list[i] = d.Revokes
	}
	return list
}

// inForce tells of each decision whether it counts.
func (r *Record) inForce() []bool { return campaign.InForce(r.Revokes()) }

// InForce lists the decisions that count, without revocations.
func (r *Record) InForce() (list []Decision) {
	for i, counts := range r.inForce() {
		if counts && r.Decisions[i].Kind != Revoke {
			list = append(list, r.Decisions[i])
		}
	}
	return list
}

// RevokedBy returns for each decision the number of the one that revokes it, 0 where
// it is in force.
func (r *Record) RevokedBy() []int {
	force, by := r.inForce(), make([]int, len(r.Decisions))
	for i, d := range r.Decisions {
		if force[i] && d.Kind == Revoke {
			by[d.Revokes-1] = d.Number
		}
	}
	return by
}

// WriteList writes the decisions as text.
func (r *Record) WriteList(w io.Writer) error {
	if len(r.Decisions) == 0 {
		_, err := fmt.Fprintln(w, "no decision was taken")
		return err
	}
	revokedBy := r.RevokedBy()
	for i, d := range r.Decisions {
		state := ""
		if by := revokedBy[i]; by > 0 {
			state = fmt.Sprintf(" (revoked by decision %d)", by)
		}
		link := ""
		if d.Link != "" {
			link = "\n   " + d.Link
		}
		if _, err := fmt.Fprintf(w, "%d. %s%s\n   %s\n   %s, %s%s\n", d.Number, d.Text(), state, d.Reason, d.Author, d.At.UTC().Format(time.DateTime+" MST"), link); err != nil {
			return err
		}
	}
	return nil
}
