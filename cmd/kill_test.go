package cmd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"podium/internal/campaign"
	"podium/internal/decisions"
	"podium/internal/judged"
)

// TestCampaignSurvivesKills kills the running campaign at random moments: eight
// times, with PODIUM_SOAK=1 twenty times. Every run is done once, none is lost, and the
// scores are those of an uninterrupted run: under an edition without bonuses, since
// those compare times.
func TestCampaignSurvivesKills(t *testing.T) {
	if testing.Short() {
		t.Skip("workers are killed under the race detector in TestWorkersUnderFaults")
	}
	t.Parallel()
	kills, exams := 8, "StateSpace,UpperBounds,CTLFireability"
	nets := [][]string{{"DiningPhilosophers", "002", "003"}, {"TokenRingMutex", "002"}, {"UnboundedChannels", "01"}}
	if os.Getenv("PODIUM_SOAK") != "" {
		kills, exams = 20, "StateSpace,Liveness,UpperBounds,ReachabilityCardinality,CTLFireability"
		nets = [][]string{{"DiningPhilosophers", "002", "003", "005"}, {"TokenRingMutex", "002", "003"}, {"KanbanCells", "0001"}, {"UnboundedChannels", "01"}}
	}
	dir := t.TempDir()
	models := filepath.Join(dir, "models")
	for _, args := range nets {
		run(t, 0, append([]string{"model", "generate", "--out", models}, args...)...)
	}
	edition := filepath.Join(dir, "nobonus.yaml")
	withoutBonuses(t, edition)
	plan := func(out string) *campaign.Campaign {
		run(t, 0, "plan", "--models", models, "--edition", edition, "--out", out, "--cpu", "5s", "--wall", "300s", "--memory", "1GB",
			"--examination", exams)
		c, err := campaign.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	calm, killed := plan(filepath.Join(dir, "calm")), plan(filepath.Join(dir, "killed"))
	begun := time.Now()
	run(t, 0, "run", calm.Dir)
	whole := time.Since(begun)

	moments := rand.New(rand.NewPCG(1, 2))
	for range kills {
		worker := podium("run", killed.Dir)
		if err := worker.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(moments.Int64N(int64(whole)/int64(kills) + 1)))
		_ = worker.Process.Signal(syscall.SIGKILL)
		_ = worker.Wait()
	}
	run(t, 0, "run", killed.Dir)

	if a, b := answersOf(t, calm), answersOf(t, killed); !maps.Equal(a, b) {
		for run, answers := range a {
			if b[run] != answers {
				t.Errorf("%s: %q uninterrupted, %q after kills", run, answers, b[run])
			}
		}
	}
	if a, b := run(t, 0, "score", calm.Dir), run(t, 0, "score", killed.Dir); totals(a) != totals(b) {
		t.Errorf("uninterrupted:\n%s\nafter kills:\n%s", a, b)
	}
	if left := strays(killed); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// podium is this test binary as the command.
func podium(args ...string) *exec.Cmd {
	program, err := os.Executable()
	if err != nil {
		panic(err)
	}
	c := exec.Command(program, args...)
	c.Args[0] = "podium"
	return c
}

func run(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out, talk bytes.Buffer
	if got := Main(t.Context(), args, strings.NewReader(""), &out, &talk); got != want {
		t.Fatalf("podium %s: exit code %d, want %d\n%s", strings.Join(args, " "), got, want, talk.String())
	}
	return out.String()
}

// withoutBonuses writes the edition of the program without its bonus rules.
func withoutBonuses(t *testing.T, path string) {
	t.Helper()
	_, text, err := judged.LoadEdition(defaultEdition)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.SplitAfter(string(text), "\n"), func(l string) bool { return strings.Contains(l, "bonus-least") })
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// answersOf returns what every run said, and checks that each was done once.
func answersOf(t *testing.T, c *campaign.Campaign) map[campaign.Run]string {
	t.Helper()
	log, err := c.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(log.Finished) != c.Plan.Count() || len(log.Further) != 0 || len(log.Void) != 0 || len(log.Damage) != 0 {
		t.Errorf("%s: %d of %d runs finished, %d repeated, %d void, damage: %v", c.Dir, len(log.Finished), c.Plan.Count(), len(log.Further), len(log.Void), log.Damage)
	}
	all := map[campaign.Run]string{}
	for run, f := range log.Finished {
		var b strings.Builder
		for a := range f.Answers.All() {
			fmt.Fprintf(&b, "%s=%s ", a.Item, a.Text)
		}
		out, err := c.Output(f.Stdout)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, out); err != nil {
			t.Errorf("%s: %v", run, err)
		}
		out.Close()
		all[run] = b.String()
	}
	return all
}

