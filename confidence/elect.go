package confidence

import (
	"math/big"
	"slices"
)

// Clause is the part of E-3.1 that decided a reference value.
type Clause uint8

// The clauses of E-3.1, in the order in which they are tried, and the sources
// of references that are not elected.
const (
	NoValue          Clause = iota // no tool provides any value: unknown
	SingleAccepted                 // one tool, and its confidence is above the bound
	SingleRejected                 // one tool, and it is not: unknown; the answer is a weak reference
	GlobalAgreement                // all tools agree
	TwoConfidence                  // two tools differ: the greater confidence
	TwoTie                         // two tools differ with equal confidence: unknown
	WeightedMajority               // the answer with the greatest weight
	NoMajority                     // no answer has the weight that is needed: unknown
	FromOracle                     // given from outside the vote
	FromReferee                    // proved, in editions where a proof decides
	ByJury                         // set by a decision of the jury
	Struck                         // none: the jury decided that the value is judged for nobody
)

var clauses = [...]struct{ word, text string }{
	NoValue:          {"no-value", "E-3.1 no tool provides a value"},
	SingleAccepted:   {"single-accepted", "E-3.1 only one tool, with a confidence above the bound"},
	SingleRejected:   {"single-rejected", "E-3.1 only one tool, with a confidence not above the bound"},
	GlobalAgreement:  {"global-agreement", "E-3.1 all tools agree"},
	TwoConfidence:    {"two-confidence", "E-3.1 two tools differ, the greater confidence decides"},
	TwoTie:           {"two-tie", "E-3.1 two tools differ with equal confidence"},
	WeightedMajority: {"weighted-majority", "E-3.1 weighted majority"},
	NoMajority:       {"no-majority", "E-3.1 no weighted majority"},
	FromOracle:       {"oracle", "the expected verdict of the task"},
	FromReferee:      {"referee", "proved by the referee, which decides in this edition"},
	ByJury:           {"jury", "set by the jury"},
	Struck:           {"struck", "struck by the jury, and judged for nobody"},
}

// Word returns the short name that files hold; it does not change between
// versions.
func (c Clause) Word() string { return clauses[c].word }

// String returns the number of the rule and the clause in words.
func (c Clause) String() string { return clauses[c].text }

// Reference is the result of the election of one value (E-3.1). When the
// reference is unknown, Answer is the answer that pages show in its place: that
// of a rejected single tool, or one of the strongest of a tie; None when nobody
// answered.
type Reference struct {
	Answer Answer
	Clause Clause
}

// Known reports whether there is a reference value, so that runs are judged by
// it.
func (r Reference) Known() bool {
	switch r.Clause {
	case SingleAccepted, GlobalAgreement, TwoConfidence, WeightedMajority, FromOracle, FromReferee, ByJury:
		return true
	}
	return false
}

// Weak reports whether a single tool answered whose confidence is too low.
func (r Reference) Weak() bool { return r.Clause == SingleRejected }

// Electorate holds the confidences of the tools and adds up weights exactly:
// each confidence is an integer over one denominator common to all. It does not
// change, so several goroutines may use it.
type Electorate struct {
	confidence []Ratio
	weight     []*big.Int // by tool, over unit
	all        *big.Int   // sum of weight
	unit       *big.Int
}

type candidate struct {
	answer Answer
	votes  int
	weight *big.Int
}

// NewElectorate returns an electorate with the confidence of every tool.
func NewElectorate(confidence []Ratio) *Electorate {
	e := &Electorate{confidence: confidence, unit: big.NewInt(1), all: new(big.Int)}
	for _, c := range confidence {
		den := big.NewInt(c.Den())
		g := new(big.Int).GCD(nil, nil, e.unit, den)
		e.unit.Mul(e.unit, den.Quo(den, g))
	}
	for _, c := range confidence {
		w := new(big.Int).Mul(big.NewInt(c.Num()), new(big.Int).Quo(e.unit, big.NewInt(c.Den())))
		e.weight = append(e.weight, w)
		e.all.Add(e.all, w)
	}
	return e
}

// Confidence returns the confidence of a tool.
func (e *Electorate) Confidence(tool int) Ratio { return e.confidence[tool] }

