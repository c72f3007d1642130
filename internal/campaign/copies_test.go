package campaign

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"podium/examinations"
	"podium/internal/tools"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// sources makes the inputs of a campaign outside of it: two variants of a tool
// that share a program, and three instances, of which two are equal and one is an
// archive.
func sources(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"ant", "bee"} {
		home := filepath.Join(dir, "tools", name)
		must(t, os.MkdirAll(filepath.Join(home, "bin", "empty"), 0o755))
		writeMode(t, filepath.Join(home, "tool.yaml"), "format: podium-tool/1\nname: "+name+"\n", 0o664)
		writeMode(t, filepath.Join(home, "BenchKit_head.sh"), "#!/bin/sh\n", 0o775)
		writeMode(t, filepath.Join(home, "bin", "shared"), strings.Repeat("program", 1000), 0o755)
		must(t, os.Symlink("../BenchKit_head.sh", filepath.Join(home, "bin", "head")))
		past := time.Unix(1_500_000_000, 123)
		must(t, os.Chtimes(filepath.Join(home, "bin", "shared"), past, past))
	}
	for _, name := range []string{"Ring-PT-1", "Ring-PT-2"} {
		home := filepath.Join(dir, "models", name)
		must(t, os.MkdirAll(home, 0o755))
		writeMode(t, filepath.Join(home, models.ModelFile), "<pnml/>", 0o600)
		writeMode(t, filepath.Join(home, "iscolored"), "FALSE\n", 0o644)
		writeMode(t, filepath.Join(home, ".hidden"), "no part of it", 0o644)
	}
	var archive bytes.Buffer
	zip := gzip.NewWriter(&archive)
	tape := tar.NewWriter(zip)
	must(t, tape.WriteHeader(&tar.Header{Name: "Tree-PT-1/" + models.ModelFile, Typeflag: tar.TypeReg, Mode: 0o600, Size: 8}))
	_, err := tape.Write([]byte("<pnml />"))
	must(t, errors.Join(err, tape.Close(), zip.Close()))
	writeMode(t, filepath.Join(dir, "models", "Tree-PT-1.tgz"), archive.String(), 0o644)
	return dir
}

func writeMode(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), mode))
	must(t, os.Chmod(path, mode))
}

// planned says what is to be done with sources.
func planned(t *testing.T, dir string) *Plan {
	t.Helper()
	p := &Plan{Name: "copies", Edition: "mcc2016", Examinations: []examinations.ID{examinations.StateSpace}}
	p.Sequential = Confinement{Cores: 1, Memory: 1 << 30, CPUTime: 1e6}
	opened, err := tools.OpenAll(filepath.Join(dir, "tools"))
	must(t, err)
	for _, tool := range opened {
		digest, err := tool.Digest(t.Context())
		must(t, err)
		p.Tools = append(p.Tools, PlannedTool{Name: tool.Name, Family: tool.Family, Head: tool.Head, Dir: tool.Dir, Digest: digest})
	}
	found, err := models.Open(filepath.Join(dir, "models"))
	must(t, err)
	for _, i := range found.Instances {
		digest, err := i.Digest()
		must(t, err)
		p.Instances = append(p.Instances, PlannedInstance{ID: i.ID.String(), Family: i.ID.Family, Class: "known", Path: i.Path, Digest: digest})
	}
	return p
}

// drafted makes the campaign of sources.
func drafted(t *testing.T, to, from string) (*Campaign, error) {
	t.Helper()
	d, err := NewDraft(t.Context(), to)
	must(t, err)
	c, err := d.Create(t.Context(), planned(t, from))
	must(t, d.Close())
	return c, err
}

