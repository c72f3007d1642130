package formula

import (
	"fmt"
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"strconv"

	"podium/examinations"
	"podium/models"
	"podium/pnml"
)

// GenerateOptions say how formulas are made. The zero value gives sixteen.
type GenerateOptions struct {
	Seed  uint64 // the same seed gives the same formulas on every machine
	Count int    // number of formulas, 0 for FormulasPerFile
	Depth int    // greatest nesting of operators above the atoms, 0 for 5
	Year  int    // in ids of CTL and reachability formulas, 0 leaves it out
	Tries int    // candidates per formula before an unwanted one is kept, 0 for 40
	// Decided reports whether a bounded exploration already decides a formula, as
	// the filter of the organisers does; such formulas are thrown away as long
	// as there are tries. nil throws none away.
	Decided func(Formula) bool
	// Key returns a text that formulas share which ask the same. None is asked twice where another
	// one can be found; with nil some are.
	Key func(Formula) string
}

// Generate makes random formulas of an examination over a net. They belong to
// the fragment of the examination, name different nodes of the net, compare
// with constants near the initial numbers of tokens, and never connect an atom
// with itself; reachability formulas are not decided by the initial marking
// alone. When o.Tries candidates were unwanted, as happens on very small nets,
// the last one is kept.
func Generate(net *pnml.Net, id models.ID, exam examinations.ID, o GenerateOptions) ([]Property, error) {
	return GenerateOver(groundOf(net), id, exam, o)
}

// Ground is what formulas are made over: the nodes of a net, coloured ones too, and what
// holds of them in the initial marking. Nodes are given by their index.
type Ground struct {
	NetNames
	Tokens  func(place int) uint64    // of all colours
	Enabled func(transition int) bool // some binding is
	Takes   func(transition int) bool // it has input places
	Safe    bool                      // no place is said to hold two tokens
}

func groundOf(net *pnml.Net) Ground {
	return Ground{
		NetNames: *NamesOf(net),
		Tokens:   func(p int) uint64 { return net.Initial[p] },
		Enabled:  net.Enabled,
		Takes:    func(t int) bool { places, _ := net.Pre.Row(t); return len(places) > 0 },
		Safe:     net.NUPN != nil && net.NUPN.Safe,
	}
}

// GenerateOver is Generate over a ground.
func GenerateOver(net Ground, id models.ID, exam examinations.ID, o GenerateOptions) ([]Property, error) {
	if !exam.HasFormulas() {
		return nil, fmt.Errorf("%s has no formulas", exam)
	}
	g := newGenerator(net, id, exam, &o)
	if g.fireability && net.Transitions.Len() == 0 || !g.fireability && net.Places.Len() == 0 {
		return nil, fmt.Errorf("no formula of %s can be made: the net of %s has no %s", exam, id, g.nodes())
	}
	seen := map[string]bool{}
	properties := make([]Property, o.Count)
	for i := range properties {
		f := g.wanted(i, seen)
		seen[g.o.Key(f)] = true
		properties[i] = Property{ID: g.id(id, i), Description: "Automatically generated", Formula: f}
	}
	return properties, nil
}

type generator struct {
	more        int // candidates beyond Tries, to ask nothing twice
	net         Ground
	exam        examinations.ID
	o           *GenerateOptions
	rng         *rand.PCG
	fireability bool
	spin        int      // which root comes first
	triggers    []uint32 // transitions worth asking for
	most        uint64   // greatest constant compared with one place
}

func newGenerator(net Ground, id models.ID, exam examinations.ID, o *GenerateOptions) *generator {
	setDefault(&o.Count, examinations.FormulasPerFile)
	setDefault(&o.Depth, 5)
	setDefault(&o.Tries, 40)
	more := moreTries * o.Tries
	if o.Key == nil {
		o.Key, more = Print, 0
	}
	stream := fnv.New64a()
	stream.Write([]byte(id.String() + " " + string(exam)))
	g := &generator{net: net, exam: exam, o: o, more: more, rng: rand.NewPCG(o.Seed, stream.Sum64())}
	g.fireability = exam == examinations.ReachabilityFireability || exam == examinations.CTLFireability || exam == examinations.LTLFireability
	g.spin = g.below(2)
	g.most = greatestConstant(net)
	for t := range net.Transitions.Len() {
		if net.Takes(t) {
			g.triggers = append(g.triggers, uint32(t))
		}
	}
	if len(g.triggers) == 0 {
		for t := range net.Transitions.Len() {
			g.triggers = append(g.triggers, uint32(t))
		}
	}
	return g
}

func setDefault(field *int, value int) {
	if *field <= 0 {
		*field = value
	}
}

// greatestConstant is what a place may sensibly be compared with: 1 when the
// net claims to be safe, else between 3 and 100 and near the initial tokens.
func greatestConstant(net Ground) uint64 {
	if net.Safe {
		return 1
	}
	most := uint64(3)
	for p := range net.Places.Len() {
		most = max(most, net.Tokens(p))
	}
	return min(most, 100)
}

func (g *generator) nodes() string {
	if g.fireability {
		return "transitions"
	}
	return "places"
}

// id returns the names that the files of today use.
func (g *generator) id(id models.ID, i int) string {
	name := id.String() + "-" + string(g.exam)
	switch g.exam {
	case examinations.UpperBounds, examinations.LTLCardinality, examinations.LTLFireability:
	default:
		if g.o.Year != 0 {
			name += "-" + strconv.Itoa(g.o.Year)
		}
	}
	return fmt.Sprintf("%s-%02d", name, i)
}

// below returns a number from 0 to n-1. Note: rand.Rand would do, but does not
// promise the same numbers in all versions.
func (g *generator) below(n int) int {
	high, _ := bits.Mul64(g.rng.Uint64(), uint64(n))
	return int(high)
}

