package whatif_test

import (
	"fmt"
	"strings"
	"testing"

	"podium/examinations"
	"podium/scoring"
	"podium/scoring/scoringtest"
	"podium/scoring/whatif"
)

// timed is a run of 100 µs of CPU time and 200 ms of wall time, with values that were said at these
// milliseconds; "." is not said, "?" was said nobody knows when.
func timed(times string) scoring.Entry {
	e := scoringtest.Says("A", "Net-PT-1", examinations.CTLFireability, strings.Repeat("T ", 4))
	e.CPU, e.Wall, e.Memory = 100, 200_000, 7
	for i, word := range strings.Fields(times) {
		switch word {
		case ".":
			e.Answers[i].Value = examinations.Value{}
		case "?":
		default:
			var ms int64
			fmt.Sscan(word, &ms)
			e.Answers[i].AnsweredAt = scoring.AnswerTime(ms * 1000)
		}
	}
	return e
}

// TestWithin: a value counts that was said before its run was stopped, as in a contest.
func TestWithin(t *testing.T) {
	for _, tc := range []struct {
		name   string
		times  string
		limits whatif.Limits
		want   string // values that are left, the end of the run, CPU time, wall time, runs of unknown times
	}{
		{"no limit", "1 2 3 ?", whatif.Limits{}, "TTTT answered 100 200000 0"},
		{"a limit that nobody reaches", "1 2 3 ?", whatif.Limits{CPU: 100, Wall: 200_000, Memory: 7}, "TTTT answered 100 200000 0"},
		{"a wall time", "100 101 . 3", whatif.Limits{Wall: 100_000}, "T..T answered 50 100000 0"},
		{"a CPU time is a share of the wall time", "100 101 . 3", whatif.Limits{CPU: 50}, "T..T answered 50 100000 0"},
		{"both, the wall time is less", "20 21 40 3", whatif.Limits{CPU: 50, Wall: 20_000}, "T..T answered 10 20000 0"},
		{"both, the CPU time is less", "20 21 40 3", whatif.Limits{CPU: 10, Wall: 40_000}, "T..T answered 10 20000 0"},
		{"nothing was said by then", "101 102 103 104", whatif.Limits{Wall: 100_000}, ".... DNF 50 100000 0"},
		{"at the end of the run", "200 201 . 3", whatif.Limits{CPU: 99}, "...T answered 99 198000 0"},
		{"unknown times", "1 ? . ?", whatif.Limits{Wall: 100_000}, "T... answered 50 100000 1"},
		{"no times at all", "? ? . ?", whatif.Limits{CPU: 50}, ".... DNF 50 100000 1"},
		{"too large", "1 2 3 ?", whatif.Limits{Memory: 6}, ".... DNF 100 200000 0"},
		{"too large and too long", "1 2 3 ?", whatif.Limits{Memory: 6, CPU: 50}, ".... DNF 50 100000 0"},
	} {
		c := whatif.Within(scoringtest.Contest(t, nil, []scoring.Entry{timed(tc.times)}), tc.limits)
		values := ""
		for v := range 4 {
			values += map[bool]string{true: ".", false: "T"}[c.Answer(v, 0).IsZero()]
		}
		run := c.Run(0, 0)
		if got := fmt.Sprint(values, " ", run.Participation, " ", run.CPU, " ", run.Wall, " ", c.Untimed); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// TestWithinSilentRuns: a run without an answer is stopped like any other, except one that does not count.
func TestWithinSilentRuns(t *testing.T) {
	for _, tc := range []struct {
		participation scoring.Participation
		want          string
	}{{scoring.CannotCompute, "CC 50 100000 true"}, {scoring.OutOfTime, "DNF 50 100000 true"}, {scoring.Void, "void 100 200000 false"}} {
		e := timed("? ? ? ?")
		e.Participation, e.Answers = tc.participation, nil
		run := whatif.Within(scoringtest.Contest(t, nil, []scoring.Entry{e}), whatif.Limits{CPU: 50}).Run(0, 0)
		if got := fmt.Sprint(run.Participation, " ", run.CPU, " ", run.Wall, " ", run.Ending.OutOfTime()); got != tc.want {
			t.Errorf("%s, want %s", got, tc.want)
		}
	}
}

// TestWithinLargeTimes: products of times are larger than numbers of 64 bits.
func TestWithinLargeTimes(t *testing.T) {
	const month = 30 * 24 * 3600 * 1_000_000
	e := timed("1 2 3 4")
	e.CPU, e.Wall = 100*month, month
	for i, day := range []int64{1, 15, 16, 29} {
		e.Answers[i].AnsweredAt = scoring.AnswerTime(day * (month / 30))
	}
	c := whatif.Within(scoringtest.Contest(t, nil, []scoring.Entry{e}), whatif.Limits{CPU: 50 * month})
	left := 0
	for v := range 4 {
		if !c.Answer(v, 0).IsZero() {
			left++
		}
	}
	if run := c.Run(0, 0); left != 2 || run.Wall != month/2 {
		t.Errorf("%d values within %d µs", left, run.Wall)
	}
}

// TestWithinOfParts: the times go with their values when tools and instances are left out.
func TestWithinOfParts(t *testing.T) {
	other := scoringtest.Says("B", "Net-PT-1", examinations.CTLFireability, "T T T T")
	before := scoringtest.Says("A", "Another-PT-1", examinations.CTLFireability, "T T T T")
	whole := scoringtest.Contest(t, nil, []scoring.Entry{timed("1 150 3 ?"), other, before})
	c := whatif.Within(whatif.Without(whole, func(t *scoring.Tool) bool { return t.Name == "B" }, func(i *scoring.Instance) bool { return i.Name == "Another-PT-1" }), whatif.Limits{Wall: 100_000})
	if got := fmt.Sprint(c.Answer(0, 0), c.Answer(1, 0), c.Answer(2, 0), c.Answer(3, 0), c.Untimed); got != "TRUE  TRUE  1" {
		t.Errorf("left: %s", got)
	}
}
