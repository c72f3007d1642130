package cmd

import (
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestCompetitionOnPrograms is a whole competition on programs in C, with contestants made
// of the compiler: planned and run once, and judged by the rules of 2012, 2019 and today.
// With PODIUM_SOAK=1 all sizes of the programs take part.
func TestCompetitionOnPrograms(t *testing.T) {
	if _, err := exec.LookPath("/usr/bin/gcc"); err != nil {
		t.Skip("there is no /usr/bin/gcc, of which the contestants are made: apt-get install gcc")
	}
	t.Chdir(t.TempDir())
	all := os.Getenv("PODIUM_SOAK") != ""
	programs := writePrograms(t, "c", all)
	if all && len(programs) < 60 {
		t.Errorf("there are %d programs", len(programs))
	}
	writeVerifiers(t, "tools")
	run(t, 0, "check", "task", "c")
	run(t, 0, "plan", "--out", "p", "--tasks", "c", "--tools", "tools", "--edition", "svcomp2026", "--cpu", "60s", "--memory", "2GB", "--cores", "1")
	run(t, 0, "run", "p")

	said := answersIn(t, "p")
	want := map[string]int{} // points of a category by 2019 and today
	for _, p := range programs {
		for _, tool := range []string{"analyser", "falsifier", "optimist"} {
			answer := said[tool+" "+p.task()]
			if answer == "" {
				continue
			}
			says := answer == "TRUE"
			points := p.points(says)
			if right := says == p.right; tool == "falsifier" && !right {
				t.Errorf("%s: the falsifier says %s, and it shows what it finds", p.task(), answer)
			}
			want[p.category+" "+tool] += points
		}
	}
	for _, p := range programs {
		if answer := said["optimist "+p.task()]; answer != "TRUE" {
			t.Errorf("%s: the optimist says %q", p.task(), answer)
		}
		// What the sanitizers see with these inputs, they find each time.
		answer := said["falsifier "+p.task()]
		switch {
		case strings.HasPrefix(p.name, "sum-wrong"), p.name == "sorted-wrong", p.name == "square-wrong", p.name == "increment-wrong":
			if answer != "FALSE" {
				t.Errorf("%s: the falsifier says %q, and a run shows the violation", p.task(), answer)
			}
		case p.name == "freed-wrong", p.name == "outside-wrong", p.name == "twice-wrong":
			if answer != "FALSE("+p.part+")" {
				t.Errorf("%s: the falsifier says %q, and a run shows %s", p.task(), answer, p.part)
			}
		case p.name == "sum", p.name == "square", p.name == "countdown", p.name == "collatz", p.name == "maximum":
			if answer != "TRUE" {
				t.Errorf("%s: the falsifier says %q, and the only run is a proof", p.task(), answer)
			}
		case p.name == "forever-wrong", p.name == "parity", p.name == "guarded":
			if answer != "" {
				t.Errorf("%s: the falsifier says %q, and cannot know", p.task(), answer)
			}
		}
		if p.name == "twice-wrong" || p.name == "lost-wrong" || p.name == "freed-wrong" {
			if answer := said["analyser "+p.task()]; answer != "FALSE("+p.part+")" {
				t.Errorf("%s: the analyser says %q", p.task(), answer)
			}
		}
	}

	for _, edition := range []string{"svcomp2012", "svcomp2019", "svcomp2026"} {
		out := run(t, 0, "score", "--edition", edition, "p")
		has(t, out, "ReachSafety\n  1. falsifier ", "NoOverflows\n  1. falsifier ", "Termination\n  1. falsifier ")
		run(t, 0, "publish", "--edition", edition, "--out", edition, "p")
		for key, row := range totalsOf(t, edition) {
			if points, ok := want[key]; ok && edition != "svcomp2012" && row["points"] != strconv.Itoa(points) {
				t.Errorf("%s, %s: %s points, and the answers are worth %d", edition, key, row["points"], points)
			}
		}
		if edition == "svcomp2012" {
			continue
		}
		board := totalsOf(t, edition)
		if row := board["C-Overall optimist"]; !strings.HasPrefix(row["points"], "-") {
			t.Errorf("%s: who says the same of every program has %s points", edition, row["points"])
		}
		if row := board["C-Overall falsifier"]; row["rank"] != "1" {
			t.Errorf("%s: the falsifier has rank %s", edition, row["rank"])
		}
	}
	roundTrips(t, "p")
}

// answersIn reads what each tool says of each task from the exported answers.
func answersIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	run(t, 0, "export", "--format", "answers", "--out", "answers.csv", dir)
	f, err := os.Open("answers.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, row := range rows[1:] {
		if strings.HasPrefix(row[4], "TRUE") || strings.HasPrefix(row[4], "FALSE") {
			said[row[0]+" "+row[1]] = row[4]
		}
	}
	return said
}

// roundTrips exports the competition and reads it again: the scores are the same.
func roundTrips(t *testing.T, dir string) {
	t.Helper()
	before := rankings(run(t, 0, "score", dir))
	run(t, 0, "export", "--format", "raw", "--out", "raw.csv", dir)
	run(t, 0, "verify", "--edition", "svcomp2026", "raw.csv")
	run(t, 0, "export", "--format", "benchexec", "--out", "xml", dir)
	for _, again := range [][]string{{"raw.csv"}, {"xml/analyser.results.xml", "xml/falsifier.results.xml", "xml/optimist.results.xml"}} {
		after := rankings(run(t, 0, append([]string{"score", "--edition", "svcomp2026"}, again...)...))
		for _, category := range []string{"ReachSafety", "NoOverflows", "MemSafety", "Termination", "C-Overall"} {
			if fmt.Sprint(after[category]) != fmt.Sprint(before[category]) {
				t.Errorf("%s read from %v: %v, not %v", category, again, after[category], before[category])
			}
		}
	}
}
