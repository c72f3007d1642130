package edition

import (
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// Published figures of SV-COMP 2012: the report of the first competition, Tables
// 4 and 5. Times are rounded to two significant digits there.

// parts of SV-COMP 2012 with their numbers of unsafe and safe tasks, which follow
// from the greatest number of points, 2 safe + unsafe, and the number of tasks.
var parts2012 = []struct {
	name         string
	points       int64
	unsafe, safe int
}{
	{"ControlFlowInteger", 144, 42, 51},
	{"DeviceDrivers", 103, 15, 44},
	{"DeviceDrivers64", 66, 16, 25},
	{"HeapManipulation", 24, 4, 10},
	{"SystemC", 87, 37, 25},
	{"Concurrency", 11, 5, 3},
}

func TestComposition2012(t *testing.T) {
	points, tasks := int64(0), 0
	for _, p := range parts2012 {
		if got := int64(2*p.safe + p.unsafe); got != p.points {
			t.Errorf("%s: %d points at most, want %d", p.name, got, p.points)
		}
		points += p.points
		tasks += p.safe + p.unsafe
	}
	if points != 435 || tasks != 277 {
		t.Errorf("Overall: %d points and %d tasks, want 435 and 277", points, tasks)
	}
}

// task is one run: TRUE stands for safe.
type task struct {
	expected, answer bool
	answered         bool
	witness          scoring.Witness
}

// svcomp collects tasks of categories.
type svcomp struct {
	t *testing.T
	b *scoring.Builder
	e *Edition
}

func newSVComp(t *testing.T, id string) *svcomp {
	t.Helper()
	e, err := Named(id)
	if err != nil {
		t.Fatal(err)
	}
	return &svcomp{t, e.Builder(), e}
}

// run adds the runs of a tool in a category; the time of all right answers
// together is seconds.
func (s *svcomp) run(tool, category string, tasks []task, seconds string) {
	s.t.Helper()
	rat, ok := new(big.Rat).SetString(seconds)
	if !ok {
		s.t.Fatal(seconds)
	}
	micros := new(big.Rat).Mul(rat, big.NewRat(1_000_000, 1)).Num().Int64()
	for i, k := range tasks {
		entry := scoring.Entry{Tool: tool, Instance: fmt.Sprintf("%s-%03d", category, i), Exam: examinations.ID(category),
			Run: scoring.Run{Participation: scoring.Answered}}
		if k.answered {
			entry.Answers = []scoring.AnsweredValue{{Item: category, Value: examinations.Truth(k.answer), Witness: k.witness}}
			if k.answer == k.expected {
				entry.CPU, micros = micros, 0
			}
		}
		if err := s.b.Add(entry); err != nil {
			s.t.Fatal(err)
		}
		if err := s.b.Oracle(entry.Instance, entry.Exam, category, examinations.Truth(k.expected)); err != nil {
			s.t.Fatal(err)
		}
	}
}

// solved makes tasks with so many right answers TRUE and FALSE, false alarms and
// missed bugs.
func solved(safe, unsafe, rightTrue, rightFalse, alarms, missed int) []task {
	var tasks []task
	for i := range safe {
		tasks = append(tasks, task{expected: true, answer: i < rightTrue, answered: i < rightTrue+alarms})
	}
	for i := range unsafe {
		tasks = append(tasks, task{expected: false, answer: i >= rightFalse, answered: i < rightFalse+missed})
	}
	return tasks
}

func (s *svcomp) boards() (*scoring.Contest, map[string]scoring.Board) {
	c := s.b.Contest()
	boards := map[string]scoring.Board{}
	for _, b := range s.e.Score(c).Boards() {
		boards[b.Name] = b
	}
	return c, boards
}

// order lists "rank tool points" of a board.
func order(c *scoring.Contest, b scoring.Board) []string {
	var lines []string
	for _, p := range b.Places {
		lines = append(lines, fmt.Sprintf("%d %s %s", p.Rank, c.Tools[p.Tool].Name, b.Standings[p.Tool].Points.RatString()))
	}
	return lines
}

// table4 gives points and seconds by tool, in the order of parts2012 and then
// Overall. "-" is the dash: opted out or below zero.
var table4 = map[string]string{
	"BLAST":     "71 9900, 72 30, 55 1400, -, 33 4000, -, 231 15000",
	"CPA-ABE":   "141 1000, 51 97, 26 1900, 4 16, 45 1100, 0 0, 267 4100",
	"CPA-MEMO":  "140 3200, 51 93, 49 500, 4 16, 36 450, 0 0, 280 4300",
	"ESBMC":     "102 4500, 63 160, 10 870, 1 220, 67 760, 6 270, 249 6800",
	"FSHELL":    "28 580, 20 3.5, 0 0, -, -, 0 0, 48 580",
	"LLBMC":     "100 2400, 80 1.6, 1 110, 17 210, 8 2.4, -, 206 2700",
	"PREDATOR":  "17 1100, 80 1.9, 0 0, 20 1.0, 21 630, 0 0, 138 1700",
	"QARMC":     "140 4800, -, -, -, 8 820, -, 148 5600",
	"SATABS":    "75 5400, 71 140, 32 3200, -, 57 5000, 1 1.4, 236 14000",
	"WOLVERINE": "39 580, 68 65, 16 1300, -, 36 1900, -, 159 3800",
}

// contest2012 gives every tool answers that are worth its points in each category.
func contest2012(t *testing.T) *svcomp {
	s := newSVComp(t, "svcomp2012")
	for tool, cells := range table4 {
		declared := scoring.Tool{Name: tool}
		for i, cell := range strings.Split(cells, ", ")[:len(parts2012)] {
			part := parts2012[i]
			if cell == "-" {
				declared.OptOut = append(declared.OptOut, part.name)
				continue
			}
			var points int
			var seconds string
			fmt.Sscanf(cell, "%d %s", &points, &seconds)
			rightTrue := min(points/2, part.safe)
			s.run(tool, part.name, solved(part.safe, part.unsafe, rightTrue, points-2*rightTrue, 0, 0), seconds)
		}
		s.b.Tool(declared)
	}
	return s
}

// twoDigits rounds seconds to two significant digits, an exact half up.
func twoDigits(micros int64) string {
	scale := int64(1)
	for micros/scale >= 100 {
		scale *= 10
	}
	return big.NewRat((micros+scale/2)/scale*scale, 1_000_000).RatString()
}

func TestTable4Overall2012(t *testing.T) {
	c, boards := contest2012(t).boards()
	overall := boards["Overall"]
	if overall.Values != 277 {
		t.Errorf("%d tasks", overall.Values)
	}
	for tool, cells := range table4 {
		list := strings.Split(cells, ", ")
		s := overall.Standings[c.ToolNamed(tool)]
		if got := s.Points.RatString() + " " + twoDigits(s.SuccessCPU); got != list[len(list)-1] {
			t.Errorf("%s: %s, published %s", tool, got, list[len(list)-1])
		}
	}
	// the rows of Table 4 that go into the statements on robustness
	var positive, notNegative []string
	for tool := range table4 {
		above, below := true, false
		for _, p := range parts2012 {
			s := boards[p.name].Standings[c.ToolNamed(tool)]
			above = above && !s.Dash && s.Points.Sign() > 0
			below = below || s.Dash
		}
		if above {
			positive = append(positive, tool)
		}
		if !below {
			notNegative = append(notNegative, tool)
		}
	}
	slices.Sort(notNegative)
	if fmt.Sprint(positive) != "[ESBMC]" || fmt.Sprint(notNegative) != "[CPA-ABE CPA-MEMO ESBMC PREDATOR]" {
		t.Errorf("positive everywhere %v, not negative anywhere %v", positive, notNegative)
	}
}

func TestMedals2012(t *testing.T) {
	c, boards := contest2012(t).boards()
	for name, want := range map[string]string{
		"ControlFlowInteger": "1 CPA-ABE, 2 CPA-MEMO, 3 QARMC",
		"DeviceDrivers":      "1 LLBMC, 2 PREDATOR, 3 BLAST",
		"DeviceDrivers64":    "1 BLAST, 2 CPA-MEMO, 3 SATABS",
		"HeapManipulation":   "1 PREDATOR, 2 LLBMC, 3 CPA-ABE, 3 CPA-MEMO", // equal points and times: both bronze
		"SystemC":            "1 ESBMC, 2 SATABS, 3 CPA-ABE",
		"Concurrency":        "1 ESBMC, 2 SATABS", // no third tool is above zero
		"Overall":            "1 CPA-MEMO, 2 CPA-ABE, 3 ESBMC",
	} {
		b := boards[name]
		var got []string
		for _, m := range b.Medals() {
			got = append(got, fmt.Sprintf("%d %s", m.Rank, c.Tools[m.Tool].Name))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %v, want %s", name, got, want)
		}
	}
	if heap := boards["HeapManipulation"].Places; heap[4].Rank != 5 {
		t.Errorf("HeapManipulation: the rank after a shared bronze is %d, want 5", heap[4].Rank)
	}
}

// table5 gives score, seconds, solved tasks, false alarms, missed bugs and the
// number of right answers TRUE that the score implies.
var table5 = []struct {
	category, tool, seconds                  string
	score, solved, alarms, missed, rightTrue int
	fixed                                    bool // the counts alone allow no other number
}{
	{"ControlFlowInteger", "CPA-ABE", "1000", 141, 91, 0, 0, 50, false},
	{"ControlFlowInteger", "CPA-MEMO", "3200", 140, 91, 0, 0, 49, false},
	{"ControlFlowInteger", "QARMC", "4800", 140, 91, 0, 0, 49, false},
	{"ControlFlowInteger", "ESBMC", "4500", 102, 70, 0, 4, 48, false},
	{"ControlFlowInteger", "LLBMC", "2400", 100, 79, 5, 3, 43, false},
	{"DeviceDrivers", "LLBMC", "1.6", 80, 46, 0, 0, 34, false},
	{"DeviceDrivers", "PREDATOR", "1.9", 80, 46, 0, 0, 34, false},
	{"DeviceDrivers", "BLAST", "30", 72, 51, 6, 1, 37, false},
	{"DeviceDrivers", "SATABS", "140", 71, 43, 0, 1, 32, false},
	{"DeviceDrivers", "WOLVERINE", "65", 68, 48, 2, 3, 36, false},
	{"DeviceDrivers64", "BLAST", "1400", 55, 33, 0, 0, 22, false},
	{"DeviceDrivers64", "CPA-MEMO", "500", 49, 33, 2, 0, 20, false},
	{"DeviceDrivers64", "SATABS", "3200", 32, 17, 0, 0, 15, false},
	{"DeviceDrivers64", "CPA-ABE", "1900", 26, 23, 2, 0, 7, false},
	{"DeviceDrivers64", "WOLVERINE", "1300", 16, 12, 0, 0, 4, false},
	{"HeapManipulation", "PREDATOR", "1.0", 20, 12, 0, 0, 8, false},
	{"HeapManipulation", "LLBMC", "210", 17, 10, 0, 0, 7, false},
	{"HeapManipulation", "CPA-ABE", "16", 4, 9, 5, 0, 5, true},
	{"HeapManipulation", "CPA-MEMO", "16", 4, 9, 5, 0, 5, true},
	{"HeapManipulation", "ESBMC", "220", 1, 6, 3, 1, 5, false},
	{"SystemC", "ESBMC", "760", 67, 58, 0, 4, 25, true},
	{"SystemC", "SATABS", "5000", 57, 40, 0, 0, 17, false},
	{"SystemC", "CPA-ABE", "1100", 45, 34, 0, 0, 11, false},
	{"SystemC", "CPA-MEMO", "450", 36, 30, 0, 0, 6, false},
	{"SystemC", "WOLVERINE", "1900", 36, 25, 0, 0, 11, false},
	{"Concurrency", "ESBMC", "270", 6, 7, 0, 1, 3, true},
	{"Concurrency", "SATABS", "1.4", 1, 1, 0, 0, 0, false},
	{"Overall", "CPA-MEMO", "4300", 280, 209, 20, 0, 111, false},
	{"Overall", "CPA-ABE", "4100", 267, 203, 20, 0, 104, false},
	{"Overall", "ESBMC", "6800", 249, 191, 9, 11, 120, false},
	// Table 5 says 238 points in 15000 s for SATABS, Table 4 says 236 in 14000 s.
	// The parts of Table 4 add up to 236; 238 would fit two points of
	// HeapManipulation, where Table 4 has a dash. The row is taken as printed in
	// Table 5: 93 right answers TRUE give 238, 91 give 236.
	{"Overall", "SATABS", "15000", 238, 149, 0, 1, 93, false},
	{"Overall", "BLAST", "15000", 231, 158, 6, 1, 89, false},
}

func TestTable5Rows2012(t *testing.T) {
	if len(table5) != 32 {
		t.Fatalf("%d rows", len(table5))
	}
	s := newSVComp(t, "svcomp2012")
	want := map[string][]string{}
	for _, row := range table5 {
		safe, unsafe := 158, 119
		category := row.category
		if category == "Overall" {
			category = "AllTogether" // one category, so that the row is scored from its own counts
		}
		for _, p := range parts2012 {
			if p.name == row.category {
				safe, unsafe = p.safe, p.unsafe
			}
		}
		least, most := max(0, row.solved-(unsafe-row.missed)), min(row.solved, safe-row.alarms)
		if row.rightTrue < least || row.rightTrue > most || row.fixed != (least == most) {
			t.Errorf("%s %s: %d right answers TRUE, the counts allow %d to %d", row.category, row.tool, row.rightTrue, least, most)
		}
		s.run(row.tool, category, solved(safe, unsafe, row.rightTrue, row.solved-row.rightTrue, row.alarms, row.missed), row.seconds)
		want[category] = append(want[category], fmt.Sprintf("%s %d", row.tool, row.score))
	}
	c, boards := s.boards()
	for category, rows := range want {
		var got []string
		for _, line := range order(c, boards[category]) {
			_, text, _ := strings.Cut(line, " ")
			got = append(got, text)
		}
		if fmt.Sprint(got) != fmt.Sprint(rows) {
			t.Errorf("%s: %v, published %v", category, got, rows)
		}
	}
	if heap := order(c, boards["HeapManipulation"]); !strings.HasPrefix(heap[3], "3 ") || !strings.HasPrefix(heap[4], "5 ") {
		t.Errorf("HeapManipulation: ranks %v, want 3, 3, 5", heap)
	}
	// SATABS as Table 4 has it
	s = newSVComp(t, "svcomp2012")
	s.run("SATABS", "AllTogether", solved(158, 119, 91, 149-91, 0, 1), "14000")
	c, boards = s.boards()
	if got := order(c, boards["AllTogether"]); got[0] != "1 SATABS 236" {
		t.Errorf("SATABS of Table 4: %v", got)
	}
}

// TestNormalisationOfToday is the worked example of the rules.
func TestNormalisationOfToday(t *testing.T) {
	rows := map[string][2]int64{"A": {10, 5}, "B": {20, 0}, "C": {0, 10}, "D": {16, 8}}
	for tool, want := range map[string]string{"A": "15", "B": "20", "C": "10", "D": "24"} {
		scores := []*big.Rat{big.NewRat(rows[tool][0], 1), big.NewRat(rows[tool][1], 1)}
		if got := scoring.Combine(true, scores, []int{10, 10}).RatString(); got != want {
			t.Errorf("%s: %s, want %s", tool, got, want)
		}
	}
	scores := []*big.Rat{big.NewRat(10, 1), big.NewRat(45, 1)}
	if plain, normalised := scoring.Combine(false, scores, []int{10, 90}), scoring.Combine(true, scores, []int{10, 90}); plain.RatString() != "55" || normalised.RatString() != "75" {
		t.Errorf("unequal sizes: plain %s, normalised %s", plain.RatString(), normalised.RatString())
	}
	// the same example through an edition: ten tasks in each of two categories
	s := newSVComp(t, "svcomp2026")
	s.e.Scheme.Metas = []scoring.Meta{{Name: "Both", Of: []string{"X", "Y"}, Normalised: true}}
	for tool, points := range rows {
		s.run(tool, "X", solved(10, 0, int(points[0]/2), 0, 0, 0), "1")
		s.run(tool, "Y", solved(5, 5, int(points[1]/2), int(points[1]%2), 0, 0), "1")
	}
	c, boards := s.boards()
	if got := fmt.Sprint(order(c, boards["Both"])); got != "[1 D 24 2 B 20 3 A 15 4 C 10]" {
		t.Error(got)
	}
}

// TestNormalised2012 is the scores of 2012 under the normalisation of today, to
// one decimal.
func TestNormalised2012(t *testing.T) {
	s := contest2012(t)
	s.e.Scheme.Metas[0].Normalised = true
	c, boards := s.boards()
	var got []string
	for _, p := range boards["Overall"].Places {
		got = append(got, c.Tools[p.Tool].Name+" "+boards["Overall"].Standings[p.Tool].Points.FloatString(1))
	}
	want := []string{"CPA-MEMO 204.6", "ESBMC 199.0", "CPA-ABE 185.9", "BLAST 178.1", "SATABS 177.0", "LLBMC 175.4", "PREDATOR 152.6", "WOLVERINE 117.4", "QARMC 75.5", "FSHELL 29.5"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestSchemasOnOneSet scores one set of answers under the three schemas.
func TestSchemasOnOneSet(t *testing.T) {
	tasks := solved(14, 11, 10, 10, 1, 1)
	for i := range tasks {
		tasks[i].witness = scoring.Confirmed
	}
	for range 3 {
		tasks = append(tasks, task{expected: true, answer: true, answered: true, witness: scoring.Unconfirmed})
	}
	for id, want := range map[string]string{"svcomp2012": "30", "svcomp2019": "-15", "svcomp2026": "-18"} {
		s := newSVComp(t, id)
		s.e.Scheme.Ranking.NegativeIsZero = false
		s.run("T", "X", tasks, "1")
		c, boards := s.boards()
		if got := order(c, boards["X"]); got[0] != "1 T "+want {
			t.Errorf("%s: %v, want %s points", id, got, want)
		}
	}
}

func TestDash2012(t *testing.T) {
	s := newSVComp(t, "svcomp2012")
	s.run("Wrong", "SystemC", solved(5, 5, 1, 0, 0, 2), "7")
	s.run("Silent", "SystemC", solved(5, 5, 0, 0, 0, 0), "0")
	s.run("Wrong", "Concurrency", solved(5, 5, 1, 0, 0, 0), "3")
	c, boards := s.boards()
	if got := fmt.Sprint(order(c, boards["SystemC"])); got != "[1 Silent 0]" {
		t.Errorf("a total below zero is a dash: %s", got)
	}
	if b := boards["SystemC"]; !b.Standings[c.ToolNamed("Wrong")].Dash || len(b.Medals()) != 0 {
		t.Error("no dash, or a medal for zero points")
	}
	if got := boards["Overall"].Standings[c.ToolNamed("Wrong")]; got.Points.RatString() != "2" || got.SuccessCPU != 3_000_000 {
		t.Errorf("the dash must count zero points and no time: %+v", got)
	}
}

// TestOptOutToday: a sub-category that a tool opted out of shows nothing, and its
// results count in the meta category.
func TestOptOutToday(t *testing.T) {
	s := newSVComp(t, "svcomp2026")
	s.e.Scheme.Metas = []scoring.Meta{{Name: "Both", Of: []string{"X", "Y"}, Normalised: true}}
	for _, tool := range []string{"A", "B"} {
		s.run(tool, "X", solved(10, 0, 5, 0, 0, 0), "1")
		s.run(tool, "Y", solved(10, 0, 2, 0, 0, 0), "1")
	}
	s.b.Tool(scoring.Tool{Name: "A", OptOut: []string{"Y"}})
	c, boards := s.boards()
	if got := fmt.Sprint(order(c, boards["Y"])); got != "[1 B 4]" {
		t.Error(got)
	}
	if got := fmt.Sprint(order(c, boards["Both"])); got != "[1 A 14 1 B 14]" {
		t.Error(got)
	}
}

func TestAlternativeRankings(t *testing.T) {
	s := newSVComp(t, "svcomp2026")
	s.run("Exact", "X", solved(30, 0, 10, 0, 0, 0), "5")
	s.run("Better", "X", solved(30, 0, 20, 0, 0, 0), "5")
	s.run("Wrong", "X", solved(30, 0, 29, 0, 1, 0), "5") // 58 - 16 points, one error
	s.run("Below", "X", solved(30, 0, 1, 0, 1, 0), "5")
	s.b.Tool(scoring.Tool{Name: "Exact", FirstTime: true})
	s.b.Tool(scoring.Tool{Name: "Below", FirstTime: true})
	c := s.b.Contest()
	for i := range c.Runs {
		c.Runs[i].Energy = int64(i%len(c.Tools)+1) * 1_000_000
	}
	board := s.e.Score(c).Boards()[0]
	if n := scoring.Green.Rank(c, &scoring.Board{Places: board.Places, Standings: unmetered(board.Standings)}); len(n) != 0 {
		t.Errorf("one run without energy, and still in the ranking: %v", n)
	}
	for which, want := range map[scoring.Alternative]string{
		scoring.Correct: "[1 Better 0 2 Exact 0 3 Wrong 1/42]",
		scoring.Green:   "[1 Better 1 2 Exact 3/2 3 Wrong 58/21]",
		scoring.New:     "[1 Exact 20]",
	} {
		var got []string
		for _, m := range which.Rank(c, &board) {
			got = append(got, fmt.Sprintf("%d %s %s", m.Rank, c.Tools[m.Tool].Name, m.Measure.RatString()))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("ranking %d: %v, want %s", which, got, want)
		}
	}
}

// unmetered takes the energy of one successful run from every tool.
func unmetered(list []scoring.Standing) []scoring.Standing {
	list = slices.Clone(list)
	for i := range list {
		list[i].Unmetered = 1
	}
	return list
}

// TestLimitsOfValidators: by today's rules 90 s and 300 s, and 10 % and 33 % of another limit of
// the verifiers.
func TestLimitsOfValidators(t *testing.T) {
	for _, tc := range []struct {
		edition                string
		cpu                    time.Duration
		violation, correctness time.Duration
	}{
		{"svcomp2026", 15 * time.Minute, 90 * time.Second, 300 * time.Second}, {"svcomp2026", 0, 90 * time.Second, 300 * time.Second},
		{"svcomp2026", time.Minute, 6 * time.Second, 19800 * time.Millisecond}, {"svcomp2026", time.Hour, 6 * time.Minute, 1188 * time.Second},
		{"svcomp2026", 5 * time.Second, time.Second, 1650 * time.Millisecond}, {"svcomp2019", time.Minute, 90 * time.Second, 15 * time.Minute},
	} {
		e, err := Named(tc.edition)
		if err != nil {
			t.Fatal(err)
		}
		l := e.Limits
		if v, c := l.Violation.Under(tc.cpu, l), l.Correctness.Under(tc.cpu, l); v.CPU != tc.violation || c.CPU != tc.correctness {
			t.Errorf("%s, verifiers have %s: %s and %s", tc.edition, tc.cpu, v.CPU, c.CPU)
		}
	}
	text, err := Source("svcomp2026")
	if err != nil {
		t.Fatal(err)
	}
	for share, want := range map[string]string{"share: 10%": "cpu: 90s, share: 10%", "share: ten": "a part of the verifiers' CPU time", "share: 0%": "from 1% to 1000%", "share: 1001%": "from 1% to 1000%", "share: 5": "a part"} {
		changed := strings.Replace(string(text), "cpu: 90s, share: 10%", share, 1)
		e, found := Load("own.yaml", []byte(changed))
		if err := found.Err(); err == nil && (share != "share: 10%" || e.Limits.Violation.CPU != 90*time.Second) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", share, err)
		}
	}
}

// TestPatterns: patterns stand for categories and properties, and broken ones are refused.
func TestPatterns(t *testing.T) {
	text, err := os.ReadFile("testdata/mixed.yaml")
	if err != nil {
		t.Fatal(err)
	}
	load := func(of, properties string) (*Edition, diagnostic.List) {
		return Load("own.yaml", []byte(strings.Replace(string(text), "[Loops, Heap]", of, 1)+"witnesses:\n  - {kind: violation, properties: "+properties+", formats: []}\n"))
	}
	e, found := load("['ReachSafety-*']", "['valid-*']")
	if found.Err() != nil {
		t.Fatal(found)
	}
	if e.AsksWitness("violation", "valid-memsafety", "valid-free", "Heap") || !e.AsksWitness("violation", "unreach-call", "", "Heap") {
		t.Error("a pattern of properties fits others")
	}
	for _, bad := range [][2]string{{"['[x']", "[a]"}, {"[a]", "['[x']"}} {
		if _, found := load(bad[0], bad[1]); found.Err() == nil || !strings.Contains(found.Error(), "\"[x\" is no pattern") {
			t.Errorf("%v: %v", bad, found)
		}
	}
}
