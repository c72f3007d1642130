package tools

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"podium/internal/yaml"
	"podium/pnml/diagnostic"
)

// A word of a command may hold these placeholders, which are replaced in each run.
const (
	inputMark        = "{input}"         // the files of the program; a word with it stands once for each of them
	propertyMark     = "{property}"      // the property file
	propertyNameMark = "{property_name}" // unreach-call, valid-memsafety, ...
	WitnessMark      = "{witness}"       // the file that the tool may write its witness to; of a validator the one that it reads
	dataModelMark    = "{data_model}"    // ILP32 or LP64, or what data_models of the manifest has for it
	cpuMark          = "{cpu}"           // CPU time of the run, seconds
	memoryMark       = "{memory}"        // its memory, megabytes (10^6 bytes)
	coresMark        = "{cores}"
	toolMark         = "{tool}"      // the directory of the tool
	OptionsMark      = "{options}"   // a word of its own: the options of the manifest, or of a benchmark definition
	TaskNameMark     = "{task_name}" // the name of the task definition, such as sum.yml
	TaskDirMark      = "{task_dir}"  // the directory that the files of the task are in
)

var (
	placeholders = []string{inputMark, propertyMark, propertyNameMark, WitnessMark, dataModelMark, cpuMark, memoryMark, coresMark, toolMark,
		OptionsMark, TaskNameMark, TaskDirMark}
	placeholder = regexp.MustCompile(`\{[A-Za-z_]+\}`)
	toolInfo    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*$`)
	witnessName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
)

// DefaultWitness is the name of the file of {witness} where the manifest has none.
const DefaultWitness = "witness.graphml"

// DataModels are those of tasks in C: 32 bits and 64 bits.
var DataModels = []string{"ILP32", "LP64"}

// TaskRun is what the placeholders of a command stand for in one run. Paths are those
// that the run sees.
type TaskRun struct {
	Inputs                 []string
	Property, PropertyName string
	Witness, DataModel     string
	CPU                    int64 // seconds, rounded up
	Memory                 int64 // megabytes
	Cores                  int
	Tool                   string
	Options                []string // words that may have placeholders themselves
	TaskName, TaskDir      string
}

// Expand returns the command of one run. A word that is nothing but a placeholder for
// nothing is left out.
func (r TaskRun) Expand(words []string) []string {
	if at := slices.Index(words, OptionsMark); at >= 0 {
		words = slices.Concat(words[:at], r.Options, words[at+1:])
	}
	replace := strings.NewReplacer(propertyMark, r.Property, propertyNameMark, r.PropertyName, WitnessMark, r.Witness, dataModelMark, r.DataModel,
		cpuMark, strconv.FormatInt(r.CPU, 10), memoryMark, strconv.FormatInt(r.Memory, 10), coresMark, strconv.Itoa(r.Cores), toolMark, r.Tool,
		TaskNameMark, r.TaskName, TaskDirMark, r.TaskDir)
	var all []string
	for _, word := range words {
		if !strings.Contains(word, inputMark) {
			if done := replace.Replace(word); done != "" || word == "" {
				all = append(all, done)
			}
			continue
		}
		for _, input := range r.Inputs {
			parts := strings.Split(word, inputMark)
			for i := range parts {
				parts[i] = replace.Replace(parts[i])
			}
			all = append(all, strings.Join(parts, input))
		}
	}
	return all
}

// Words splits the command at blanks outside of quotes. No shell reads it: other
// characters stand for themselves.
func (m Manifest) Words() ([]string, error) {
	words, err := shellWords(m.Command)
	for i, word := range words {
		words[i] = unquoted(word)
	}
	return words, err
}

// unquoted takes the quotes of a word away.
func unquoted(word string) string {
	var b strings.Builder
	quote := rune(0)
	for _, r := range word {
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case r == quote:
			quote = 0
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// checkCommand checks the keys that say how a tool is run on tasks, and completes them.
func checkCommand(file string, text []byte, m *Manifest) diagnostic.List {
	w := yaml.Walker{File: file, Prefix: "tool", What: "a manifest"}
	root := w.Root(text)
	if root == nil {
		return w.Found
	}
	top := w.Mapping(root, "a manifest", nil)
	if m.Command == "" {
		for _, key := range []string{"command", "options", "toolinfo", "answers", "properties", "data_models", "witness", "validates"} {
			if e, given := top[key]; given {
				w.Fail(e.Key, "tool-command", "write command: and how the tool is run, such as bin/mytool {input}", "%s is for tools with a command", key)
			}
		}
		return w.Found
	}
	at := top["command"].Value
	words, err := m.Words()
	if err != nil {
		w.Fail(at, "tool-command", "write a program and its arguments, such as bin/mytool {input}", "%s", err)
		return w.Found
	}
	for _, word := range words {
		for _, name := range placeholder.FindAllString(word, -1) {
			if !slices.Contains(placeholders, name) {
				w.Fail(at, "tool-placeholder", "there are "+strings.Join(placeholders, ", "), "%s stands for nothing%s", name, nearest(name))
			}
		}
	}
	checkOptions(&w, top, m, words)
	if !strings.Contains(strings.Join(words, " "), inputMark) {
		w.Fail(at, "tool-command", "write "+inputMark+" where the program that is to be verified shall stand", "the command is not given the task")
	}
	if program := words[0]; !filepath.IsAbs(program) && !filepath.IsLocal(program) || strings.Contains(program, "{") {
		w.Fail(at, "tool-command", "name a file of the tool's directory, or a program of the machine by its whole path", "the program is %s", diagnostic.Excerpt(program))
	}
	for name := range m.DataModels {
		if !slices.Contains(DataModels, name) {
			w.Fail(top["data_models"].Value, "tool-data-model", "they are "+strings.Join(DataModels, " and "), "there is no data model %s", diagnostic.Excerpt(name))
		}
	}
	for kind := range m.Validates {
		if kind != "violation" && kind != "correctness" {
			w.Fail(top["validates"].Value, "tool-validates", "write violation, correctness or both, each with a list of properties, [] for all", "there are no witnesses of the kind %s", diagnostic.Excerpt(kind))
		}
	}
	if len(m.Validates) > 0 && !strings.Contains(m.Command, WitnessMark) {
		w.Fail(at, "tool-command", "write "+WitnessMark+" where the witness shall stand", "the command of a validator is not given the witness")
	}
	if m.Witness == "" {
		m.Witness = DefaultWitness
	}
	if !witnessName.MatchString(m.Witness) {
		w.Fail(top["witness"].Value, "tool-witness", "write a name such as witness.graphml or witness.yml", "%s is no name of a file", diagnostic.Excerpt(m.Witness))
	}
	checkAnswers(&w, top, m)
	return w.Found
}

// nearest names the placeholder that is most like a name, where one is.
func nearest(name string) string {
	if near, ok := diagnostic.Nearest(name, slices.Values(placeholders)); ok {
		return "; the nearest is " + near
	}
	return ""
}

// checkOptions checks the options of the manifest, and where the command has them.
func checkOptions(w *yaml.Walker, top map[string]yaml.Entry, m *Manifest, words []string) {
	at := top["command"].Value
	marks := 0
	for _, word := range words {
		marks += strings.Count(word, OptionsMark)
	}
	switch whole := slices.Contains(words, OptionsMark); {
	case marks > 1 || marks == 1 && !whole:
		w.Fail(at, "tool-command", "write it once, with blanks around it: it stands for several words", "%s is part of a word, or stands twice", OptionsMark)
	case len(m.Options) > 0 && !whole:
		w.Fail(top["options"].Key, "tool-options", "write "+OptionsMark+" in the command, where they shall stand", "the command has no place for the options")
	}
	for _, option := range m.Options {
		for _, name := range placeholder.FindAllString(option, -1) {
			if !slices.Contains(placeholders, name) || name == OptionsMark {
				w.Fail(top["options"].Value, "tool-placeholder", "there are "+strings.Join(placeholders, ", "), "%s stands for nothing", name)
			}
		}
	}
	if m.ToolInfo != "" && !toolInfo.MatchString(m.ToolInfo) {
		w.Fail(top["toolinfo"].Value, "tool-toolinfo", "write the name of the module, such as cbmc or benchexec.tools.cbmc", "%s is no name of a Python module", diagnostic.Excerpt(m.ToolInfo))
	}
}

func checkAnswers(w *yaml.Walker, top map[string]yaml.Entry, m *Manifest) {
	nodes := w.List(top, "answers")
	for i := range m.Answers {
		r := &m.Answers[i]
		if upper := strings.ToUpper(r.Answer); upper == "TRUE" || upper == "FALSE" { // YAML takes them for truth values
			r.Answer = upper
		}
		if i >= len(nodes) {
			break
		}
		keys := w.Mapping(nodes[i], "a rule", nil)
		for _, p := range r.Check() {
			at := nodes[i]
			if e, given := keys[p.Key]; given {
				at = e.Value
			}
			w.Fail(at, "tool-answer", p.Hint, "%s", p.Message)
		}
	}
}

// checkCommandProgram refuses a command whose program is not in the tool's directory.
func checkCommandProgram(dir string, m Manifest, text []byte) error {
	words, err := m.Words()
	if err != nil || filepath.IsAbs(words[0]) {
		return err
	}
	return checkProgram(dir, words[0], diagnostic.Diagnostic{File: filepath.Join(dir, ManifestFile), Line: lineOf(text, "command"), Code: "tool-program-missing", Message: fmt.Sprintf("the tool's program %s does not exist in %s", words[0], dir),
		Hint: "put it there, or name a program of the machine by its whole path, such as /usr/bin/" + filepath.Base(words[0])})
}
