package compare

import (
	"fmt"
	"strings"

	"podium/internal/ask"
	"podium/scoring"
)

// ToolPairs reads pairs of tools of two contests: NAME of both, or BEFORE=AFTER.
// With one contest instead of two, pairs are wanted, of two names. An error is a
// *ask.NameError.
func ToolPairs(texts []string, before, after *scoring.Contest, two bool) ([]Pair, error) {
	if len(texts) == 0 && !two {
		return nil, &ask.NameError{Err: fmt.Errorf("one source is compared with itself: name two tools with --tool BEFORE=AFTER, or another source")}
	}
	var pairs []Pair
	for _, text := range texts {
		first, second, other := strings.Cut(text, "=")
		if !other {
			second = first
		}
		if first == second && !two {
			return nil, &ask.NameError{Err: fmt.Errorf("--tool %q is one tool on both sides: write --tool BEFORE=AFTER, or name another source", text)}
		}
		if err := ask.Wanted("tool", []string{first}, ask.ToolNames(before)); err != nil {
			return nil, err
		}
		if err := ask.Wanted("tool", []string{second}, ask.ToolNames(after)); err != nil {
			return nil, err
		}
		pairs = append(pairs, Pair{Before: first, After: second})
	}
	return pairs, nil
}
