package replay

import (
	"fmt"
	"slices"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/witness"
	"podium/internal/witness/enumeration"
)

// longestEnumeration ends the check of one witness by enumeration, or of one with branches.
const longestEnumeration = 10 * time.Minute

// enumerated is the graph of a net, or why there is none; of neither it was not asked.
type enumerated struct {
	graph *enumeration.Graph
	err   error
}

// enumerate decides a claim by all reachable markings, which are visited once for all
// claims about the net.
func (n *Net) enumerate(clock *clock.Clock, exam examinations.ID, c witness.Claim, lookup func(string) (formula.Formula, bool)) witness.Result {
	r := witness.Result{Claim: c, State: witness.Unconfirmed}
	value, err := n.valueOf(clock, exam, c.Item, lookup)
	if err != nil {
		r.Detail = "enumeration does not show it: " + err.Error()
		return r
	}
	r.State, r.Proved = witness.Refuted, witness.Claim{Item: c.Item, Value: value}
	if value == c.Value || c.AtLeast && witness.CompareNumbers(value, c.Value) >= 0 {
		r.State = witness.Confirmed
	}
	r.Detail = fmt.Sprintf("by enumeration: the value in all %d reachable markings, visited again, is %s", n.all.graph.Markings(), value)
	return r
}

func (n *Net) valueOf(clock *clock.Clock, exam examinations.ID, item string, lookup func(string) (formula.Formula, bool)) (examinations.Value, error) {
	var f formula.Formula
	if exam.HasFormulas() {
		var ok bool
		if f, ok = lookup(item); !ok {
			return examinations.Value{}, fmt.Errorf("%s has no formula %s", exam, excerpt(item))
		}
	} else if !slices.Contains(exam.Items(nil), item) {
		return examinations.Value{}, fmt.Errorf("%s has no value %s", exam, excerpt(item))
	}
	if n.all.graph == nil && n.all.err == nil {
		n.all.graph, n.all.err = enumeration.Explore(clock, n.view, n.small)
	}
	if n.all.err != nil {
		return examinations.Value{}, n.all.err
	}
	return n.all.graph.Value(clock, exam, item, f)
}
