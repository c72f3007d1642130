package scoring

// Verdict is the judgement of SV-COMP on one truth value: the answer, whether
// it is right, and whether its witness was confirmed.
type Verdict uint8

// The verdicts.
const (
	CorrectTrue Verdict = iota
	CorrectFalse
	UnconfirmedTrue
	UnconfirmedFalse
	WrongTrue  // a missed bug
	WrongFalse // a false alarm
)

var verdictTexts = [...]string{
	"TRUE is correct", "FALSE is correct",
	"TRUE is correct, but no validator confirms the witness", "FALSE is correct, but no validator confirms the witness",
	"TRUE is wrong: a violation was missed", "FALSE is wrong: a false alarm",
}

// String returns the verdict in words.
func (v Verdict) String() string { return verdictTexts[v] }

// PointsByVerdict returns the rule of SV-COMP: points by the answer, whether it
// is right, and its witness. A value without an answer or without a reference
// gives no points.
func PointsByVerdict(points [WrongFalse + 1]int64) func(*Peers, string) {
	return func(p *Peers, id string) {
		for i := range p.Scores {
			s := &p.Scores[i]
			if s.SetAside {
				continue
			}
			for v, m := range s.Marks {
				if m != Right && m != Wrong {
					continue
				}
				verdict := verdictOf(s, v)
				s.add(Item{Rule: id, Reason: ByVerdict, Value: int32(v), Points: points[verdict], A: int64(verdict)})
			}
		}
	}
}

func verdictOf(s *Score, v int) Verdict {
	unconfirmed := s.Witnesses != nil && s.Witnesses[v] == Unconfirmed
	switch saysTrue := s.Answers[v]; {
	case s.Marks[v] == Wrong && saysTrue:
		return WrongTrue
	case s.Marks[v] == Wrong:
		return WrongFalse
	case saysTrue && unconfirmed:
		return UnconfirmedTrue
	case saysTrue:
		return CorrectTrue
	case unconfirmed:
		return UnconfirmedFalse
	}
	return CorrectFalse
}
