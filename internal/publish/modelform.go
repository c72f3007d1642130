package publish

import (
	"fmt"
	"strings"

	"podium/examinations"
	"podium/internal/publish/paths"
)

// formOf says which structural properties all of some nets have, which some, and of which
// it is not known.
func (s *site) formOf(insts []int) (sentences []string) {
	known := 0
	has, open := counted{}, counted{}
	for _, i := range insts {
		if s.insts[i].FormKnown {
			known++
		}
		has.add(s.insts[i].Form)
		open.add(s.insts[i].FormUnknown)
	}
	if known == 0 {
		return []string{"The structure of these nets is unknown: nobody looked at them."}
	}
	sentences = []string{fmt.Sprintf("The structure of %d of %s was looked at.", known, things(len(insts), "net"))}
	if all := has.words(func(n int) bool { return n == known }, known); all != "" {
		sentences = append(sentences, "All of these are: "+all+".")
	}
	if some := has.words(func(n int) bool { return n < known }, known); some != "" {
		sentences = append(sentences, "Some are: "+some+".")
	}
	if unknown := open.words(func(int) bool { return true }, known); unknown != "" {
		sentences = append(sentences, "Unknown, because only the unfolding of a coloured net could tell: "+unknown+".")
	}
	return sentences
}

// counted counts properties, in the order in which they came.
type counted struct {
	names []string
	count map[string]int
}

func (c *counted) add(names []string) {
	if c.count == nil {
		c.count = map[string]int{}
	}
	for _, name := range names {
		if c.count[name]++; c.count[name] == 1 {
			c.names = append(c.names, name)
		}
	}
}

// words lists the properties with some counts; a count that is not of all stands behind.
func (c *counted) words(wanted func(n int) bool, all int) string {
	var list []string
	for _, name := range c.names {
		switch n := c.count[name]; {
		case !wanted(n):
		case n == all:
			list = append(list, clean(name))
		default:
			list = append(list, fmt.Sprintf("%s (%d)", clean(name), n))
		}
	}
	return strings.Join(list, ", ")
}

// behaviours are the properties of the model form that examinations ask for.
var behaviours = []struct {
	name string
	exam examinations.ID
}{
	{"safe", examinations.OneSafe}, {"has a deadlock", examinations.ReachabilityDeadlock}, {"live", examinations.Liveness},
	{"without dead transitions", examinations.QuasiLiveness}, {"has a place that never changes", examinations.StableMarking},
}

// behaviour is what is known of the behaviour of a net.
type behaviour struct {
	Name, Path string
	Values     []behaviourValue
}

type behaviourValue struct{ Text, How, Path string }

// behaviourAsked names the behavioural properties that the contest asks.
func (s *site) behaviourAsked() (names []string) {
	for _, b := range behaviours {
		if _, asked := s.examAt[b.exam]; asked {
			names = append(names, b.name)
		}
	}
	return names
}

// behaviourOf says for each net what is known of the properties, and how.
func (s *site) behaviourOf(insts []int) (list []behaviour) {
	for _, i := range insts {
		row := behaviour{Name: s.insts[i].ID.String(), Path: s.instPath(i)}
		for _, b := range behaviours {
			if e, asked := s.examAt[b.exam]; asked {
				row.Values = append(row.Values, s.behaviourIn(&s.cells[i*len(s.c.Examinations)+e]))
			}
		}
		list = append(list, row)
	}
	return list
}

// behaviourIn is the value that an examination gave: proved by the referee, given, or elected by
// the vote.
func (s *site) behaviourIn(c *cell) behaviourValue {
	v := behaviourValue{Text: "unknown", Path: s.instPath(c.inst) + "#" + paths.Name(string(s.c.Examinations[c.exam].ID))}
	if len(c.refs) != 1 {
		return v
	}
	r := &c.refs[0]
	value := r.Value()
	switch {
	case !r.Proved().IsZero():
		value, v.How = r.Proved(), "proved"
	case r.State() == Oracle:
		v.How = "given"
	case r.State() == Jury:
		v.How = "by the jury"
	case r.known():
		v.How = "by the vote"
	default:
		return v
	}
	switch value.Text { // files of results have one letter
	case "TRUE", "T":
		v.Text = "yes"
	case "FALSE", "F":
		v.Text = "no"
	default:
		v.How = ""
	}
	return v
}
