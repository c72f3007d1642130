// Package decisions keeps what the organisers and the jury of a contest decide
// after its plan was written: an append-only record of explained decisions, each of
// which may be revoked by a later one and none deleted.
//
// A decision is a file of the campaign, decisions/<number>.json. It is written once,
// whole or not at all, and holds the digest of the one before it, so that a lost or
// edited decision is noticed. [Rulings] gives the decisions in force in the form in
// which a contest is scored.
package decisions

import (
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"podium/examinations"
	"podium/examinations/verdict"
	"podium/internal/campaign"
	"podium/internal/selection"
	"podium/internal/wording"
)

// Kind is what a decision does.
type Kind string

// The kinds of decisions.
const (
	Disqualify       Kind = "disqualify"         // runs of a tool have no points, no bonus and no votes
	Withdraw         Kind = "withdraw"           // a tool leaves the contest (P-4)
	OutOfCompetition Kind = "out-of-competition" // a tool is scored but not ranked
	Exclude          Kind = "exclude"            // instances, examinations or values are judged for nobody
	Correct          Kind = "correct"            // values get a reference by hand, or votes of a family do not count for them
	Redo             Kind = "redo"               // runs are done again
	Revoke           Kind = "revoke"             // an earlier decision is no longer in force
)

// Format is the format of the files.
const Format = "podium-decision/1"

// Decision is one decision. Tool, Examination, Instance and Item say what it
// concerns: names or patterns in which * stands for any text and ? for a letter;
// empty stands for all.
type Decision struct {
	Format   string    `json:"format"`
	Number   int       `json:"number"`             // from 1
	Previous string    `json:"previous,omitempty"` // SHA-256 of the file of the decision before
	Kind     Kind      `json:"kind"`
	Author   string    `json:"author"`
	At       time.Time `json:"at"`
	Reason   string    `json:"reason"`
	Link     string    `json:"link,omitempty"` // address of a page that says more

	Tool        string `json:"tool,omitempty"`
	Examination string `json:"examination,omitempty"`
	Instance    string `json:"instance,omitempty"`
	Item        string `json:"item,omitempty"`

	Value         string `json:"value,omitempty"`          // of Correct: the reference
	Proved        bool   `json:"proved,omitempty"`         // of Correct: the value is that of the referee's certificate
	WithoutFamily string `json:"without_family,omitempty"` // of Correct: whose votes do not count
	KeepsVotes    bool   `json:"keeps_votes,omitempty"`    // of Withdraw: the answers stay in the vote
	Only          string `json:"only,omitempty"`           // of Redo: a selection of runs, see internal/selection
	Revokes       int    `json:"revokes,omitempty"`        // of Revoke: number of the decision

	withheld bool // it may not be told what was decided, see [Record.Withhold]

	// Effect is what changed when the decision was taken, a line for each change.
	Effect []string `json:"effect,omitempty"`
}

// Text says the decision in a line, without its reason.
func (d *Decision) Text() string {
	if d.withheld {
		return withheldText
	}
	where := ""
	for _, part := range [][2]string{{"item", d.Item}, {"examination", d.Examination}, {"instance", d.Instance}} {
		if part[1] != "" {
			where += ", " + part[0] + " " + part[1]
		}
	}
	switch d.Kind {
	case Disqualify:
		return "tool " + d.Tool + " is disqualified" + where
	case Withdraw:
		if d.KeepsVotes {
			return "tool " + d.Tool + " is withdrawn; its votes count"
		}
		return "tool " + d.Tool + " is withdrawn"
	case OutOfCompetition:
		return "tool " + d.Tool + " is out of competition"
	case Exclude:
		return "excluded" + strings.TrimPrefix(where, ",")
	case Correct:
		if d.WithoutFamily != "" {
			return "votes of the family " + d.WithoutFamily + " do not count" + where
		}
		if d.Proved {
			return "the reference is " + d.Value + ", as the referee proved" + where
		}
		return "the reference is " + d.Value + where
	case Redo:
		return "runs are done again: " + d.Only
	case Revoke:
		return fmt.Sprintf("decision %d is revoked", d.Revokes)
	}
	return string(d.Kind)
}

// what is the decision without who took it, when and why: equal ones do the same.
func (d *Decision) what() [9]string {
	return [...]string{string(d.Kind), d.Tool, d.Examination, d.Instance, d.Item, d.Value, d.WithoutFamily, strconv.FormatBool(d.KeepsVotes), strconv.Itoa(d.Revokes)}
}

// Why is the clause that stands beside what the decision changes.
func (d *Decision) Why() string {
	if d.withheld {
		return fmt.Sprintf("decision %d of %s, %s", d.Number, d.At.Format(time.DateOnly), withheldText)
	}
	return fmt.Sprintf("decision %d of %s (%s): %s", d.Number, d.At.Format(time.DateOnly), d.Author, d.Reason)
}

// The greatest lengths of texts, in bytes.
const (
	maxName   = 400
	maxReason = 4000
	maxValue  = 64 << 10
	maxEffect = 200 // lines
)