func TestCopiesOfInputs(t *testing.T) {
	from := sources(t)
	c, err := drafted(t, filepath.Join(t.TempDir(), "c"), from)
	must(t, err)
	stat := func(path string) *syscall.Stat_t {
		t.Helper()
		info, err := os.Lstat(path)
		must(t, err)
		return info.Sys().(*syscall.Stat_t)
	}
	ant, bee := c.Path(c.Plan.Tools[0].Dir), c.Path(c.Plan.Tools[1].Dir)
	for name, mode := range map[string]fs.FileMode{"tool.yaml": 0o444, "BenchKit_head.sh": 0o555, "bin/shared": 0o555, "bin/head": fs.ModeSymlink | 0o777, "bin/empty": fs.ModeDir | 0o755} {
		info, err := os.Lstat(filepath.Join(ant, name))
		must(t, err)
		if info.Mode() != mode {
			t.Errorf("%s has mode %v, not %v", name, info.Mode(), mode)
		}
	}
	if target, err := os.Readlink(filepath.Join(ant, "bin/head")); err != nil || target != "../BenchKit_head.sh" {
		t.Errorf("the link leads to %q, %v", target, err)
	}
	source, one, other := stat(filepath.Join(from, "tools/ant/bin/shared")), stat(filepath.Join(ant, "bin/shared")), stat(filepath.Join(bee, "bin/shared"))
	if source.Nlink != 1 || source.Ino == one.Ino || one.Ino != other.Ino {
		t.Errorf("inode %d (%d names) was copied to %d and %d: equal content is stored once, and apart from its source", source.Ino, source.Nlink, one.Ino, other.Ino)
	}
	if made, of := modified(t, filepath.Join(ant, "bin/shared")), modified(t, filepath.Join(from, "tools/ant/bin/shared")); !made.Equal(of) {
		t.Errorf("a copy is of %v, its source of %v", made, of)
	}
	ring, tree := c.Path(c.Plan.Instances[0].Path), c.Path(c.Plan.Instances[2].Path)
	if stat(filepath.Join(ring, "model.pnml")).Ino != stat(filepath.Join(c.Path(c.Plan.Instances[1].Path), "model.pnml")).Ino {
		t.Error("two equal instances are stored twice")
	}
	if _, err := os.Lstat(filepath.Join(ring, ".hidden")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is no part of the instance was copied: %v", err)
	}
	if text, err := os.ReadFile(filepath.Join(tree, "model.pnml")); err != nil || string(text) != "<pnml />" {
		t.Errorf("from the archive came %q, %v", text, err)
	}
	entries, err := os.ReadDir(c.Dir)
	must(t, err)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".podium-") {
			t.Errorf("%s is left of the planning", e.Name())
		}
	}
}

// modified is when a file was changed.
func modified(t *testing.T, path string) time.Time {
	t.Helper()
	info, err := os.Lstat(path)
	must(t, err)
	return info.ModTime()
}

// reading is a driver that notes what its machines would show to tools; before is
// called before each run and during in each.
type reading struct {
	machines
	before func(n int)
	during func(vm.Spec)
	said   []string
}

func (d *reading) Boot(_ context.Context, s vm.Spec) (vm.Machine, error) {
	d.n++
	if d.before != nil {
		d.before(d.n)
	}
	return &readingMachine{d, s}, nil
}

type readingMachine struct {
	d    *reading
	spec vm.Spec
}

func (m *readingMachine) Close() error { return nil }
func (m *readingMachine) Exec(context.Context, vm.Job) (vm.Outcome, error) {
	said := ""
	for _, path := range []string{filepath.Join(m.spec.Tool, "BenchKit_head.sh"), filepath.Join(m.spec.Input, models.ModelFile)} {
		text, err := os.ReadFile(path)
		if err != nil {
			return vm.Outcome{}, err
		}
		said += string(text)
	}
	m.d.said = append(m.d.said, said)
	if m.d.during != nil {
		m.d.during(m.spec)
	}
	return vm.Outcome{Termination: vm.Exited, Started: time.Now()}, nil
}

// TestEditsOfSourcesChangeNoRun edits a tool, a model and an archive in place,
// replaces them and removes them, between the runs of one worker.
func TestEditsOfSourcesChangeNoRun(t *testing.T) {
	from := sources(t)
	c, err := drafted(t, filepath.Join(t.TempDir(), "c"), from)
	must(t, err)
	d := &reading{before: func(n int) {
		switch n {
		case 1:
			writeMode(t, filepath.Join(from, "tools/ant/BenchKit_head.sh"), "#!/bin/sh\nevil\n", 0o755)
			writeMode(t, filepath.Join(from, "models/Ring-PT-2/model.pnml"), "<evil/>", 0o644)
			writeMode(t, filepath.Join(from, "models/Tree-PT-1.tgz"), "evil", 0o644)
		case 3:
			must(t, os.Rename(filepath.Join(from, "tools"), filepath.Join(from, "old")))
			must(t, os.Symlink("/nowhere", filepath.Join(from, "tools")))
		case 4:
			must(t, os.RemoveAll(filepath.Join(from, "models")))
		}
	}}
	s, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0)})
	if err != nil || s.Done != 6 {
		t.Fatalf("%+v, %v", s, err)
	}
	for i, said := range d.said {
		if want := []string{"#!/bin/sh\n<pnml/>", "#!/bin/sh\n<pnml />"}[i/4]; said != want {
			t.Errorf("run %d has read %q, not %q", i+1, said, want)
		}
	}
}

