package cmd

import (
	"bufio"
	"bytes"
	"encoding"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestRepliesAreDocumented: docs/json.md has a section for each command with --json,
// which describes all fields of its document and no other.
func TestRepliesAreDocumented(t *testing.T) {
	described := describedFields(t)
	forms := map[string]bool{}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, below := range cmd.Commands() {
			walk(below)
		}
		if cmd.LocalFlags().Lookup("json") == nil {
			return
		}
		command := pathOf(cmd)
		if of := cmd.Parent(); of.Name() == "decide" && cmd.Name() != "list" { // all print the same
			command = "decide"
		}
		if _, ok := replies[command]; !ok {
			t.Errorf("podium %s has --json and no document in replies", command)
		}
		for path, document := range replies {
			without, flag, other := strings.Cut(path, " --")
			if without != command || other && cmd.LocalFlags().Lookup(flag) == nil {
				continue
			}
			forms[path] = true
			fields := fieldsOf(reflect.TypeOf(document), "")
			fields = slices.DeleteFunc(fields, func(f string) bool { return f == "format" })
			if got, want := described[path], fields; !slices.Equal(got, want) {
				without := func(list, others []string) []string {
					return slices.DeleteFunc(slices.Clone(list), func(f string) bool { return slices.Contains(others, f) })
				}
				t.Errorf("docs/json.md, podium %s: it lacks %q, and describes %q, which are none", path, without(want, got), without(got, want))
			}
		}
	}
	walk(Commands())
	for path := range replies {
		if !forms[path] {
			t.Errorf("podium %s has no --json", path)
		}
	}
	for path := range described {
		if !forms[path] {
			t.Errorf("docs/json.md describes podium %s, which has no --json", path)
		}
	}
}

// withoutJSON are the commands that print no document, with the reason.
var withoutJSON = map[string]string{
	"check formulas":        "findings: --format json",
	"check model":           "findings: --format json",
	"cluster cancel":        "acts; cluster status has the state",
	"cluster move":          "acts; cluster status has the state",
	"cluster submit":        "acts; cluster status has the state",
	"completion bash":       "a script of the shell",
	"completion fish":       "a script of the shell",
	"completion powershell": "a script of the shell",
	"completion zsh":        "a script of the shell",
	"edition check":         "findings: --format json",
	"edition show":          "the text of an edition",
	"export":                "forms of its own: --format",
	"model draw":            "a picture",
	"model form":            "verdicts: --format json",
	"plan":                  "acts; status has the state",
	"cache":                 "keeps nothing that anybody judges by",
	"run":                   "acts; status has the state",
	"serve":                 "pages; status has the state",
	"tool init":             "writes one directory, which was named",
	"tool run":              "answers in the form of the contest",
}

// TestResultsHaveDocuments: a command prints a document with --json, or there is a reason.
func TestResultsHaveDocuments(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, below := range cmd.Commands() {
			walk(below)
		}
		path := pathOf(cmd)
		prints := cmd.Runnable() && !cmd.HasSubCommands() || replies[path] != nil && path != "decide"
		has, reason := cmd.LocalFlags().Lookup("json") != nil, withoutJSON[path]
		if prints && has == (reason != "") {
			t.Errorf("podium %s: it has --json: %v; the reason why not: %q", path, has, reason)
		}
	}
	walk(Commands())
}

var (
	section = regexp.MustCompile("^## podium ([a-z -]+)$")
	field   = regexp.MustCompile("`([^`]+)`")
)

// describedFields reads the fields of each command in docs/json.md, sorted.
func describedFields(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	found, of := map[string][]string{}, ""
	for line := range strings.SplitSeq(string(text), "\n") {
		if m := section.FindStringSubmatch(line); m != nil {
			of = m[1]
			found[of] = []string{}
		} else if cells := strings.Split(line, "|"); len(cells) > 2 && of != "" {
			for _, m := range field.FindAllStringSubmatch(cells[1], -1) {
				found[of] = append(found[of], expand(m[1])...)
			}
		}
	}
	for of := range found {
		slices.Sort(found[of])
	}
	return found
}

var choice = regexp.MustCompile(`\{([^{}]+)\}`)

// expand returns a{b,c} as ab and ac, as a shell does.
func expand(names string) (list []string) {
	at := choice.FindStringSubmatchIndex(names)
	if at == nil {
		return []string{names}
	}
	for word := range strings.SplitSeq(names[at[2]:at[3]], ",") {
		list = append(list, expand(names[:at[0]]+word+names[at[1]:])...)
	}
	return list
}

