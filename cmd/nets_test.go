package cmd

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// readsNet says how each command is called that reads nets of its caller, INSTANCE for the
// net, and BESIDE for a directory of its own. The others read no net that was not read
// before: noNet says what they read instead.
var readsNet = map[string]string{
	"prove":          "prove INSTANCE -x OneSafe --budget 5s",
	"check formulas": "check formulas INSTANCE",
	"check model":    "check model INSTANCE",
	"contest":        "contest --models INSTANCE --tools explicit -x OneSafe --out BESIDE/contest --cpu 20s --memory 1GB --quiet",
	"extend":         "extend BESIDE/campaign --models INSTANCE",
	"model draw":     "model draw INSTANCE --format dot",
	"model form":     "model form INSTANCE",
	"model formulas": "model formulas INSTANCE",
	"model info":     "model info INSTANCE",
	"model register": "model register BESIDE/record.yaml --models INSTANCE",
	"model strip":    "model strip INSTANCE --out BESIDE/stripped --seed secret --sealed BESIDE/sealed",
	"model unfold":   "model unfold INSTANCE --out BESIDE/twin",
	"plan":           "plan --models INSTANCE --tools explicit -x OneSafe --out BESIDE/planned",
	"publish":        "publish BESIDE/results.csv --edition mcc2020 --models INSTANCE --out BESIDE/site",
	"qualify":        "qualify --tools BESIDE/tool --models INSTANCE -x OneSafe --out BESIDE/qualified --cpu 20s --memory 1GB --quiet --budget 5s",
	"check witness":  "check witness BESIDE/some.witness --model INSTANCE",
	"test":           "test explicit --models INSTANCE --oracle BESIDE/oracle.csv -x OneSafe --out BESIDE/tested --cpu 20s --memory 1GB --quiet",
	"try":            "try BESIDE/tool/explicit INSTANCE -x OneSafe --cpu 20s --memory 1GB",
}

var noNet = map[string]string{
	"a campaign, whose nets were read when it was planned": "archive cluster-cancel cluster-doctor cluster-move cluster-status cluster-submit compare decide-correct decide-disqualify decide-exclude decide-list " +
		"decide-out-of-competition decide-redo decide-revoke decide-withdraw explain-value export logs shard-merge teams run score serve shard-make simulate status verify whatif",
	"no models at all":                          "cache edition-check edition-list edition-show check-task completion-bash completion-fish completion-powershell completion-zsh doctor image-build image-import machine-probe model-families tool-init tool-list tool-write version",
	"an instance for the names of its formulas": "check-output",
	"a net that others refuse":                  "model-convert",
	"built-in models, whose nets it writes":     "model-generate",
	"as a tool in its machine, what the run was given; what it says is an answer": "tool-run",
}

// leaves gives the commands that do something, by their names.
func leaves(of *cobra.Command, to map[string]*cobra.Command) {
	for _, c := range of.Commands() {
		leaves(c, to)
	}
	if of.Runnable() && !of.HasSubCommands() {
		to[strings.TrimPrefix(of.CommandPath(), "podium ")] = of
	}
}

// TestEveryCommandIsSaidToReadNetsOrNot: a new command has its line in one of the tables.
func TestEveryCommandIsSaidToReadNetsOrNot(t *testing.T) {
	commands, said := map[string]*cobra.Command{}, map[string]bool{}
	leaves(Commands(), commands)
	for name := range readsNet {
		said[name] = true
	}
	for _, list := range noNet {
		for name := range strings.FieldsSeq(list) {
			if commands[name] == nil { // two words
				name = strings.Replace(name, "-", " ", 1)
			}
			if said[name] {
				t.Errorf("%s stands twice", name)
			}
			said[name] = true
		}
	}
	for name := range commands {
		if !said[name] {
			t.Errorf("%s: does it read nets? Enter it in readsNet, with how it is called, or in noNet, with what it reads instead", name)
		}
	}
	for name := range said {
		if commands[name] == nil {
			t.Errorf("there is no command %q", name)
		}
	}
}

