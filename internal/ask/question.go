// Package ask answers questions about a scored contest: what would the scores be
// without a tool, for coloured nets alone, at 60 seconds? It scores again by the
// rooms that scored the contest, on the command line and in the pages of a site,
// where it runs in the browser.
package ask

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"podium/edition"
	"podium/examinations"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/scoring"
	"podium/scoring/whatif"
)

// Question says what is changed before a contest is scored again. The zero
// Question changes nothing.
type Question struct {
	Tools     []string      // left out, by name
	Families  []string      // of tools, left out: all variants of a submission
	Models    []string      // left out, with all their instances
	Instances []string      // left out, by name
	Kinds     []string      // kept, COL or PT; empty: both
	Classes   []string      // of instances, kept: known, stripped, surprise; empty: all
	Exams     []string      // kept; empty: all
	Outcomes  []string      // of runs, kept; other runs count as if they had said nothing; empty: all
	Values    []string      // judged are the values whose reference was one of these, as TRUE; empty: all
	CPU, Wall time.Duration // at which runs are stopped, see [scoring.Contest.Within]; 0: no limit
	Memory    int64         // bytes, at which runs are stopped; 0: no limit
	Under     string        // another edition that is part of the program; empty: the one that judged
	Changes   []string      // of parameters of the edition, see [edition.ParseChange]
	Certified bool          // judge only values that a referee has proved
	Untold    bool          // judge no value that what runs are given states
}

// Limits of a question from outside.
const (
	maxText  = 64 << 10
	maxNames = 5000
)

// NameError says that the user gave a name that does not exist.
type NameError struct{ Err error }

func (e *NameError) Error() string { return e.Err.Error() }

// Unwrap gives the error with its text.
func (e *NameError) Unwrap() error { return e.Err }

// part is a part of a question that is a list, by its word in the text.
type part struct {
	word string
	list *[]string
}

func (q *Question) parts() []part {
	return []part{
		{"without-tool", &q.Tools}, {"without-family", &q.Families}, {"without-model", &q.Models}, {"without-instance", &q.Instances},
		{"kind", &q.Kinds}, {"class", &q.Classes}, {"examination", &q.Exams}, {"outcome", &q.Outcomes}, {"reference", &q.Values}, {"change", &q.Changes},
	}
}

// String is the text of a question, as the address of a page holds it:
// without-tool=walk&kind=COL&cpu=60s.
func (q Question) String() string {
	var parts []string
	for _, p := range q.parts() {
		for _, name := range *p.list {
			parts = append(parts, p.word+"="+url.QueryEscape(name))
		}
	}
	if q.CPU > 0 {
		parts = append(parts, "cpu="+q.CPU.String())
	}
	if q.Wall > 0 {
		parts = append(parts, "wall="+q.Wall.String())
	}
	if q.Memory > 0 {
		parts = append(parts, "memory="+strconv.FormatInt(q.Memory, 10))
	}
	if q.Under != "" {
		parts = append(parts, "edition="+url.QueryEscape(q.Under))
	}
	if q.Certified {
		parts = append(parts, "values="+certified)
	}
	if q.Untold {
		parts = append(parts, "without="+Given)
	}
	return strings.Join(parts, "&")
}

// certified is the word for the values that a referee has proved.
const certified = "certified"

// Given is the word for the values that what runs are given states.
const Given = "given"

// Parse reads the text of a question. Times are as in Go (60s), sizes as on the command line (16GB). The address
// of a page may say besides which plot it draws: that changes no score.
func Parse(text string) (Question, error) {
	var q Question
	if len(text) > maxText {
		return q, fmt.Errorf("a question has at most %d bytes, this one has %d", maxText, len(text))
	}
	parts, names := q.parts(), 0
	for pair := range strings.SplitSeq(text, "&") {
		if pair == "" {
			continue
		}
		word, value, ok := strings.Cut(pair, "=")
		value, err := url.QueryUnescape(value)
		if names++; !ok || err != nil || value == "" || names > maxNames {
			return Question{}, fmt.Errorf("%q is no part of a question: write WORD=VALUE, as in without-tool=walk, at most %d of them", diagnostic.Cut(pair), maxNames)
		}
		if word == "plot" || strings.HasPrefix(word, "plot-") {
			continue
		}
		at := slices.IndexFunc(parts, func(p part) bool { return p.word == word })
		switch {
		case at >= 0:
			*parts[at].list = append(*parts[at].list, value)
		case word == "cpu" || word == "wall":
			limit, err := time.ParseDuration(value)
			if err != nil || limit < time.Microsecond {
				return Question{}, fmt.Errorf("%s=%s is no time: write it as in %[1]s=60s", word, diagnostic.Cut(value))
			}
			if word == "cpu" {
				q.CPU = limit
			} else {
				q.Wall = limit
			}
		case word == "memory":
			if q.Memory, err = wording.Bytes(diagnostic.Cut(value)); err != nil {
				return Question{}, fmt.Errorf("memory: %w", err)
			}
		case word == "edition":
			q.Under = value
		case word == "values":
			if value != certified {
				return Question{}, fmt.Errorf("values=%s keeps nothing: write values=%s for the values that a referee has proved", diagnostic.Cut(value), certified)
			}
			q.Certified = true
		case word == "without":
			if value != Given {
				return Question{}, fmt.Errorf("without=%s leaves out nothing: write without=%s for the values that what runs are given states", diagnostic.Cut(value), Given)
			}
			q.Untold = true
		default:
			return Question{}, fmt.Errorf("a question has no part %q%s", diagnostic.Cut(word), diagnostic.Instead(word, words(parts)))
		}
	}
	return q, nil
}

