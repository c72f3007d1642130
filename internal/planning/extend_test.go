package planning

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/modelfiles"
	"podium/vm"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// toolDir writes a tool whose program holds a text, in dir/name.
func toolDir(t *testing.T, dir, name, text string) string {
	t.Helper()
	home := filepath.Join(dir, name)
	must(t, os.MkdirAll(home, 0o755))
	must(t, os.WriteFile(filepath.Join(home, "tool.yaml"), []byte("format: podium-tool/1\nname: "+name+"\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(home, "BenchKit_head.sh"), []byte("#!/bin/sh\n# "+text+"\n"), 0o755))
	return home
}

// inputs writes four tools and five instances, and returns their directories.
func inputs(t *testing.T) (tools, models []string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"ant", "bee", "cat", "dog"} {
		tools = append(tools, toolDir(t, filepath.Join(dir, "tools"), name, "1"))
	}
	must(t, modelfiles.Write(t.Context(), filepath.Join(dir, "models"), modelfiles.Demonstration()[:5], 1, false))
	models, err := filepath.Glob(filepath.Join(dir, "models", "*"))
	must(t, err)
	return tools, models
}

func options(tools, models, exams []string) Options {
	return Options{Tools: tools, Models: models, Examinations: exams, Edition: "mcc2020", Driver: "sandbox", Seed: 5, Processes: 10,
		Say: func(string) {}}
}

func plan(t *testing.T, o Options) *campaign.Campaign {
	t.Helper()
	c, _, err := Prepare(t.Context(), t.TempDir(), o)
	must(t, err)
	return c
}

func extend(t *testing.T, dir string, o Options) *campaign.Campaign {
	t.Helper()
	o.Edition = ""
	_, err := Extend(t.Context(), dir, o, false, false)
	must(t, err)
	c, err := campaign.Open(dir)
	must(t, err)
	return c
}

// runs lists the runs of a plan in the order in which they are done.
func runs(p *campaign.Plan) (list []campaign.Run) {
	for _, family := range p.Units() {
		list = slices.AppendSeq(list, p.RunsOf(family))
	}
	return list
}

// work records the end of each run that has none, with answers and figures that
// depend on the run alone, and returns how many they were.
func work(t *testing.T, c *campaign.Campaign, worker string) (n int) {
	t.Helper()
	log, err := c.ReadEnds(t.Context())
	must(t, err)
	must(t, c.Import(worker, func(add func(campaign.Finished) error) error {
		for _, run := range runs(&c.Plan) {
			if log.Done(run) {
				continue
			}
			n++
			h := fnv.New32a()
			fmt.Fprint(h, run)
			drawn := h.Sum32()
			f := campaign.Finished{Run: run, Attempt: 1, Worker: worker, Participation: output.Answered}
			f.Outcome = vm.Outcome{Termination: vm.Exited, Started: time.Unix(int64(drawn%1000), 0), CPUTime: vm.Took(time.Duration(drawn%97+1) * time.Second),
				WallTime: vm.Took(time.Duration(drawn%97+1) * time.Second), MemoryPeak: int64(drawn%89+1) << 20}
			i, _ := c.Plan.Instance(run.Instance)
			var answers []campaign.Answer
			for k, item := range i.Items(run.Exam) {
				text := "TRUE"
				if run.Exam == examinations.UpperBounds || run.Exam == examinations.StateSpace {
					text = "7"
				}
				answers = append(answers, campaign.Answer{Item: item, Text: text, Line: k + 1})
			}
			f.Answers = campaign.AnswersOf(answers...)
			if err := add(f); err != nil {
				return err
			}
		}
		return nil
	}))
	return n
}

// scores are the points of a campaign as text.
func scores(t *testing.T, c *campaign.Campaign) string {
	t.Helper()
	log, err := c.Read(t.Context())
	must(t, err)
	ed, _, err := judged.LoadEdition(filepath.Join(c.Dir, judged.EditionFile))
	must(t, err)
	built, err := judged.FromJournal(c, log, ed)
	must(t, err)
	result := ed.Score(built)
	var lines []string
	for i, tool := range result.Contest.Tools {
		for unit := range result.Contest.Instances {
			for _, item := range result.Accountant().Items(unit, i) {
				lines = append(lines, fmt.Sprint(tool.Name, " ", result.Contest.Instances[unit], " ", item.Text()))
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestExtendedLikePlannedAtOnce divides tools, instances and examinations at random
// between a plan and two extensions, with runs in between. The runs and the scores
// are those of one plan of all, and what was planned keeps its order.
func TestExtendedLikePlannedAtOnce(t *testing.T) {
	t.Parallel()
	tools, models := inputs(t)
	exams := []string{"StateSpace", "ReachabilityDeadlock", "UpperBounds"}
	whole := plan(t, options(tools, models, exams))
	work(t, whole, "w")
	want, wantScores := runs(&whole.Plan), scores(t, whole)
	if strings.Count(wantScores, "\n") < 10 {
		t.Fatalf("the scores say nothing: %s", wantScores)
	}
	slices.SortFunc(want, campaign.Run.Compare)
	trials := 2
	if os.Getenv("PODIUM_SOAK") != "" {
		trials = 20
	}
	for trial := range trials {
		draw := rand.New(rand.NewPCG(9, uint64(trial)))
		var parts [3]Options
		for part := range parts {
			parts[part] = options(nil, nil, nil)
		}
		share := func(list []string, of func(*Options) *[]string) {
			for k, x := range list {
				to := of(&parts[draw.IntN(3)])
				if k == 0 {
					to = of(&parts[0])
				}
				*to = append(*to, x)
			}
		}
		share(tools, func(o *Options) *[]string { return &o.Tools })
		share(models, func(o *Options) *[]string { return &o.Models })
		share(exams, func(o *Options) *[]string { return &o.Examinations })
		c := plan(t, parts[0])
		done := work(t, c, "w0")
		for k, part := range parts[1:] {
			if len(part.Tools)+len(part.Models)+len(part.Examinations) == 0 {
				continue
			}
			before := runs(&c.Plan)
			c = extend(t, c.Dir, part)
			after := runs(&c.Plan)
			kept := slices.DeleteFunc(slices.Clone(after), func(r campaign.Run) bool { return !slices.Contains(before, r) })
			if !slices.Equal(kept, before) {
				t.Fatalf("trial %d: the order of earlier runs is\n%v, and was\n%v", trial, kept, before)
			}
			if n := work(t, c, fmt.Sprint("w", k+1)); n != len(after)-len(before) {
				t.Fatalf("trial %d: %d runs were done, not %d", trial, n, len(after)-len(before))
			} else {
				done += n
			}
		}
		got := runs(&c.Plan)
		slices.SortFunc(got, campaign.Run.Compare)
		if !slices.Equal(got, want) || done != len(want) {
			t.Fatalf("trial %d: %d runs were done of\n%v, not\n%v", trial, done, got, want)
		}
		if got := scores(t, c); got != wantScores {
			t.Fatalf("trial %d: the scores are\n%s, not\n%s", trial, got, wantScores)
		}
	}
}

// TestReplacedVersionTakesNoPart runs one version of a tool, and then another.
func TestReplacedVersionTakesNoPart(t *testing.T) {
	t.Parallel()
	tools, models := inputs(t)
	c := plan(t, options(tools[:2], models[:2], []string{"StateSpace"}))
	work(t, c, "w1")
	newer := toolDir(t, t.TempDir(), "ant", "2")
	o := options([]string{newer}, nil, nil)
	joined, err := Extend(t.Context(), c.Dir, o, true, true)
	if must(t, err); joined.Runs != 2 || !slices.Equal(joined.Replaced, []string{"ant"}) {
		t.Fatalf("a dry run says %+v", joined)
	}
	if c, err = campaign.Open(c.Dir); err != nil || len(c.Plans) != 1 {
		t.Fatalf("a dry run left %d plans: %v", len(c.Plans), err)
	}
	_, err = Extend(t.Context(), c.Dir, o, true, false)
	must(t, err)
	c, err = campaign.Open(c.Dir)
	must(t, err)
	log, err := c.Read(t.Context())
	must(t, err)
	if len(c.Plans) != 2 || len(log.Finished) != 2 || len(log.Further) != 2 || len(c.Plan.Replaced) != 1 {
		t.Fatalf("%d plans, %d ends that count and %d that do not", len(c.Plans), len(log.Finished), len(log.Further))
	}
	for run, ends := range log.Further {
		if run.Tool != "ant" || log.Standing(ends[0]) != campaign.Replaced {
			t.Errorf("%s stands as %d", run, log.Standing(ends[0]))
		}
	}
	if n := work(t, c, "w2"); n != 2 {
		t.Errorf("%d runs were done again, not 2", n)
	}
	log, err = c.Read(t.Context())
	if must(t, err); len(log.Finished) != 4 || len(log.Further) != 2 {
		t.Errorf("%d ends count and %d do not", len(log.Finished), len(log.Further))
	}
}

// base lists the names of directories in the order of the names.
func base(dirs []string) string {
	var names []string
	for _, dir := range dirs {
		names = append(names, filepath.Base(dir))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// TestExtendRefuses gives what cannot join: each refusal says what to do, and leaves
// the one plan alone.
func TestExtendRefuses(t *testing.T) {
	t.Parallel()
	tools, models := inputs(t)
	c := plan(t, options(tools[:2], models[:2], []string{"StateSpace"}))
	elsewhere := t.TempDir()
	newer := toolDir(t, elsewhere, "ant", "2")
	changed := filepath.Join(elsewhere, filepath.Base(models[0]))
	must(t, os.CopyFS(changed, os.DirFS(models[0])))
	model, err := os.ReadFile(filepath.Join(changed, "model.pnml"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(changed, "model.pnml"), append(model, '\n'), 0o644))
	for want, o := range map[string]Options{
		"with the same files: name new ones only": options(tools[:1], nil, nil),
		"--replace lets this version take":        options([]string{newer}, nil, nil),
		"same files: name new ones only":          options(nil, models[:1], nil),
		"give each new one another name":          options(nil, []string{changed}, nil),
		"1 of 2 instances is in the plan already, with other files (" + filepath.Base(models[0]) + "): runs":                                      options(nil, []string{changed, models[1]}, nil),
		"2 of 5 instances are in the plan already, with the same files (" + base(models[:2]) + "): name new ones only (" + base(models[2:]) + ")": options(nil, models, nil),
		"examination StateSpace is in the plan":     options(nil, nil, []string{"StateSpace"}),
		"nothing would join":                        options(nil, nil, nil),
		"leave --edition out, or plan a new campai": {Edition: "mcc2016", Tools: tools[2:], Say: func(string) {}},
		"name the directory of a tool or of severa": options([]string{"nothing-here"}, nil, nil),
		"the nearest is explicit":                   options([]string{"explcit"}, nil, nil),
		"this is a file, and a tool is a directory": options([]string{filepath.Join(models[0], "model.pnml")}, nil, nil),
		"has no examination":                        options(nil, nil, []string{"NoSuchExamination"}),
	} {
		_, err := Extend(t.Context(), c.Dir, o, false, false)
		if err == nil || !strings.Contains(err.Error(), want) && want != "has no examination" {
			t.Errorf("%q is missing in the refusal %v", want, err)
		}
	}
	lease := fmt.Sprintf(`{"format":%q,"model":%q,"number":1,"worker":"w","host":"far","pid":7,"expiry_us":3600000000}`, campaign.LeaseFormat, c.Plan.Units()[0])
	must(t, os.WriteFile(filepath.Join(c.Dir, "claims", c.Plan.Units()[0]+"@1"), []byte(lease), 0o644))
	_, err = Extend(t.Context(), c.Dir, options(tools[2:], nil, nil), false, false)
	if busy := new(campaign.BusyError); !errors.As(err, &busy) || !strings.Contains(err.Error(), "stop it, or wait") {
		t.Errorf("beside a worker: %v", err)
	}
	if again, err := campaign.Open(c.Dir); err != nil || again.Digest != c.Digest {
		t.Errorf("the plan has changed: %v", err)
	}
}

// TestMain is an extension to be killed, when the test asks for one.
func TestMain(m *testing.M) {
	if dir := os.Getenv("PODIUM_TEST_EXTEND"); dir != "" {
		o := options(filepath.SplitList(os.Getenv("PODIUM_TEST_TOOLS")), filepath.SplitList(os.Getenv("PODIUM_TEST_MODELS")), nil)
		if _, err := Extend(context.Background(), dir, o, true, false); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestExtendSurvivesKills kills extensions 3 times, with PODIUM_SOAK=1 100 times, at
// moments that divide the time of a whole one evenly. The old plan stands or the new one, whole; what was left
// does not disturb the next extension.
func TestExtendSurvivesKills(t *testing.T) {
	t.Parallel()
	tools, models := inputs(t)
	kills := 3
	if os.Getenv("PODIUM_SOAK") != "" {
		kills = 100
	}
	var took time.Duration
	stood := [3]int{} // by the number of plans after a kill
	for k := range kills + 1 {
		c := plan(t, options(tools[:2], models[:2], []string{"StateSpace"}))
		work(t, c, "w1")
		newer := toolDir(t, t.TempDir(), "ant", "2")
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), "PODIUM_TEST_EXTEND="+c.Dir, "PODIUM_TEST_TOOLS="+newer+":"+tools[2], "PODIUM_TEST_MODELS="+strings.Join(models[2:], ":"))
		begun := time.Now()
		must(t, command.Start())
		if k > 0 { // the first one says how long it takes
			time.Sleep(took * time.Duration(k) / time.Duration(kills))
			must(t, command.Process.Kill())
		}
		if err := command.Wait(); k == 0 {
			must(t, err)
			took = time.Since(begun)
		}
		now, err := campaign.Open(c.Dir)
		must(t, err)
		stood[len(now.Plans)]++
		if len(now.Plans) == 1 {
			if now.Digest != c.Digest {
				t.Fatal("the old plan has changed")
			}
			_, err = Extend(t.Context(), c.Dir, options([]string{newer, tools[2]}, models[2:], nil), true, false)
			must(t, err)
			now, err = campaign.Open(c.Dir)
			must(t, err)
		}
		for _, tool := range now.Plan.Tools {
			if _, err := os.Stat(filepath.Join(now.Path(tool.Dir), "BenchKit_head.sh")); err != nil {
				t.Error(err)
			}
		}
		for _, i := range now.Plan.Instances {
			if _, err := os.Stat(filepath.Join(now.Path(i.Path), "model.pnml")); err != nil {
				t.Error(err)
			}
		}
		if n := work(t, now, "w2"); now.Plan.Count() != 15 || n != 13 {
			t.Fatalf("%d runs of %d were left", n, now.Plan.Count())
		}
	}
	t.Logf("after %d kills the old plan stood %d times, the new one %d times", kills, stood[1], stood[2]-1)
}
