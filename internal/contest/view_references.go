package contest

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"podium/confidence"
	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/publish"
	"podium/internal/wording"
	"podium/scoring"
)

// doubtWords say what each doubt means for a contest as a whole.
var doubtWords = []struct {
	doubt     scoring.Doubt
	one, many string
	text      string
}{
	{scoring.SingleTool, "was", "were", "decided by one tool alone"},
	{scoring.OneFamily, "was", "were", "decided by the variants of one tool"},
	{scoring.NearMargin, "was", "were", "elected by less than the error of the confidences"},
	{scoring.Break, "cannot", "cannot", "be true together with another one"},
	{scoring.Copy, "asks", "ask", "the same as another one of the file, so that one answer earns points twice"},
	{scoring.SelfContradiction, "has", "have", "two answers of one tool to one question, of which one is wrong"},
	{scoring.GivenAway, "is", "are", "stated by what runs are given, so that tools may have read it"},
}

// viewDoubts lets the warnings about reference values travel with them.
func (j *Scored) viewDoubts(v *publish.Contest) {
	at := map[examinations.Key]int{}
	for i, ref := range v.References {
		at[ref.Key] = i
	}
	c := j.Result.Contest
	count := map[scoring.Doubt]int{}
	for _, w := range j.Result.Warnings(j.Edition.Twinning()) {
		s := c.Sheets[w.Sheet]
		key := examinations.Key{Instance: c.Instances[s.Instance].ID, Exam: c.Exams[s.Exam].ID, Item: c.Items[w.Value]}
		if i, ok := at[key]; ok {
			v.References[i].Doubts = append(v.References[i].Doubts, w.Text)
			count[w.Doubt]++
		}
	}
	for _, d := range doubtWords {
		if n := count[d.doubt]; n > 0 {
			v.Warnings = append(v.Warnings, fmt.Sprintf("%s %s; the table of references has the names.", wording.Count(n, "reference value "+d.one, "reference values "+d.many), d.text))
		}
	}
}

var states = map[confidence.Clause]publish.State{
	confidence.SingleAccepted: publish.Single, confidence.SingleRejected: publish.Weak, confidence.GlobalAgreement: publish.Agreed,
	confidence.TwoConfidence: publish.Majority, confidence.WeightedMajority: publish.Majority, confidence.FromOracle: publish.Oracle,
	confidence.FromReferee: publish.Certain, confidence.ByJury: publish.Jury,
}

// viewReferences shows how the values of a sheet were elected.
func (j *Scored) viewReferences(v *publish.Contest, sheet int, weights []*big.Rat) {
	c := j.Result.Contest
	s := c.Sheets[sheet]
	for value := int(s.First); value < int(s.First+s.Values); value++ {
		elected := j.Result.References[value]
		ref := publish.Reference{
			Key:   examinations.Key{Instance: c.Instances[s.Instance].ID, Exam: c.Exams[s.Exam].ID, Item: c.Items[value]},
			State: publish.Unknown,
		}
		ref.Rule, ref.Clause, _ = strings.Cut(j.Result.ClauseText(sheet, value), " ")
		if state, ok := states[elected.Clause]; ok {
			ref.State, ref.Value = state, c.Values[elected.Answer]
		} else if elected.Clause == confidence.Struck {
			ref.State = publish.Struck
		}
		if !j.brief || j.Result.Disagree(value) {
			ref.LateVotes = &lateVotes{j, weights, int32(sheet), int32(value)}
		}
		if j.Proofs != nil {
			ref.Ruling = j.ruling(sheet, value, ref.Key)
		}
		v.References = append(v.References, ref)
	}
}

// lateVotes gives who answered what to a value when it is shown.
type lateVotes struct {
	j            *Scored
	weights      []*big.Rat
	sheet, value int32
}

// Votes gives the answers that are votes.
func (v *lateVotes) Votes() []publish.Vote {
	c := v.j.Result.Contest
	votes := v.j.Result.Votes(int(v.sheet), int(v.value))
	list := make([]publish.Vote, 0, len(votes))
	for _, vote := range votes {
		list = append(list, publish.Vote{Tool: c.Tools[vote.Tool].Name, Value: c.Values[vote.Answer], Weight: v.weights[vote.Tool]})
	}
	return list
}

// Silent gives the answers that are no votes.
func (v *lateVotes) Silent() (list []publish.Silent) {
	c := v.j.Result.Contest
	for _, x := range v.j.Result.Uncounted(int(v.sheet), int(v.value)) {
		list = append(list, publish.Silent{Tool: c.Tools[x.Tool].Name, Value: c.Values[x.Answer], Why: x.Why})
	}
	return list
}

var certainties = map[scoring.Certainty]publish.Certainty{scoring.Undecided: publish.Undecided, scoring.Proved: publish.Proved,

	scoring.Refuted: publish.Refuted, scoring.Supplied: publish.Supplied}

// ruling shows what the referee says of a value.
func (j *Scored) ruling(sheet, value int, key examinations.Key) *publish.Ruling {
	c := j.Result.Contest
	r := &publish.Ruling{Certainty: certainties[j.Result.Certainty(sheet, value)]}
	if elected := j.Result.Elected(sheet, value); elected.Known() {
		r.Elected = c.Values[elected.Answer]
	}
	r.Proved, _ = j.Result.Certified(value)
	var proved oracle.ProvedValue
	r.Evidence, proved, _ = j.Proofs.Evidence(key)
	r.Run, r.Cycle, r.Shown = proved.Run, proved.Cycle, string(proved.Shown())
	if _, shown := j.Proofs.byTools[key]; shown {
		r.Shown = "tool"
	}
	for tool := range c.Tools {
		if j.Result.Refutes(value, tool) {
			r.Against = append(r.Against, c.Tools[tool].Name)
		}
	}
	return r
}

// viewReferee says what was certified, and warns of refuted references.
func (j *Scored) viewReferee(v *publish.Contest) {
	if j.Proofs == nil {
		return
	}
	v.Refereed = true
	if n := len(j.Proofs.byTools); n > 0 {
		v.RefereeFacts = append(v.RefereeFacts, publish.Named{Name: "shown by witnesses of tools alone", Text: wording.Count(n, "value", "values")})
	}
	if j.Proofs.Digest != "" {
		j.viewCertificate(v)
	}
	refuted := 0
	for _, ref := range v.References {
		if ref.Ruling != nil && ref.Ruling.Certainty == publish.Refuted {
			refuted++
		}
	}
	if refuted > 0 {
		v.Warnings = append(v.Warnings, wording.Count(refuted, "elected value is", "elected values are")+" refuted by proof; the page of the referee names them.")
	}
}

// viewCertificate says what the referee has decided itself.
func (j *Scored) viewCertificate(v *publish.Contest) {
	v.Digests = append(v.Digests, publish.Named{Name: "certificate", Text: j.Proofs.Digest})
	budget, memory, decided, asked := int64(0), int64(0), 0, 0
	for _, p := range j.Proofs.Proofs() {
		budget, memory = max(budget, p.Budget), max(memory, p.Memory)
		decided, asked = decided+len(p.Values), asked+p.Asked
	}
	v.RefereeFacts = append([]publish.Named{
		{Name: "decided", Text: fmt.Sprintf("%d of %d values", decided, asked)},
		{Name: "budget", Text: fmt.Sprintf("%s and %d MB for each examination of an instance", time.Duration(budget)*time.Microsecond, memory/1e6)},
		{Name: "certificate", Text: "sha256 " + j.Proofs.Digest},
	}, v.RefereeFacts...)
}
