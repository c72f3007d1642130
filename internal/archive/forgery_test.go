package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/campaign"
	"podium/internal/decisions"
	"podium/internal/judged"
	"podium/internal/tools"
	"podium/models"
	"podium/pnml"
	"podium/pnml/diagnostic"
	"podium/vm"
	"podium/vm/topology"
)

// machines is a driver whose tools answer what this function prints.
type machines struct{}

func (machines) Probe(context.Context) (vm.Capabilities, error) {
	return vm.Capabilities{Driver: "fake"}, nil
}
func (machines) Close() error                                      { return nil }
func (machines) Boot(context.Context, vm.Spec) (vm.Machine, error) { return machine{}, nil }

type machine struct{}

func (machine) Close() error { return nil }
func (machine) Exec(_ context.Context, job vm.Job) (vm.Outcome, error) {
	if slices.Contains(job.Env, "BK_EXAMINATION=StateSpace") {
		fmt.Fprintf(job.Stdout, "noise\nSTATE_SPACE STATES 3 TECHNIQUES EXPLICIT\nSTATE_SPACE TRANSITIONS 34 TECHNIQUES EXPLICIT\n")
	} else {
		fmt.Fprintf(job.Stdout, "FORMULA OneSafe TRUE TECHNIQUES EXPLICIT SAT_SMT\n")
		fmt.Fprintf(job.Stderr, "complaint\n")
	}
	return vm.Outcome{Termination: vm.Exited, Started: time.Unix(1700000000, 0), CPUTime: vm.Took(5 * time.Millisecond), WallTime: vm.Took(time.Second), MemoryPeak: 1 << 20, Measured: "cgroup2"}, nil
}

func must[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// runContest plans and runs a campaign of two tools, one of which has links, and two
// instances, with a certificate, a decision and the hosts of a cluster.
func runContest(t testing.TB) *campaign.Campaign {
	t.Helper()
	base, dir := t.TempDir(), filepath.Join(t.TempDir(), "c")
	ed, text, err := judged.LoadEdition("mcc2020")
	if err != nil {
		t.Fatal(err)
	}
	p := &campaign.Plan{Name: "small", Edition: ed.ID, EditionDigest: ed.Digest, Seed: 3, Examinations: []examinations.ID{examinations.StateSpace, examinations.OneSafe}}
	p.Sequential = campaign.Confinement{Cores: 1, Memory: 1 << 30, CPUTime: 1e6}
	p.Concurrent = p.Sequential
	for _, name := range []string{"ant", "bee"} {
		home := filepath.Join(base, name)
		put(t, filepath.Join(home, "tool.yaml"), "format: podium-tool/1\nname: "+name+"\nauthors: Ada\nhome: https://example.org/\n", 0o644)
		put(t, filepath.Join(home, "BenchKit_head.sh"), "#!/bin/sh\n"+name+"\n", 0o755)
		put(t, filepath.Join(home, "lib", "data"), name+"data", 0o644)
		if name == "ant" {
			if err := errors.Join(os.Symlink("lib/data", filepath.Join(home, "link")), os.Symlink("nothing", filepath.Join(home, "loop")), os.Mkdir(filepath.Join(home, "empty"), 0o755)); err != nil {
				t.Fatal(err)
			}
		}
		tool := must(tools.Open(home))(t)
		p.Tools = append(p.Tools, campaign.PlannedTool{Name: name, Family: name, Head: tool.Head, Dir: home, Digest: must(tool.Digest(t.Context()))(t)})
	}
	for _, name := range []string{"Ring-PT-1", "Tree-PT-1"} {
		id := must(models.ParseID(name))(t)
		var b pnml.Builder
		b.ID = name
		place, step := b.Place("p", 1), b.Transition("t")
		b.In(place, step, 1)
		if err := models.WriteInstance(filepath.Join(base, "models"), id, must(b.Build())(t), models.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		found := must(models.Open(filepath.Join(base, "models", name)))(t).Instances[0]
		p.Instances = append(p.Instances, campaign.PlannedInstance{ID: name, Family: id.Family, Class: "known", Path: found.Path, Digest: must(found.Digest())(t)})
	}
	d := must(campaign.NewDraft(t.Context(), dir))(t)
	put(t, filepath.Join(dir, judged.EditionFile), string(text), 0o644)
	c := must(d.Create(t.Context(), p))(t)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Work(t.Context(), campaign.Options{Driver: machines{}, Cores: topology.Plain(0).Pool(topology.Wish{}, nil), Version: "1", Lease: time.Hour}); err != nil {
		t.Fatal(err)
	}
	record, _, err := (&decisions.Record{}).Next(decisions.Decision{Kind: decisions.OutOfCompetition, Tool: "bee", Author: "Ada", Reason: "it is ours", At: time.Unix(1700000000, 0).UTC()})
	if err == nil {
		err = record.Write(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	var head bytes.Buffer
	if err := oracle.WriteCertificateHead(&head); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "certified", oracle.CertificateFile), head.String(), 0o644)
	put(t, filepath.Join(dir, "certified", "Ring-PT-1-OneSafe.out"), "FORMULA OneSafe TRUE\n", 0o644)
	put(t, filepath.Join(dir, "cluster.yaml"), "hosts: [a]\n", 0o644)
	put(t, filepath.Join(dir, "journal", ".import-1"), "litter", 0o644)
	put(t, filepath.Join(dir, "published", "index.html"), "<html>", 0o644)
	return c
}

func put(t testing.TB, file, text string, mode fs.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), mode), os.Chmod(file, mode)); err != nil {
		t.Fatal(err)
	}
}

