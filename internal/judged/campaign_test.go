package judged

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/decisions"
	"podium/internal/files"
	"podium/internal/results"
	"podium/internal/witness"
	"podium/models"
	"podium/pnml"
	"podium/scoring"
	"podium/vm"
)

const (
	ring, hidden = "Ring-PT-1", "Secret-PT-1"
	oneSafe      = examinations.OneSafe
	deadlock     = examinations.ReachabilityDeadlock
	netRules     = "mcc2016-13"
	thrice       = 3 // times that each run is planned, where runs are repeated
)

// played writes a campaign of four tools: three agree that the nets are safe, liar says that they are
// not. Slow runs into its limit on the deadlocks, and has no end on the second net. Change may
// change the plan before it is written.
func played(t *testing.T, change func(*campaign.Plan)) *campaign.Campaign {
	t.Helper()
	p := &campaign.Plan{Name: "trial", Examinations: []examinations.ID{oneSafe, deadlock}, Embargo: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC),
		Sequential: campaign.Confinement{Cores: 1, Memory: 16e9, CPUTime: 3600e6}, Concurrent: campaign.Confinement{Cores: 4, Memory: 16e9, CPUTime: 3600e6}, Families: map[string][]string{}}
	for _, tool := range []string{"alpha", "beta", "liar", "slow"} {
		family := tool
		if tool == "beta" {
			family = "alpha"
		}
		p.Tools = append(p.Tools, campaign.PlannedTool{Name: tool, Dir: "inputs/" + tool, Family: family, Version: "2", Concurrent: tool == "beta"})
		p.Families[family] = append(p.Families[family], tool)
	}
	for id, class := range map[string]string{ring: "known", hidden: "surprise"} {
		family, _, _ := strings.Cut(id, "-")
		p.Instances = append(p.Instances, campaign.PlannedInstance{ID: id, Path: "inputs/" + id, Family: family, Class: class, Digest: strings.Repeat("ab", 32)})
	}
	if change != nil {
		change(p)
	}
	var ends []campaign.Finished
	for _, i := range p.Instances {
		for _, exam := range p.Examinations {
			for _, tool := range p.Tools {
				for n := range max(1, p.Repeat) {
					run := campaign.Run{Tool: tool.Name, Instance: i.ID, Exam: exam}
					if n > 0 {
						run.Repetition = n + 1
					}
					if f, ok := ended(run); ok {
						ends = append(ends, f)
					}
				}
			}
		}
	}
	return created(t, filepath.Join(t.TempDir(), "c"), netRules, p, ends)
}

