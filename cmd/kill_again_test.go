package cmd

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"podium/examinations/output"
	"podium/internal/campaign"
)

// killTimes is how often a test kills: 8 times, with PODIUM_SOAK=1 100 times.
func killTimes() int {
	if os.Getenv("PODIUM_SOAK") != "" {
		return 100
	}
	return 8
}

// doneCampaign is a small campaign whose runs are done.
func doneCampaign(t *testing.T, exams string, flags ...string) *campaign.Campaign {
	t.Helper()
	dir := t.TempDir()
	models, out, edition := filepath.Join(dir, "models"), filepath.Join(dir, "c"), filepath.Join(dir, "nobonus.yaml")
	run(t, 0, "model", "generate", "--out", models, "DiningPhilosophers", "002")
	run(t, 0, "model", "generate", "--out", models, "TokenRingMutex", "002")
	withoutBonuses(t, edition)
	run(t, 0, append([]string{"plan", "--models", models, "--edition", edition, "--out", out, "--cpu", "20s", "--memory", "1GB", "--examination", exams}, flags...)...)
	run(t, 0, "run", out)
	c, err := campaign.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// killAt starts podium and kills it at a random moment of the time that it takes. It
// reports whether podium had ended before.
func killAt(t *testing.T, lots *rand.Rand, whole time.Duration, args ...string) (ended bool) {
	t.Helper()
	c := podium(args...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Duration(lots.Int64N(int64(whole) * 5 / 4)))
	_ = c.Process.Signal(syscall.SIGKILL)
	return c.Wait() == nil
}

func readLog(t *testing.T, c *campaign.Campaign) *campaign.Log {
	t.Helper()
	log, err := c.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(log.Damage) > 0 || len(log.Void) > 0 {
		t.Fatalf("damage: %v, %d runs are void", log.Damage, len(log.Void))
	}
	return log
}

// TestRunAgainSurvivesKills kills `podium run --again --only` at random moments. Every
// run has an end that counts at every time, no end is lost, what was asked for is done by
// the next `podium run`, and the scores do not change.
func TestRunAgainSurvivesKills(t *testing.T) {
	t.Parallel()
	c := doneCampaign(t, "StateSpace,OneSafe")
	score, kills := totals(run(t, 0, "score", c.Dir)), killTimes()
	args := []string{"run", c.Dir, "--again", "--only", "tool=walk,symbolic"}
	begun := time.Now()
	if err := podium(args...).Run(); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(begun)
	lots := rand.New(rand.NewPCG(7, 8))
	ends, ended := 0, 0
	for range kills {
		if killAt(t, lots, whole, args...) { // how busy the computer is may change
			ended++
			whole = whole * 3 / 4
		} else {
			whole = whole * 9 / 8
		}
		log := readLog(t, c)
		now := len(log.Finished)
		for _, further := range log.Further {
			now += len(further)
		}
		if len(log.Finished) != c.Plan.Count() || now < ends {
			t.Fatalf("%d runs have an end of %d; %d ends, before %d", len(log.Finished), c.Plan.Count(), now, ends)
		}
		ends = now
	}
	run(t, 0, "run", c.Dir)
	log := readLog(t, c)
	for r := range log.Finished {
		if log.Wanted(r) {
			t.Errorf("%s was asked for again and is not done", r)
		}
	}
	if got := totals(run(t, 0, "score", c.Dir)); got != score {
		t.Errorf("scores before:\n%s\nafter:\n%s", score, got)
	}
	if left := strays(c); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	t.Logf("%d kills, %d came too late; %d ends of %d runs", kills, ended, ends, len(log.Finished))
}

// misread makes the record say that an earlier reader found nothing in any output.
func misread(t *testing.T, c *campaign.Campaign) {
	t.Helper()
	log := readLog(t, c)
	journals := journalsOf(t, c)
	for _, path := range journals {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	err := c.Import("misread", func(add func(campaign.Finished) error) error {
		for _, end := range log.Finished {
			f := *end
			f.Answers, f.Witnesses, f.Participation = campaign.Answers{}, nil, output.Silent
			if err := add(f); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func journalsOf(t *testing.T, c *campaign.Campaign) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(c.Dir, "journal", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRereadSurvivesKills kills `podium logs --reread --take` at random moments: all new
// answers count then, or none, and the earlier ones stay. At the end the scores are those
// of a record that was read right at once.
func TestRereadSurvivesKills(t *testing.T) {
	t.Parallel()
	c := doneCampaign(t, "StateSpace,OneSafe")
	want, score, kills := answersOf(t, c), totals(run(t, 0, "score", c.Dir)), killTimes()
	if said := run(t, 0, "logs", "--reread", c.Dir); !strings.Contains(said, "12 read, 0 otherwise") {
		t.Errorf("of a record that is right:\n%s", said)
	}
	misread(t, c)
	wrong, err := os.ReadFile(filepath.Join(c.Dir, "journal", "misread.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if err := podium("logs", "--reread", c.Dir).Run(); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(begun)
	if now := totals(run(t, 0, "score", c.Dir)); now == score || len(journalsOf(t, c)) != 1 {
		t.Fatalf("reread has written without --take: %v", journalsOf(t, c))
	}
	lots := rand.New(rand.NewPCG(9, 10))
	taken := 0
	for range kills {
		killAt(t, lots, whole, "logs", "--reread", c.Dir, "--take")
		log, reread := readLog(t, c), 0
		for _, f := range log.Finished {
			if f.Reread != nil {
				reread++
			}
		}
		switch {
		case len(log.Finished) != 12 || reread != 0 && reread != 12:
			t.Fatalf("%d of %d runs have new answers", reread, len(log.Finished))
		case reread == 12:
			taken++
			for _, path := range journalsOf(t, c) {
				if filepath.Base(path) != "misread.jsonl" {
					os.Remove(path) // begin again
				}
			}
		}
	}
	run(t, 0, "logs", "--reread", c.Dir, "--take")
	if got := answersOf(t, c); !maps.Equal(got, want) {
		t.Errorf("answers %v, want %v", got, want)
	}
	if got := totals(run(t, 0, "score", c.Dir)); got != score {
		t.Errorf("scores before:\n%s\nafter:\n%s", score, got)
	}
	if still, err := os.ReadFile(filepath.Join(c.Dir, "journal", "misread.jsonl")); err != nil || string(still) != string(wrong) {
		t.Errorf("the earlier record has changed: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(c.Dir, "journal", ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if said := run(t, 0, "explain", "--from", c.Dir, "symbolic", "TokenRingMutex-PT-002", "OneSafe"); !strings.Contains(said, "its output was read again on ") || !strings.Contains(said, "at an unknown time") {
		t.Errorf("explain does not name the reading:\n%s", said)
	}
	run(t, 0, "publish", c.Dir)
	if csv, err := os.ReadFile(filepath.Join(c.Dir, "published", "csv", "runs.csv")); err != nil || strings.Count(string(csv), "its output was read again on ") != 12 {
		t.Errorf("runs.csv does not name the readings: %v\n%.2000s", err, csv)
	}
	t.Logf("%d kills: %d times all new answers stood, %d times none", kills, taken, kills-taken)
}

// TestRereadReplaysWitnesses: where witnesses are asked for, those of answers that were
// not read before are replayed.
func TestRereadReplaysWitnesses(t *testing.T) {
	t.Parallel()
	c := doneCampaign(t, "ReachabilityDeadlock", "--witnesses", "--tools", "explicit", "--tools", "walk")
	witnesses := func() map[campaign.Run]string {
		all := map[campaign.Run]string{}
		for r, f := range readLog(t, c).Finished {
			all[r] = fmt.Sprint(f.Witnesses)
		}
		return all
	}
	want := witnesses()
	if !strings.Contains(fmt.Sprint(want), "confirmed") {
		t.Fatalf("nothing was proved: %v", want)
	}
	misread(t, c)
	if maps.Equal(witnesses(), want) {
		t.Fatal("the record is not misread")
	}
	run(t, 0, "logs", "--reread", c.Dir, "--take")
	if got := witnesses(); !maps.Equal(got, want) {
		t.Errorf("witnesses %v, want %v", got, want)
	}
}