// forgery is an archive that somebody changes and makes consistent again.
type forgery struct {
	files map[string]entry
	facts facts
	raw   func(text []byte) []byte // changes archive.json at the end; nil for none
}

// forge collects what podium archive would write of a campaign.
func forge(t testing.TB, c *campaign.Campaign, o Options) *forgery {
	t.Helper()
	j := must(judged.Judge(t.Context(), c, judged.Options{}))(t)
	l := must(layoutOf(c, campaignDir+"/"))(t)
	list, f, err := collect(t.Context(), t.TempDir(), j, l, o)
	if err != nil {
		t.Fatal(err)
	}
	g := &forgery{files: map[string]entry{}, facts: f}
	for _, e := range list.files {
		if e.from != "" {
			e.text, e.from = must(os.ReadFile(e.from))(t), ""
		}
		g.files[e.path] = e
	}
	return g
}

func (g *forgery) clone() *forgery {
	c := *g
	c.files, c.facts.Links, c.facts.Empty = maps.Clone(g.files), maps.Clone(g.facts.Links), slices.Clone(g.facts.Empty)
	return &c
}

func (g *forgery) put(name, text string) {
	g.files[name] = entry{path: name, text: []byte(text), mode: plainMode}
}

func (g *forgery) move(from, to string) {
	e := g.files[from]
	delete(g.files, from)
	e.path = to
	g.files[to] = e
}

