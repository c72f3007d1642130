package modelfiles

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer"
	"podium/internal/explorer/simplify"
	"podium/internal/explorer/space"
	"podium/internal/files"
	"podium/internal/parallel"
	"podium/models"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Choice is an instance of a built-in family that is to be written.
type Choice struct {
	Family models.Family
	Param  string
}

// ID is the name of the instance.
func (c Choice) ID() models.ID { return c.Family.ID(c.Param) }

// ParamError says that a family has no instance of a parameter.
type ParamError struct{ Err error }

func (e *ParamError) Error() string { return e.Err.Error() }
func (e *ParamError) Unwrap() error { return e.Err }

// demonstrationSteps is how many steps of each ladder the built-in contest takes.
const demonstrationSteps = 3

// WriteSmall writes a few instances that every tool should solve, and returns their paths.
func WriteSmall(ctx context.Context, dir string) (paths []string, err error) {
	list := Demonstration()[:4]
	for _, c := range list {
		paths = append(paths, filepath.Join(dir, c.ID().String()))
	}
	return paths, Write(ctx, dir, list, 1, false)
}

// Demonstration chooses the instances of the full built-in contest: the first
// steps of every family.
func Demonstration() []Choice {
	var list []Choice
	for _, f := range models.Families() {
		for _, param := range f.Ladder[:min(demonstrationSteps, len(f.Ladder))] {
			list = append(list, Choice{f, param})
		}
	}
	return list
}

// Short chooses the instances of the short built-in contest: of every family the
// second step, which is small and not trivial.
func Short() []Choice {
	var list []Choice
	for _, f := range models.Families() {
		list = append(list, Choice{f, f.Ladder[1]})
	}
	return list
}

// Write writes instances into dir, several at a time. Formulas are drawn under the
// seed. With replace false, instances that are there already are left as they are. The error
// names each wrong parameter; what is wrong with the directory ends it, and is said once.
func Write(ctx context.Context, dir string, list []Choice, seed uint64, replace bool) error {
	var errs []error
	for err := range parallel.Each(ctx, list, func(c Choice) error { return writeModel(ctx, dir, c, seed, replace) }) {
		if errors.Is(err, os.ErrExist) {
			continue
		}
		errs = append(errs, err)
		if wrong := (*ParamError)(nil); err != nil && !errors.As(err, &wrong) {
			return errors.Join(errs...)
		}
	}
	return errors.Join(append(errs, ctx.Err())...)
}

func writeModel(ctx context.Context, dir string, c Choice, seed uint64, replace bool) error {
	net, err := c.Family.Build(c.Param)
	if err != nil {
		return &ParamError{err}
	}
	id := c.ID()
	files, err := formulaFiles(ctx, unfold.Plain(net), id, seed)
	if err != nil {
		return err
	}
	return models.WriteInstance(dir, id, net, models.WriteOptions{Replace: replace, Unfinite: c.Family.Unbounded, Files: files})
}

// formulaFiles draws the formulas of all formula examinations.
func formulaFiles(ctx context.Context, view unfold.View, id models.ID, seed uint64) (map[string]func(io.Writer) error, error) {
	markings := smallPart(ctx, view.Net)
	draw := func(exam examinations.ID, o formula.GenerateOptions) ([]formula.Property, error) {
		return formula.Generate(view.Net, id, exam, o)
	}
	if view.Coloured() {
		ground := groundOf(view)
		draw = func(exam examinations.ID, o formula.GenerateOptions) ([]formula.Property, error) {
			return formula.GenerateOver(ground, id, exam, o)
		}
	}
	files := map[string]func(io.Writer) error{}
	for _, exam := range examinations.All() {
		if !exam.HasFormulas() {
			continue
		}
		properties, err := draw(exam, formula.GenerateOptions{Seed: seed, Decided: trivial(ctx, view, exam, markings),
			Key: func(f formula.Formula) string { return simplify.Key(f, exam) }})
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", id, exam, err)
		}
		files[exam.FormulaFile()] = func(w io.Writer) error { return formula.Write(w, properties) }
		files[string(exam)+".txt"] = func(w io.Writer) error { return formula.WriteText(w, properties) }
	}
	return files, ctx.Err()
}

