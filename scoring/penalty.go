package scoring

// PenaltyPerWrong returns the rule that takes factor times the points of a value
// from a run for each wrong value (E-4.3).
func PenaltyPerWrong(factor int64) func(*Peers, string) {
	return func(p *Peers, id string) {
		for i := range p.Scores {
			s := &p.Scores[i]
			if s.SetAside {
				continue
			}
			for v, m := range s.Marks {
				if m == Wrong {
					s.add(Item{Rule: id, Reason: WrongValue, Value: int32(v), Points: -factor * p.Exam.PointsOf(v)})
				}
			}
		}
	}
}

// NeedRight is the rule that takes all points, also negative ones, from a run
// without a right value. It is the other reading of "to get a score a tool must
// provide at least one correct value" (E-4.3).
func NeedRight(p *Peers, id string) {
	for i := range p.Scores {
		s := &p.Scores[i]
		if s.right == 0 && s.Points != 0 {
			s.add(Item{Rule: id, Reason: NoRightValue, Value: wholeRun, Points: -s.Points})
		}
	}
}
