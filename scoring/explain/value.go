package explain

import (
	"fmt"
	"strings"

	"podium/confidence"
	"podium/scoring"
)

// ValueAccount says how the reference of a value was decided.
type ValueAccount struct {
	Instance   string            `json:"instance"`
	Exam       string            `json:"examination"`
	Item       string            `json:"item"`
	Clause     string            `json:"clause"`
	Reference  string            `json:"reference"`       // "?" when unknown
	Shown      string            `json:"shown,omitempty"` // the answer of a weak or tied reference
	Weight     string            `json:"weight"`          // sum of the confidences, exact
	Consistent bool              `json:"consistent"`      // the value belongs to V (E-2.2)
	Certainty  scoring.Certainty `json:"certainty"`
	Certified  string            `json:"proved,omitempty"` // what the referee has proved, "" where it has not
	Candidates []Candidate       `json:"candidates"`
	Votes      []VoteLine        `json:"votes"`
}

// Candidate is one of the different answers to a value, with the tools that
// gave it.
type Candidate struct {
	Answer string   `json:"answer"`
	Weight string   `json:"weight"` // four decimals
	Tools  []string `json:"tools"`
}

// VoteLine is the answer of one tool, as a text.
type VoteLine struct {
	Tool       string `json:"tool"`
	Answer     string `json:"answer"`
	Confidence string `json:"confidence"`          // exact
	Uncounted  string `json:"uncounted,omitempty"` // why the answer is no vote; empty for a vote
}

// Value explains a value of a sheet.
func Value(r *scoring.Result, sheet, value int) *ValueAccount {
	c, s := r.Contest, r.Contest.Sheets[sheet]
	ref := r.References[value]
	a := &ValueAccount{Instance: c.Instances[s.Instance].Name, Exam: string(c.Exams[s.Exam].ID), Item: c.Items[value],
		Clause: r.ClauseText(sheet, value), Reference: "?", Weight: r.Weight(sheet, value).RatString()}
	switch {
	case ref.Known():
		a.Reference = c.Values[ref.Answer].String()
	case ref.Answer != confidence.None:
		a.Shown = c.Values[ref.Answer].String()
	}
	a.Certainty, a.Consistent = r.Certainty(sheet, value), r.Consistent(sheet, value)
	if proved, ok := r.Certified(value); ok {
		a.Certified = proved.String()
	}
	counted, why := r.Votes(sheet, value), map[int]string{}
	for _, u := range r.Uncounted(sheet, value) {
		why[u.Tool] = u.Why
	}
	for _, v := range c.Ballots.Votes(value, nil) {
		a.Votes = append(a.Votes, VoteLine{Tool: c.Tools[v.Tool].Name, Answer: c.Values[v.Answer].String(),
			Confidence: r.Confidence[v.Tool].String(), Uncounted: why[v.Tool]})
	}
	electorate := confidence.NewElectorate(r.Confidence)
	for _, answer := range confidence.Distinct(counted) {
		k := Candidate{Answer: c.Values[answer].String()}
		weight := electorate.Weight(counted, answer)
		k.Weight = weight.FloatString(4)
		for _, v := range counted {
			if v.Answer == answer {
				k.Tools = append(k.Tools, c.Tools[v.Tool].Name)
			}
		}
		a.Candidates = append(a.Candidates, k)
	}
	return a
}

var certaintyWords = map[scoring.Certainty]string{scoring.Proved: "proved", scoring.Refuted: "refuted", scoring.Supplied: "unknown without it"}

// String is the account as lines of text.
func (a *ValueAccount) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s %s: %s\n  %s\n", a.Instance, a.Exam, a.Item, a.Reference, a.Clause)
	if a.Shown != "" {
		fmt.Fprintf(&out, "  %s is shown, but is no reference\n", a.Shown)
	}
	if a.Consistent {
		out.WriteString("  E-2.2 the value belongs to V\n")
	}
	if a.Certified != "" {
		fmt.Fprintf(&out, "  the referee has proved %s: the elected value is %s\n", a.Certified, certaintyWords[a.Certainty])
	}
	for _, k := range a.Candidates {
		fmt.Fprintf(&out, "  %s has weight %s: %s\n", k.Answer, k.Weight, strings.Join(k.Tools, ", "))
	}
	for _, v := range a.Votes {
		vote := "with confidence " + v.Confidence
		if v.Confidence == "0" { // it answered none of the values in V, or none of them as the others did
			vote = "without confidence"
		}
		if v.Uncounted != "" {
			vote += ", does not count: " + v.Uncounted
		}
		fmt.Fprintf(&out, "    %s answers %s %s\n", v.Tool, v.Answer, vote)
	}
	return out.String()
}
