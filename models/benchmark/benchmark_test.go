package benchmark

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"podium/internal/realdata"
	"podium/models/task"
)

const example = `<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 3.30//EN" "https://www.sosy-lab.org/benchexec/benchmark-3.30.dtd">
<benchmark tool="cbmc" displayName="CBMC" timelimit="15 min" walltimelimit="1h" memlimit="15 GB" cpuCores="4">
  <propertyfile>p/${benchmark_name}.prp</propertyfile>
  <option name="--unwind">3</option>
  <rundefinition name="run">
    <option name="${rundefinition_name}"/>
    <tasks name="Loops">
      <includesfile>c/Loops.set</includesfile>
      <excludesfile>c/Old.set</excludesfile>
      <propertyfile expectedverdict="false(valid-deref)">${taskdef_path}/q.prp</propertyfile>
      <requiredfiles>lib/${taskdef_name}.h</requiredfiles>
    </tasks>
  </rundefinition>
  <tasks>
    <include>${benchmark_path}/d/*.yml</include>
    <exclude>d/x.yml</exclude>
    <option>${taskdef_name}</option>
  </tasks>
</benchmark>
`

// TestRead: a set of tasks has what all levels say, the nearest property, and the
// variables of its run definition.
func TestRead(t *testing.T) {
	d, found := Read("dir/all.xml", []byte(example))
	if len(found) != 0 {
		t.Fatal(found)
	}
	at := func(text string, line, col int) task.Pattern { return task.Pattern{Text: text, Line: line, Col: col} }
	want := &Definition{File: "dir/all.xml", Tool: "cbmc", Title: "CBMC", Limits: Limits{15 * time.Minute, time.Hour, 15e9, 4},
		Runs: []RunDefinition{{Name: "run", Line: 6, Col: 3, Sets: []Set{
			{task.Choice{File: "dir/all.xml", At: at("", 15, 3), Name: "0", Include: []task.Pattern{at("./d/*.yml", 16, 5)}, Exclude: []task.Pattern{at("d/x.yml", 17, 5)},
				Property: at("p/all.prp", 4, 3)}, []string{"--unwind", "3", "run", "{task_name}"}},
			{task.Choice{File: "dir/all.xml", At: at("", 8, 5), Name: "Loops", IncludeSets: []task.Pattern{at("c/Loops.set", 9, 7)}, ExcludeSets: []task.Pattern{at("c/Old.set", 10, 7)},
				Property: at("${taskdef_path}/q.prp", 11, 7), Expected: "false(valid-deref)", Required: []task.Pattern{at("lib/${taskdef_name}.h", 12, 7)}}, []string{"--unwind", "3", "run"}},
		}}}}
	if !reflect.DeepEqual(d, want) {
		t.Errorf("got  %+v\nwant %+v", d, want)
	}
}