// Weight returns the sum of the confidences of the tools that voted for the
// answer.
func (e *Electorate) Weight(votes []Vote, answer Answer) *big.Rat {
	sum := new(big.Int)
	for _, v := range votes {
		if v.Answer == answer {
			sum.Add(sum, e.weight[v.Tool])
		}
	}
	return new(big.Rat).SetFrac(sum, e.unit)
}

// count returns the distinct answers with their weights.
func (e *Electorate) count(votes []Vote) []candidate {
	var tally []candidate
	for _, v := range votes {
		i := slices.IndexFunc(tally, func(c candidate) bool { return c.answer == v.Answer })
		if i < 0 {
			i = len(tally)
			tally = append(tally, candidate{answer: v.Answer, weight: new(big.Int)})
		}
		tally[i].votes++
		tally[i].weight.Add(tally[i].weight, e.weight[v.Tool])
	}
	return tally
}

// ElectFunc elects the reference of one value (E-3.1).
type ElectFunc func(e *Electorate, votes []Vote) Reference

// WeightedMajorityPolicy holds the decisions that the text of E-3.1 leaves
// open.
type WeightedMajorityPolicy struct {
	// SingleAbove is the confidence that a single tool must exceed, 93/100.
	SingleAbove Ratio
	// Absolute asks for more than half of the weight of the tools that
	// answered; otherwise the greatest weight suffices.
	Absolute bool
	// MissingAgainst lets the weight of tools that did not answer count
	// against: the elected answer needs more than half of the weight of all
	// tools of the contest.
	MissingAgainst bool
	// TieBySupporters lets the number of tools decide among answers of equal
	// greatest weight; otherwise the reference is unknown.
	TieBySupporters bool
}

// Elect elects the reference of a value by E-3.1. It is an [ElectFunc].
func (p WeightedMajorityPolicy) Elect(e *Electorate, votes []Vote) Reference {
	switch {
	case len(votes) == 0:
		return Reference{None, NoValue}
	case len(votes) == 1 && e.confidence[votes[0].Tool].Cmp(p.SingleAbove) > 0:
		return p.needWeight(e, votes, Reference{votes[0].Answer, SingleAccepted})
	case len(votes) == 1:
		return Reference{votes[0].Answer, SingleRejected}
	case Unanimous(votes):
		return p.needWeight(e, votes, Reference{votes[0].Answer, GlobalAgreement})
	}
	tally := e.count(votes)
	best, tied := p.strongest(tally)
	won, lost := WeightedMajority, NoMajority
	if len(votes) == 2 {
		won, lost = TwoConfidence, TwoTie
	}
	ref := Reference{tally[best].answer, won}
	if tied || p.Absolute && len(votes) > 2 && !exceedsHalf(tally[best].weight, sum(e, votes)) {
		ref.Clause = lost
		return ref
	}
	return p.needWeight(e, votes, ref)
}

// strongest returns the index of the greatest weight and whether it is shared.
// Among equals the index is that of the least answer number, only to be shown.
func (p WeightedMajorityPolicy) strongest(tally []candidate) (best int, tied bool) {
	for i := 1; i < len(tally); i++ {
		order := tally[i].weight.Cmp(tally[best].weight)
		if order == 0 && p.TieBySupporters {
			order = tally[i].votes - tally[best].votes
		}
		switch {
		case order > 0:
			best, tied = i, false
		case order == 0:
			tied = true
			if tally[i].answer < tally[best].answer {
				best = i
			}
		}
	}
	return best, tied
}

// needWeight applies MissingAgainst to a reference that is elected otherwise.
func (p WeightedMajorityPolicy) needWeight(e *Electorate, votes []Vote, ref Reference) Reference {
	if !p.MissingAgainst {
		return ref
	}
	weight := new(big.Int)
	for _, v := range votes {
		if v.Answer == ref.Answer {
			weight.Add(weight, e.weight[v.Tool])
		}
	}
	if !exceedsHalf(weight, e.all) {
		ref.Clause = NoMajority
	}
	return ref
}

func sum(e *Electorate, votes []Vote) *big.Int {
	total := new(big.Int)
	for _, v := range votes {
		total.Add(total, e.weight[v.Tool])
	}
	return total
}

func exceedsHalf(part, whole *big.Int) bool {
	return new(big.Int).Lsh(part, 1).Cmp(whole) > 0
}
