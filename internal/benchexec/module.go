package benchexec

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"podium/examinations/verdict"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/tools"
)

// moduleText is what all tool-info modules share.
//
//go:embed module.py
var moduleText string

// module writes the tool-info module of a tool, under the given name.
func (x *exporter) module(name string, m tools.Manifest, t campaign.PlannedTool) error {
	if slices.ContainsFunc(t.Task.Command, func(word string) bool { return strings.Contains(word, tools.TaskNameMark) }) {
		x.say("tool %s: BenchExec tells tools no names of tasks, so that %s stays as it is in the command", m.Name, tools.TaskNameMark)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# How BenchExec runs the tool %s, and what its output means, from the manifest of the tool.\n", m.Name)
	constant := func(name, value string) { fmt.Fprintf(&b, "%s = %s\n", name, value) }
	constant("NAME", python(m.Name))
	url := "None"
	if m.Home != "" {
		url = python(m.Home)
	}
	constant("URL", url)
	constant("COMMAND", list(t.Task.Command))
	models := map[string]string{}
	for name, word := range t.Task.DataModels {
		models[name] = python(word)
	}
	constant("DATA_MODELS", dictionary(models))
	constant("WITNESS", python(t.Task.Witness))
	names := map[string]string{}
	for _, i := range x.tasks {
		names[x.propertyOf[i.ID]] = list(append([]string{i.Task.Property}, i.Task.Parts...))
	}
	constant("PROPERTIES", dictionary(names)+"  # by their files: name, then parts")
	b.WriteString("# Each: expression for a line of the output, another one, exit code, properties, answer, group of the violated part.\nRULES = [\n")
	for _, r := range orStandard(t.Task.Answers) {
		rule, err := ruleText(r)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "    %s,\n", rule)
	}
	b.WriteString("]\n")
	if slices.ContainsFunc(t.Task.Answers, func(r verdict.Rule) bool { return r.Stderr != "" }) {
		x.say("tool %s: BenchExec joins what is printed on standard output and standard error, so that rules for one look at both", m.Name)
	}
	return x.write(filepath.Join(modulesDir, name+".py"), files.Bytes([]byte(b.String()+"\n"+moduleText)))
}

func orStandard(rules verdict.Rules) verdict.Rules {
	if len(rules) == 0 {
		return verdict.Standard
	}
	return rules
}

var takenPart = regexp.MustCompile(`^FALSE\(\$([A-Za-z0-9_]+)\)$`)

// ruleText writes a rule as Python reads it.
func ruleText(r verdict.Rule) (string, error) {
	patterns := [2]string{"None", "None"}
	for i, pattern := range []string{r.Stdout, r.Stderr} {
		if pattern == "" {
			continue
		}
		parsed, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			return "", err
		}
		patterns[i] = python(pythonExpression(parsed.String()))
	}
	exit, group, answer := "None", "None", r.Answer
	if r.Exit != nil {
		exit = strconv.Itoa(*r.Exit)
	}
	if taken := takenPart.FindStringSubmatch(r.Answer); taken != nil {
		answer, group = "FALSE", python(taken[1])
	}
	return fmt.Sprintf("(%s, %s, %s, %s, %s, %s)", patterns[0], patterns[1], exit, list(r.Properties), python(answer), group), nil
}

var unlikePython = regexp.MustCompile(`\\(\\|x\{[0-9A-Fa-f]+\}|z)`)

// pythonExpression writes an expression of Go, in the form that its parser prints, as one
// of Python: the two differ in few words then.
func pythonExpression(text string) string {
	return unlikePython.ReplaceAllStringFunc(text, func(word string) string {
		switch word {
		case `\\`:
			return word
		case `\z`:
			return `\Z`
		}
		code, err := strconv.ParseInt(word[len(`\x{`):len(word)-1], 16, 32)
		if err != nil {
			return word
		}
		return fmt.Sprintf(`\U%08x`, code)
	})
}

// python writes a text as Python does: the escapes are those of Go.
func python(text string) string { return strconv.QuoteToASCII(text) }

func list(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = python(word)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// dictionary writes texts of Python by their keys.
func dictionary(m map[string]string) string {
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		pairs = append(pairs, python(key)+": "+m[key])
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

// copyTool copies the directory of a tool.
func copyTool(from, to string) error {
	t, err := tools.Open(from)
	if err != nil {
		return err
	}
	all, err := t.Files()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, f := range all {
		target := filepath.Join(to, f.Name)
		switch {
		case f.Mode.IsDir():
			err = os.Mkdir(target, 0o755)
		case f.Link != "":
			err = os.Symlink(f.Link, target)
		default:
			err = copyFile(t.Dir, target, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func copyFile(dir, to string, f tools.File) error {
	in, err := files.Open(dir, f.Name)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, f.Permissions())
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