func (g *generator) chance(in int) bool { return g.below(in) == 0 }

// moreTries are made, times Tries, before a formula is asked twice.
const moreTries = 25

// wanted draws candidates until one is new, worth asking and not decided.
func (g *generator) wanted(i int, seen map[string]bool) Formula {
	var f Formula
	for range g.o.Tries {
		f = g.candidate(i)
		if !seen[g.o.Key(f)] && !g.trivial(f) && (g.o.Decided == nil || !g.o.Decided(f)) {
			return f
		}
	}
	for range g.more {
		if !seen[g.o.Key(f)] {
			return f
		}
		f = g.candidate(i)
	}
	return f
}

func (g *generator) candidate(i int) Formula {
	switch g.exam {
	case examinations.UpperBounds:
		return &Bound{g.places(1 + g.below(2)*g.below(4))}
	case examinations.LTLCardinality, examinations.LTLFireability:
		return &AllPaths{g.temporal(g.o.Depth)}
	case examinations.CTLCardinality, examinations.CTLFireability:
		f := g.temporal(g.o.Depth)
		if g.chance(4) {
			return &Not{f}
		}
		return f
	}
	f := g.state(2+g.below(max(1, g.o.Depth-1)), &layer{})
	if (i+g.spin)%2 == 0 {
		return &ExistsPath{&Finally{f}}
	}
	return &AllPaths{&Globally{f}}
}

// trivial tells what is not worth asking.
func (g *generator) trivial(f Formula) bool {
	switch g.exam {
	case examinations.UpperBounds:
		return false
	case examinations.CTLCardinality, examinations.CTLFireability:
		return nesting(f) < 2 || quantifiers(f) < 2
	case examinations.LTLCardinality, examinations.LTLFireability:
		return nesting(f) < 2
	}
	inner := Operands(Operands(f)[0])[0]
	_, possibility := f.(*ExistsPath)
	return g.initially(inner) == possibility
}

// nesting is the greatest number of temporal operators inside one another.
func nesting(f Formula) int {
	n := 0
	for _, h := range Operands(f) {
		n = max(n, nesting(h))
	}
	if isTemporal(f) {
		n++
	}
	return n
}

// quantifiers is how many of the two path quantifiers a formula has; one with a
// single quantifier is mostly a formula of LTL in disguise.
func quantifiers(f Formula) int {
	all, exists := 0, 0
	Walk(f, func(h Formula) {
		switch h.(type) {
		case *AllPaths:
			all = 1
		case *ExistsPath:
			exists = 1
		}
	})
	return all + exists
}

// layer remembers the nodes that the atoms of one Boolean combination speak of,
// so that no atom is combined with itself, its negation or its like.
type layer struct{ used map[string]bool }

func (l *layer) take(key string) bool {
	if l.used[key] {
		return false
	}
	if l.used == nil {
		l.used = map[string]bool{}
	}
	l.used[key] = true
	return true
}

// state makes a formula about one marking.
func (g *generator) state(depth int, l *layer) Formula {
	if depth <= 0 || g.chance(6) {
		return g.literal(l)
	}
	return g.connective(depth, l, g.state)
}

// connective joins two or three operands, or negates their combination.
func (g *generator) connective(depth int, l *layer, operand func(int, *layer) Formula) Formula {
	fs := []Formula{operand(depth-1, l), operand(depth-1, l)}
	if g.chance(5) {
		fs = append(fs, operand(depth-1, l))
	}
	fs = present(fs)
	var f Formula
	switch {
	case len(fs) == 0:
		return nil
	case len(fs) == 1:
		return fs[0]
	case g.chance(2):
		f = &And{fs}
	default:
		f = &Or{fs}
	}
	if g.chance(5) {
		return &Not{f}
	}
	return f
}

// present drops operands that a small net had no fresh atom for.
func present(fs []Formula) []Formula {
	kept := fs[:0]
	for _, f := range fs {
		if f != nil {
			kept = append(kept, f)
		}
	}
	return kept
}

// formula makes a formula of LTL or CTL in any place below the root.
func (g *generator) formula(depth int, l *layer) Formula {
	switch {
	case depth <= 0 || g.chance(8):
		return g.literal(l)
	case g.chance(3):
		return g.connective(depth, l, g.formula)
	case g.chance(5):
		return &Not{g.temporal(depth)}
	}
	return g.temporal(depth)
}

// temporal makes a temporal operator, in CTL below a path quantifier. Its
// operands speak of other markings, so they are layers of their own.
func (g *generator) temporal(depth int) Formula {
	f := g.formula(depth-1, &layer{})
	switch g.below(4) {
	case 0:
		f = &Next{f}
	case 1:
		f = &Until{f, g.formula(depth-1, &layer{})}
	case 2:
		f = eventually(f, hasRoot[*Finally](f))
	default:
		f = eventually(f, !hasRoot[*Globally](f))
	}
	if !g.isCTL() {
		return f
	}
	if g.chance(2) {
		return &ExistsPath{f}
	}
	return &AllPaths{f}
}

// eventually returns G or F: F F and G G would say no more than one of them.
func eventually(f Formula, globally bool) Formula {
	if globally {
		return &Globally{f}
	}
	return &Finally{f}
}

// hasRoot reports whether a formula is an operator T, maybe below a quantifier.
func hasRoot[T Formula](f Formula) bool {
	switch q := f.(type) {
	case *AllPaths:
		f = q.F
	case *ExistsPath:
		f = q.F
	}
	_, ok := f.(T)
	return ok
}

func (g *generator) isCTL() bool {
	return g.exam == examinations.CTLCardinality || g.exam == examinations.CTLFireability
}
