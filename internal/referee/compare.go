package referee

import (
	"errors"
	"os"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/models"
)

// Tally counts the values of one examination.
type Tally struct {
	Agree      int `json:"agree"`      // proved, and known
	Contradict int `json:"contradict"` // proved, and known otherwise
	New        int `json:"not_known"`  // proved, and not known
	Undecided  int `json:"undecided"`  // not proved: what is elected is the vote's alone

	// Proved, and the witness files show it.
	ByRun         int `json:"by_run"`
	ByProof       int `json:"by_proof"`
	ByEnumeration int `json:"by_enumeration"`

	Found Found `json:"decided_by"`
	Took  Took  `json:"-"`
}

// Found counts proved values by the technique that decided them.
type Found struct {
	Run            int `json:"run"`
	Proof          int `json:"proof"`
	Enumeration    int `json:"enumeration"`
	Diagrams       int `json:"diagrams"`
	Walks          int `json:"walks"`
	Simplification int `json:"simplification"`
}

// add counts a value. Enumeration is that of all markings or of some, of a reduced net, or with
// stubborn sets.
func (f *Found) add(by oracle.Evidence) {
	switch by {
	case oracle.ByRun:
		f.Run++
	case oracle.ByProof:
		f.Proof++
	case oracle.ByDiagrams:
		f.Diagrams++
	case oracle.ByWalks:
		f.Walks++
	case oracle.ByLaws:
		f.Simplification++
	default:
		f.Enumeration++
	}
}

// Add adds the counts of another examination.
func (t *Tally) Add(o Tally) {
	t.Agree, t.Contradict, t.New, t.Undecided = t.Agree+o.Agree, t.Contradict+o.Contradict, t.New+o.New, t.Undecided+o.Undecided
	t.ByRun, t.ByProof, t.ByEnumeration = t.ByRun+o.ByRun, t.ByProof+o.ByProof, t.ByEnumeration+o.ByEnumeration
	f, g := &t.Found, o.Found
	f.Run, f.Proof, f.Enumeration = f.Run+g.Run, f.Proof+g.Proof, f.Enumeration+g.Enumeration
	f.Diagrams, f.Walks, f.Simplification = f.Diagrams+g.Diagrams, f.Walks+g.Walks, f.Simplification+g.Simplification
	t.Took.Add(o.Took)
}

// Decided returns the number of values that are proved.
func (t *Tally) Decided() int { return t.Agree + t.Contradict + t.New }

// Shown returns the number of values that a replay shows.
func (t *Tally) Shown() int { return t.ByRun + t.ByProof + t.ByEnumeration }

// Comparison is a known answer that is refuted, or that one tool alone gave.
type Comparison struct {
	Key           examinations.Key
	Given, Proved string   // Proved is empty where the value is open
	By            []string // the tools that gave it, where the known answers name them
}

// Refuted reports whether another value is proved.
func (c Comparison) Refuted() bool { return c.Given != "" && c.Proved != "" && c.Given != c.Proved }

// Alone is the tool that alone gave the value.
func (c Comparison) Alone() string {
	if len(c.By) != 1 {
		return ""
	}
	return c.By[0]
}

// compare counts the values of a proof against those known.
func (r *Referee) compare(id models.ID, p oracle.Proof, items []string) error {
	known, err := r.Known.Values(id, p.Exam, items)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	behind, err := r.Known.Behind(id, p.Exam, items)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	values, count := valuesOf(id, p), r.Tally(p.Exam)
	for _, v := range p.Values {
		count.Found.add(v.By)
		switch v.Shown() {
		case oracle.ShownByRun:
			count.ByRun++
		case oracle.ShownByProof:
			count.ByProof++
		case oracle.ShownByRepeating:
			count.ByEnumeration++
		}
	}
	for _, item := range items {
		key := examinations.Key{Instance: id, Exam: p.Exam, Item: item}
		got, want := values[key], known[key]
		switch {
		case got.IsZero():
			count.Undecided++
		case want.IsZero():
			count.New++
		case got == want:
			count.Agree++
		default:
			count.Contradict++
		}
		c := Comparison{key, want.Text, got.Text, behind[key]}
		if c.Alone() != "" || c.Refuted() {
			r.Compared(c)
		}
	}
	return nil
}

func valuesOf(id models.ID, p oracle.Proof) map[examinations.Key]examinations.Value {
	values := map[examinations.Key]examinations.Value{}
	for _, v := range p.Values {
		values[examinations.Key{Instance: id, Exam: p.Exam, Item: v.Item}] = examinations.Value{Kind: p.Exam.Kind(), Text: v.Text}
	}
	return values
}
