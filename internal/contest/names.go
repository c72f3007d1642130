package contest

import (
	"fmt"
	"slices"
	"strings"

	"podium/examinations"
	"podium/internal/ask"
	"podium/internal/compare"
	"podium/scoring"
)

// CheckTools returns a *NameError unless every name is that of a tool of the
// contest.
func CheckTools(c *scoring.Contest, names []string) error {
	return ask.Wanted("tool", names, ask.ToolNames(c))
}

// Sheet gives the number of the sheet of an examination of an instance, or a
// *NameError.
func Sheet(c *scoring.Contest, instance, exam string) (int, error) {
	if err := ask.Wanted("instance", []string{instance}, ask.InstanceNames(c)); err != nil {
		return 0, err
	}
	var exams []string
	for _, s := range c.Sheets {
		if c.Instances[s.Instance].Name == instance {
			exams = append(exams, string(c.Exams[s.Exam].ID))
		}
	}
	if err := ask.Wanted("examination of "+instance+" called", []string{exam}, slices.Values(exams)); err != nil {
		return 0, err
	}
	return c.SheetOf(instance, examinations.ID(exam)), nil
}

// ToolPairs reads pairs of tools of two contests: NAME of both, or BEFORE=AFTER.
// With one contest instead of two, pairs are wanted, of two names. An error is a
// *NameError.
func ToolPairs(texts []string, before, after *scoring.Contest, two bool) ([]compare.Pair, error) {
	if len(texts) == 0 && !two {
		return nil, &NameError{Err: fmt.Errorf("one source is compared with itself: name two tools with --tool BEFORE=AFTER, or another source")}
	}
	var pairs []compare.Pair
	for _, text := range texts {
		first, second, other := strings.Cut(text, "=")
		if !other {
			second = first
		}
		if first == second && !two {
			return nil, &NameError{Err: fmt.Errorf("--tool %q is one tool on both sides: write --tool BEFORE=AFTER, or name another source", text)}
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
