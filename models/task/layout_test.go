package task

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func writeOne(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestStage: the files of a task keep their places to each other, and what says the
// expected verdict stays outside.
func TestStage(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"c/p/a.prp": "CHECK( init(main()), LTL(F end) )\n", "c/x/a.c": "a", "c/x/a.prp": "an input of that name", "c/x/a.yml": "expected",
		"c/lib/b/b.java": "b", "c/lib/b/deep/c.java": "c"} {
		writeOne(t, filepath.Join(dir, name), text)
	}
	at := func(name string) string { return filepath.Join(dir, "c", name) }
	one := Task{File: at("x/a.yml"), Inputs: []string{at("x/a.c"), at("lib/b")}, Required: []string{at("x/a.prp")}, PropertyFile: at("p/a.prp"), Property: "termination", Verdict: True}
	l, err := one.Stage(filepath.Join(dir, "out"))
	if err != nil || strings.Join(l.Inputs, " ") != "x/a.c lib/b" || l.PropertyFile != "a.prp" {
		t.Fatalf("%+v, %v", l, err)
	}
	for name, want := range map[string]string{"x/a.c": "a", "x/a.prp": "an input of that name", "a.prp": "CHECK( init(main()), LTL(F end) )\n", "lib/b/deep/c.java": "c"} {
		if text, err := os.ReadFile(filepath.Join(dir, "out", name)); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "out", "x", "a.yml")); err == nil {
		t.Error("the definition, with the expected verdict, was copied")
	}
	before, err := Digest(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	writeOne(t, filepath.Join(dir, "out", "x", "a.c"), "b")
	if after, err := Digest(filepath.Join(dir, "out")); err != nil || after == before {
		t.Errorf("another content has the digest of the first, %v", err)
	}

	beside := Task{File: at("x/a.c"), Inputs: []string{at("x/a.c")}, Required: []string{at("x/a.prp")}, PropertyFile: at("x/a.prp"), Property: "termination"}
	if l, err := beside.Stage(filepath.Join(dir, "second")); err != nil || l.PropertyFile != "property-a.prp" {
		t.Errorf("%+v, %v", l, err)
	}
	old := Task{File: at("x/a.c"), Inputs: []string{at("x/a.c")}, Property: "valid-memsafety", Parts: memorySafety}
	if l, err = old.Stage(filepath.Join(dir, "third")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "third", l.PropertyFile))
	if p, found := ReadProperty("p.prp", text); err != nil || found.Err() != nil || p.Name() != "valid-memsafety" {
		t.Errorf("the property file of a program without one is\n%s%v %v", text, found, err)
	}
	if err := os.Symlink("lib", at("link")); err != nil {
		t.Fatal(err)
	}
	linked := Task{Inputs: []string{at("link")}, Property: "termination", Parts: []string{"termination"}}
	if _, err := linked.Stage(filepath.Join(dir, "fourth")); err == nil || !strings.Contains(err.Error(), "link to a directory") {
		t.Errorf("a link to a directory: %v", err)
	}
	// Links lead to files beside a task, and to no others of this computer.
	writeOne(t, filepath.Join(dir, "secret"), "secret")
	for n, c := range []struct {
		target  string
		refused bool
	}{{"a.c", false}, {"../x/a.c", false}, {"../../secret", true}, {filepath.Join(dir, "secret"), true}, {"/etc/hostname", true}, {"loop", true}, {"none", true}} {
		link := at("x/loop")
		if err := errors.Join(os.RemoveAll(link), os.Symlink(c.target, link)); err != nil {
			t.Fatal(err)
		}
		for _, asked := range []Task{
			{Inputs: []string{link}, Property: "termination", Parts: []string{"termination"}},
			{Inputs: []string{at("x/a.c")}, Required: []string{at("x")}, Property: "termination", Parts: []string{"termination"}},
			{Inputs: []string{at("x/a.c")}, PropertyFile: link, Property: "termination", Parts: []string{"termination"}},
		} {
			to := filepath.Join(dir, "linked", strconv.Itoa(n))
			if _, err := asked.Stage(to); (err != nil) != c.refused || err != nil && strings.Contains(err.Error(), "secret\n") {
				t.Errorf("%+v, a link to %s: %v", asked, c.target, err)
			}
			if err := os.RemoveAll(to); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestPropertyOfSet: a set with a property beside it has the tasks of this property alone,
// so that the sets of a competition share definitions.
func TestPropertyOfSet(t *testing.T) {
	const end = "CHECK( init(main()), LTL(F end) )\n"
	write(t, map[string]string{
		"p/unreach-call.prp": unreach, "p/termination.prp": end, "a.c": "", "b.c": "",
		"a.yml":           "format_version: '2.0'\ninput_files: a.c\nproperties:\n- {property_file: p/unreach-call.prp, expected_verdict: true}\n- {property_file: p/termination.prp, expected_verdict: false}\n",
		"b.yml":           "format_version: '2.0'\ninput_files: b.c\nproperties:\n- {property_file: p/unreach-call.prp, expected_verdict: true}\n",
		"All.set":         "a.yml\n",
		"Termination.set": "*.yml\n", "Termination.prp": end,
		"Reach.set": "*.yml\n", "Reach.prp": unreach,
	})
	c, err := Open("All.set", "Termination.set", "Reach.set")
	if err != nil || c.Found.Err() != nil {
		t.Fatal(err, c.Found)
	}
	var got []string
	for _, x := range c.Tasks {
		got = append(got, x.Set+" "+x.File+" "+x.Property+" "+x.Verdict.String())
	}
	want := []string{"All a.yml termination false", "All a.yml unreach-call true", "Reach a.yml unreach-call true", "Reach b.yml unreach-call true", "Termination a.yml termination false"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the tasks are\n%s", strings.Join(got, "\n"))
	}
	if len(c.Found) != 1 || !strings.Contains(c.Found[0].Error(), `Termination.set:1:1: warning: "b.yml" says nothing of termination`) {
		t.Errorf("%v", c.Found)
	}
}