const (
	plainHead = `<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="%s" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>1</text></initialMarking></place><place id="q"/>
<transition id="t"/><transition id="u"/>
`
	plainTail = `<arc id="b" source="t" target="q"/><arc id="c" source="q" target="u"/><arc id="d" source="u" target="p"/>
</page></net></pnml>
`
	colouredHead = `<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="%s" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><declaration><structure><declarations>
<namedsort id="S" name="S"><cyclicenumeration><feconstant id="s1" name="s1"/><feconstant id="s2" name="s2"/></cyclicenumeration></namedsort><variabledecl id="x" name="x"><usersort declaration="S"/></variabledecl></declarations></structure></declaration>
<page id="g"><place id="p"><type><structure><usersort declaration="S"/></structure></type><hlinitialMarking><structure><all><usersort declaration="S"/></all></structure></hlinitialMarking></place><transition id="t"/>
`
	colouredTail = `<arc id="b" source="t" target="p"><hlinscription><structure><successor><subterm><variable refvariable="x"/></subterm></successor></structure></hlinscription></arc>
</page></net></pnml>
`
	colouredArc = `<arc id="a" source="p" target="t">%s<hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
`
)

// netsTried are nets with something in line 6 that reading finds, and what it says.
var netsTried = []struct {
	name, arc, code string
	refused         bool
}{
	{"a kind of arcs that the contest does not have", `<type value="inhibitor"/>`, "pnml-arc-type", true},
	{"text within a picture", `<graphics>stray</graphics>`, "pnml-stray-text", false},
}