// totals drops the lines of a summary that name times or decisions.
func totals(summary string) string {
	var kept []string
	for line := range strings.Lines(summary) {
		if !strings.Contains(line, " s ") && !strings.Contains(line, "CPU") && !strings.HasPrefix(line, "Decision ") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// strays lists the processes of built-in tools that outlived their worker.
func strays(c *campaign.Campaign) []string {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	out, _ := exec.CommandContext(ctx, "pgrep", "-af", filepath.Join(c.Dir, "inputs")).Output()
	return strings.Fields(string(out))
}

// TestDecisionsSurviveKills kills `podium decide` at random moments: 20 times, with
// PODIUM_SOAK=1 100 times. The record is always readable, and each decision is there
// whole or not at all.
func TestDecisionsSurviveKills(t *testing.T) {
	t.Parallel()
	kills := 20
	if os.Getenv("PODIUM_SOAK") != "" {
		kills = 100
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "c")
	run(t, 0, "model", "generate", "--out", filepath.Join(dir, "models"), "DiningPhilosophers", "002")
	run(t, 0, "plan", "--models", filepath.Join(dir, "models"), "--out", out, "--cpu", "20s", "--memory", "1GB", "--examination", "OneSafe")
	run(t, 0, "run", out)
	n := 0
	decide := func() *exec.Cmd {
		n++
		if n%2 == 0 {
			return podium("decide", "redo", out, "--only", "tool=walk", "--author", "Ada", "--reason", "a test")
		}
		// Another one each time: what is in force is not decided again.
		tool, instance := "walk"[:1+n/2%4]+"*", "DiningPhilosophers"[:1+n/8]+"*"
		return podium("decide", "disqualify", out, "--tool", tool, "--instance", instance, "--author", "Ada", "--reason", "a test")
	}
	begun := time.Now()
	if err := decide().Run(); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(begun)
	moments := rand.New(rand.NewPCG(5, 6))
	said := 1
	for range kills {
		var talk bytes.Buffer
		c := decide()
		c.Stderr = &talk
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(moments.Int64N(int64(whole) * 5 / 4)))
		_ = c.Process.Signal(syscall.SIGKILL)
		_ = c.Wait()
		if strings.Contains(talk.String(), "decision ") {
			said++
		}
		run(t, 0, "score", out)
	}
	record, err := decisions.Read(out)
	if err != nil {
		t.Fatal(err)
	}
	// What was asked for in the name of a decision that does not stand has no effect.
	c, err := campaign.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	log := readLog(t, c)
	redo := slices.ContainsFunc(record.Decisions, func(d decisions.Decision) bool { return d.Kind == decisions.Redo })
	if redo != (log.Open()["DiningPhilosophers"] == 1) {
		t.Errorf("there is a decision to do runs again: %v; to be done: %v", redo, log.Open())
	}
	// A decision may stand although its author was not told.
	if n := len(record.Decisions); n < said || n > kills+1 {
		t.Errorf("%d decisions stand, %d were reported", n, said)
	}
	t.Logf("%d kills, %d decisions stand, %d were reported", kills, len(record.Decisions), said)
}
