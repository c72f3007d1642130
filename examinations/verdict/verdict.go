package verdict

import (
	"strings"

	"podium/examinations"
)

// MemorySafety are the parts of valid-memsafety: a program satisfies all of them or
// violates exactly one.
var MemorySafety = []string{"valid-free", "valid-deref", "valid-memtrack"}

// Parse reads TRUE, FALSE and FALSE(part), whatever the case of the first word. The value is
// zero for another text.
func Parse(text string) (v examinations.Value, part string) {
	lower := strings.ToLower(text)
	switch {
	case lower == "true":
		return examinations.True, ""
	case lower == "false":
		return examinations.False, ""
	case strings.HasPrefix(lower, "false(") && strings.HasSuffix(lower, ")"):
		return examinations.False, lower[len("false(") : len(lower)-1]
	}
	return examinations.Value{}, ""
}

// WithPart is FALSE of a part of a property, a value of its own.
func WithPart(v examinations.Value, part string) examinations.Value {
	if part != "" {
		v.Text += "(" + part + ")"
	}
	return v
}

// Expected is the reference value of an expected verdict. A part that is the property
// itself distinguishes no answers and is left out.
func Expected(text, property string) examinations.Value {
	v, part := Parse(text)
	if part == property {
		part = ""
	}
	return WithPart(v, part)
}

// Status reads the status of a run as BenchExec does: TRUE in capitals is an error there.
func Status(text string) string {
	if text == "true" || text == "false" || strings.HasPrefix(text, "false(") && strings.HasSuffix(text, ")") {
		return text
	}
	return ""
}
