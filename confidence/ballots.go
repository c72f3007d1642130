package confidence

import "slices"

// Answer is the number of a distinct answer within one contest. Equal answers
// have equal numbers, so that agreement is equality. The order of numbers means
// nothing but decides nothing either.
type Answer uint32

// None is the absence of an answer: not computed, not given, not competing.
const None Answer = 0

// Vote is what one tool answered to one value.
type Vote struct {
	Tool   int // column of the ballots
	Answer Answer
}

// Ballots holds all answers of a contest: cell [value*Tools + tool].
type Ballots struct {
	Tools int
	Cells []Answer
}

// NewBallots has no answer yet.
func NewBallots(values, tools int) *Ballots {
	return &Ballots{Tools: tools, Cells: make([]Answer, values*tools)}
}

// Values is the number of rows.
func (b *Ballots) Values() int {
	if b.Tools == 0 {
		return 0
	}
	return len(b.Cells) / b.Tools
}

// Row gives the answers of all tools to a value; it is not a copy.
func (b *Ballots) Row(value int) []Answer {
	return b.Cells[value*b.Tools : (value+1)*b.Tools]
}

// Votes lists the answers that were given to a value, in the order of the
// tools. The result uses buf's memory.
func (b *Ballots) Votes(value int, buf []Vote) []Vote {
	buf = buf[:0]
	for tool, answer := range b.Row(value) {
		if answer != None {
			buf = append(buf, Vote{tool, answer})
		}
	}
	return buf
}

// VotesFunc gives the votes that count for a value out of those that were cast;
// it may use the memory of cast. The electorate is nil in the pass that computes
// the confidences. A nil VotesFunc stands for all votes.
type VotesFunc func(cast []Vote, e *Electorate) []Vote

// Only is the [VotesFunc] that takes the votes of some tools and no others.
func Only(mayVote func(tool int) bool) VotesFunc {
	return func(cast []Vote, _ *Electorate) []Vote {
		return slices.DeleteFunc(cast, func(v Vote) bool { return !mayVote(v.Tool) })
	}
}

// OnePerFamily is the [VotesFunc] that gives one vote to every family of tools:
// family holds a number for each tool, equal for siblings. The family votes for
// what most of its members answered, by the member of greatest confidence among
// them; a family that is divided in equal parts does not vote.
func OnePerFamily(family []int) VotesFunc {
	return func(cast []Vote, e *Electorate) []Vote {
		kept := cast[:0:0]
		for i, v := range cast {
			if slices.ContainsFunc(cast[:i], func(w Vote) bool { return family[w.Tool] == family[v.Tool] }) {
				continue
			}
			if one, ok := spokesman(cast[i:], family, e); ok {
				kept = append(kept, one)
			}
		}
		return append(cast[:0], kept...)
	}
}

// spokesman gives the vote of the family of votes[0].
func spokesman(votes []Vote, family []int, e *Electorate) (Vote, bool) {
	var few [8]Vote
	members := few[:0]
	for _, v := range votes {
		if family[v.Tool] == family[votes[0].Tool] {
			members = append(members, v)
		}
	}
	var counts [8]count
	best, tied := count{}, false
	for _, c := range countVotes(members, counts[:]) {
		if c.n > best.n {
			best, tied = c, false
		} else if c.n == best.n {
			tied = true
		}
	}
	if tied {
		return Vote{}, false
	}
	found := Vote{Tool: -1}
	for _, v := range members {
		if v.Answer != best.answer {
			continue
		}
		if found.Tool < 0 || e != nil && e.Confidence(v.Tool).Cmp(e.Confidence(found.Tool)) > 0 {
			found = v
		}
	}
	return found, true
}

// count is an answer and the number of its votes.
type count struct {
	answer Answer
	n      int
}

// countVotes fills buf with the distinct answers in order of first appearance.
func countVotes(votes []Vote, buf []count) []count {
	buf = buf[:0]
next:
	for _, v := range votes {
		for i := range buf {
			if buf[i].answer == v.Answer {
				buf[i].n++
				continue next
			}
		}
		buf = append(buf, count{v.Answer, 1})
	}
	return buf
}

// Unanimous tells that there is a vote and no two votes differ.
func Unanimous(votes []Vote) bool {
	for _, v := range votes {
		if v.Answer != votes[0].Answer {
			return false
		}
	}
	return len(votes) > 0
}