// describe makes what the crate says of files true again.
func (g *forgery) describe(t testing.TB) {
	var crate struct {
		Context string           `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	e, ok := g.files[crateFile]
	if !ok || json.Unmarshal(e.text, &crate) != nil {
		return
	}
	for _, n := range crate.Graph {
		if f, ok := g.files[fmt.Sprint(n["@id"])]; ok && n["@type"] == "File" {
			n["sha256"], n["contentSize"] = fmt.Sprintf("%x", sha256.Sum256(f.text)), fmt.Sprint(len(f.text))
		}
	}
	e.text = must(asJSON(node{"@context": crate.Context, "@graph": crate.Graph}))(t)
	g.files[crateFile] = e
}

// archive writes the archive, with all digests right.
func (g *forgery) archive(t testing.TB) []byte {
	t.Helper()
	list := &contents{links: g.facts.Links, empty: g.facts.Empty}
	slices.Sort(list.empty)
	for _, e := range g.files {
		if e.path != factsFile && e.path != crateFile {
			e.sum, e.size = "", int64(len(e.text))
			list.files = append(list.files, e)
		}
	}
	g.facts.Modes = list.modes()
	if old, ok := g.files[factsFile]; ok {
		old.text = must(asJSON(g.facts))(t)
		if g.raw != nil {
			old.text = g.raw(old.text)
		}
		g.files[factsFile] = old
	}
	g.describe(t)
	for _, name := range []string{factsFile, crateFile} {
		if e, ok := g.files[name]; ok {
			e.sum, e.size = "", int64(len(e.text))
			list.files = append(list.files, e)
		}
	}
	list.sort()
	var out bytes.Buffer
	if err := errors.Join(list.digest(t.Context()), write(t.Context(), &out, list, g.facts, list.sums())); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// verdict is all that verify says of an archive: an error, deviations, what was not checked.
func verdict(t testing.TB, archive []byte) (refused bool, says string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.tar.zst")
	put(t, file, string(archive), 0o644)
	v, err := Verify(t.Context(), file, Check{})
	if err != nil {
		var list diagnostic.List
		if !errors.As(err, &list) {
			t.Errorf("an archive is refused by an error that is no finding: %v", err)
		}
		return true, err.Error()
	}
	return len(v.Deviations) > 0, v.Deviations.Error() + "\n" + strings.Join(v.Unchecked, "\n")
}

// called are the names that a finding about a file may have for it.
func called(name string) []string {
	names := []string{name}
	parts := strings.Split(name, "/")
	switch {
	case strings.HasPrefix(name, campaignDir+"/inputs/") && len(parts) > 3:
		names = append(names, "tool "+parts[3], "instance "+parts[3], parts[2]+"/"+parts[3])
	case strings.HasPrefix(name, campaignDir+"/packs/"):
		names = append(names, campaignDir+"/packs")
	case strings.HasPrefix(name, campaignDir+"/journal/"), strings.HasPrefix(name, campaignDir+"/pins/"):
		names = append(names, "journal_sha256") // of all journals and pins
	case name == campaignDir+"/"+judged.EditionFile:
		names = append(names, "edition")
	case name == campaignDir+"/campaign.json":
		names = append(names, "the plan here", "the plan says")
	case name == campaignDir+"/certified/Ring-PT-1-OneSafe.out":
		names = append(names, "beside the certificate")
	case strings.HasSuffix(name, "certificate.jsonl"):
		names = append(names, "certificate\"", "certified by")
	case strings.HasPrefix(name, campaignDir+"/decisions/"):
		names = append(names, "decisions\"")
	}
	return names
}

// TestForgeries changes an honest archive in every way that comes to mind, with all digests
// made right again: each of them is refused by a message that names it, or is named as not
// checked.
func TestForgeries(t *testing.T) {
	c := runContest(t)
	honest := forge(t, c, Options{About: About{Licence: "CC0", Authors: []string{"Ada"}}})
	refused, usual := verdict(t, honest.clone().archive(t))
	if refused {
		t.Fatal(usual)
	}
	t.Log(usual)
	type variant struct {
		name   string
		called []string
		make   func(g *forgery)
	}
	var all []variant
	add := func(name string, called []string, make func(g *forgery)) {
		all = append(all, variant{name, called, make})
	}
	for _, name := range slices.Sorted(maps.Keys(honest.files)) {
		if os.Getenv("PODIUM_SOAK") == "" && (strings.Contains(name, "Tree-PT-1") || strings.Contains(name, "Ring-PT-1/e") || strings.Contains(name, "Ring-PT-1/i") || strings.Contains(name, "/bee/")) {
			continue // alike
		}
		dir, base := path.Split(name)
		ext := path.Ext(base)
		gone := called(name)
		if strings.HasPrefix(name, "campaign/journal/") {
			gone = append(gone, "campaign/journal") // it was the only one in it
		}
		add("removed "+name, gone, func(g *forgery) { delete(g.files, name) })
		for _, twin := range []string{dir + "zz" + ext, name + "2", dir + "A-" + base} {
			add("doubled "+name+" as "+twin, append(called(twin), called(name)...), func(g *forgery) { g.put(twin, string(g.files[name].text)) })
		}
		change := func(how string, with func(text []byte) []byte) {
			add(how+" "+name, called(name), func(g *forgery) {
				e := g.files[name]
				e.text = with(slices.Clone(e.text))
				g.files[name] = e
			})
		}
		if name != factsFile { // see below
			change("a flipped bit in", func(text []byte) []byte {
				if len(text) > 0 {
					text[len(text)/2] ^= 1
				} else {
					text = []byte{1}
				}
				return text
			})
			change("a blank behind", func(text []byte) []byte { return append(text, ' ') })
			change("a line feed behind", func(text []byte) []byte { return append(text, '\n') })
			change("half of", func(text []byte) []byte {
				if len(text) == 0 {
					return []byte("x")
				}
				return text[:len(text)/2]
			})
			add("a program for "+name, called(name), func(g *forgery) {
				e := g.files[name]
				if e.mode ^= 0o111; e.mode&0o111 == 0 {
					e.mode = 0o644
				}
				g.files[name] = e
			})
		}
		for _, to := range []string{"behind", "../" + "behind"} {
			target := path.Join(dir, to)
			if strings.HasPrefix(target, "..") {
				continue
			}
			add("a link for "+name+" to "+target, called(name), func(g *forgery) {
				g.move(name, target)
				g.facts.Links[name] = must(filepath.Rel(path.Join("/", dir), "/"+target))(t)
			})
		}
		if upper := dir + strings.ToUpper(base); upper != name {
			add("renamed in case "+name, append(called(name), called(upper)...), func(g *forgery) { g.move(name, upper) })
		}
		if dir != "" {
			upper := strings.ToUpper(dir) + base
			add("a directory renamed in case "+name, append(called(name), upper), func(g *forgery) { g.move(name, upper) })
			add("moved up "+name, append(gone, base), func(g *forgery) { g.move(name, base) })
		}
		moved := campaignDir + "/moved/" + base
		add("moved "+name, append(gone, moved), func(g *forgery) { g.move(name, moved) })
	}
	// archive.json, field by field.
	for _, key := range []string{"format", "campaign", "journal_sha256", "edition", "planned_by", "date"} {
		add("archive.json: "+key, []string{factsFile}, func(g *forgery) {
			g.raw = func(text []byte) []byte {
				var value string
				var all map[string]json.RawMessage
				_ = json.Unmarshal(text, &all)
				_ = json.Unmarshal(all[key], &value)
				other := "x" + value
				if key == "date" {
					other = "1999-01-02"
				}
				return bytes.Replace(text, []byte(`"`+key+`": "`+value+`"`), []byte(`"`+key+`": "`+other+`"`), 1)
			}
		})
	}
	for name, change := range map[string]func(f *facts){
		"campaign": func(f *facts) { f.Campaign += "\nsigned by organisers@example.org" }, "journal_sha256": func(f *facts) { f.Journal = strings.Repeat("0", 64) },
		"edition": func(f *facts) { f.Edition = "mcc2019" }, "planned_by": func(f *facts) { f.Version = "\x1b[31m" }, "date": func(f *facts) { f.Date = "2001-02-03" },
		"planned": func(f *facts) { f.Runs.Planned++ }, "done": func(f *facts) { f.Runs.Done-- }, "void": func(f *facts) { f.Runs.Void++ },
		"left_out": func(f *facts) { f.LeftOut = []string{partTools} }, "left_out instances": func(f *facts) { f.LeftOut = []string{partInstances} },
		"left_out both": func(f *facts) { f.LeftOut = []string{partTools, partInstances} }, "left_out line": func(f *facts) { f.LeftOut = []string{"tools\nsigned by x"} },
	} {
		add("archive.json made right: "+name, []string{factsFile, "left_out"}, func(g *forgery) { change(&g.facts) })
	}
	link := slices.Sorted(maps.Keys(honest.facts.Links))[0]
	ant, bee := path.Dir(link), ""
	for name := range honest.files {
		if strings.HasSuffix(name, "/bee/tool.yaml") {
			bee = path.Dir(name)
		}
	}
	add("a link that leads elsewhere", []string{link, "tool ant"}, func(g *forgery) { g.facts.Links[link] = "tool.yaml" })
	add("a link that leads out of the tool", []string{link}, func(g *forgery) { g.facts.Links[link] = "../../" + path.Base(path.Dir(bee)) + "/bee/tool.yaml" })
	add("a link that is gone", []string{"tool ant"}, func(g *forgery) { delete(g.facts.Links, link) })
	add("a link more", []string{"tool bee"}, func(g *forgery) { g.facts.Links[bee+"/more"] = "tool.yaml" })
	add("an empty directory more", []string{"empty directories of tools"}, func(g *forgery) { g.facts.Empty = append(g.facts.Empty, bee+"/more") })
	add("an empty directory less", []string{"empty directories of tools"}, func(g *forgery) { g.facts.Empty = nil })
	// The ways of an attacker.
	exchanged := func(g *forgery) {
		e := g.files[bee+"/BenchKit_head.sh"]
		e.text = []byte("#!/bin/sh\nrm -rf /\n")
		g.files[bee+"/BenchKit_head.sh"] = e
	}
	add("tools exchanged", []string{"tool bee"}, exchanged)
	add("tools exchanged that are said to be left out", []string{"tool bee"}, func(g *forgery) { exchanged(g); g.facts.LeftOut = []string{partTools} })
	add("one tool left out", []string{"/ant", "tool ant"}, func(g *forgery) {
		g.facts.LeftOut = []string{partTools}
		for name := range g.files {
			if strings.HasPrefix(name, ant+"/") {
				delete(g.files, name)
			}
		}
		g.facts.Links, g.facts.Empty = map[string]string{}, nil
	})
	scores := resultsDir + "/csv/scores.csv"
	for _, behind := range []string{"results-again/csv/scores.csv", "results/csv/behind.csv", "campaign/published/csv/scores.csv"} {
		add("a forged table behind a link to "+behind, []string{scores, behind}, func(g *forgery) {
			g.put(behind, strings.ReplaceAll(string(g.files[scores].text), "1", "9"))
			g.put("results-again/provenance.json", "{}")
			delete(g.files, scores)
			g.facts.Links[scores] = must(filepath.Rel(path.Dir(scores), behind))(t)
		})
	}
	add("no tables", []string{"results/csv"}, func(g *forgery) {
		for name := range g.files {
			if strings.HasPrefix(name, resultsDir+"/") {
				delete(g.files, name)
			}
		}
	})
	for _, name := range []string{"results/scores.csv", "results/csv/scores.CSV", "results/csv/x/scores.csv", "campaign/published/index.html", "campaign/published/csv/scores.csv", "scores.csv", "SHA256SUMS.sig", "archive.json.sig",
		"campaign/campaign.json.bak", "campaign/claims/Ring@1", "campaign/journal/x.json", "campaign/journal/.x.jsonl", "campaign/pins/x", "campaign/decisions/01.json", "campaign/decisions/x.json", "campaign/inputs/0/x",
		"campaign/inputs/README", "campaign/cluster/x", "campaign/validation/x", "campaign/packs/x", "campaign/models/x", ".hidden"} {
		add("added "+name, []string{name}, func(g *forgery) { g.put(name, "added") })
	}
	n := map[bool]int{}
	for _, v := range all {
		g := honest.clone()
		v.make(g)
		refused, says := verdict(t, g.archive(t))
		n[refused]++
		if !slices.ContainsFunc(v.called, func(name string) bool { return strings.Contains(says, name) }) {
			t.Errorf("%s: refused %t, and nothing names it: %q", v.name, refused, says)
		}
		if strings.Contains(says, "\x1b") || strings.Contains("\n"+says, "\nsigned by") {
			t.Errorf("%s: a text of the archive is printed as it is: %q", v.name, says)
		}
	}
	t.Logf("%d forgeries: %d refused, %d named as not checked", len(all), n[true], n[false])
}

// resum sets the check sum of a record of a journal.
func resum(body string) string {
	return fmt.Sprintf("%08x %s", crc32.ChecksumIEEE([]byte(body)), body)
}

// TestForgedAnswers changes each answer in the journal, and the participation, with new check sums,
// and computes all tables of the forged contest: the outputs say something else.
func TestForgedAnswers(t *testing.T) {
	c := runContest(t)
	journal := must(filepath.Glob(filepath.Join(c.Dir, "journal", "*.jsonl")))(t)[0]
	text := string(must(os.ReadFile(journal))(t))
	lines := strings.SplitAfter(text, "\n")
	n := 0
	for i, line := range lines {
		_, body, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		for _, change := range []struct{ old, new, says string }{
			{"TRANSITIONS 34 ", "TRANSITIONS 33 ", "TRANSITIONS 33 -> 34"}, {"STATES 3 ", "STATES 4 ", "STATES 4 -> 3"},
			{"OneSafe TRUE ", "OneSafe FALSE ", "OneSafe FALSE -> TRUE"}, {"EXPLICIT SAT_SMT", "EXPLICIT", "techniques EXPLICIT -> EXPLICIT SAT_SMT"},
			{"TRANSITIONS 34 ", "ARCS 34 ", "TRANSITIONS none -> 34"}, {`"participation":"answered"`, `"participation":"cannot-compute"`, "->"},
			{`"participation":"answered"`, `"participation":"answered","findings":9,"misread":9`, ""},
		} {
			if !strings.Contains(body, `"finished"`) || !strings.Contains(body, change.old) || change.says == "" {
				continue
			}
			n++
			changed := slices.Clone(lines)
			changed[i] = resum(strings.Replace(body, change.old, change.new, 1)) + "\n"
			put(t, journal, strings.Join(changed, ""), 0o644)
			refused, says := verdict(t, forge(t, c, Options{}).archive(t))
			if !refused || !strings.Contains(says, change.says) || !strings.Contains(says, "-PT-1 ") {
				t.Errorf("%s for %s in record %d: refused %t: %s", change.new, change.old, i+1, refused, says)
			}
			if w, err := Write(t.Context(), "", must(judged.Judge(t.Context(), c, judged.Options{}))(t), Options{}); err != nil || len(w.Deviations) == 0 {
				t.Errorf("podium archive notices nothing: %v", err)
			}
		}
	}
	put(t, journal, text, 0o644)
	t.Logf("%d forged journals", n)
	if n < 20 {
		t.Errorf("only %d forged journals: has the form of records changed?", n)
	}
}

// TestOutputsOfOthers: a run whose record names the output of another run is found, and so
// are bytes of packs that nobody names.
func TestOutputsOfOthers(t *testing.T) {
	c := runContest(t)
	journal := must(filepath.Glob(filepath.Join(c.Dir, "journal", "*.jsonl")))(t)[0]
	lines := strings.SplitAfter(string(must(os.ReadFile(journal))(t)), "\n")
	stdout := map[string]string{} // by tool, of Ring-PT-1 StateSpace
	for _, line := range lines {
		var r campaign.Record
		_, body, _ := strings.Cut(line, " ")
		if json.Unmarshal([]byte(body), &r) == nil && r.Finished != nil && r.Finished.Run.Instance == "Ring-PT-1" && r.Finished.Run.Exam == examinations.StateSpace {
			stdout[r.Finished.Run.Tool] = string(must(json.Marshal(r.Finished.Stdout))(t))
		}
	}
	for i, line := range lines {
		_, body, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if strings.Contains(body, stdout["bee"]) {
			lines[i] = resum(strings.Replace(body, stdout["bee"], stdout["ant"], 1)) + "\n"
		}
	}
	put(t, journal, strings.Join(lines, ""), 0o644)
	refused, says := verdict(t, forge(t, c, Options{}).archive(t))
	if !refused || !strings.Contains(says, "is also one of") || !strings.Contains(says, "Ring-PT-1 StateSpace") || !strings.Contains(says, ".zst") {
		t.Errorf("refused %t: %s", refused, says)
	}
}

// endless gives zeros.
type endless struct{}

func (endless) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// bomb is an archive of one file of zeros behind a list of digests, or of an endless list.
func bomb(t testing.TB, size int64, name string) []byte {
	t.Helper()
	var out bytes.Buffer
	all := sha256.New()
	w := must(newFrames(io.MultiWriter(&out, all)))(t)
	head := func(name string, size int64) *tar.Header {
		return &tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: size, ModTime: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Format: tar.FormatPAX}
	}
	facts := must(asJSON(facts{Format: Format, Date: "2026-01-02"}))(t)
	sums := fmt.Sprintf("%x  %s\n%064x  %s\n", sha256.Sum256(facts), factsFile, 0, campaignDir+"/big")
	var err error
	if name == sumsFile {
		err = w.add(head(sumsFile, size), io.LimitReader(endless{}, size))
	} else {
		err = errors.Join(w.add(head(sumsFile, int64(len(sums))), strings.NewReader(sums)), w.add(head(factsFile, int64(len(facts))), bytes.NewReader(facts)),
			w.add(head(campaignDir+"/big", size), io.LimitReader(endless{}, size)))
	}
	if err := errors.Join(err, w.end()); err != nil {
		t.Fatal(err)
	}
	out.Write(trailer(all.Sum(nil)))
	return out.Bytes()
}

// TestBombs: what unpacks to far more than it is ends at its budget, and leaves nothing.
func TestBombs(t *testing.T) {
	for _, c := range []struct{ name, want string }{{campaignDir + "/big", "campaign/big: the archive unpacks to more than 67.1 MB"}, {sumsFile, "SHA256SUMS: it has 1073741824 bytes, and at most"}} {
		dir := t.TempDir()
		file, into := filepath.Join(dir, "a.tar.zst"), filepath.Join(dir, "into")
		put(t, file, string(bomb(t, 1<<30, c.name)), 0o644)
		_, err := Verify(t.Context(), file, Check{Into: into})
		var list diagnostic.List
		if !errors.As(err, &list) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if left := must(os.ReadDir(dir))(t); len(left) != 1 {
			t.Errorf("%s: %v are left", c.name, left)
		}
	}
	// A list of very many files is bounded by their number, a file of archive.json by the limit of its size.
	many := strings.Builder{}
	for i := range maxEntries + 1 {
		fmt.Fprintf(&many, "%064x  %07d\n", 0, i)
	}
	if _, err := parseSums(many.String()); err == nil || !strings.Contains(err.Error(), "it names more than") {
		t.Error(err)
	}
	if Budget(1) != granted || Budget(1<<40) != ratio<<40 || Budget(math.MaxInt64) <= 0 {
		t.Error("the budget is not 100 times the size, and at least 64 MiB")
	}
}

// TestSignerNames: names are found among patterns, each once.
func TestSignerNames(t *testing.T) {
	for found, want := range map[string]string{
		"a@x\n": "a@x", "a@x\nb@x\n": "a@x b@x", "a@x,b@x\na@x\n": "a@x b@x", "!me@x,*@x\n": "", "*@x,me@x\n": "me@x", "\"a b,c\"\n": "a b c", "": "", "-O\n": "", "a?\nb\x1b\nc\n": "c",
	} {
		if got := strings.Join(signerNames(found), " "); got != want {
			t.Errorf("%q: %q, not %q", found, got, want)
		}
	}
}

// FuzzFacts: any text is refused as archive.json, or written again it is the same.
func FuzzFacts(f *testing.F) {
	text := must(asJSON(facts{Format: Format, Date: "2026-01-02", Campaign: "x", LeftOut: []string{partTools}, Modes: map[string]string{"campaign/a": "755"}, Links: map[string]string{"campaign/b": "a"}, Empty: []string{"campaign/c"}}))(f)
	f.Add(text)
	f.Add(bytes.Replace(text, []byte(`"campaign"`), []byte(`"Campaign"`), 1))
	f.Add([]byte(`{"format": "podium-archive/1", "date": "2026-01-02"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		read, err := readFacts(text, map[string]string{"campaign/a": "x"})
		if err != nil {
			return
		}
		if again := must(asJSON(read))(t); !bytes.Equal(again, text) {
			t.Errorf("%q is written again as %q", text, again)
		}
	})
}

