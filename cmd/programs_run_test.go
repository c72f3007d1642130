package cmd

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestCompetitionOnPrograms is a whole competition on programs in C, with contestants made
// of compilers and checkers: planned and run once, and judged by the rules of 2012, 2019 and today.
// With PODIUM_SOAK=1 all sizes of the programs take part.
func TestCompetitionOnPrograms(t *testing.T) {
	for _, program := range []string{"gcc", "clang", "cppcheck"} {
		if _, err := exec.LookPath("/usr/bin/" + program); err != nil {
			t.Skipf("there is no /usr/bin/%s, of which a contestant is made: apt-get install %[1]s", program)
		}
	}
	t.Chdir(t.TempDir())
	all := os.Getenv("PODIUM_SOAK") != ""
	programs := writePrograms(t, "c", all)
	if all && len(programs) < 60 {
		t.Errorf("there are %d programs", len(programs))
	}
	writeTools(t, "tools", verifierFiles)
	run(t, 0, "check", "task", "c")
	run(t, 0, "plan", "--out", "p", "--tasks", "c", "--tools", "tools", "--edition", "svcomp2026", "--cpu", "60s", "--memory", "2GB", "--cores", "1")
	run(t, 0, "run", "p")

	said := answersIn(t, "p")
	want := map[string]int{} // points of a category by 2019 and today
	for _, p := range programs {
		for _, tool := range contestants {
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
		for tool, sees := range map[string]string{"analyser": "twice-wrong lost-wrong freed-wrong", "clang": "twice-wrong lost-wrong freed-wrong", "cppcheck": "twice-wrong lost-wrong square-wrong"} {
			part := "FALSE"
			if p.part != "" {
				part = "FALSE(" + p.part + ")"
			}
			if answer := said[tool+" "+p.task()]; slices.Contains(strings.Fields(sees), p.name) && answer != part {
				t.Errorf("%s: %s says %q", p.task(), tool, answer)
			}
		}
	}

	for _, edition := range []string{"svcomp2012", "svcomp2019", "svcomp2026"} {
		out := run(t, 0, "score", "--edition", edition, "p")
		has(t, out, "ReachSafety\n  1. falsifier ", "NoOverflows\n  1. falsifier ", "Termination\n  1. falsifier ")
		run(t, 0, "publish", "--edition", edition, "--out", edition, "p")
		for file, words := range map[string][]string{
			"categories/ReachSafety.html":    {"falsifier", "Answers, witnesses and effort", "Tasks and properties", "quantile-ReachSafety.svg"},
			"plots/quantile-ReachSafety.svg": {"falsifier", "<path"},
			"tools/clang.html":               {"The static analyser of another compiler"},
		} {
			has(t, readText(t, edition+"/"+file), words...)
		}
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
	roundTrips(t, "p", "before")
	validated(t, "p", programs, said)
	packagesOf(t, "p")
}

// packagesOf writes what each team may see of a competition on tasks: its own runs with what
// became of their witnesses, and no word of another tool.
func packagesOf(t *testing.T, dir string) {
	t.Helper()
	run(t, 0, "package", dir, "--all", "--out", "packages")
	for _, tool := range contestants {
		own := filepath.Join("packages", tool)
		rows := rowsOf(t, own+"/csv/runs.csv")
		for _, row := range slices.Concat(rows, rowsOf(t, own+"/csv/totals.csv"), rowsOf(t, own+"/csv/efforts.csv"), rowsOf(t, own+"/csv/witnesses.csv")) {
			if row["tool"] != tool {
				t.Errorf("the package of %s has a row of %s", tool, row["tool"])
			}
		}
		if len(rows) == 0 {
			t.Errorf("the package of %s has no runs", tool)
		}
		for _, row := range rowsOf(t, own+"/csv/categories.csv") {
			if row["best"] != "" || row["tasks"] == "0" {
				t.Errorf("the package of %s tells who is best: %v", tool, row)
			}
		}
		err := filepath.WalkDir(own, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text := readText(t, path)
			for _, other := range []string{"bluffer", "cppcheck", "falsifier", "optimist"} { // clang is a word of other tools, too
				if other != tool && strings.Contains(text, other) {
					t.Errorf("%s tells of %s", path, other)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	states := witnessesOf(t, "packages/falsifier")
	if states["falsifier reachsafety/sum-wrong-10.yml#unreach-call"] != "confirmed" {
		t.Errorf("the team sees no confirmed witness: %v", states)
	}
	has(t, readText(t, "packages/falsifier/categories/ReachSafety.html"), "Answers, witnesses and effort", "confirmed", "the maximal score is")
}

// validated has the witnesses validated: what they are worth is in the points of 2019 and
// today.
func validated(t *testing.T, dir string, programs []program, said map[string]string) {
	t.Helper()
	writeTools(t, "validators", validatorFiles)
	// Without limits of their own validators have 10 % and 33 % of the verifiers' minute; by the
	// rules of another year those of that year, in a validation of their own.
	run(t, 0, "plan", "--validate", dir, "--tools", "validators")
	has(t, readText(t, dir+"/validation/campaign.json"), `"cpu_us": 6000000`, `"cpu_us": 19800000`)
	if err := os.RemoveAll(dir + "/validation"); err != nil {
		t.Fatal(err)
	}
	run(t, 0, "plan", "--validate", dir, "--tools", "validators", "--edition", "svcomp2019")
	has(t, readText(t, dir+"/validation-svcomp2019/campaign.json"), `"cpu_us": 90000000,`, `"cpu_us": 900000000,`)
	has(t, run(t, 0, "score", "--edition", "svcomp2019", dir), "runs of validators are missing")
	if out := run(t, 0, "score", dir); strings.Contains(out, "runs of validators are missing") {
		t.Errorf("the validation by the rules of 2019 counts by those of today:\n%s", out)
	}
	if err := os.RemoveAll(dir + "/validation-svcomp2019"); err != nil {
		t.Fatal(err)
	}
	run(t, 0, "plan", "--validate", dir, "--tools", "validators", "--cpu", "30s", "--memory", "2GB", "--cores", "1")
	has(t, run(t, 0, "score", dir), "Witnesses  confirmed  unconfirmed  refuted\n", "falsifier  0 ", "runs of validators are missing")
	run(t, 0, "run", dir+"/validation")
	run(t, 0, "plan", "--validate", dir) // nothing is new
	run(t, 4, "score", dir+"/validation")
	roundTrips(t, dir, "after")
	for edition, unconfirmedTrue := range map[string]int{"svcomp2026": 0, "svcomp2019": 1} {
		site := "validated-" + edition
		run(t, 0, "publish", "--edition", edition, "--out", site, dir)
		states, want := witnessesOf(t, site), map[string]int{}
		for _, p := range programs {
			for _, tool := range contestants {
				answer := said[tool+" "+p.task()]
				if answer == "" {
					continue
				}
				// No validator takes proofs of memory safety, and today those of termination
				// are a demonstration: they count without one.
				says, state := answer == "TRUE", states[tool+" "+p.task()]
				asked := !says || p.property != memsafety && (p.property != termination || edition == "svcomp2019")
				switch {
				case !asked && state != "", asked && tool == "falsifier" && state != "confirmed", asked && (tool == "optimist" || tool == "analyser") && state != "unconfirmed",
					tool == "bluffer" && p.name == "secret" && state != "unconfirmed":
					t.Errorf("%s, %s: the witness of %s for %s is %q", edition, p.task(), tool, answer, state)
				}
				switch points := p.points(says); {
				case points < 0 || !asked || state == "confirmed":
					want[p.category+" "+tool] += points
				case says:
					want[p.category+" "+tool] += unconfirmedTrue
				}
			}
		}
		for key, row := range totalsOf(t, site) {
			if points, ok := want[key]; ok && row["points"] != strconv.Itoa(points) {
				t.Errorf("%s: %s has %s points, and the answers with their witnesses are worth %d", site, key, row["points"], points)
			}
		}
	}
}

// witnessesOf reads the states of the witnesses of a site, by tool and task.
func witnessesOf(t *testing.T, site string) map[string]string {
	t.Helper()
	states := map[string]string{}
	for _, row := range rowsOf(t, site+"/csv/witnesses.csv") {
		states[row["tool"]+" "+row["instance"]] = row["state"]
	}
	return states
}

// answersIn reads what each tool says of each task from the exported answers.
func answersIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	run(t, 0, "export", "--format", "answers", "--out", "answers.csv", dir)
	said := map[string]string{}
	for _, row := range rowsOf(t, "answers.csv") {
		if answer := row["answer"]; strings.HasPrefix(answer, "TRUE") || strings.HasPrefix(answer, "FALSE") {
			said[row["tool"]+" "+row["instance"]] = answer
		}
	}
	return said
}

// roundTrips exports the competition and reads it again: the scores are the same.
func roundTrips(t *testing.T, dir, to string) {
	t.Helper()
	before := rankings(run(t, 0, "score", dir))
	run(t, 0, "export", "--format", "raw", "--out", to+".csv", dir)
	run(t, 0, "verify", "--edition", "svcomp2026", to+".csv")
	run(t, 0, "export", "--format", "benchexec", "--out", to, dir)
	var written []string
	for _, tool := range contestants {
		written = append(written, to+"/"+tool+".results.xml")
	}
	for _, again := range [][]string{{to + ".csv"}, written} {
		after := rankings(run(t, 0, append([]string{"score", "--edition", "svcomp2026"}, again...)...))
		for _, category := range []string{"ReachSafety", "NoOverflows", "MemSafety", "Termination", "C-Overall"} {
			if fmt.Sprint(after[category]) != fmt.Sprint(before[category]) {
				t.Errorf("%s read from %v: %v, not %v", category, again, after[category], before[category])
			}
		}
	}
}