// fieldsOf returns the paths of the fields in the JSON of a type, sorted: "tools[].name",
// and "counts.*" for the values of a map.
func fieldsOf(of reflect.Type, at string) (list []string) {
	switch of.Kind() {
	case reflect.Pointer:
		return fieldsOf(of.Elem(), at)
	case reflect.Slice, reflect.Array:
		if of.Elem().Kind() != reflect.Uint8 {
			return fieldsOf(of.Elem(), at+"[]")
		}
	case reflect.Map:
		return fieldsOf(of.Elem(), at+".*")
	case reflect.Struct:
		_, own := reflect.New(of).Interface().(json.Marshaler)
		if _, text := reflect.New(of).Interface().(encoding.TextMarshaler); !own && !text {
			for _, f := range reflect.VisibleFields(of) {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				if !f.IsExported() || name == "-" || f.Anonymous && name == "" {
					continue
				}
				if name == "" {
					name = f.Name
				}
				list = append(list, fieldsOf(f.Type, strings.TrimPrefix(at+"."+name, "."))...)
			}
			slices.Sort(list)
			return slices.Compact(list)
		}
	}
	return []string{at}
}

// TestReplies does with each command of replies what its users do: what it prints is one
// document, or one a line, that says its form and has no field but the described ones.
func TestReplies(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	run := func(want int, args ...string) []byte {
		t.Helper()
		var out, said bytes.Buffer
		if code := Main(t.Context(), args, strings.NewReader(""), &out, &said); code != want {
			t.Fatalf("podium %q: exit code %d, not %d: %s%s", args, code, want, &out, &said)
		}
		return out.Bytes()
	}
	run(ExitDone, "model", "generate", "DiningPhilosophers", "002", "--out", "models")
	run(ExitDone, "model", "generate", "TokenRingMutex", "002", "--out", "models")
	run(ExitDone, "model", "generate", "MilnerScheduler", "002", "--out", "more")
	run(ExitDone, "tool", "write", "tools", "explicit")
	run(ExitDone, "plan", "--models", "models", "--tools", "tools", "-x", "OneSafe,ReachabilityDeadlock", "--edition", "mcc2020", "--cpu", "20s", "--memory", "1GB", "--out", "c", "--witnesses")
	tried := map[string]bool{}
	reply := func(path string, want int, args ...string) {
		t.Helper()
		tried[path] = true
		checkReply(t, path, run(want, append(append(strings.Fields(path), args...), "--json")...))
	}
	reply("version", ExitDone)
	reply("tool write", ExitDone, "more-tools", "walk")
	reply("tool list", ExitDone, "tools")
	reply("model families", ExitDone)
	reply("model info", ExitDone, "models")
	reply("model generate", ExitDone, "KanbanCells", "0001", "--out", "yet-more")
	if err := os.Remove("yet-more/KanbanCells-PT-0001/UpperBounds.xml"); err != nil {
		t.Fatal(err)
	}
	reply("model formulas", ExitDone, "yet-more/KanbanCells-PT-0001")
	reply("model convert", ExitDone, "models/TokenRingMutex-PT-002/model.pnml", "--out", "converted.pnml")
	reply("model strip", ExitDone, "models/TokenRingMutex-PT-002", "--out", "stripped", "--seed", "s", "--sealed", "map")
	reply("edition list", ExitDone)
	for name, text := range map[string]string{
		"tasks/sum.yml": "format_version: '2.0'\ninput_files: sum.c\nproperties:\n  - property_file: p.prp\n    expected_verdict: true\n",
		"tasks/sum.c":   "", "tasks/p.prp": "CHECK( init(main()), LTL(G ! call(reach_error())) )\n", "tasks/old_BUG.c": "", "tasks/All.set": "*.yml\n",
		"TokenRingMutex.yaml": "format: podium-model/1\nmodel: TokenRingMutex\ntitle: a ring\nauthors: A\nlicence: CC0-1.0\nsource: https://example.org/\ndescription: A token.\nconsent: true\n",
	} {
		writeMode(t, name, text, 0o644)
	}
	reply("check task", ExitDone, "--show", "tasks/All.set")
	reply("check task", ExitIncomplete, "--show", "tasks", "TokenRingMutex.yaml")
	reply("model register", ExitDone, "TokenRingMutex.yaml", "--models", "models", "--campaign", "c")
	reply("shard make", ExitDone, "c", "--shards", "2", "--out", "shards")
	run(ExitDone, "run", "shards/1", "--quiet")
	reply("shard merge", ExitDone, "c", "shards/1")
	reply("score", ExitDone, "c", "--provisional")
	run(ExitDone, "run", "c", "--quiet")
	reply("extend", ExitDone, "c", "--models", "more", "--dry-run")
	reply("status", ExitDone, "c")
	reply("simulate", ExitDone, "c")
	reply("logs", ExitDone, "c")
	reply("logs --reread", ExitDone, "c")
	reply("prove", ExitDone, "c")
	reply("score", ExitDone, "c")
	reply("whatif", ExitDone, "c", "--without-model", "TokenRingMutex")
	reply("compare", ExitDone, "c", "c")
	reply("explain", ExitDone, "--from", "c", "explicit", "TokenRingMutex-PT-002", "OneSafe")
	reply("explain", ExitDone, "--from", "c", "--only", "examination=OneSafe")
	reply("explain value", ExitDone, "--from", "c", "TokenRingMutex-PT-002", "OneSafe", "OneSafe")
	reply("check witness", ExitDone, "c/certified/DiningPhilosophers-PT-002-RD.witness", "--model", "models/DiningPhilosophers-PT-002")
	writeMode(t, "known.csv", "instance,examination,formula_id,value\nDiningPhilosophers-PT-002,OneSafe,OneSafe,TRUE\nTokenRingMutex-PT-002,OneSafe,OneSafe,FALSE\n", 0o644)
	reply("test", ExitIncomplete, "explicit", "--models", "models", "--oracle", "known.csv", "-x", "OneSafe", "--out", "tested", "--quiet")
	for _, dry := range []string{"--dry-run", "--dry-run=false"} {
		checkReply(t, "decide", run(ExitDone, "decide", "out-of-competition", "c", "--tool", "explicit", "--author", "A", "--reason", "r", dry, "--json"))
	}
	tried["decide"] = true
	reply("publish", ExitDone, "c")
	reply("publish", ExitDone, "c", "--figures", "figures")
	reply("contest", ExitDone, "--models", "models/TokenRingMutex-PT-002", "--tools", "tools", "-x", "OneSafe", "--edition", "mcc2020", "--cpu", "20s", "--memory", "1GB", "--out", "contest", "--quiet")
	reply("try", ExitDone, "tools/explicit", "models/TokenRingMutex-PT-002", "-x", "OneSafe")
	reply("decide list", ExitDone, "c")
	reply("teams", ExitDone, "c", "--all", "--out", "approval")
	reply("archive", ExitDone, "c", "--out", "c.tar.zst")
	reply("verify", ExitDone, "c.tar.zst")
	run(ExitDone, "export", "c", "--format", "raw", "--out", "raw.csv")
	reply("verify", ExitDone, "raw.csv", "--edition", "mcc2020")
	reply("qualify", ExitDone, "--tools", "tools", "--models", "models", "-x", "OneSafe", "--out", "q", "--edition", "mcc2020", "--quiet")
	writeMode(t, "log", "FORMULA OneSafe FALSE TECHNIQUES EXPLICIT\nFORMULA OneSafe\n", 0o644)
	reply("check output", ExitIncomplete, "log", "-x", "OneSafe", "--instance", "models/DiningPhilosophers-PT-002", "--oracle", "known.csv")
	reply("machine probe", ExitDone, "--driver", "sandbox", "--runs", "1")
	elsewhere := []string{
		"cluster status", "cluster doctor", // TestClusterScores
		"image build", "image import", // TestImageBuild; both print the same
		"model unfold",       // testdata/unfold.txtar
		"qualify --stripped", // testdata/stripped.txtar
		"doctor",             // boots machines where it can, which takes its time
	}
	for path := range replies {
		if !tried[path] && !slices.Contains(elsewhere, path) {
			t.Errorf("podium %s was not tried", path)
		}
	}
}

