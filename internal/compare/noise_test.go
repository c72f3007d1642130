package compare_test

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"podium/edition"
	"podium/internal/compare"
	"podium/internal/results"
)

// recorded is four times the same run of the built-in tool explicit, in the sandbox
// of a computer with two cores that some thirty other processes kept busy. The file
// testdata/noise.csv has 132 such runs, of 41 models.
type recorded struct {
	model, exam string
	cpu, memory [4]float64 // seconds, megabytes
}

func readNoise(t *testing.T) (runs []recorded) {
	t.Helper()
	f, err := os.Open("testdata/noise.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		r := recorded{model: row[0] + "-" + row[1], exam: row[2]}
		for i := range 4 {
			cpu, err1 := strconv.Atoi(row[3+i])
			memory, err2 := strconv.Atoi(row[7+i])
			if err1 != nil || err2 != nil {
				t.Fatalf("not numbers: %q", row)
			}
			r.cpu[i], r.memory[i] = float64(cpu)/1e6, float64(memory)/1e3
		}
		runs = append(runs, r)
	}
	return runs
}

// side reads answers as `podium compare` does.
func side(t *testing.T, name, lines string) compare.Source {
	t.Helper()
	ed, err := edition.Named("mcc2020")
	if err != nil {
		t.Fatal(err)
	}
	c, found := results.ReadAnswers(name, strings.NewReader(results.AnswersHeader+"\n"+lines), ed, results.Participants{})
	if found.Err() != nil {
		t.Fatal(found.Err())
	}
	return compare.Source{Name: name, Edition: ed.ID, Result: ed.Score(c)}
}

// trial compares two campaigns whose figures are recorded ones: for each model two of
// its four repetitions are drawn, so that what disturbed a model as a whole stays
// together. The models are drawn as often as copies says, under other names; the times
// of the second campaign are those of a tool slower by the factor.
func trial(t *testing.T, runs []recorded, random *rand.Rand, copies int, factor float64) *compare.Report {
	t.Helper()
	var before, after strings.Builder
	for n := range copies {
		pick := map[string][]int{}
		for _, r := range runs {
			model, _, _ := strings.Cut(r.model, "-")
			if pick[model] == nil {
				pick[model] = random.Perm(4)
			}
			i, j := pick[model][0], pick[model][1]
			line := fmt.Sprintf("tool,Model%cX%s,%s,%s,T,", 'A'+n, r.model, r.exam, r.exam)
			if r.exam == "StateSpace" {
				line = fmt.Sprintf("tool,Model%cX%s,%s,STATES,7,", 'A'+n, r.model, r.exam)
			}
			fmt.Fprintf(&before, "%s%.6f,%.3f\n", line, r.cpu[i], r.memory[i])
			fmt.Fprintf(&after, "%s%.6f,%.3f\n", line, r.cpu[j]*factor, r.memory[j])
		}
	}
	report, err := compare.Of(side(t, "before", before.String()), side(t, "after", after.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestNoiseIsNoChange: two campaigns of the same tool on a busy computer. Of 100
// trials at least 95 claim nothing at all, neither better nor worse.
func TestNoiseIsNoChange(t *testing.T) {
	runs, random, quiet := readNoise(t), rand.New(rand.NewPCG(1, 17)), 0
	for range 100 {
		if !claims(trial(t, runs, random, 1, 1)) {
			quiet++
		}
	}
	t.Logf("%d of 100 trials of equal campaigns claim nothing", quiet)
	if quiet < 95 {
		t.Errorf("only %d of 100 trials claim nothing", quiet)
	}
}

// claims reports whether a report claims a change of any time or memory.
func claims(r *compare.Report) bool {
	claim := func(row compare.Row) bool {
		return row.Time.Claim == compare.More || row.Time.Claim == compare.Less || row.Memory.Claim == compare.More || row.Memory.Claim == compare.Less
	}
	for _, tool := range r.Tools {
		if claim(tool.All) {
			return true
		}
		for _, e := range tool.Examinations {
			if claim(e.Row) {
				return true
			}
		}
	}
	return false
}

// TestSlowDownIsFound: with 264 runs of 82 models, a tool that became slower by 5 % is
// found in at least 95 of 100 trials under the same noise.
func TestSlowDownIsFound(t *testing.T) {
	runs, random, found := readNoise(t), rand.New(rand.NewPCG(2, 17)), 0
	for range 100 {
		r := trial(t, runs, random, 2, 1.05)
		if r.Worse && r.Tools[0].All.Time.Claim == compare.More {
			found++
		}
	}
	t.Logf("found in %d of 100 trials", found)
	if found < 95 {
		t.Errorf("found in only %d of 100 trials", found)
	}
}
