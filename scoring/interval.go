package scoring

import (
	"fmt"
	"math/big"
	"strings"

	"podium/confidence"
	"podium/examinations"
)

// ReferenceSet returns the numbers on which the most tools agree to locate a value, and how many
// tools that are (E-3.2). A number counts as an interval of one. The set is empty where the
// edition takes no intervals, or no tool gave one.
func (r *Result) ReferenceSet(sheet, value int) (set []confidence.Interval, agree int) {
	c := r.Contest
	if !c.Exams[c.Sheets[sheet].Exam].Intervals || len(r.intervals(value)) == 0 {
		return nil, 0
	}
	var intervals []confidence.Interval
	for _, v := range c.Ballots.Votes(value, nil) {
		low, high, ok := c.Values[v.Answer].Interval()
		if !ok {
			low, high = c.Values[v.Answer].Text, c.Values[v.Answer].Text
		}
		var in confidence.Interval
		if in.Low, ok = new(big.Int).SetString(low, 10); !ok || r.SetAside(sheet, v.Tool) || c.struckVote(value, v.Tool) != "" {
			continue
		}
		if high != examinations.Infinite.Text {
			if in.High, ok = new(big.Int).SetString(high, 10); !ok || in.High.Cmp(in.Low) < 0 {
				continue
			}
		}
		intervals = append(intervals, in)
	}
	return confidence.ReferenceSet(intervals)
}

// intervals lists the answers to a value that are intervals. They are no votes and not judged.
func (r *Result) intervals(value int) (list []confidence.Vote) {
	if !r.someIntervals {
		return nil
	}
	for _, v := range r.Contest.Ballots.Votes(value, nil) {
		if r.isInterval(v.Answer) {
			list = append(list, v)
		}
	}
	return list
}

// withoutIntervals takes the intervals out of the answers that are judged and elect.
func (r *Result) withoutIntervals() {
	for a := range r.Contest.Values {
		r.someIntervals = r.someIntervals || r.isInterval(confidence.Answer(a))
	}
	if !r.someIntervals {
		return
	}
	kept := confidence.NewBallots(r.answers.Values(), r.answers.Tools)
	for cell, a := range r.answers.Cells {
		if !r.isInterval(a) {
			kept.Cells[cell] = a
		}
	}
	r.answers = kept
}

func (r *Result) isInterval(a confidence.Answer) bool {
	_, _, is := r.Contest.Values[a].Interval()
	return is
}

// setText says what the intervals among the answers to a value tell; "" where there are none.
func (r *Result) setText(sheet, value int) string {
	set, agree := r.ReferenceSet(sheet, value)
	if agree == 0 {
		return ""
	}
	parts := make([]string, len(set))
	for i, in := range set {
		switch {
		case in.High == nil:
			parts[i] = fmt.Sprintf("[%s, inf]", in.Low)
		case in.High.Cmp(in.Low) == 0:
			parts[i] = in.Low.String()
		default:
			parts[i] = fmt.Sprintf("[%s, %s]", in.Low, in.High)
		}
	}
	tools := "tools locate"
	if agree == 1 {
		tools = "tool locates"
	}
	return fmt.Sprintf("; for information, %d %s it in %s (E-3.2)", agree, tools, strings.Join(parts, " or "))
}
