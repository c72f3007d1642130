package examinations

// Category is a group of examinations that is ranked together.
type Category struct {
	Name         string
	Examinations []ID
}

// Programme is what the contests of some years asked (E-1).
type Programme struct {
	First, Last int // years; Last is 0 for the programme of today
	Categories  []Category
}

var (
	stateSpaceCategory  = Category{"StateSpace", []ID{StateSpace}}
	upperBoundsCategory = Category{"UpperBounds", []ID{UpperBounds}}
	ctlCategory         = Category{"CTL", []ID{CTLCardinality, CTLFireability}}
	ltlCategory         = Category{"LTL", []ID{LTLCardinality, LTLFireability}}
)

// programmes are the programmes of the contest from 2016 on. Until 2018 there
// are nine examinations in five categories. In 2019 the deadlock is a category
// of its own. From 2020 on it is one of five global properties, and there are
// thirteen examinations.
var programmes = []Programme{
	{2016, 2018, []Category{
		stateSpaceCategory, upperBoundsCategory,
		{"Reachability", []ID{ReachabilityDeadlock, ReachabilityCardinality, ReachabilityFireability}},
		ctlCategory, ltlCategory,
	}},
	{2019, 2019, []Category{
		stateSpaceCategory, {"GlobalProperties", []ID{GlobalProperties}}, upperBoundsCategory,
		{"Reachability", []ID{ReachabilityCardinality, ReachabilityFireability}},
		ctlCategory, ltlCategory,
	}},
	{2020, 0, []Category{
		stateSpaceCategory,
		{"GlobalProperties", []ID{ReachabilityDeadlock, QuasiLiveness, StableMarking, Liveness, OneSafe}},
		upperBoundsCategory,
		{"Reachability", []ID{ReachabilityCardinality, ReachabilityFireability}},
		ctlCategory, ltlCategory,
	}},
}

// ProgrammeOf returns the programme of a year from 2016 on.
func ProgrammeOf(year int) (Programme, bool) {
	for _, p := range programmes {
		if year >= p.First && (year <= p.Last || p.Last == 0) {
			return p, true
		}
	}
	return Programme{}, false
}

// Examinations lists all examinations of the programme.
func (p Programme) Examinations() []ID {
	var list []ID
	for _, c := range p.Categories {
		list = append(list, c.Examinations...)
	}
	return list
}

// Category returns the category of an examination, "" when it is not asked.
func (p Programme) Category(exam ID) string {
	for _, c := range p.Categories {
		for _, id := range c.Examinations {
			if id == exam {
				return c.Name
			}
		}
	}
	return ""
}

// Values returns the number of values that the examination asks for: four for
// StateSpace, sixteen for a formula file, else one (E-1.2 to E-1.6).
func (id ID) Values() int {
	switch {
	case id == StateSpace:
		return len(StateSpaceItems)
	case id.HasFormulas():
		return FormulasPerFile
	}
	return 1
}

// FormulasPerFile is the number of formulas of every formula file of the
// contest (E-1.3 to E-1.6).
const FormulasPerFile = 16