// TestEditsOfCopiesStopTheWorker edits what runs are made from, which nobody may:
// before a worker starts, and during a run that reads it.
func TestEditsOfCopiesStopTheWorker(t *testing.T) {
	replaced := func(path string) {
		writeMode(t, path+".new", "#!/bin/false\n", 0o755)
		must(t, os.Rename(path+".new", path))
	}
	edited := func(path string) { writeMode(t, path, "#!/bin/false\n", 0o755) }
	for _, edit := range []func(string){edited, replaced} {
		for _, tool := range []bool{true, false} {
			c, err := drafted(t, filepath.Join(t.TempDir(), "c"), sources(t))
			must(t, err)
			path := filepath.Join(c.Path(c.Plan.Instances[0].Path), models.ModelFile)
			if tool {
				path = filepath.Join(c.Path(c.Plan.Tools[0].Dir), "BenchKit_head.sh")
			}
			d := &reading{}
			d.during = func(s vm.Spec) {
				if dir := filepath.Dir(path); s.Tool == dir || s.Input == dir {
					edit(path)
					d.during = nil
				}
			}
			for range 2 { // the second worker finds it at its start
				var changed *ChangedError
				if s, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0)}); !errors.As(err, &changed) {
					t.Errorf("%s was changed: %+v, %v", path, s, err)
				}
			}
			log, err := c.Read(t.Context())
			must(t, err)
			for run := range log.Finished {
				if tool && run.Tool == "ant" || !tool && run.Instance == "Ring-PT-1" {
					t.Errorf("%s counts, and has read what was changed", run)
				}
			}
		}
	}
}

// TestTouchedCopiesAreReadAgain: what was touched and is the same still counts,
// after it was read again.
func TestTouchedCopiesAreReadAgain(t *testing.T) {
	c, err := drafted(t, filepath.Join(t.TempDir(), "c"), sources(t))
	must(t, err)
	d := &reading{before: func(n int) {
		if n == 2 {
			must(t, os.Chtimes(filepath.Join(c.Path(c.Plan.Tools[0].Dir), "tool.yaml"), time.Time{}, time.Unix(1, 0)))
			must(t, os.Chtimes(filepath.Join(c.Path(c.Plan.Tools[1].Dir), "tool.yaml"), time.Time{}, time.Unix(1, 0)))
		}
	}}
	s, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0)})
	if err != nil || s.Done != 6 || s.Void != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestInputsAreCopiedOnce: neither workers nor a second planning make copies.
func TestInputsAreCopiedOnce(t *testing.T) {
	from, dir := sources(t), filepath.Join(t.TempDir(), "c")
	c, err := drafted(t, dir, from)
	must(t, err)
	before, err := seenIn(c.Path(inputsDir))
	must(t, err)
	_, err = c.Work(t.Context(), Options{Driver: &reading{}, Cores: cores(0)})
	must(t, err)
	if _, err := drafted(t, dir, from); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second plan in one directory: %v", err)
	}
	after, err := seenIn(c.Path(inputsDir))
	must(t, err)
	if len(before) == 0 || len(before) != len(after) {
		t.Fatalf("%d files, then %d", len(before), len(after))
	}
	for i, f := range before {
		if after[i] != f {
			t.Errorf("%s was made again", f.name)
		}
	}
	if _, err := os.Lstat(c.Path("instances")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an archive was unpacked a second time: %v", err)
	}
}

// TestCampaignsWithoutCopies: the last version planned them, and named sources,
// archives among them. They are run, and an edit of a source stops them.
func TestCampaignsWithoutCopies(t *testing.T) {
	from := sources(t)
	c, err := Create(filepath.Join(t.TempDir(), "c"), planned(t, from))
	must(t, err)
	d := &reading{}
	d.during = func(s vm.Spec) {
		if strings.Contains(s.Input, "Tree-PT-1") && s.Tool == filepath.Join(from, "tools", "bee") {
			writeMode(t, filepath.Join(from, "tools/bee/BenchKit_head.sh"), "#!/bin/sh\nevil\n", 0o755)
		}
	}
	s, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0)})
	var changed *ChangedError
	if !errors.As(err, &changed) || s.Done < 4 || s.Done > 5 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestKilledPlanning: what a planning leaves that was killed does not matter, and