// Missing returns an error that names all that the decision still needs, nil where it
// needs nothing.
func (d *Decision) Missing() error {
	var list []string
	need := func(there bool, what string) {
		if !there {
			list = append(list, what)
		}
	}
	need(strings.TrimSpace(d.Author) != "", "--author")
	need(strings.TrimSpace(d.Reason) != "", "--reason")
	switch d.Kind {
	case Disqualify, Withdraw, OutOfCompetition:
		need(d.Tool != "", "--tool")
	case Exclude:
		need(d.Instance != "" || d.Examination != "", "--instance or --examination (without them it would exclude the whole contest)")
	case Correct:
		need(d.Instance != "", "--instance")
		need(d.Examination != "", "--examination")
		need(d.Value != "" || d.Proved || d.WithoutFamily != "", "one of --value, --proved and --without-family")
	case Redo:
		need(d.Only != "", "--only (a selection of runs such as 'tool=lola host=node3')")
	case Revoke:
		need(d.Revokes >= 1, "the number of a decision")
	}
	if len(list) == 0 {
		return nil
	}
	return fmt.Errorf("decide %s needs %s", d.Kind, wording.And(list))
}

// Check returns an error that says what is missing or does not fit.
func (d *Decision) Check() error {
	if err := d.Missing(); err != nil {
		return err
	}
	for _, text := range []struct {
		name, value string
		most        int
	}{
		{"author", d.Author, maxName}, {"reason", d.Reason, maxReason}, {"link", d.Link, maxName}, {"tool", d.Tool, maxName},
		{"examination", d.Examination, maxName}, {"instance", d.Instance, maxName}, {"item", d.Item, maxName},
		{"value", d.Value, maxValue}, {"without-family", d.WithoutFamily, maxName}, {"only", d.Only, maxReason},
	} {
		switch {
		case len(text.value) > text.most:
			return fmt.Errorf("--%s has %d bytes; the limit is %d", text.name, len(text.value), text.most)
		case !utf8.ValidString(text.value) || strings.ContainsFunc(text.value, unicode.IsControl):
			return fmt.Errorf("--%s holds characters that cannot be printed", text.name)
		}
	}
	if len(d.Effect) > maxEffect {
		return fmt.Errorf("the effect has %d lines; the limit is %d", len(d.Effect), maxEffect)
	}
	if d.Link != "" {
		if u, err := url.Parse(d.Link); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			return fmt.Errorf("--link %s is no address: it begins with https://", d.Link)
		}
	}
	for _, pattern := range []string{d.Tool, d.Examination, d.Instance, d.Item} {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("the pattern %s cannot be read: * is any text, ? a letter, [ab] one of some letters", pattern)
		}
	}
	return d.checkKind()
}

// checkKind wants the fields of the kind, and no others.
func (d *Decision) checkKind() error {
	fields := []struct {
		flag string
		set  bool
		of   []Kind
	}{
		{"tool", d.Tool != "", []Kind{Disqualify, Withdraw, OutOfCompetition}},
		{"examination", d.Examination != "", []Kind{Disqualify, Exclude, Correct}},
		{"instance", d.Instance != "", []Kind{Disqualify, Exclude, Correct}},
		{"item", d.Item != "", []Kind{Exclude, Correct}},
		{"value", d.Value != "", []Kind{Correct}},
		{"proved", d.Proved, []Kind{Correct}},
		{"without-family", d.WithoutFamily != "", []Kind{Correct}},
		{"keep-votes", d.KeepsVotes, []Kind{Withdraw}},
		{"only", d.Only != "", []Kind{Redo}},
		{"revokes", d.Revokes != 0, []Kind{Revoke}},
	}
	for _, f := range fields {
		if f.set && !has(f.of, d.Kind) {
			return fmt.Errorf("%s takes no --%s", d.Kind, f.flag)
		}
	}
	switch d.Kind {
	case Disqualify, Withdraw, OutOfCompetition, Exclude, Revoke:
	case Correct:
		return d.checkCorrection()
	case Redo:
		if s, err := selection.Parse(d.Only); err != nil {
			return err
		} else if s.All() {
			return fmt.Errorf("--only chooses all runs: redo needs a selection of some, such as 'tool=lola host=node3'")
		}
	default:
		return fmt.Errorf("%q is no kind of decision", d.Kind)
	}
	return nil
}

func (d *Decision) checkCorrection() error {
	switch {
	case (d.Value == "") == (d.WithoutFamily == ""):
		return fmt.Errorf("correct takes one of --value, --proved and --without-family")
	case d.Value == "":
		return nil
	}
	exam, err := ExaminationOf(d.Examination)
	if err != nil {
		return fmt.Errorf("a value belongs to one examination: %w", err)
	}
	if v, ok := valueOf(exam, d.Value); !ok || v.Text != d.Value {
		return fmt.Errorf("%s is no value of %s as it is written in references: %s", d.Value, exam, examples(exam.Kind()))
	}
	return nil
}

// ExaminationOf returns the examination of this name, or the category of tasks: whether the
// contest has it says [Decision.CheckNames].
func ExaminationOf(name string) (examinations.ID, error) {
	id, err := examinations.ParseID(name)
	if err != nil && campaign.CheckCategory(name) == nil {
		return examinations.ID(name), nil
	}
	return id, err
}

// valueOf reads a value of an examination; of a task also FALSE of a part of its property.
func valueOf(exam examinations.ID, text string) (examinations.Value, bool) {
	if v, ok := examinations.ParseValue(text, exam.Kind()); ok {
		return v, true
	}
	v, part := verdict.Parse(text)
	_, ofNets := examinations.ParseID(string(exam))
	return verdict.WithPart(v, part), ofNets != nil && !v.IsZero() && part != ""
}

// examples shows how values of a kind are written.
func examples(kind examinations.Kind) string {
	if kind == examinations.Bool {
		return "TRUE or FALSE"
	}
	return "a number such as 42"
}

func has(kinds []Kind, k Kind) bool {
	for _, x := range kinds {
		if x == k {
			return true
		}
	}
	return false
}