// filterMarkings bounds the exploration that throws trivial formulas away; the
// contest's own generator takes 2,000 too. Nets with more than filterArcs are not explored, since
// that would take minutes.
const (
	filterMarkings = 2000
	filterArcs     = 1 << 15
)

// trivial tells that a formula is decided by a small part of the state space,
// as the filter of the contest's own generator does; nil for large nets, and for LTL, which is
// only kept from being a tautology.
func trivial(ctx context.Context, view unfold.View, exam examinations.ID, markings uint64) func(formula.Formula) bool {
	if exam == examinations.LTLCardinality || exam == examinations.LTLFireability || view.Net.Pre.Len()+view.Net.Post.Len() > filterArcs {
		return nil
	}
	return func(f formula.Formula) bool {
		decided := false
		_, err := explorer.Decide(ctx, view, exam, []formula.Property{{ID: "f", Formula: f}},
			explorer.Options{MaxStates: markings, Memory: 64 << 20, Unreduced: true}, func(explorer.Answer) { decided = true })
		return decided || err != nil
	}
}

// smallPart is how many markings a formula must not be decided by: of a net
// that has few, a quarter.
func smallPart(ctx context.Context, net *pnml.Net) uint64 {
	space := space.Explore(ctx, net, space.Options{MaxStates: filterMarkings, Memory: 64 << 20})
	defer space.Close()
	if space.Complete() {
		return max(space.States()/4, 1)
	}
	return filterMarkings
}

// groundOf returns what formulas over the nodes of a coloured net are made over.
func groundOf(view unfold.View) formula.Ground {
	places, transitions := view.PlaceGroups(), view.TransitionGroups()
	return formula.Ground{
		NetNames: formula.NetNames{Places: view.Places(), Transitions: view.Transitions()},
		Tokens: func(place int) (sum uint64) {
			for _, p := range places[place] {
				sum += min(view.Net.Initial[p], math.MaxUint64-sum)
			}
			return sum
		},
		Enabled: func(transition int) bool {
			return slices.ContainsFunc(transitions[transition], func(t uint32) bool { return view.Net.Enabled(int(t)) })
		},
		Takes: func(transition int) bool { return len(view.Unfolding.Source.Pre[transition]) > 0 },
	}
}

// Limits of an unfolding that is explored while formulas are drawn, and of one that nothing can
// stand for: some seconds, and about 2 GB.
var (
	usual = unfold.Limits{Arcs: 1 << 22, Steps: 1 << 28}
	most  = unfold.Limits{Arcs: 1 << 24, Steps: 1 << 30}
)

// Complete draws the formula files that an instance lacks, which is no archive, and returns
// the paths of those that it has written, and how many were there. A coloured net is
// unfolded; where the unfolding is large, the net without its colours takes its place, if it has
// one. The error may be an [unfold.TooLarge].
func Complete(ctx context.Context, i models.Instance, seed uint64) (written []string, there int, err error) {
	doc, err := i.Document()
	if err != nil {
		return nil, 0, err
	}
	view, err := unfold.OfOrSkeleton(ctx, doc, usual)
	if large := (*unfold.TooLarge)(nil); errors.As(err, &large) {
		view, err = unfold.Of(ctx, doc, most)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", i.Path, err)
	}
	texts, err := formulaFiles(ctx, view, i.ID, seed)
	if err != nil {
		return nil, 0, err
	}
	for _, exam := range examinations.All() {
		if !exam.HasFormulas() {
			continue
		}
		xml, text := i.File(exam.FormulaFile()), i.File(string(exam)+".txt")
		if _, err := os.Stat(xml); err == nil {
			there++
			continue
		}
		for _, path := range []string{text, xml} {
			if err := files.Write(path, texts[filepath.Base(path)]); err != nil {
				return written, there, err
			}
			written = append(written, path)
		}
	}
	return written, there, nil
}