// calls makes what a verb needs beside the net, and returns its arguments.
func calls(t *testing.T, line, instance string) []string {
	t.Helper()
	beside := t.TempDir()
	line = strings.ReplaceAll(strings.ReplaceAll(line, "INSTANCE", instance), "BESIDE", beside)
	must := func(args ...string) {
		t.Helper()
		if out, code := said(t, args...); code != 0 {
			t.Fatalf("%v: exit code %d\n%s", args, code, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(beside, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	id := "Lamp-PT-1"
	if strings.Contains(instance, "Lamp-COL-1") {
		id = "Lamp-COL-1"
	}
	switch {
	case strings.HasPrefix(line, "extend"):
		must("model", "generate", "DiningPhilosophers", "002", "--out", beside)
		must("plan", "--models", filepath.Join(beside, "DiningPhilosophers-PT-002"), "--tools", "explicit", "-x", "OneSafe", "--out", filepath.Join(beside, "campaign"))
	case strings.HasPrefix(line, "model register"):
		write("record.yaml", "format: podium-model/1\nmodel: Lamp\ntitle: a lamp\nauthors: Edsger Dijkstra\nlicence: CC0-1.0\nsource: https://example.org/lamp\ndescription: It is on or off.\nconsent: true\n")
	case strings.HasPrefix(line, "publish"):
		write("results.csv", "### tool,Input,Examination,nb cores,time flag,memory flag,results,techniques,max memory  (MB),CPU (ms),Time (ms),i/o wait (ms),Status,run id,flags:bonus:scores:mask,estimated result,# tools computing estimated results\n"+
			"explicit,"+id+",OneSafe,1,OK,OK,T,EXPLICIT ,5.128192,58.352,269.90,-,normal,1,:--:0:?,(T),0.00\n")
	case strings.HasPrefix(line, "qualify"), strings.HasPrefix(line, "try"):
		must("tool", "write", beside+"/tool", "explicit")
	case strings.HasPrefix(line, "test"):
		write("oracle.csv", "instance,examination,formula_id,value\n"+id+",OneSafe,OneSafe,TRUE\n")
	case strings.HasPrefix(line, "check witness"):
		write("some.witness", "format podium-witness/1\ninstance "+id+"\nexamination ReachabilityDeadlock\nvalue ReachabilityDeadlock TRUE\nrun\nend\n")
	}
	return strings.Fields(line)
}

// said runs a command and returns all that it printed.
func said(t *testing.T, args ...string) (string, int) {
	t.Helper()
	var out bytes.Buffer
	code := Main(t.Context(), args, strings.NewReader(""), &out, &out)
	return out.String(), code
}

// TestEveryCommandSaysWhatReadingFound: a net with an error is refused by every command that
// reads nets, with the place in the file; what reading warns of is said once, and the command
// goes on. The net is in a directory, in an archive, and alone.
func TestEveryCommandSaysWhatReadingFound(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(readsNet)) {
		for _, tried := range netsTried {
			for _, form := range []string{"directory", "archive", "net"} {
				switch {
				case form == "archive" && name == "model formulas": // which writes beside the net
					continue
				case form == "net" && name == "model register": // which wants all that a contest wants
					continue
				}
				t.Run(fmt.Sprint(name, "/", tried.code, "/", form), func(t *testing.T) {
					t.Parallel()
					instance := netIn(t, form, name == "model unfold", name == "check formulas" || name == "check model" || name == "model register", tried.arc)
					out, code := said(t, calls(t, readsNet[name], instance)...)
					found := regexp.MustCompile(`(?m)^\S*(model|Lamp-[A-Z]+-1)\.pnml:6:\d+: .*\[`+tried.code+`\]`).FindAllString(out, -1)
					if len(found) != 1 {
						t.Errorf("it is said %d times, exit code %d:\n%s", len(found), code, out)
					}
					if refused := code == ExitInvalid || code == ExitIncomplete && strings.HasPrefix(name, "check") && name != "check witness"; refused != tried.refused {
						t.Errorf("exit code %d:\n%s", code, out)
					}
					if code == ExitInternal || code == ExitUsage {
						t.Errorf("exit code %d:\n%s", code, out)
					}
				})
			}
		}
	}
}

// netIn writes a small net with something within an arc, with formulas or without, and returns its path.
func netIn(t *testing.T, form string, coloured, formulas bool, within string) string {
	t.Helper()
	id, word, equiv := "Lamp-PT-1", "FALSE\n", "equiv_col"
	mark := "<!-- " + t.Name() + " -->\n" // runs on equal instances would share what try keeps of them
	text := func(within string) string {
		return fmt.Sprintf(plainHead, id) + `<arc id="a" source="p" target="t">` + within + "</arc>\n" + plainTail + mark
	}
	if coloured {
		id, word, equiv = "Lamp-COL-1", "TRUE\n", "equiv_pt"
		text = func(within string) string {
			return fmt.Sprintf(colouredHead, id) + fmt.Sprintf(colouredArc, within) + colouredTail + mark
		}
	}
	dir, file := filepath.Join(t.TempDir(), id), "model.pnml"
	path := dir
	files := map[string]string{"iscolored": word, "instance": "1\n", equiv: "FALSE\n"}
	if form == "net" {
		file, files = id+".pnml", map[string]string{}
		dir = filepath.Join(filepath.Dir(dir), "nets")
		path = filepath.Join(dir, file)
	}
	files[file] = text("")
	writeTools(t, dir, files)
	if formulas {
		if out, code := said(t, "model", "formulas", path); code != 0 {
			t.Fatal(code, out)
		}
	}
	writeTools(t, dir, map[string]string{file: text(within)})
	if form == "archive" {
		return pack(t, dir)
	}
	return path
}

// pack makes the archive of an instance directory.
func pack(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.Base(dir)+".tgz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	zipped := gzip.NewWriter(f)
	packed := tar.NewWriter(zipped)
	if err := packed.AddFS(os.DirFS(filepath.Dir(dir))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []interface{ Close() error }{packed, zipped, f} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return path
}
