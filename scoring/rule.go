package scoring

// Rule is one step of a scheme. Apply gets all runs of one sheet and adds items
// to their accounts; id is the ID of the rule.
type Rule struct {
	ID    string // number in the rules of the contest, such as E-4.2
	Apply func(p *Peers, id string)
}

// Peers are the runs of all tools on one sheet, in the order of the tools. Runs
// that are absent or void are not among them.
type Peers struct {
	Exam     *Examination
	Instance *Instance
	Scores   []Score
}

// Score is the account of one run while rules are applied to it.
type Score struct {
	Tool      int
	Run       *Run
	Marks     []Mark    // as long as the run's vector
	Answers   []bool    // by value: TRUE was answered
	Witnesses []Witness // by value, nil where the contest has none
	SetAside  bool      // no rule gives it points
	Struck    bool      // by a ruling: it is counted for nothing
	Items     []Item
	Points    int64 // sum of Items
	Letters   Letters

	given, right, wrong int // values answered, right and wrong
}

// OnlyOf returns a rule that is applied to tasks alone, or to nets alone.
func OnlyOf(tasks bool, apply func(*Peers, string)) func(*Peers, string) {
	return func(p *Peers, id string) {
		if p.Exam.Task == tasks {
			apply(p, id)
		}
	}
}

// Letters are the bonus letters of a run.
type Letters uint8

// The bonus letters of published files.
const (
	Fastest  Letters = 1 << iota // P
	Smallest                     // M
)

// String is the two characters of published files.
func (l Letters) String() string {
	text := []byte("--")
	if l&Fastest != 0 {
		text[0] = 'P'
	}
	if l&Smallest != 0 {
		text[1] = 'M'
	}
	return string(text)
}

// add books an item.
func (s *Score) add(item Item) {
	s.Items = append(s.Items, item)
	s.Points += item.Points
}

// booked reports whether there is something to multiply, be its sum zero.
func (s *Score) booked() bool { return len(s.Items) > 0 }

// count fills in the numbers of values that were answered, right and wrong.
func (s *Score) count() {
	var of [Ignored + 1]int
	for _, m := range s.Marks {
		of[m]++
	}
	s.right, s.wrong = of[Right], of[Wrong]
	s.given = s.right + s.wrong + of[Unjudged] + of[Ignored]
}

// PointsPerValue is the rule that gives a right value its points (E-4.2).
func PointsPerValue(p *Peers, id string) {
	pointsPerValue(p, id, func(*Score, int) bool { return true })
}

// PointsPerConfirmed is PointsPerValue for values that a witness confirms; others get nothing.
func PointsPerConfirmed(p *Peers, id string) {
	pointsPerValue(p, id, func(s *Score, v int) bool { return s.Witnesses != nil && s.Witnesses[v] == Confirmed })
}

func pointsPerValue(p *Peers, id string, counts func(s *Score, v int) bool) {
	for i := range p.Scores {
		s := &p.Scores[i]
		if s.SetAside {
			continue
		}
		for v, m := range s.Marks {
			if m == Right && counts(s, v) {
				s.add(Item{Rule: id, Reason: RightValue, Value: int32(v), Points: p.Exam.PointsOf(v)})
			}
		}
	}
}

// ClassFactors returns the rule that multiplies the points of a run by the factor
// of the class of its model (E-4.4). Factors are indexed by models.Class.
func ClassFactors(factors [3]int64) func(*Peers, string) {
	return func(p *Peers, id string) {
		factor := factors[p.Instance.Class]
		if factor == 1 {
			return
		}
		for i := range p.Scores {
			if s := &p.Scores[i]; s.booked() {
				s.add(Item{Rule: id, Reason: ClassFactor, Value: wholeRun, Points: (factor - 1) * s.Points,
					A: factor, B: int64(p.Instance.Class), Num: factor, Den: 1})
			}
		}
	}
}

// FamilyWeight returns the rule that replaces p points by p/whole x (base/N +
// floor), rounded half away from zero, where N is the number of instances of
// the family. So the points of a model grow only slowly with the number of its
// instances.
func FamilyWeight(whole, base, floor int64) func(*Peers, string) {
	return func(p *Peers, id string) {
		n := int64(p.Instance.FamilySize)
		num, den := base+floor*n, whole*n
		for i := range p.Scores {
			if s := &p.Scores[i]; s.booked() {
				weighted := roundedQuotient(s.Points*num, den)
				s.add(Item{Rule: id, Reason: WeightOfFamily, Value: wholeRun, Points: weighted - s.Points,
					A: s.Points, B: n, Num: num, Den: den})
			}
		}
	}
}

// roundedQuotient is num/den, an exact half rounded away from zero; den > 0.
func roundedQuotient(num, den int64) int64 {
	if num < 0 {
		return -roundedQuotient(-num, den)
	}
	return (2*num + den) / (2 * den)
}
