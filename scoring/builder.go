package scoring

import (
	"cmp"
	"fmt"
	"slices"

	"podium/confidence"
	"podium/examinations"
	"podium/models"
)

// AnsweredValue is one answer of a run.
type AnsweredValue struct {
	Item       string
	Value      examinations.Value // the zero Value where the run leaves the value open
	Witness    Witness
	AnsweredAt int32 // when it was given, see AnswerTime; 0 where that is not known
}

// Entry is one run with its answers, for [Builder].Add.
type Entry struct {
	Tool     string
	Instance string
	Exam     examinations.ID
	Run
	Answers []AnsweredValue // read during Add only
}

// Builder collects runs, in any order, and makes a [Contest] from them. Tools
// and instances need not be declared: an undeclared tool has the order of its
// name, and an undeclared instance is a known model. Use [NewBuilder]; the zero
// value is not ready for use.
type Builder struct {
	exams     []Examination
	examIndex map[examinations.ID]int32
	declared  int   // number of examinations that the edition names, the wildcard included
	wildcard  int32 // index of the examination "*", or -1
	// AsDisplayed is handed on to the contest.
	AsDisplayed bool

	tools      []Tool
	toolIndex  map[string]int32
	instances  []Instance
	instIndex  map[string]int32
	sheets     []stagedSheet
	sheetIndex map[sheetKey]int32
	runs       []stagedRun
	runIndex   map[runKey]struct{}
	votes      []stagedVote
	timed      bool // some vote says when it was given
	witnesses  []stagedWitness
	oracles    []stagedOracle
	values     []examinations.Value
	valueIndex map[examinations.Value]confidence.Answer
}

type (
	sheetKey    struct{ instance, exam int32 }
	runKey      struct{ sheet, tool int32 }
	stagedSheet struct {
		key   sheetKey
		items []string
		index map[string]int32 // made when there are many items
	}
	stagedRun struct {
		runKey
		run Run
	}
	stagedVote struct {
		sheet, slot, tool int32
		answer            confidence.Answer
		said              int32
	}
	stagedWitness struct {
		sheet, slot, tool int32
		witness           Witness
	}
	stagedOracle struct {
		sheet, slot int32
		answer      confidence.Answer
	}
)

// Expect makes room for so many runs with so many answers in all.
func (b *Builder) Expect(runs, answers int) {
	b.runs, b.votes = slices.Grow(b.runs, runs), slices.Grow(b.votes, answers)
}

// AnyExamination is the id by which an edition stands for all examinations that
// it does not name. The category of each of them is its own name.
const AnyExamination examinations.ID = "*"

// NewBuilder returns an empty builder. Exams are the examinations of the edition,
// in the order in which they are shown.
func NewBuilder(exams []Examination) *Builder {
	b := &Builder{
		examIndex:  map[examinations.ID]int32{},
		wildcard:   -1,
		toolIndex:  map[string]int32{},
		instIndex:  map[string]int32{},
		sheetIndex: map[sheetKey]int32{},
		runIndex:   map[runKey]struct{}{},
		values:     []examinations.Value{{}, examinations.True, examinations.False},
		valueIndex: map[examinations.Value]confidence.Answer{},
	}
	for _, e := range exams {
		if e.ID == AnyExamination {
			b.wildcard, e.Task = int32(len(b.exams)), true
		}
		b.examIndex[e.ID] = int32(len(b.exams))
		b.exams = append(b.exams, e)
	}
	b.declared = len(b.exams)
	return b
}

// Tool declares a tool; a second call for the same name replaces the first.
func (b *Builder) Tool(t Tool) {
	b.tools[b.tool(t.Name)] = t
}

func (b *Builder) tool(name string) int32 {
	i, ok := b.toolIndex[name]
	if !ok {
		i = int32(len(b.tools))
		b.toolIndex[name] = i
		b.tools = append(b.tools, Tool{Name: name})
	}
	return i
}

// Instance declares an instance and its class (E-4.4).
func (b *Builder) Instance(name string, class models.Class) {
	b.instances[b.instance(name)].Class = class
}

func (b *Builder) instance(name string) int32 {
	i, ok := b.instIndex[name]
	if !ok {
		i = int32(len(b.instances))
		b.instIndex[name] = i
		b.instances = append(b.instances, Instance{Name: name, ID: models.ParseAnyID(name)})
	}
	return i
}

func (b *Builder) exam(id examinations.ID) (int32, error) {
	i, ok := b.examIndex[id]
	if ok && id != AnyExamination {
		return i, nil
	}
	if b.wildcard < 0 || id == AnyExamination {
		return 0, fmt.Errorf("the edition has no examination %s", id)
	}
	e := b.exams[b.wildcard]
	e.ID, e.Category = id, string(id)
	i = int32(len(b.exams))
	b.examIndex[id] = i
	b.exams = append(b.exams, e)
	return i, nil
}

