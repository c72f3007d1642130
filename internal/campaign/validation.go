package campaign

import (
	"fmt"
	"strings"

	"podium/examinations"
)

// The two kinds of witnesses, as manifests of validators name them.
const (
	Violation   = "violation"   // shows that a property is violated
	Correctness = "correctness" // shows that it holds
)

// ValidationDir is the directory in a campaign on tasks that holds the campaign which
// validates its witnesses. That is planned when there are witnesses: its tools are
// validators, and its instances the tasks with an answer and a witness of a tool. So it has
// a journal, leases and copies of its own.
const ValidationDir = "validation"

// ValidationBy is such a directory for the validation by the rules of another edition than the
// campaign's.
func ValidationBy(edition string) string {
	return ValidationDir + "-" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, edition)
}

// Validated is the answer whose witness an instance of a validation holds.
type Validated struct {
	Tool     string          `json:"tool"`
	Instance string          `json:"instance"` // the task, in the campaign that is validated
	Exam     examinations.ID `json:"category"`
	Item     string          `json:"item,omitempty"` // of a net: which value the answer is to
	Answer   string          `json:"answer"`         // TRUE, FALSE or FALSE(part)
	Witness  string          `json:"witness"`        // its file, relative to the instance's directory
	Digest   string          `json:"witness_sha256"`
	Format   string          `json:"format,omitempty"`  // of SV-COMP: 1.0, 2.0 or 2.1; "own" for any other
	Refused  string          `json:"refused,omitempty"` // what is wrong with its form; no validator gets it then
}

// Kind is what the witness shows.
func (v *Validated) Kind() string { return WitnessKind(v.Answer) }

// WitnessKind is what the witness of an answer shows.
func WitnessKind(answer string) string {
	if strings.HasPrefix(answer, examinations.False.Text) {
		return Violation
	}
	return Correctness
}

// Validates is the answer that a validator looks at; nil where the instance is none of a validation.
func (i PlannedInstance) Validates() *Validated {
	if i.Task == nil {
		return nil
	}
	return i.Task.Validates
}

// ofValidation is the confinement of a validator on an instance; nil where that is none of
// a validation.
func (p *Plan) ofValidation(i PlannedInstance) *Confinement {
	switch v := i.Validates(); {
	case v == nil:
		return nil
	case v.Kind() == Violation:
		return p.Violation
	}
	return p.Correctness
}

// confinements are all that the runs of a tool may have.
func (p *Plan) confinements(t PlannedTool) []Confinement {
	if !p.Validates() {
		return []Confinement{p.Confinement(t, PlannedInstance{})}
	}
	var list []Confinement
	for _, c := range []*Confinement{p.Violation, p.Correctness} {
		if c != nil {
			list = append(list, *c)
		}
	}
	return list
}

// Validates reports whether the campaign validates the witnesses of another.
func (p *Plan) Validates() bool {
	return len(p.Instances) > 0 && p.Instances[0].Validates() != nil
}

// Claims reports whether validators look at the witness of an answer: it is a truth value, or that with the part of a property.
func Claims(answer string) bool {
	return answer == examinations.True.Text || WitnessKind(answer) == Violation
}

func (v *Validated) validate(name string) error {
	if v.Tool == "" || v.Instance == "" || v.Digest == "" || !Claims(v.Answer) {
		return fmt.Errorf("the instance %s does not say which answer its witness is of", name)
	}
	return nil
}

func confinementText(c *Confinement) string {
	if c == nil {
		return "none"
	}
	return c.String()
}
