package publish

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"podium/confidence"
	"podium/examinations"
	"podium/examinations/oracle"
	"podium/scoring"
)

// ref is the reference value of one asked value on pages: its numbers in the contest. There is
// one for every value that was asked, unknown or not.
type ref struct {
	of           *Contest
	sheet, value int
}

// question is the formula of a value.
type question struct {
	text, xml string // as text, and as it stands in its file; either may be empty
}

// State says how a reference value was decided (E-3.1).
type State string

// The states of references.
const (
	Agreed   State = "agreed"   // all tools that answered agree
	Majority State = "majority" // the greatest weight
	Single   State = "single"   // one tool, which is trusted enough
	Weak     State = "weak"     // one tool, which is not: shown, not used
	Unknown  State = "unknown"  // nobody answered, or a tie
	Oracle   State = "oracle"   // given from outside the vote
	Certain  State = "certain"  // proved by the referee, in editions where that decides
	Jury     State = "jury"     // set by a decision of the jury
	Struck   State = "struck"   // none: by a decision of the jury the value is judged for nobody
)

var states = map[confidence.Clause]State{
	confidence.SingleAccepted: Single, confidence.SingleRejected: Weak, confidence.GlobalAgreement: Agreed,
	confidence.TwoConfidence: Majority, confidence.WeightedMajority: Majority, confidence.FromOracle: Oracle,
	confidence.FromReferee: Certain, confidence.ByJury: Jury, confidence.Struck: Struck,
}

// stateMeanings say what the states mean, in the order of lists.
var stateMeanings = []struct {
	state State
	about string
}{
	{Agreed, "All tools that answered agree."},
	{Majority, "The value with the greatest weight."},
	{Single, "One tool answered, which is trusted enough."},
	{Oracle, "Given from outside the contest."},
	{Certain, "Proved by the referee, and the edition judges by that."},
	{Jury, "Set by a decision of the jury."},
	{Struck, "None: by a decision of the jury nobody is judged by it."},
	{Weak, "One tool answered, which is not trusted enough: shown, and nobody is judged by it."},
	{Unknown, "None: nobody answered, or it is a tie."},
}

// Word is what pages show of it; tables hold the state itself.
func (s State) Word() string {
	if s == Oracle {
		return "expected"
	}
	return string(s)
}

// State is how the value was decided.
func (r *ref) State() State { return cmp.Or(states[r.elected().Clause], Unknown) }

func (r *ref) elected() confidence.Reference { return r.of.Judged.Result.References[r.value] }

// Value is zero when it is unknown.
func (r *ref) Value() examinations.Value {
	if state := r.State(); state == Unknown || state == Struck {
		return examinations.Value{}
	}
	return r.of.scored().Values[r.elected().Answer]
}

// known reports whether there is a value to judge answers by: a weak one is shown and not used.
func (r *ref) known() bool { return r.State() != Unknown && r.State() != Weak && r.State() != Struck }

func (r *ref) item() string { return r.of.scored().Items[r.value] }

func (r *ref) key() examinations.Key {
	c := r.of.scored()
	s := c.Sheets[r.sheet]
	return examinations.Key{Instance: c.Instances[s.Instance].ID, Exam: c.Exams[s.Exam].ID, Item: c.Items[r.value]}
}

// clause is the rule that decided, and what it says in this case, a sentence.
func (r *ref) clause() (rule, text string) {
	rule, text, _ = strings.Cut(r.of.Judged.Result.ClauseText(r.sheet, r.value), " ")
	return rule, r.of.team.scrub(text)
}

// doubts are sentences that travel with the value: elected by one tool, by a near tie, ...
func (r *ref) doubts() (list []string) {
	for _, w := range r.of.doubts[r.value] {
		list = append(list, w.Text)
	}
	return list
}

func (r *ref) question() question { return r.of.questions[r.value] }

// answer is the answer of a tool to a value. It is a vote unless Why says why not, in a clause.
type answer struct {
	Tool   string
	Value  examinations.Value
	Weight *big.Rat // the confidence of the tool, of a vote
	Why    string
}

