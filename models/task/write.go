package task

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Write writes the definition in the form that [ReadDefinition] reads and BenchExec runs.
// Of options it has those that are words.
func (d *Definition) Write(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "format_version: %s\n", quoted(d.Version))
	list := func(key string, patterns []Pattern) {
		if len(patterns) > 0 {
			fmt.Fprintf(&b, "%s:\n", key)
		}
		for _, p := range patterns {
			fmt.Fprintf(&b, "  - %s\n", quoted(p.Text))
		}
	}
	list("input_files", d.Inputs)
	list("required_files", d.Required)
	if len(d.Claims) > 0 {
		b.WriteString("properties:\n")
	}
	for _, c := range d.Claims {
		fmt.Fprintf(&b, "  - property_file: %s\n", quoted(c.Property.Text))
		if c.Verdict != Unstated {
			fmt.Fprintf(&b, "    expected_verdict: %s\n", c.Verdict)
		}
		if c.Subproperty != "" {
			fmt.Fprintf(&b, "    subproperty: %s\n", quoted(c.Subproperty))
		}
	}
	if options, ok := d.Options.(map[string]any); ok && len(options) > 0 {
		b.WriteString("options:\n")
		for _, key := range slices.Sorted(maps.Keys(options)) {
			if word, ok := options[key].(string); ok {
				fmt.Fprintf(&b, "  %s: %s\n", quoted(key), quoted(word))
			}
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// quoted writes a word between single quotes, as YAML reads it.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// Literal is a name as a pattern that matches it alone, also where BenchExec reads it.
func Literal(name string) string {
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(name)
}