// TestRefused: what Podium has no counterpart for is refused at its place.
func TestRefused(t *testing.T) {
	in := func(inside string) string { return "<benchmark tool='t'>\n" + inside + "</benchmark>" }
	set := func(inside string) string {
		return in("<propertyfile>p</propertyfile>\n<rundefinition><tasks>" + inside + "</tasks></rundefinition>")
	}
	for text, want := range map[string]string{
		"":                                     "b.xml",
		"<result/>":                            "b.xml:1:1: the outer element is not <benchmark>",
		"<benchmark/>":                         "b.xml:1:1: the attribute tool is missing",
		"<benchmark tool='t'/>":                "b.xml:1:1: there is no <rundefinition>",
		in("<rundefinition/>"):                 "b.xml:2:1: the run definition has no tasks",
		set(""):                                "b.xml:3:16: the set includes no tasks",
		set("<withoutfile>1000</withoutfile>"): "b.xml:3:23: tasks are programs and properties, and <withoutfile> names none",
		set("<include>a</include><append>b</append>"): "<append> names none",
		set("<include>a</include><inclde>b</inclde>"): `<tasks> has no element <"inclde">; the nearest is include`,
		set("<include/>"):                                             "<include> is empty",
		set("<include>a<b/></include>"):                               "<include> holds text alone, and no <b>",
		set("<include>${logfile_path}/a</include>"):                   "b.xml:3:23: the variable ${logfile_path} stands for nothing in names of files",
		set("<include>a</include><option>${benchmark_path}</option>"): "the variable ${benchmark_path} stands for nothing in a run",
		set("<include>a</include>words"):                              `text stands between elements: "words"`,
		set("<include>a</include></tasks><tasks name='0'><include>b</include><option name='x'/>"): `another set of tasks is named "0", and has other options`,
		in("<sourcefiles/><rundefinition/>"):                                                      "b.xml:2:1: <sourcefiles> is of BenchExec before 2.0",
		in("<propertyfile expectedverdict='maybe'>p</propertyfile>"):                              `expectedverdict is "maybe"`,
		in("<propertyfile>p</propertyfile><propertyfile>q</propertyfile>"):                        "<benchmark> has two property files",
		"<benchmark tool='t' timelimit='15m'/>":                                                   `timelimit: "15m" is no limit: write it as 15 min`,
		"<benchmark tool='t' timelimit='0'/>":                                                     `timelimit: "0" is no limit`,
		"<benchmark tool='t' memlimit='15'/>":                                                     `memlimit: "15" is no limit: write it as 15 GB`,
		"<benchmark tool='t' memlimit='99999999999 TB'/>":                                         "is too large",
		"<benchmark tool='t' walltimelimit='99999999999 d'/>":                                     "is too l",
		"<benchmark tool='t' cpuCores='all'/>":                                                    `cpuCores: "all" is no number of cores`,
		"<benchmark tool='t' cores='4'/>":                                                         `<benchmark> has no attribute "cores"`,
		"<benchmark tool='t'><rundefinition>":                                                     "b.xml:1",
		"<!DOCTYPE benchmark [<!ENTITY a 'b'>]><benchmark tool='t'>&a;</benchmark>":               "b.xml:1",
	} {
		d, found := Read("b.xml", []byte(text))
		if d != nil || !strings.Contains(found.Error(), want) {
			t.Errorf("%q:\n%v\nwant %s", text, found, want)
		}
	}
	d, found := Read("b.xml", []byte("<benchmark tool='t' timelimit='9' hardtimelimit='10' threads='2'><columns/><require/><resultfiles>.</resultfiles><rundefinition/><tasks><include>a</include></tasks></benchmark>"))
	if d == nil || len(found) != 6 {
		t.Errorf("%v: want a definition and six warnings", found)
	}
}