func (b *Builder) sheet(instance string, exam examinations.ID) (int32, error) {
	e, err := b.exam(exam)
	if err != nil {
		return 0, err
	}
	key := sheetKey{b.instance(instance), e}
	i, ok := b.sheetIndex[key]
	if !ok {
		i = int32(len(b.sheets))
		b.sheetIndex[key] = i
		b.sheets = append(b.sheets, stagedSheet{key: key, items: slices.Clone(b.exams[e].Items)})
	}
	return i, nil
}

// Declare names values that a sheet asks for, so that they are in it even when
// nobody answers them. Values of examinations whose edition names its items
// need no declaration.
func (b *Builder) Declare(instance string, exam examinations.ID, items ...string) error {
	sheet, err := b.sheet(instance, exam)
	if err != nil {
		return err
	}
	for i, item := range items {
		b.slot(sheet, i, item)
	}
	return nil
}

// manyItems is the number of items of a sheet beyond which they are looked up in
// a map.
const manyItems = 32

// slot finds or makes the place of an item on a sheet; guess is where it is
// likely to be.
func (b *Builder) slot(sheet int32, guess int, item string) int32 {
	s := &b.sheets[sheet]
	if guess < len(s.items) && s.items[guess] == item {
		return int32(guess)
	}
	if s.index == nil {
		if i := slices.Index(s.items, item); i >= 0 {
			return int32(i)
		}
	} else if i, ok := s.index[item]; ok {
		return i
	}
	i := int32(len(s.items))
	s.items = append(s.items, item)
	switch {
	case s.index != nil:
		s.index[item] = i
	case len(s.items) > manyItems:
		s.index = make(map[string]int32, 2*manyItems)
		for k, name := range s.items {
			s.index[name] = int32(k)
		}
	}
	return i
}

func (b *Builder) answer(v examinations.Value) confidence.Answer {
	switch {
	case v.Text == "":
		return confidence.None
	case v == examinations.True:
		return 1
	case v == examinations.False:
		return 2
	}
	a, ok := b.valueIndex[v]
	if !ok {
		a = confidence.Answer(len(b.values))
		b.valueIndex[v] = a
		b.values = append(b.values, v)
	}
	return a
}

// Add adds a run. It is an error to add a run twice, to name an examination
// that the edition does not have, or to give answers to a run that did not
// answer.
func (b *Builder) Add(e Entry) error {
	sheet, err := b.sheet(e.Instance, e.Exam)
	if err != nil {
		return err
	}
	key := runKey{sheet, b.tool(e.Tool)}
	if _, twice := b.runIndex[key]; twice {
		return fmt.Errorf("the run of %s on %s of %s was given twice", e.Tool, e.Exam, e.Instance)
	}
	if e.Participation == Absent {
		return fmt.Errorf("the run of %s on %s of %s has no participation", e.Tool, e.Exam, e.Instance)
	}
	if len(e.Answers) > 0 && e.Participation != Answered {
		return fmt.Errorf("the run of %s on %s of %s answers although it is %s", e.Tool, e.Exam, e.Instance, e.Participation)
	}
	if e.Participation == OutOfTime && e.Ending == UnknownEnding {
		e.Ending = AtTimeLimit
	}
	b.runIndex[key] = struct{}{}
	b.runs = append(b.runs, stagedRun{key, e.Run})
	for i, a := range e.Answers {
		slot := b.slot(sheet, i, a.Item)
		if answer := b.answer(a.Value); answer != confidence.None {
			b.votes = append(b.votes, stagedVote{sheet, slot, key.tool, answer, a.AnsweredAt})
			b.timed = b.timed || a.AnsweredAt > 0
			if a.Witness != Unasked {
				b.witnesses = append(b.witnesses, stagedWitness{sheet, slot, key.tool, a.Witness})
			}
		}
	}
	return nil
}

// Oracle sets the reference value that is given from outside the vote.
func (b *Builder) Oracle(instance string, exam examinations.ID, item string, v examinations.Value) error {
	sheet, err := b.sheet(instance, exam)
	if err != nil {
		return err
	}
	b.oracles = append(b.oracles, stagedOracle{sheet, b.slot(sheet, 0, item), b.answer(v)})
	return nil
}