// FuzzSums: any text is refused as SHA256SUMS, or written again it is the same.
func FuzzSums(f *testing.F) {
	sum := strings.Repeat("ab", 32)
	f.Add(sum + "  a\n" + sum + "  b c\n")
	f.Add(sum + "  a/../b\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parseSums(text)
		if err != nil {
			return
		}
		var again strings.Builder
		for _, e := range list {
			fmt.Fprintf(&again, "%s  %s\n", e.sum, e.path)
		}
		if again.String() != text {
			t.Errorf("%q is written again as %q", text, again.String())
		}
	})
}

// FuzzSaid: any description and any table are read without a failure of Podium.
func FuzzSaid(f *testing.F) {
	f.Add(`{"@graph": [{"@id": "./", "license": {"@id": "#licence"}}, {"@id": "#licence", "name": "x"}, {"@id": "#author-1", "name": "Ada"}, {"@id": "#tool-a", "author": "b", "url": "c"}]}`, "a@x,b\n", "tool,points\nx,1\n")
	f.Fuzz(func(t *testing.T, crate, found, table string) {
		var said struct {
			Graph []crateSays `json:"@graph"`
		}
		if json.Unmarshal([]byte(crate), &said) == nil {
			saysAbout(said.Graph)
		}
		for _, name := range signerNames(found) {
			if !IsName(name) {
				t.Errorf("%q is no name", name)
			}
		}
		dir := t.TempDir()
		a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		put(t, a, table, 0o644)
		put(t, b, "tool,points\nx,1\n", 0o644)
		if d, err := differing(a, b); err == nil && d.line == 0 && len(d.lacks) == 0 && table != "tool,points\nx,1\n" {
			t.Errorf("%q is taken for another table", table)
		}
	})
}
