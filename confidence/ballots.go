package confidence

import "slices"

// Answer is the number of an answer within one contest: two answers are equal
// if and only if their numbers are. The order of the numbers has no meaning,
// and no result depends on it.
type Answer uint32

// None means that the tool gave no answer, for whatever reason.
const None Answer = 0

// Vote is the answer of one tool to one value.
type Vote struct {
	Tool   int // column of the ballots
	Answer Answer
}

// Ballots hold all answers of a contest. The answer of a tool to a value is
// Cells[value*Tools + tool].
type Ballots struct {
	Tools int
	Cells []Answer
}

// NewBallots returns ballots without any answer.
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

// Row returns the answers of all tools to a value; it is not a copy.
func (b *Ballots) Row(value int) []Answer {
	return b.Cells[value*b.Tools : (value+1)*b.Tools]
}

// Votes lists the answers that were given to a value, in the order of the
// tools. The result uses buf's memory.
func (b *Ballots) Votes(value int, buf []Vote) []Vote {
	if buf == nil {
		buf = make([]Vote, 0, b.Tools)
	}
	buf = buf[:0]
	for tool, answer := range b.Row(value) {
		if answer != None {
			buf = append(buf, Vote{tool, answer})
		}
	}
	return buf
}

// VotesFunc chooses the votes that count among those that were cast for a
// value; it may use the memory of cast. The electorate is nil while confidences
// are computed. A nil VotesFunc means that all votes count.
type VotesFunc func(cast []Vote, e *Electorate) []Vote

// Only returns the [VotesFunc] by which the votes of some tools count and no
// others.
func Only(mayVote func(tool int) bool) VotesFunc {
	return func(cast []Vote, _ *Electorate) []Vote {
		return slices.DeleteFunc(cast, func(v Vote) bool { return !mayVote(v.Tool) })
	}
}

// OnePerFamily returns the [VotesFunc] by which each family of tools has one
// vote. Family holds a number for each tool; tools with equal numbers are of
// one family. A family votes for the answer that most of its members gave, with
// the greatest confidence among those members. A family whose two most frequent
// answers are equally frequent does not vote.
func OnePerFamily(family []int) VotesFunc {
	return func(cast []Vote, e *Electorate) []Vote {
		var few [16]Vote
		kept := few[:0]
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

// spokesman returns the vote of the family of votes[0].
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

// Unanimous reports whether there is a vote and all votes are equal.
func Unanimous(votes []Vote) bool {
	for _, v := range votes {
		if v.Answer != votes[0].Answer {
			return false
		}
	}
	return len(votes) > 0
}

// Distinct returns the answers of votes in the order of their numbers.
func Distinct(votes []Vote) []Answer {
	seen := map[Answer]bool{}
	var answers []Answer
	for _, v := range votes {
		if !seen[v.Answer] {
			seen[v.Answer] = true
			answers = append(answers, v.Answer)
		}
	}
	slices.Sort(answers)
	return answers
}
