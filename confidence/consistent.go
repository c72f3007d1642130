package confidence

// ConsistentFunc gives the answer to a value on which the tools agree, or None
// when the value does not belong to V (E-2.2). Tools is the number of tools of
// the contest.
type ConsistentFunc func(votes []Vote, tools int) Answer

// MajorityOf is the set of tools of which a majority has to agree (E-2.2).
type MajorityOf string

// The readings of "a majority of tools agree".
const (
	OfAnswering MajorityOf = "answering" // more than half of the tools that answered the value
	OfAll       MajorityOf = "all"       // more than half of the tools of the contest
	OfMode      MajorityOf = "mode"      // more than any other answer
)

// Majority is the ConsistentFunc of E-2.2: a majority of tools, and at least
// minAgree of them, give the same answer.
func Majority(minAgree int, of MajorityOf) ConsistentFunc {
	return func(votes []Vote, tools int) Answer {
		if len(votes) < minAgree || len(votes) == 0 {
			return None
		}
		if Unanimous(votes) {
			if of == OfAll && 2*len(votes) <= tools {
				return None
			}
			return votes[0].Answer
		}
		var few [8]count
		best, second := count{}, 0
		for _, c := range countVotes(votes, few[:]) {
			if c.n > best.n {
				best, second = c, best.n
			} else {
				second = max(second, c.n)
			}
		}
		needed := 2*best.n > len(votes)
		switch of {
		case OfAll:
			needed = 2*best.n > tools
		case OfMode:
			needed = best.n > second
		}
		if !needed || best.n < minAgree {
			return None
		}
		return best.answer
	}
}

// Share counts the answers of a tool to the consistent values (E-2.2).
type Share struct {
	Agree      int // values of V where the tool gave the agreed answer
	Answered   int // values of V that the tool answered
	Consistent int // |V|
}

// ShareFunc gives the confidence of a tool from its share (E-2.2).
type ShareFunc func(Share) Ratio

// OverAnswered is a ShareFunc that divides by the number of values of V that
// the tool answered. It reads E-2.2 as "not computed results are not
// considered", which published confidences agree with. A tool without any has
// confidence 0.
func OverAnswered(s Share) Ratio { return NewRatio(int64(s.Agree), int64(s.Answered)) }

// OverConsistent is a ShareFunc that divides by |V|, as the formula of E-2.2 is
// written: values that a tool does not answer lower its confidence.
func OverConsistent(s Share) Ratio { return NewRatio(int64(s.Agree), int64(s.Consistent)) }

// Shares counts, over all values ("from the full list of values", E-2.2), the
// share of every tool. A nil counted means that all votes count.
func Shares(b *Ballots, counted VotesFunc, consistent ConsistentFunc) []Share {
	shares := make([]Share, b.Tools)
	var votes []Vote
	total := 0
	for value := range b.Values() {
		votes = b.Votes(value, votes)
		if counted != nil {
			votes = counted(votes, nil)
		}
		agreed := consistent(votes, b.Tools)
		if agreed == None {
			continue
		}
		total++
		for tool, answer := range b.Row(value) {
			if answer == None {
				continue
			}
			shares[tool].Answered++
			if answer == agreed {
				shares[tool].Agree++
			}
		}
	}
	for i := range shares {
		shares[i].Consistent = total
	}
	return shares
}

// CanDiffer reports whether some consistent value leaves room for a tool that differs:
// with one vote changed the others would still agree on it. Where none does, as when
// three tools answer and three have to agree, every tool that has a share agrees on
// all of it, and confidences do not tell good tools from bad ones. counted may be nil.
func CanDiffer(b *Ballots, counted VotesFunc, consistent ConsistentFunc) bool {
	var votes []Vote
	for value := range b.Values() {
		votes = b.Votes(value, votes)
		if counted != nil {
			votes = counted(votes, nil)
		}
		agreed := consistent(votes, b.Tools)
		if agreed == None {
			continue
		}
		if !Unanimous(votes) {
			return true
		}
		votes[0].Answer++ // an answer that nobody gave to this value
		if consistent(votes, b.Tools) == agreed {
			return true
		}
	}
	return false
}