// what is not podium's is not removed.
func TestKilledPlanning(t *testing.T) {
	from, dir := sources(t), filepath.Join(t.TempDir(), "c")
	for _, left := range []string{".podium-plan-1/inputs/x", "inputs/0123456789abcdef/ant"} {
		must(t, os.MkdirAll(filepath.Join(dir, left), 0o755))
	}
	writeMode(t, filepath.Join(dir, ".podium-plan-1", ".lock"), "", 0o600)
	writeMode(t, filepath.Join(dir, "inputs", copiesNote), CopiesText, 0o444)
	c, err := drafted(t, dir, from)
	must(t, err)
	for _, gone := range []string{".podium-plan-1", "inputs/0123456789abcdef"} {
		if _, err := os.Lstat(filepath.Join(c.Dir, gone)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", gone, err)
		}
	}
	own := t.TempDir()
	must(t, os.Rename(filepath.Join(from, "models"), filepath.Join(own, "inputs")))
	must(t, os.Mkdir(filepath.Join(from, "models"), 0o755))
	must(t, os.Symlink(filepath.Join(own, "inputs", "Ring-PT-1"), filepath.Join(from, "models", "Ring-PT-1")))
	if _, err := drafted(t, own, from); err == nil || !strings.Contains(err.Error(), "is not podium's") {
		t.Errorf("a person's own directory: %v", err)
	}
	if _, err := os.Stat(filepath.Join(own, "inputs", "Ring-PT-1", models.ModelFile)); err != nil {
		t.Error(err)
	}
}

func TestPlanningRefuses(t *testing.T) {
	for what, c := range map[string]struct {
		spoil func(from string)
		want  string
	}{
		"a model that changed": {func(from string) { writeMode(t, filepath.Join(from, "models/Ring-PT-1/iscolored"), "TRUE\n", 0o644) }, "instance Ring-PT-1 has changed"},
		"a tool that changed":  {func(from string) { writeMode(t, filepath.Join(from, "tools/bee/bin/shared"), "other", 0o755) }, "tool bee has changed"},
		"a tool with a link out": {func(from string) {
			must(t, os.Symlink("/etc/passwd", filepath.Join(from, "tools/bee/bin/out")))
		}, "leads to /etc/passwd, out of the tool"},
	} {
		from, dir := sources(t), filepath.Join(t.TempDir(), "c")
		d, err := NewDraft(t.Context(), dir)
		must(t, err)
		p := planned(t, from)
		c.spoil(from)
		_, err = d.Create(t.Context(), p)
		must(t, d.Close())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", what, err)
		}
		if left, err := filepath.Glob(filepath.Join(dir, "[^.]*")); err != nil || len(left) > 0 {
			t.Errorf("%s leaves %q, %v", what, left, err)
		}
	}
	from := sources(t)
	_, err := drafted(t, filepath.Join(from, "tools", "bee", "out"), from)
	var list diagnostic.List
	if !errors.As(err, &list) || list[0].Code != "campaign-inside-tool" {
		t.Errorf("a campaign inside of a tool: %v", err)
	}
}

func TestPlanningIsInterrupted(t *testing.T) {
	from, dir := sources(t), filepath.Join(t.TempDir(), "c")
	d, err := NewDraft(t.Context(), dir)
	must(t, err)
	p := planned(t, from)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	c := &copier{root: t.TempDir(), made: map[fileKind][]string{}}
	archive, err := p.Instances[2].open(p.Instances[2].Path)
	must(t, err)
	if err := c.instance(ctx, archive, filepath.Join(c.root, "x")); !errors.Is(err, context.Canceled) {
		t.Errorf("an archive was unpacked: %v", err)
	}
	if _, err := d.Create(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("a campaign was planned: %v", err)
	}
	must(t, d.Close())
	if left, err := filepath.Glob(filepath.Join(dir, "[^.]*")); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
	other, err := NewDraft(t.Context(), dir)
	must(t, err)
	if _, err := NewDraft(ctx, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("two plan in one directory: %v", err)
	}
	must(t, other.Close())
}

// BenchmarkUnchanged is what a run pays for the look at its inputs.
func BenchmarkUnchanged(b *testing.B) {
	for _, n := range []int{20, 1000} {
		b.Run(fmt.Sprintf("%d-files", n), func(b *testing.B) {
			dir := b.TempDir()
			for i := range n {
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o644); err != nil {
					b.Fatal(err)
				}
			}
			files, err := seenIn(dir)
			if err != nil {
				b.Fatal(err)
			}
			in, c := newInputs(nil), checked{"tool x", dir, files}
			for b.Loop() {
				if err := in.unchanged(input{tool: c, instance: checked{"instance y", dir, files}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