func words(parts []part) []string {
	list := []string{"cpu", "wall", "memory", "edition", "values", "without"}
	for _, p := range parts {
		list = append(list, p.word)
	}
	slices.Sort(list)
	return list
}

// Add changes what another question changes, too.
func (q *Question) Add(more Question) {
	from := more.parts()
	for i, to := range q.parts() {
		*to.list = append(*to.list, *from[i].list...)
	}
	q.CPU, q.Wall, q.Memory, q.Under = cmp.Or(more.CPU, q.CPU), cmp.Or(more.Wall, q.Wall), cmp.Or(more.Memory, q.Memory), cmp.Or(more.Under, q.Under)
	q.Certified, q.Untold = q.Certified || more.Certified, q.Untold || more.Untold
}

// Check returns a *NameError unless the contest has everything that is named.
func (q Question) Check(c *scoring.Contest) error {
	for _, kind := range []struct {
		what  string
		names []string
		has   iter.Seq[string]
	}{
		{"tool", q.Tools, ToolNames(c)},
		{"family of tools", q.Families, Each(c.Tools, func(t *scoring.Tool) string { return t.FamilyName() })},
		{"model", q.Models, Each(c.Instances, func(i *scoring.Instance) string { return i.ID.Family })},
		{"instance", q.Instances, InstanceNames(c)},
		{"kind of net", q.Kinds, Each(c.Instances, kindOf)},
		{"class of instances", q.Classes, Each(c.Instances, classOf)},
		{"examination", q.Exams, Each(c.Exams, func(e *scoring.Examination) string { return string(e.ID) })},
		{"outcome of runs", q.Outcomes, slices.Values(outcomeNames())},
		{"value", q.Values, Each(c.Values, func(v *examinations.Value) string { return v.Text })},
	} {
		if err := Wanted(kind.what, kind.names, kind.has); err != nil {
			return err
		}
	}
	if q.Certified && c.Certified == nil {
		return &NameError{errors.New("these results have no values that a referee has proved: `podium prove` proves them")}
	}
	if q.Untold && c.Told == nil {
		return &NameError{errors.New("no value of these results is known to be stated by what runs were given; files of results do not say")}
	}
	return nil
}

func kindOf(i *scoring.Instance) string  { return i.ID.Kind.String() }
func classOf(i *scoring.Instance) string { return i.Class.String() }

func outcomeNames() (names []string) {
	for _, o := range scoring.Outcomes {
		names = append(names, string(o))
	}
	return names
}

// ToolNames returns the names of the tools of a contest.
func ToolNames(c *scoring.Contest) iter.Seq[string] {
	return Each(c.Tools, func(t *scoring.Tool) string { return t.Name })
}

// InstanceNames returns the names of the instances of a contest.
func InstanceNames(c *scoring.Contest) iter.Seq[string] {
	return Each(c.Instances, func(i *scoring.Instance) string { return i.Name })
}

// Each returns the names of the elements of a list.
func Each[T any](list []T, name func(*T) string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range list {
			if !yield(name(&list[i])) {
				return
			}
		}
	}
}

// Wanted wants every name to be one of those that there are, or returns a
// *NameError with the nearest one.
func Wanted(what string, names []string, has iter.Seq[string]) error {
	if len(names) == 0 {
		return nil
	}
	known := slices.Sorted(has)
	for _, name := range names {
		if _, ok := slices.BinarySearch(known, name); ok {
			continue
		}
		return &NameError{fmt.Errorf("these results have no %s %q%s", what, name, diagnostic.Instead(name, slices.Compact(known)))}
	}
	return nil
}

// from returns what the question keeps of a contest. Outcomes and references are those of the
// official result.
func (q Question) from(c *scoring.Contest, official *scoring.Result) *scoring.Contest {
	if len(q.Outcomes) > 0 {
		var kept []scoring.Outcome
		for _, name := range q.Outcomes {
			kept = append(kept, scoring.Outcome(name))
		}
		c = whatif.Keeping(c, official, kept...)
	}
	if len(q.Values) > 0 {
		c = whatif.OnlyReferences(c, official, q.Values...)
	}
	if len(q.Tools)+len(q.Families) > 0 {
		c = whatif.WithoutToolFamilies(whatif.WithoutTools(c, q.Tools...), q.Families...)
	}
	models, instances := set(q.Models), set(q.Instances)
	keeps := func(list []string, name string) bool { return len(list) == 0 || slices.Contains(list, name) }
	if len(q.Models)+len(q.Instances)+len(q.Kinds)+len(q.Classes)+len(q.Exams) > 0 {
		c = whatif.WithoutSheets(c, func(i *scoring.Instance, e *scoring.Examination) bool {
			return models[i.ID.Family] || instances[i.Name] || !keeps(q.Kinds, kindOf(i)) || !keeps(q.Classes, classOf(i)) || !keeps(q.Exams, string(e.ID))
		})
	}
	if q.CPU > 0 || q.Wall > 0 || q.Memory > 0 {
		c = whatif.Within(c, whatif.Limits{CPU: q.CPU.Microseconds(), Wall: q.Wall.Microseconds(), Memory: q.Memory})
	}
	if q.Certified {
		c = whatif.OnlyCertified(c)
	}
	if q.Untold {
		c = whatif.WithoutTold(c)
	}
	return c
}

func set(names []string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// Edition returns the edition that judges under the question.
func (q Question) Edition(ed *edition.Edition) (*edition.Edition, error) {
	if q.Under != "" {
		other, err := edition.Named(q.Under)
		if err != nil {
			return nil, &NameError{err}
		}
		ed = other
	}
	if len(q.Changes) == 0 {
		return ed, nil
	}
	var changes []edition.Change
	for _, text := range q.Changes {
		c, err := edition.ParseChange(text)
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return ed.With(changes...)
}
