package walk

import (
	"context"
	"math/big"
	"slices"
	"sync"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/tools/engine"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Engine answers with random walks. The zero value is ready for use.
//
// The walks of one call end when everything is decided, after a quarter of the
// budget, or after a fixed number of firings (LTL: of lassos) without news,
// whichever comes first; what is open then is CANNOT_COMPUTE.
type Engine struct{}

// Answer implements [engine.Engine].
func (Engine) Answer(ctx context.Context, task engine.Task, out *engine.Printer) error {
	r := &run{ctx: ctx, task: task, out: out, net: task.View.Net, view: task.View}
	r.names = sync.OnceValue(func() *replay.Net { return replay.NewNet(task.View) })
	var err error
	switch {
	case task.Exam == examinations.UpperBounds:
		err = r.upperBounds()
	case task.Exam == examinations.LTLCardinality || task.Exam == examinations.LTLFireability:
		err = r.linearTime()
	case task.Exam.HasFormulas():
		err = r.formulas()
	default:
		r.globalProperty()
	}
	if err != nil {
		return err
	}
	return out.Err()
}

// run is one call of the engine.
type run struct {
	ctx  context.Context
	task engine.Task
	out  *engine.Printer
	net  *pnml.Net
	view unfold.View // of the net
	// names are what witnesses call transitions; made for the first.
	names func() *replay.Net
}

// value prints a value and how it was found.
func (r *run) value(item string, v examinations.Value, how []string) {
	if r.view.Coloured() {
		how = append(slices.Clone(how), "UNFOLDING_TO_PT")
	}
	r.out.Value(item, v, how...)
}

func (r *run) walker(w watcher) *walker {
	return newWalker(r.ctx, newGame(r.view), r.task.Budget, w)
}

// How an answer was found.
var (
	byWalk      = []string{"SEQUENTIAL_PROCESSING", "EXPLICIT", "RANDOM_WALK"}
	byGuided    = []string{"SEQUENTIAL_PROCESSING", "EXPLICIT", "BESTFIRST_WALK"}
	byInitial   = []string{"SEQUENTIAL_PROCESSING", "INITIAL_STATE"}
	byStructure = []string{"SEQUENTIAL_PROCESSING", "TOPOLOGICAL"}
	byBoth      = []string{"SEQUENTIAL_PROCESSING", "EXPLICIT", "RANDOM_WALK", "TOPOLOGICAL"}
	byPrefix    = []string{"SEQUENTIAL_PROCESSING", "EXPLICIT"}
)

// method names what the current walk is.
func (w *walker) method() []string {
	switch {
	case w.firings == 0:
		return byInitial
	case w.guided:
		return byGuided
	}
	return byWalk
}

// silent is a watcher that nothing interests.
type silent struct{ done bool }

func (s *silent) onGoal(int)          {}
func (s *silent) onBound(int)         {}
func (s *silent) onFirst(uint32)      {}
func (s *silent) onToken()            {}
func (s *silent) onCover()            {}
func (s *silent) onEnd()              {}
func (s *silent) finished() bool      { return s.done }
func (s *silent) aims() []aim         { return nil }
func (s *silent) wantsTokens() bool   { return false }
func (s *silent) wantsCovering() bool { return false }

// prove leaves a witness for values that are printed.
func (r *run) prove(claims []witness.Claim, runs ...witness.Path) {
	if r.task.Witnesses == nil {
		return
	}
	r.task.Witnesses.Leave(r.names(), claims, runs...)
}

func claim(item string, v examinations.Value) []witness.Claim {
	return []witness.Claim{{Item: item, Value: v, AtLeast: v.Kind == examinations.Nat && v != examinations.Infinite}}
}

// walked is the current walk; covering is its part that covers the snapshot.
func (w *walker) walked() witness.Path { return witness.Finite(w.trace) }
func (w *walker) covering() witness.Path {
	return witness.Path{Fire: w.trace, Cycle: w.snapshot.at}
}

// upperBounds answers the examination of that name: a lower bound that a walk
// has found and an upper bound by semiflows that are equal, or a covering run.
func (r *run) upperBounds() error {
	b := &boundsWatch{run: r}
	w := r.walker(b)
	b.walker = w
	flows := semiflows(r.ctx, r.net)
	each := placeBounds(flows, r.net.Places.Len())
	for _, p := range r.task.Properties {
		f, ok := p.Formula.(*formula.Bound)
		if !ok {
			r.out.CannotCompute(p.ID)
			continue
		}
		places, err := w.view.PlacesOf(f.Places)
		if err != nil {
			return err
		}
		form, err := w.addForm(engine.SumOf(places))
		if err != nil { // out of range
			r.out.CannotCompute(p.ID)
			continue
		}
		w.bounds = append(w.bounds, bound{form: form, best: w.forms[form]})
		b.items = append(b.items, p.ID)
		b.upper = append(b.upper, upperBound(flows, each, places))
	}
	for i := range b.items {
		b.onBound(i)
	}
	w.run()
	for i, item := range b.items {
		if !w.bounds[i].dropped {
			r.out.CannotCompute(item)
		}
	}
	return nil
}

// boundsWatch prints bounds as soon as they are known.
type boundsWatch struct {
	silent
	*walker
	run   *run
	items []string
	upper []*big.Int // nil when no structural bound is known
}

func (b *boundsWatch) onBound(i int) {
	w := b.walker
	if w.bounds[i].dropped {
		return
	}
	switch {
	case w.bounds[i].growing:
		b.run.value(b.items[i], examinations.Infinite, w.method())
		b.run.prove(claim(b.items[i], examinations.Infinite), w.covering())
	case b.upper[i] != nil && b.upper[i].IsInt64() && b.upper[i].Int64() == w.bounds[i].best:
		how := byBoth
		if w.firings == 0 {
			how = append([]string{"INITIAL_STATE"}, byStructure...)
		}
		value := examinations.Value{Kind: examinations.Nat, Text: b.upper[i].String()}
		b.run.value(b.items[i], value, how)
		b.run.prove(claim(b.items[i], value), w.walked())
	default:
		return
	}
	w.bounds[i].dropped = true
	b.done = true
	for _, other := range w.bounds {
		b.done = b.done && other.dropped
	}
	w.arrange()
}

func (b *boundsWatch) finished() bool { return b.done || len(b.items) == 0 }
func (b *boundsWatch) aims() []aim {
	for k := range b.walker.bounds {
		// Each call begins at another bound, so that all have their turn.
		i := (k + b.walker.walks) % len(b.walker.bounds)
		if o := b.walker.bounds[i]; !o.dropped {
			return []aim{{form: o.form}}
		}
	}
	return nil
}

// wantsCovering reports whether some open bound is not known to be finite.
func (b *boundsWatch) wantsCovering() bool {
	for i, o := range b.walker.bounds {
		if !o.dropped && b.upper[i] == nil {
			return true
		}
	}
	return false
}

// formulas answers reachability and CTL.
func (r *run) formulas() error {
	f := &formulasWatch{run: r}
	w := r.walker(f)
	f.walker = w
	var fault error
	for _, p := range r.task.Properties {
		q, err := w.ask(p.Formula)
		if err != nil {
			q, fault = &question{kind: constant}, err
		}
		f.items = append(f.items, p.ID)
		f.questions = append(f.questions, q)
	}
	f.decided = make([]bool, len(f.items))
	f.tell()
	if r.task.Exam == examinations.CTLCardinality || r.task.Exam == examinations.CTLFireability {
		r.judgeOnPrefix(f)
	}
	w.run()
	for i, item := range f.items {
		if !f.decided[i] {
			r.out.CannotCompute(item)
		}
	}
	return fault
}

// judgeOnPrefix prints what the first markings decide.
func (r *run) judgeOnPrefix(f *formulasWatch) {
	var open []int
	var formulas []formula.Formula
	for i, p := range r.task.Properties {
		if !f.decided[i] {
			open = append(open, i)
			formulas = append(formulas, p.Formula)
		}
	}
	if len(open) == 0 {
		return
	}
	x := newPrefix(r.ctx, f.walker.game)
	x.prepare(r.ctx, formulas)
	for k, i := range open {
		if v := x.judge(formulas[k]); v != unknown {
			f.print(i, v, byPrefix)
		}
	}
	f.tell()
}

// formulasWatch prints formulas as soon as they are known.
type formulasWatch struct {
	silent
	*walker
	run       *run
	items     []string
	questions []*question
	decided   []bool
}

func (f *formulasWatch) print(i int, v truth, how []string) {
	value := examinations.Truth(v == yes)
	f.run.value(f.items[i], value, how)
	f.decided[i] = true
	if runs := f.questions[i].reached(f.walker.goals, []witness.Path{witness.Finite(nil)}); f.questions[i].answer(f.walker.goals) == v {
		f.run.prove(claim(f.items[i], value), runs...)
	}
	f.questions[i].drop(f.walker.goals)
}

// tell prints every question that is answered by now.
func (f *formulasWatch) tell() {
	f.done = true
	for i, q := range f.questions {
		if f.decided[i] {
			continue
		}
		if v := q.answer(f.walker.goals); v != unknown {
			f.print(i, v, f.walker.method())
			continue
		}
		f.done = f.done && !q.hopeful(f.walker.goals)
	}
}

func (f *formulasWatch) onGoal(int) {
	f.tell()
	f.walker.arrange()
}

func (f *formulasWatch) finished() bool { return f.done }

func (f *formulasWatch) aims() []aim {
	for k := range f.walker.goals {
		i := (k + f.walker.walks) % len(f.walker.goals)
		if g := f.walker.goals[i]; !g.reached && !g.dropped {
			return []aim{{goal: g.predicate}}
		}
	}
	return nil
}
