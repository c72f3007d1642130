package scoring

import "slices"

// trial applies the rules of a scheme to one run under several judgements, and keeps
// the least and the greatest points.
type trial struct {
	w         *ranger
	peers     Peers
	run       Run
	answers   []bool
	witnesses []Witness
	effects   []Effect // of the flags that the run can carry
	tried     bool
	low, high int64
}

func (w *ranger) trial(sheet int, run Run, vector int) *trial {
	c, s := w.Contest, w.Contest.Sheets[sheet]
	return &trial{w: w, run: run, peers: Peers{Exam: &c.Exams[s.Exam], Instance: &c.Instances[s.Instance]},
		answers: make([]bool, vector), witnesses: make([]Witness, vector)}
}

// between tries the judgements among which the extremes are: the best one, the worst
// one, and the worst one but for a single right value. The last is the worst under rules that
// need a right value to take points away; of right values that are worth the same, one is tried.
func (t *trial) between(best, worst []Mark, canBeRight []int) {
	type worth struct {
		points  int64
		answer  bool
		witness Witness
		worst   Mark
	}
	tried, different := map[worth]bool{}, canBeRight[:0:0]
	for _, i := range canBeRight {
		x := worth{t.peers.Exam.PointsOf(i), t.answers[i], t.witnesses[i], worst[i]}
		if !tried[x] {
			different = append(different, i)
		}
		tried[x] = true
	}
	for _, effect := range t.effects {
		t.try(best, effect)
		t.try(worst, effect)
		for _, i := range different {
			marks := slices.Clone(worst)
			marks[i] = Right
			t.try(marks, effect)
		}
	}
}

// try books the points of the run alone: with its measurements it gets every bonus that it
// is allowed to get, without them none.
func (t *trial) try(marks []Mark, effect Effect) {
	marks = slices.Clone(marks)
	if hasWrong(marks) {
		for _, f := range t.w.Scheme.Flags {
			if f.Detect == nil && (f.Effect == SetAside || f.Effect == AllWrong && effect == ShowOnly) {
				effect = f.Effect
			}
		}
	}
	if effect == AllWrong {
		condemn(marks)
	}
	unmeasured := t.run
	unmeasured.CPU, unmeasured.Wall, unmeasured.Memory = Unmeasured, Unmeasured, Unmeasured
	for _, run := range []*Run{&t.run, &unmeasured} {
		s := Score{Run: run, Marks: marks, Answers: t.answers, Witnesses: t.witnesses, SetAside: effect == SetAside}
		s.count()
		t.peers.Scores = append(t.peers.Scores[:0], s)
		t.w.Scheme.apply(&t.peers)
		points := t.peers.Scores[0].Points
		if !t.tried {
			t.low, t.high, t.tried = points, points, true
		}
		t.low, t.high = min(t.low, points), max(t.high, points)
	}
}