// Contest returns the contest of all runs added so far. The builder may be used
// further.
func (b *Builder) Contest() *Contest {
	c := &Contest{Exams: slices.Clone(b.exams), AsDisplayed: b.AsDisplayed}
	var toolAt, instAt []int32
	c.Tools, toolAt = sorted(b.tools, func(x, y Tool) int {
		return cmp.Or(cmp.Compare(x.Order, y.Order), cmp.Compare(x.Name, y.Name))
	})
	c.Instances, instAt = sorted(b.instances, func(x, y Instance) int {
		return cmp.Or(x.ID.Compare(y.ID), cmp.Compare(x.Name, y.Name))
	})
	relate(c.Instances)
	examAt := b.sortExams(c)
	var answerAt []int32
	c.Values, answerAt = sorted(b.values, compareValues)

	order := make([]int32, len(b.sheets))
	for i := range order {
		order[i] = int32(i)
	}
	place := func(s int32) sheetKey {
		k := b.sheets[s].key
		return sheetKey{instAt[k.instance], examAt[k.exam]}
	}
	slices.SortFunc(order, func(x, y int32) int {
		p, q := place(x), place(y)
		return cmp.Or(cmp.Compare(p.instance, q.instance), cmp.Compare(p.exam, q.exam))
	})
	sheetAt := make([]int32, len(order))
	slotAt := make([][]int32, len(order)) // by builder's sheet: slot -> value
	for at, s := range order {
		sheetAt[s] = int32(at)
		k := place(s)
		first := int32(len(c.Items))
		slotAt[s] = b.layOut(c, s)
		c.Sheets = append(c.Sheets, Sheet{k.instance, k.exam, first, int32(len(c.Items)) - first})
	}

	n := len(c.Tools)
	c.Ballots = confidence.NewBallots(len(c.Items), n)
	if b.timed {
		c.AnsweredAt = make([]int32, len(c.Ballots.Cells))
	}
	for _, v := range b.votes {
		cell := int(slotAt[v.sheet][v.slot])*n + int(toolAt[v.tool])
		c.Ballots.Cells[cell] = confidence.Answer(answerAt[v.answer])
		if b.timed {
			c.AnsweredAt[cell] = v.said
		}
	}
	if len(b.witnesses) > 0 {
		c.Witnesses = make([]Witness, len(c.Ballots.Cells))
		for _, w := range b.witnesses {
			c.Witnesses[int(slotAt[w.sheet][w.slot])*n+int(toolAt[w.tool])] = w.witness
		}
	}
	if len(b.oracles) > 0 {
		c.Oracle = make([]confidence.Answer, len(c.Items))
		for _, o := range b.oracles {
			c.Oracle[slotAt[o.sheet][o.slot]] = confidence.Answer(answerAt[o.answer])
		}
	}
	c.Runs = make([]Run, len(c.Sheets)*n)
	for _, r := range b.runs {
		at := int(sheetAt[r.sheet])
		run := r.run
		if run.Vector == 0 {
			run.Vector = c.Sheets[at].Values
		}
		run.Vector = min(run.Vector, c.Sheets[at].Values)
		c.Runs[at*n+int(toolAt[r.tool])] = run
	}
	return c
}

// layOut appends the items of a sheet to the contest and tells where each slot
// went: items that the edition names come first and in its order, formula ids
// are sorted, as the vectors of published files are.
func (b *Builder) layOut(c *Contest, sheet int32) []int32 {
	s := &b.sheets[sheet]
	named := len(b.exams[s.key.exam].Items)
	order := make([]int32, len(s.items))
	for i := range order {
		order[i] = int32(i)
	}
	less := func(x, y int32) int { return cmp.Compare(s.items[x], s.items[y]) }
	if !slices.IsSortedFunc(order[named:], less) {
		slices.SortFunc(order[named:], less)
	}
	at := make([]int32, len(order))
	for _, slot := range order {
		at[slot] = int32(len(c.Items))
		c.Items = append(c.Items, s.items[slot])
	}
	return at
}

// sortExams sorts the examinations that came through the wildcard by name; they
// stand after those that the edition names. No sheet uses the wildcard itself.
func (b *Builder) sortExams(c *Contest) []int32 {
	declared := b.declared
	tail, tailAt := sorted(b.exams[declared:], func(x, y Examination) int { return cmp.Compare(x.ID, y.ID) })
	copy(c.Exams[declared:], tail)
	at := make([]int32, len(b.exams))
	for i := range at {
		at[i] = int32(i)
		if i >= declared {
			at[i] = int32(declared) + tailAt[i-declared]
		}
	}
	return at
}

// compareValues orders the distinct answers so that their numbers do not depend
// on the order of runs: no answer, truth values, then numbers by size.
func compareValues(x, y examinations.Value) int {
	return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(len(x.Text), len(y.Text)), cmp.Compare(x.Text, y.Text))
}

// sorted copies and sorts, and tells where each element went.
func sorted[E any](list []E, compare func(x, y E) int) ([]E, []int32) {
	order := make([]int32, len(list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(x, y int32) int { return compare(list[x], list[y]) })
	out, at := make([]E, len(list)), make([]int32, len(list))
	for i, from := range order {
		out[i], at[from] = list[from], int32(i)
	}
	return out, at
}

// relate fills in family sizes and twins.
func relate(instances []Instance) {
	size := map[string]int{}
	index := map[models.ID]int{}
	for i, inst := range instances {
		size[inst.ID.Family]++
		index[inst.ID] = i
	}
	for i := range instances {
		inst := &instances[i]
		inst.FamilySize, inst.Twin = size[inst.ID.Family], -1
		other := inst.ID
		other.Kind = models.PT + models.COL - other.Kind
		if t, ok := index[other]; ok && inst.ID.Param != "" {
			inst.Twin = t
		}
	}
}