// answers returns who answered what to the value: first the votes, by tool, then the others, by
// tool.
func (r *ref) answers() []answer {
	c, result := r.of.scored(), r.of.Judged.Result
	var list []answer
	add := func(v confidence.Vote, weight *big.Rat, why string) {
		if tool := c.Tools[v.Tool].Name; r.of.team.shows(tool) {
			list = append(list, answer{tool, c.Values[v.Answer], weight, why})
		}
	}
	byTool := func(a, b answer) int { return cmp.Compare(a.Tool, b.Tool) }
	for _, v := range result.Votes(r.sheet, r.value) {
		add(v, result.Confidence[v.Tool].Rat(), "")
	}
	votes := len(list)
	slices.SortStableFunc(list, byTool)
	for _, x := range result.Uncounted(r.sheet, r.value) {
		add(x.Vote, nil, r.of.team.scrub(x.Why))
	}
	slices.SortStableFunc(list[votes:], byTool)
	return list
}

// votes returns the answers that are votes, by tool.
func (r *ref) votes() []answer {
	list := r.answers()
	for n := range list {
		if list[n].Weight == nil {
			return list[:n]
		}
	}
	return list
}

// disputed reports whether tools gave different values, with a vote or without: a disagreement
// that was seen does not go away when a run is set aside.
func (r *ref) disputed() bool {
	if r.of.team == nil {
		return r.of.Judged.Result.Disagree(r.value)
	}
	list := r.answers()
	return slices.ContainsFunc(list, func(a answer) bool { return a.Value != list[0].Value })
}

// certainty is what the referee says of the value, where there is one.
func (r *ref) certainty() scoring.Certainty { return r.of.Judged.Result.Certainty(r.sheet, r.value) }

// Proved is the value that is proved, zero where none is.
func (r *ref) Proved() examinations.Value {
	if !r.of.Refereed() {
		return examinations.Value{}
	}
	v, _ := r.of.Judged.Result.Certified(r.value)
	return v
}

// Voted is the value that was elected, whatever is proved; zero where there is none.
func (r *ref) Voted() (v examinations.Value) {
	if elected := r.of.Judged.Result.Elected(r.sheet, r.value); elected.Known() {
		v = r.of.scored().Values[elected.Answer]
	}
	return v
}

// evidence says how the value was proved, a sentence without final stop, and by which run.
func (r *ref) evidence() (text string, by oracle.ProvedValue) {
	if !r.of.Refereed() {
		return "", by
	}
	text, by, _ = r.of.Judged.Proofs.Evidence(r.key())
	return r.of.team.scrub(text), by
}

// refutes returns the tools whose answer differs from what is proved.
func (r *ref) refutes() (tools []string) {
	for tool, t := range r.of.scored().Tools {
		if r.of.Judged.Result.Refutes(r.value, tool) && r.of.team.shows(t.Name) {
			tools = append(tools, t.Name)
		}
	}
	return tools
}

// camp is the tools that gave one value.
type camp struct {
	value   examinations.Value
	weight  *big.Rat
	answers []answer
}

// camps groups the answers by value: the reference value first, then by weight, then by text.
func (r *ref) camps() []camp {
	var camps []camp
	for _, a := range r.answers() {
		i := slices.IndexFunc(camps, func(c camp) bool { return c.value == a.Value })
		if i < 0 {
			i = len(camps)
			camps = append(camps, camp{value: a.Value, weight: new(big.Rat)})
		}
		c := &camps[i]
		if a.Weight != nil {
			c.weight.Add(c.weight, a.Weight)
		}
		c.answers = append(c.answers, a)
	}
	reference := r.Value()
	slices.SortStableFunc(camps, func(a, b camp) int {
		if a.value == reference || b.value == reference {
			return cmp.Compare(btoi(b.value == reference), btoi(a.value == reference))
		}
		return cmp.Or(b.weight.Cmp(a.weight), cmp.Compare(a.value.Text, b.value.Text))
	})
	return camps
}

// shownBy is how a replay shows what is proved: run, proof or enumeration, or tool where the
// witness of a tool does; empty when nothing does.
func (r *ref) shownBy() string {
	if r.of.Judged.Proofs.ByTool(r.key()) {
		return "tool"
	}
	_, by := r.evidence()
	return string(by.Shown())
}