// checkReply wants what a command of replies printed to be one document, or one a line,
// that says its form and has no field but the described ones.
func checkReply(t *testing.T, path string, text []byte) {
	t.Helper()
	lines := 0
	for in := json.NewDecoder(bufio.NewReader(bytes.NewReader(text))); in.More(); lines++ {
		var document map[string]any
		if err := in.Decode(&document); err != nil {
			t.Fatalf("podium %s: %v in %s", path, err, text)
		}
		if form, _ := document["format"].(string); !regexp.MustCompile(`^podium-[a-z-]+/[0-9]+$`).MatchString(form) {
			t.Errorf("podium %s: the form is %q", path, form)
		}
		delete(document, "format")
		known := fieldsOf(reflect.TypeOf(replies[path]), "")
		for _, f := range fieldsIn(document, "", known) {
			if !slices.Contains(known, f) {
				t.Errorf("podium %s prints %q, which is not described", path, f)
			}
		}
	}
	if lines == 0 {
		t.Errorf("podium %s prints no document", path)
	}
}

// fieldsIn returns the paths of the fields of a document. What stands in an object whose
// names are no fields, but keys of a map, has "*" for the key.
func fieldsIn(v any, at string, known []string) (list []string) {
	switch v := v.(type) {
	case map[string]any:
		isMap := slices.ContainsFunc(known, func(f string) bool {
			return f == at+".*" || strings.HasPrefix(f, at+".*.") || strings.HasPrefix(f, at+".*[")
		})
		for name, x := range v {
			below := strings.TrimPrefix(at+"."+name, ".")
			if isMap {
				below = at + ".*"
			}
			list = append(list, fieldsIn(x, below, known)...)
		}
		return list
	case []any:
		for _, x := range v {
			list = append(list, fieldsIn(x, at+"[]", known)...)
		}
		return list
	case nil:
		return nil
	}
	return []string{at}
}

// TestReplyIsReadable: what people read in a document is not escaped for pages.
func TestReplyIsReadable(t *testing.T) {
	var out bytes.Buffer
	s := &streams{command: &cobra.Command{Use: "decide"}}
	if err := s.document(&out, struct {
		Effect string `json:"effect"`
	}{"rank 3 -> 1"}); err != nil {
		t.Fatal(err)
	}
	if want := "{\n  \"format\": \"podium-decide/1\",\n  \"effect\": \"rank 3 -> 1\"\n}\n"; out.String() != want {
		t.Errorf("%q, not %q", out.String(), want)
	}
}
