package results

import (
	"slices"
	"strings"
)

// familiesByName guesses which tools are variants of one submission, for files
// that do not say it: tools whose names are equal up to a last part that begins
// with ".", "+" or "-", capitals aside, such as ITS-Tools and ITS-Tools.M, LoLA and
// LoLa+red, or tedd-c and tedd-s. A name that stands alone is left out. Last year's
// winner, which is another tool in each category, has no family.
func familiesByName(tools []string) map[string]string {
	tools = slices.Compact(slices.Sorted(slices.Values(tools)))
	families := map[string]string{}
	for _, short := range tools {
		for _, long := range tools {
			if short != long && variantOf(long, short) {
				families[short], families[long] = stem(short, tools), stem(short, tools)
			}
		}
	}
	return families
}

// variantOf reports whether long is short and a part, or that both are one stem with a
// part each.
func variantOf(long, short string) bool {
	a, b := strings.ToLower(long), strings.ToLower(short)
	if rest, ok := strings.CutPrefix(a, b); ok {
		return rest != "" && strings.ContainsRune(".+-", rune(rest[0]))
	}
	i, j := strings.LastIndexAny(a, ".+-"), strings.LastIndexAny(b, ".+-")
	return i > 0 && i == j && a[:i] == b[:j] && !strings.HasSuffix(a, "gold")
}

// stem is the name of the family of a tool that has variants: the shortest tool
// that it is a variant of, or its name without the last part where that is no
// tool.
func stem(tool string, tools []string) string {
	for _, t := range tools {
		rest, ok := strings.CutPrefix(strings.ToLower(tool), strings.ToLower(t))
		if ok && rest != "" && variantOf(tool, t) {
			return stem(t, tools)
		}
	}
	for _, t := range tools {
		if rest, ok := strings.CutPrefix(strings.ToLower(t), strings.ToLower(tool)); ok && rest != "" && variantOf(t, tool) {
			return tool
		}
	}
	return tool[:strings.LastIndexAny(tool, ".+-")]
}