// created writes a campaign by the rules of an edition into a directory, with ends of its runs.
func created(t *testing.T, dir, rules string, p *campaign.Plan, ends []campaign.Finished) *campaign.Campaign {
	t.Helper()
	ed, text, err := LoadEdition(rules)
	if err != nil {
		t.Fatal(err)
	}
	p.Edition, p.EditionDigest, p.Seed = ed.ID, ed.Digest, 1
	c, err := campaign.Create(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, EditionFile), text, 0o644); err != nil {
		t.Fatal(err)
	}
	err = c.Import("w", func(add func(campaign.Finished) error) error {
		for _, f := range ends {
			if err := add(f); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ended is the end of a run, where it has one.
func ended(run campaign.Run) (campaign.Finished, bool) {
	f := campaign.Finished{Run: run, Attempt: 1, Worker: "w", Participation: output.Answered, Stdout: campaign.PackRef{Pack: "w.zst", Length: 9, Size: 20, SHA256: strings.Repeat("0", 64)},
		Outcome: vm.Outcome{Termination: vm.Exited, Started: time.Unix(1_700_000_000, 0).UTC(), CPUTime: 2_000_000, WallTime: 3_000_000, MemoryPeak: 5_000_000, Measured: "cgroup2", Warnings: []string{"It was warm."}}}
	answer := campaign.Answer{Item: string(run.Exam), Text: "TRUE", Techniques: "EXPLICIT TOPOLOGICAL EXPLICIT", Offset: 3, Line: 1, At: 7}
	switch {
	case run.Tool == "slow" && run.Instance == hidden:
		return f, false
	case run.Tool == "slow" && run.Exam == deadlock:
		f.Participation, f.Outcome.Termination, f.Outcome.Unmeasured = output.Silent, vm.OutOfCPU, []vm.Figure{vm.Memory}
		return f, true
	case run.Tool == "liar":
		answer.Text = "FALSE"
		f.Witnesses = []campaign.Witnessed{{Item: answer.Item, State: witness.Refuted, Proved: "TRUE", Detail: "all markings are safe"}}
	case run.Tool == "alpha" && run.Exam == deadlock:
		f.Witnesses = []campaign.Witnessed{{Item: answer.Item, State: witness.Confirmed, Proved: "TRUE", Detail: "a dead marking is reached"}}
	}
	f.Answers = campaign.AnswersOf(answer)
	f.Left = campaign.PackRef{Pack: "w.zst", Length: 9, Size: 20, SHA256: strings.Repeat("0", 64)}
	return f, true
}

func judgeIt(t *testing.T, c *campaign.Campaign, o Options) *Campaign {
	t.Helper()
	j, err := Judge(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// at returns the numbers of a run.
func (c *Contest) at(t *testing.T, tool, instance string, exam examinations.ID) (sheet, number int) {
	t.Helper()
	sheet, number = c.Result.Contest.SheetOf(instance, exam), c.Result.Contest.ToolNamed(tool)
	if sheet < 0 || number < 0 {
		t.Fatalf("there is no run of %s on %s of %s", tool, exam, instance)
	}
	return sheet, number
}

// TestFactsOfACampaign: what the journal says of a run is found by its numbers, with the marks of
// its answers.
func TestFactsOfACampaign(t *testing.T) {
	j := judgeIt(t, played(t, nil), Options{})
	sheet, liar := j.at(t, "liar", ring, oneSafe)
	ran, there := j.Facts.Ran(sheet, liar)
	if !there || ran.Stopped() || !ran.Logged || ran.Attempts != 1 || !ran.Times() || !ran.Memory() || ran.Host() != "" || !slices.Equal(ran.AllWarnings(), []string{"It was warm."}) || ran.Repeated != nil {
		t.Errorf("%+v", ran)
	}
	said := slices.Collect(j.Facts.Said(sheet, liar))
	if len(said) != 1 || said[0].Mark != scoring.Wrong || said[0].Value != examinations.False || said[0].At != 7*time.Microsecond || said[0].Offset != 3 || !said[0].Witnessed() {
		t.Errorf("%+v", said)
	}
	_, alpha := j.at(t, "alpha", ring, oneSafe)
	if said := slices.Collect(j.Facts.Said(sheet, alpha)); len(said) != 1 || said[0].Mark != scoring.Right || said[0].Witnessed() {
		t.Errorf("%+v", said)
	}
	var lost *UnreadableLog
	if _, err := j.Facts.Output(sheet, liar); !errors.As(err, &lost) || lost.Error() == "" || lost.Unwrap() == nil {
		t.Errorf("an output that is not there: %v", err)
	}
	if len(j.Unread()) == 0 {
		t.Error("the pack that is not there is not named")
	}
	if lines, err := j.Facts.Remarks(sheet, liar); lines != nil || err != nil {
		t.Errorf("a run without remarks has %q, %v", lines, err)
	}
	at, slow := j.at(t, "slow", ring, deadlock)
	if ran, there := j.Facts.Ran(at, slow); !there || !ran.Stopped() || ran.Memory() || ran.Participation != output.CannotCompute {
		t.Errorf("%+v", ran)
	}
	if p := j.Result.Contest.Run(at, slow); p.Participation != scoring.OutOfTime || p.Ending != scoring.AtTimeLimit || p.Memory != scoring.Unmeasured {
		t.Errorf("%+v", p)
	}
	at, slow = j.at(t, "slow", hidden, oneSafe)
	if _, there := j.Facts.Ran(at, slow); there {
		t.Error("a run without an end went somehow")
	}
	if n := len(slices.Collect(j.Facts.Said(at, slow))); n != 0 {
		t.Errorf("it said %d values", n)
	}
	if d := j.RowDetails(sheet, liar); d.Cores != 1 || !slices.Equal(d.Techniques, []string{"EXPLICIT", "TOPOLOGICAL"}) {
		t.Errorf("%+v", d)
	}
	if d := j.RowDetails(at, slow); d.Techniques != nil {
		t.Errorf("%+v", d)
	}
	info := j.BenchInfo()("beta")
	if info.Version != "2" || info.Cores != "4" || info.TimeLimit != "3600s" || info.MemLimit != "16000000000B" || !strings.HasPrefix(info.Date, "2023-11-14") {
		t.Errorf("%+v", info)
	}
}

// TestRepeatedRuns: what all times took is summed up, those with other values and at a limit apart.
func TestRepeatedRuns(t *testing.T) {
	j := judgeIt(t, played(t, func(p *campaign.Plan) { p.Repeat = thrice }), Options{})
	sheet, alpha := j.at(t, "alpha", ring, oneSafe)
	if r := j.Repeated(sheet, alpha); r.Ends != thrice || r.Same != thrice || r.CPU.Mean != 2_000_000 || r.Memory.Runs != thrice {
		t.Errorf("%+v", r)
	}
	sheet, slow := j.at(t, "slow", ring, deadlock)
	if r := j.Repeated(sheet, slow); r.Limited != thrice || r.CPU.Runs != 0 {
		t.Errorf("%+v", r)
	}
}

// TestRunsThatNobodyAsksFor: where a manifest takes no part, the tool has declined (T-4).
func TestRunsThatNobodyAsksFor(t *testing.T) {
	j := judgeIt(t, played(t, func(p *campaign.Plan) {
		p.Tools[3].Participation = &campaign.Participation{Examinations: []examinations.ID{deadlock}}
	}), Options{})
	sheet, slow := j.at(t, "slow", hidden, oneSafe)
	if of := j.Result.Contest.Run(sheet, slow); of.Participation != scoring.DoNotCompete {
		t.Errorf("%+v", of)
	}
	if ran, there := j.Facts.Ran(sheet, slow); there {
		t.Errorf("%+v", ran)
	}
}

// TestSizes: a net is as large as it is drawn.
func TestSizes(t *testing.T) {
	const net = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">` +
		`<place id="p"><initialMarking><text>3</text></initialMarking></place><transition id="t"/><arc id="a" source="p" target="t"/></page></net></pnml>`
	doc, found := pnml.Read(strings.NewReader(net), "model.pnml")
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	if size := SizeOf(doc); size.Places != 1 || size.Transitions != 1 || size.Arcs != 1 || size.Tokens != "3" {
		t.Errorf("%+v", size)
	}
}

// TestBriefCampaigns: the same scores, and no answers any more.
func TestBriefCampaigns(t *testing.T) {
	c := played(t, nil)
	whole, brief := judgeIt(t, c, Options{}), judgeIt(t, c, Options{Brief: true})
	if !slices.Equal(whole.Result.Points, brief.Result.Points) {
		t.Error("the points differ")
	}
	sheet, alpha := brief.at(t, "alpha", ring, oneSafe)
	if n := len(slices.Collect(brief.Facts.Said(sheet, alpha))); n != 0 {
		t.Errorf("%d answers are kept", n)
	}
}

// TestEmbargoedCampaigns: what may not be named is in nothing that was judged.
func TestEmbargoedCampaigns(t *testing.T) {
	c := played(t, nil)
	j := judgeIt(t, c, Options{WithoutEmbargoed: true, Now: c.Plan.Embargo.Add(-time.Hour)})
	if len(j.Result.Contest.Instances) != 1 || j.Result.Contest.SheetOf(hidden, oneSafe) >= 0 || j.Proofs == nil || len(j.Proofs.Values) != 1 {
		t.Errorf("%+v, %+v", j.Result.Contest.Instances, j.Proofs)
	}
	if j := judgeIt(t, c, Options{WithoutEmbargoed: true, Now: c.Plan.Embargo}); len(j.Result.Contest.Instances) != 2 {
		t.Error("the embargo is over, and models are hidden")
	}
}

// TestEditionsOfCampaigns: a campaign is judged by its own edition, as it was, or by another that is
// named.
func TestEditionsOfCampaigns(t *testing.T) {
	c := played(t, nil)
	if j := judgeIt(t, c, Options{}); j.OtherEdition() != "" || CheckEdition(c) != nil {
		t.Error(j.OtherEdition())
	}
	if j := judgeIt(t, c, Options{Edition: "mcc2023"}); !strings.Contains(j.OtherEdition(), "judged by the edition mcc2023") {
		t.Error(j.OtherEdition())
	}
	var name *NameError
	for _, edition := range []string{"svcomp2019", "no-such-edition"} {
		if _, err := Judge(t.Context(), c, Options{Edition: edition}); !errors.As(err, &name) {
			t.Errorf("%s: %v", edition, err)
		}
	}
	file := filepath.Join(c.Dir, EditionFile)
	if err := os.WriteFile(file, []byte("format: podium-edition/1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var changed *campaign.ChangedError
	if err := CheckEdition(c); !errors.As(err, &changed) || !strings.Contains(err.Error(), "podium edition show "+netRules) {
		t.Error(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := CheckEdition(c); err == nil || !strings.Contains(err.Error(), "has lost its edition") {
		t.Error(err)
	}
}

// TestConsidering: each decision says what it changes before it is written; one that is written
// counts the next time.
func TestConsidering(t *testing.T) {
	c := played(t, nil)
	j := judgeIt(t, c, Options{})
	by := func(d decisions.Decision) decisions.Decision {
		d.Author, d.At, d.Reason = "Ada", time.Unix(1, 0).UTC(), "It was looked at."
		return d
	}
	var name *NameError
	for want, d := range map[string]decisions.Decision{
		"no tool":                {Kind: decisions.Disqualify, Tool: "nobody"},
		"nothing proves a value": {Kind: decisions.Correct, Instance: ring, Examination: string(oneSafe), Proved: true},
		"takes one instance":     {Kind: decisions.Correct, Instance: "Ring*", Examination: string(deadlock), Proved: true},
		"nothing to do again":    {Kind: decisions.Redo, Only: "tool=slow instance=" + hidden},
	} {
		if _, err := j.Consider(t.Context(), by(d)); !errors.As(err, &name) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, not %q", d, err, want)
		}
	}
	for want, d := range map[string]decisions.Decision{
		"liar: rank":              {Kind: decisions.Correct, Instance: ring, Examination: string(oneSafe), Value: "F"},
		"no rank":                 {Kind: decisions.Correct, Instance: ring, Examination: string(deadlock), Proved: true},
		"alpha Ring-PT-1 OneSafe": {Kind: decisions.Redo, Only: "tool=alpha examination=OneSafe"},
	} {
		considered, err := j.Consider(t.Context(), by(d))
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := considered.WriteEffect(&text, false); err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("%v: %v\n%s", d, err, text.String())
		}
	}
	for _, d := range []decisions.Decision{{Kind: decisions.Redo, Only: "tool=alpha examination=OneSafe"}, {Kind: decisions.Disqualify, Tool: "liar"}, {Kind: decisions.Revoke, Revokes: 1}} {
		considered, err := judgeIt(t, c, Options{}).Consider(t.Context(), by(d))
		if err != nil {
			t.Fatal(err)
		}
		if err := considered.Write(t.Context(), "1"); err != nil {
			t.Fatal(err)
		}
		if c, err = campaign.Open(c.Dir); err != nil {
			t.Fatal(err)
		}
	}
	after := judgeIt(t, c, Options{})
	sheet, liar := after.at(t, "liar", ring, oneSafe)
	if n := len(after.Decided.Decisions); n != 3 || !after.Result.SetAside(sheet, liar) {
		t.Errorf("%d decisions", n)
	}
	sheet, alpha := after.at(t, "alpha", ring, oneSafe)
	if _, there := after.Facts.Ran(sheet, alpha); !there {
		t.Error("a run is to be done again, though the decision was revoked")
	}
}

// TestCertificatesOfCampaigns: what is proved of the instances of a campaign counts, what is proved
// of others of the same name is left aside, and each value says how.
func TestCertificatesOfCampaigns(t *testing.T) {
	c := played(t, nil)
	dir := CertifiedDir(c)
	var said []string
	say := func(text string) { said = append(said, text) }
	if _, err := OpenCertificate(c.Dir, say); err == nil || IsCertificate(dir) {
		t.Errorf("a campaign without a certificate: %v", err)
	}
	var text bytes.Buffer
	err := oracle.WriteCertificateHead(&text)
	for instance, digest := range map[string]string{ring: strings.Repeat("ab", 32), hidden: strings.Repeat("cd", 32)} {
		err = errors.Join(err, oracle.Proof{Instance: instance, Digest: digest, Exam: oneSafe, Asked: 1, Values: []oracle.ProvedValue{{Item: string(oneSafe), Text: "FALSE", By: oracle.ByRun, Run: []string{"t"}, Cycle: []string{"u"}, Length: 2}}}.Write(&text))
	}
	if err = errors.Join(err, os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, oracle.CertificateFile), text.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	if !IsCertificate(dir) || !IsCampaign(c.Dir) || IsCampaign(dir) {
		t.Error("a certificate, or a campaign, is taken for something else")
	}
	if early := judgeIt(t, c, Options{Say: say, WithoutEmbargoed: true, Now: c.Plan.Embargo.Add(-time.Hour)}); len(early.Proofs.Values) != 2 {
		t.Errorf("under embargo there are proofs of %v", early.Proofs.Values) // a run, and a witness
	}
	j := judgeIt(t, c, Options{Say: say})
	if !slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "another instance of that name") }) {
		t.Errorf("%q", said)
	}
	of := func(instance string, exam examinations.ID) examinations.Key {
		id, _ := models.ParseID(instance)
		return examinations.Key{Instance: id, Exam: exam, Item: string(exam)}
	}
	var lines strings.Builder
	j.Proofs.WriteEvidence(&lines, of(ring, oneSafe))
	j.Proofs.WriteEvidence(&lines, of(hidden, oneSafe)) // nothing
	if got := lines.String(); !strings.Contains(got, "  run: t\n  cycle: u\n") || strings.Count(got, "evidence") != 1 {
		t.Errorf("%s", got)
	}
	if how, _, ok := j.Proofs.Evidence(of(ring, deadlock)); !ok || !j.Proofs.ByTool(of(ring, deadlock)) || j.Proofs.ByTools() != 2 || !strings.Contains(how, "the witness of alpha") {
		t.Errorf("%v, %q, %d", ok, how, j.Proofs.ByTools())
	}
	var list strings.Builder
	if err := WriteCertainties(&list, j.Result); err != nil || !strings.Contains(list.String(), "refuted") || !strings.Contains(list.String(), "undecided") {
		t.Errorf("%v\n%s", err, list.String())
	}
	if err := os.WriteFile(filepath.Join(dir, oracle.CertificateFile), append(text.Bytes(), "{"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCertificate(dir, say); err != nil {
		t.Errorf("a last line that is cut off: %v", err)
	}
}

// TestListsOfCampaigns: the texts for a terminal name what they are about.
func TestListsOfCampaigns(t *testing.T) {
	j := judgeIt(t, played(t, func(p *campaign.Plan) { p.Witnesses = true }), Options{})
	for what, one := range map[string]struct {
		write func(io.Writer) error
		want  []string
	}{
		"provisional": {j.WriteProvisional, []string{"2 runs are missing.", "GlobalProperties", "alpha"}},
		"witnesses":   {j.WriteWitnesses, []string{"liar       0          0            4", "refuted: liar " + ring + " OneSafe OneSafe, TRUE is proved: all markings are safe"}},
		"sensitivity": {func(w io.Writer) error { WriteSensitivity(w, j.Result, j.Edition.Twinning()); return nil }, []string{"Without each tool:", "liar"}},
	} {
		var text strings.Builder
		if err := one.write(&text); err != nil {
			t.Fatal(err)
		}
		for _, want := range one.want {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s lacks %q:\n%s", what, want, text.String())
			}
		}
	}
	if p := j.Provisional(); p.Missing != 2 || len(p.Boards) != 1 || len(p.Boards[0].Rows) != 4 {
		t.Errorf("%+v", p)
	}
	if Medal(1) != "gold" || Medal(0) != "" {
		t.Error("the names of places")
	}
}

// TestNamesOfCampaigns: names that are not there are refused with the nearest one.
func TestNamesOfCampaigns(t *testing.T) {
	j := judgeIt(t, played(t, nil), Options{})
	c := j.Result.Contest
	var name *NameError
	_, instance := Sheet(c, "Rnig-PT-1", string(oneSafe))
	_, exam := Sheet(c, ring, "OneSave")
	_, only := j.Only("tool=lair")
	_, team := Teams(j.Campaign, "alhpa")
	for _, err := range []error{instance, exam, only, team, CheckTools(c, []string{"lair"})} {
		if !errors.As(err, &name) || !strings.Contains(err.Error(), "nearest") {
			t.Error(err)
		}
	}
	sheet, err := Sheet(c, ring, string(oneSafe))
	if err != nil || sheet != c.SheetOf(ring, oneSafe) {
		t.Error(sheet, err)
	}
	if r, err := j.Only("tool=alpha"); err != nil || !r.Contest.ToolHasRuns(c.ToolNamed("alpha")) || r.Contest.ToolHasRuns(c.ToolNamed("beta")) {
		t.Error(err)
	}
	if teams, err := Teams(j.Campaign, "beta"); err != nil || len(teams) != 1 || teams[0].Name != "alpha" || !slices.Equal(teams[0].Tools, []string{"alpha", "beta"}) {
		t.Errorf("%+v, %v", teams, err)
	}
}

// TestExportsOfCampaigns: result files of BenchExec are written, read again as the same contest, and
// written again as they were; nothing is written over what is read.
func TestExportsOfCampaigns(t *testing.T) {
	c := played(t, nil)
	j := judgeIt(t, c, Options{})
	dir := filepath.Join(t.TempDir(), "xml")
	if err := WriteBenchExec(dir, j.Edition, j.Result, j, true); err != nil {
		t.Fatal(err)
	}
	paths, err := ResultFiles([]string{dir})
	if err != nil || len(paths) != 4 || !IsBenchExec(paths) || IsBenchExec([]string{dir}) {
		t.Fatal(paths, err)
	}
	again, _, found, err := FromResults(paths, j.Edition, results.Participants{})
	if err != nil || found.Err() != nil {
		t.Fatal(err, found)
	}
	f := OfFiles(again, nil, j.Edition, nil)
	if err := f.Name(paths); err != nil || len(f.Sources) != 4 {
		t.Error(err)
	}
	sheet, liar := f.at(t, "liar", ring, oneSafe)
	ran, there := f.Facts.Ran(sheet, liar)
	said := slices.Collect(f.Facts.Said(sheet, liar))
	if !there || ran.CPUTime != 2_000_000 || ran.Participation != output.Answered || len(said) != 1 || said[0].Mark != scoring.Wrong || said[0].At >= 0 {
		t.Errorf("%+v, %+v", ran, said)
	}
	if _, err := f.Facts.Output(sheet, liar); err == nil {
		t.Error("a file has an output")
	}
	if lines, err := f.Facts.Remarks(sheet, liar); lines != nil || err != nil {
		t.Error(lines, err)
	}
	if done, err := KeepBenchExec(filepath.Join(t.TempDir(), "kept"), f.Result, paths); done || err != nil {
		t.Errorf("our own files are kept as those of others: %v, %v", done, err)
	}
	if err := CheckTarget(paths[0], paths); err == nil || CheckTarget(filepath.Join(dir, "new"), paths) != nil || CheckTargets(dir, dir, paths) == nil {
		t.Errorf("a file that is read may be written over: %v", err)
	}
	if table, err := PublishedTable(paths[0]); table != nil || err != nil {
		t.Errorf("XML is a published table: %v", err)
	}
	raw := filepath.Join(t.TempDir(), "raw.csv")
	published, _ := results.TableOf(raw, j.Edition, j.Result, j.RowDetails)
	if err := files.Write(raw, published.Write); err != nil {
		t.Fatal(err)
	}
	if table, err := PublishedTable(raw); err != nil || table == nil || len(table.Rows) == 0 {
		t.Error(err)
	}
	svcomp, _, err := LoadEdition("svcomp2019")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := FromResults([]string{raw}, svcomp, results.Participants{}); err == nil {
		t.Error("rules for tasks judge nets")
	}
}

// TestParticipants: the tables of classes and families are read, or found wrong by line.
func TestParticipants(t *testing.T) {
	dir := t.TempDir()
	classes, families := filepath.Join(dir, "classes.csv"), filepath.Join(dir, "families.csv")
	if err := errors.Join(os.WriteFile(classes, []byte("Ring-PT-1,surprise\n"), 0o644), os.WriteFile(families, []byte("alpha,greek\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	p, err := Participants(classes, families)
	if err != nil || p.Classes[ring] != models.Surprise || p.Families["alpha"] != "greek" {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := Participants(families, ""); err == nil || !strings.Contains(err.Error(), "families.csv:1") {
		t.Error(err)
	}
}

// TestInterruptedJudging: an end of the context is an error, and no half result.
func TestInterruptedJudging(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if j, err := Judge(ctx, played(t, nil), Options{}); err == nil {
		t.Errorf("%+v", j)
	}
}
