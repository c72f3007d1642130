package contest

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"podium/examinations"
	"podium/internal/compare"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// Leave names the parts of a contest that are left out.
type Leave struct {
	Tools     []string // by name
	Families  []string // of tools: all variants of a submission
	Models    []string // with all their instances
	Instances []string // by name
}

// Check returns a *NameError unless the contest has every name.
func (l Leave) Check(c *scoring.Contest) error {
	for _, kind := range []struct {
		what  string
		names []string
		has   iter.Seq[string]
	}{
		{"tool", l.Tools, toolNames(c)},
		{"family of tools", l.Families, each(c.Tools, func(t *scoring.Tool) string { return t.FamilyName() })},
		{"model", l.Models, each(c.Instances, func(i *scoring.Instance) string { return i.ID.Family })},
		{"instance", l.Instances, each(c.Instances, func(i *scoring.Instance) string { return i.Name })},
	} {
		if err := wanted(kind.what, kind.names, kind.has); err != nil {
			return err
		}
	}
	return nil
}

// From gives the contest without the named parts.
func (l Leave) From(c *scoring.Contest) *scoring.Contest {
	c = c.WithoutTools(l.Tools...).WithoutToolFamilies(l.Families...).WithoutModels(l.Models...)
	if len(l.Instances) > 0 {
		c = c.Without(nil, func(i *scoring.Instance) bool { return slices.Contains(l.Instances, i.Name) })
	}
	return c
}

// CheckTools returns a *NameError unless every name is that of a tool of the
// contest.
func CheckTools(c *scoring.Contest, names []string) error { return wanted("tool", names, toolNames(c)) }

// Sheet gives the number of the sheet of an examination of an instance, or a
// *NameError.
func Sheet(c *scoring.Contest, instance, exam string) (int, error) {
	if err := wanted("instance", []string{instance}, each(c.Instances, func(i *scoring.Instance) string { return i.Name })); err != nil {
		return 0, err
	}
	var exams []string
	for _, s := range c.Sheets {
		if c.Instances[s.Instance].Name == instance {
			exams = append(exams, string(c.Exams[s.Exam].ID))
		}
	}
	if err := wanted("examination of "+instance+" called", []string{exam}, slices.Values(exams)); err != nil {
		return 0, err
	}
	return c.SheetOf(instance, examinations.ID(exam)), nil
}

// ToolPairs reads pairs of tools of two contests: NAME of both, or BEFORE=AFTER.
// With one contest instead of two, pairs are wanted, of two names. An error is a
// *NameError.
func ToolPairs(texts []string, before, after *scoring.Contest, two bool) ([]compare.Pair, error) {
	if len(texts) == 0 && !two {
		return nil, &NameError{fmt.Errorf("one source is compared with itself: name two tools with --tool BEFORE=AFTER, or another source")}
	}
	var pairs []compare.Pair
	for _, text := range texts {
		first, second, other := strings.Cut(text, "=")
		if !other {
			second = first
		}
		if first == second && !two {
			return nil, &NameError{fmt.Errorf("--tool %q is one tool on both sides: write --tool BEFORE=AFTER, or name another source", text)}
		}
		if err := CheckTools(before, []string{first}); err != nil {
			return nil, err
		}
		if err := CheckTools(after, []string{second}); err != nil {
			return nil, err
		}
		pairs = append(pairs, compare.Pair{Before: first, After: second})
	}
	return pairs, nil
}

func toolNames(c *scoring.Contest) iter.Seq[string] {
	return each(c.Tools, func(t *scoring.Tool) string { return t.Name })
}

// each gives the names of the elements of a list.
func each[T any](list []T, name func(*T) string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range list {
			if !yield(name(&list[i])) {
				return
			}
		}
	}
}

// wanted wants every name to be one of those that there are.
func wanted(what string, names []string, has iter.Seq[string]) error {
	known := slices.Sorted(has)
	for _, name := range names {
		if _, ok := slices.BinarySearch(known, name); ok {
			continue
		}
		return &NameError{fmt.Errorf("these results have no %s %q%s", what, name, diagnostic.Instead(name, slices.Compact(known)))}
	}
	return nil
}