// TestWordsAreBounded: a short definition cannot say more than a computer holds, as each set
// has the options above it.
func TestWordsAreBounded(t *testing.T) {
	set := "<tasks><include>a</include></tasks>"
	for name, text := range map[string]string{
		"options by sets":          strings.Repeat("<option name='x'/>", 2000) + "<rundefinition/>" + strings.Repeat(set, 2000),
		"names of a rundefinition": "<option>" + strings.Repeat("${rundefinition_name}", 1000) + "</option><rundefinition name='" + strings.Repeat("n", 100_000) + "'/>" + set,
	} {
		d, found := Read("b.xml", []byte("<benchmark tool='t'><propertyfile>p</propertyfile>"+text+"</benchmark>"))
		if d != nil || !strings.Contains(found.Error(), "bytes of options and patterns") {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// TestBenchExecsOwnBenchmarks reads the benchmark definitions of BenchExec itself.
func TestBenchExecsOwnBenchmarks(t *testing.T) {
	dir := filepath.Join(realdata.Contest(t), "benchexec", "benchmarks")
	refused := map[string]string{
		"benchmark-example-calculatepi.xml": "<withoutfile> names none",
		"benchmark-example-rand.xml":        "<withoutfile> names none",
		"benchmark-example-true.xml":        "<withoutfile> names none",
	}
	read := 0
	list, err := filepath.Glob(filepath.Join(dir, "*.xml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range list {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		d, found := Read(name, text)
		why, broken := refused[name]
		if !bytes.Contains(text, []byte("<benchmark ")) {
			why, broken = "the outer element is not <benchmark>", true
		}
		switch {
		case broken && (d != nil || !strings.Contains(found.Error(), why)):
			t.Errorf("%s: %v, want %s", name, found, why)
		case !broken && d == nil:
			t.Errorf("%s is refused: %v", name, found)
		case !broken:
			read++
		}
	}
	if read < 9 {
		t.Errorf("only %d files were read", read)
	}
}

// plain is a definition without the places in its file, and without those that hold nothing.
func plain(d *Definition) string {
	c := *d
	c.File, c.Runs = "", nil
	for _, r := range d.Runs {
		r.Line, r.Col = 0, 0
		sets := r.Sets
		r.Sets = nil
		for _, s := range sets {
			s.File, s.At = "", task.Pattern{}
			for _, list := range []*[]task.Pattern{&s.Include, &s.IncludeSets, &s.Exclude, &s.ExcludeSets, &s.Required} {
				patterns := *list
				*list = nil
				for _, p := range patterns {
					*list = append(*list, task.Pattern{Text: p.Text})
				}
			}
			s.Property.Line, s.Property.Col = 0, 0
			r.Sets = append(r.Sets, s)
		}
		c.Runs = append(c.Runs, r)
	}
	return fmt.Sprintf("%+v", c)
}

// TestWrite: what is written is read as the same.
func TestWrite(t *testing.T) {
	d, _ := Read("all.xml", []byte(example))
	var out bytes.Buffer
	if err := d.Write(&out); err != nil {
		t.Fatal(err)
	}
	again, found := Read("all.xml", out.Bytes())
	if len(found) != 0 || plain(again) != plain(d) {
		t.Errorf("%v\ngot  %s\nwant %s\n%s", found, plain(again), plain(d), out.String())
	}
	if err := (&Definition{Tool: "a\x01"}).Write(&out); err == nil {
		t.Error("what XML cannot hold is written")
	}
}

// TestValid: what is written is valid against BenchExec's document type.
func TestValid(t *testing.T) {
	dtd := filepath.Join(realdata.Contest(t), "benchexec", "benchmark.dtd")
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("xmllint is not installed")
	}
	texts := map[string][]byte{"all.xml": []byte(example)}
	list, err := filepath.Glob(filepath.Join(filepath.Dir(dtd), "benchmarks", "*.xml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range list {
		if texts[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range texts {
		d, _ := Read(name, text)
		if d == nil {
			continue // refused: see TestBenchExecsOwnBenchmarks
		}
		var out bytes.Buffer
		if err := d.Write(&out); err != nil {
			t.Fatal(err)
		}
		lint := exec.Command(xmllint, "--noout", "--nonet", "--dtdvalid", dtd, "-")
		lint.Stdin = &out
		if said, err := lint.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, said)
		}
	}
}

// FuzzRead: a definition is read or refused with reasons, and what is read can be written
// and read again.
func FuzzRead(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("<benchmark tool='t' timelimit='9 min'><tasks name='${a'><include>../../*</include></tasks><rundefinition/></benchmark>"))
	f.Add([]byte("<benchmark tool=''><withoutfile/><rundefinition name='&#9;'/>"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, found := Read("a.xml", text)
		if (d == nil) != (found.Err() != nil) {
			t.Fatalf("%v with %v", d, found)
		}
		for _, x := range found {
			if x.Message == "" || x.File == "" {
				t.Errorf("no message: %+v", x)
			}
		}
		if d == nil {
			return
		}
		var out bytes.Buffer
		if err := d.Write(&out); err != nil {
			return // a tab or a line end in an attribute
		}
		again, found := Read("a.xml", out.Bytes())
		if again == nil {
			t.Fatalf("%s is refused: %v", out.String(), found)
		}
		if len(again.Runs) != len(d.Runs) || again.Limits != d.Limits {
			t.Errorf("got %s\nwant %s", plain(again), plain(d))
		}
	})
}
