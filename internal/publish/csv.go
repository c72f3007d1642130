package publish

import (
	"bufio"
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"podium/confidence"
	"podium/internal/judged"
	"podium/pnml/diagnostic"
	"podium/scoring"
	"podium/vm"
)

// instant is a moment as files have it.
func instant(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// csvFile is a table.
type csvFile struct {
	name, row string // its name, and what each row of it is
	fill      func(*view, *csvTable)
}

// csvFiles are the tables that every contest has.
var csvFiles = []csvFile{
	{"runs.csv", "one run: outcome, measured figures and points", (*view).csvRuns},
	{"answers.csv", "one value that a tool gave", (*view).csvAnswers},
	{"witnesses.csv", "one value that a witness can prove, and what the replay, or the validators, say of the tool's witness", (*view).csvWitnesses},
	{"references.csv", "one value that was asked, its reference value, how it came about, and what is proved", (*view).csvReferences},
	{"votes.csv", "one tool's vote on one value, with its weight", (*view).csvVotes},
	{"confidences.csv", "one tool: consistent values it answered and agreed on", (*view).csvConfidences},
	{"scores.csv", "one addend of the score of one run, with rule and reason", (*view).csvScores},
	{"totals.csv", "one tool in one category: points, rank and place", (*view).csvTotals},
	{"rankings.csv", "one tool in another ranking of a category that the edition names, with its measure", (*view).csvRankings},
	{"disagreements.csv", "one value on which tools differ", (*view).csvDisagreements},
}

// tables lists the tables of a contest: those of tasks, and of repetitions, only where it has
// some.
func (v *view) tables() []csvFile {
	list := slices.Clip(csvFiles)
	if v.hasTasks() {
		list = append(list, csvFile{"efforts.csv", "one tool's answers TRUE, or FALSE, to the tasks of a category (of all tasks where it is empty): right, wrong, confirmed, and what they took", (*view).csvEfforts},
			csvFile{"categories.csv", "one category of tasks: its tasks by expected verdict, the maximal score, who is best, and who is best of those that take part for the first time", (*view).csvCategories},
			csvFile{"tasks.csv", "one property in one category: its tasks, by expected verdict", (*view).csvTasks})
	}
	if slices.ContainsFunc(v.c.runs, func(r run) bool { return r.Repeated != nil }) {
		list = append(list, csvFile{"repetitions.csv", "one run that was made several times: what those times took", (*view).csvRepetitions})
	}
	return list
}

// csvTable is a table that is written. Its writer keeps the first error.
type csvTable struct {
	to    *bufio.Writer
	line  []byte
	exact map[*big.Rat]ratText
}

// row writes a row. Its cells are only read until it returns, so that they need no memory
// of their own. There are millions of rows, so that they are written by hand, as encoding/csv
// would.
func (t *csvTable) row(cells ...string) {
	t.line = t.line[:0]
	for i, cell := range cells {
		if i > 0 {
			t.line = append(t.line, ',')
		}
		if cell = inert(diagnostic.Clean(cell)); quoted(cell) {
			t.line = append(append(append(t.line, '"'), strings.ReplaceAll(cell, `"`, `""`)...), '"')
		} else {
			t.line = append(t.line, cell...)
		}
	}
	t.to.Write(append(t.line, '\n'))
}

// quoted reports whether a cell must stand in quotes.
func quoted(cell string) bool {
	for i := range len(cell) {
		switch cell[i] {
		case ',', '"', '\r', '\n':
			return true
		}
	}
	first, _ := utf8.DecodeRuneInString(cell)
	return unicode.IsSpace(first) || cell == `\.` // which ends a table for some data bases
}

// ratText is a number in the forms of tables.
type ratText struct{ exact, decimal string }

// mostRatTexts bounds the numbers that a table remembers.
const mostRatTexts = 4096

// number writes a number that nobody changes: most of them share memory.
func (t *csvTable) number(r *big.Rat) ratText {
	text, known := t.exact[r]
	if !known {
		if len(t.exact) == mostRatTexts {
			clear(t.exact)
		}
		text = ratText{exact(r), plainDecimal(r)}
		t.exact[r] = text
	}
	return text
}

func (v *view) writeCSV(t *tree) error {
	for _, file := range v.tables() {
		err := t.write("csv/"+file.name, func(w *bufio.Writer) error {
			file.fill(v, &csvTable{to: w, exact: map[*big.Rat]ratText{}})
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// inert puts an apostrophe before a text that a spreadsheet would take for a
// formula. Numbers and masks, which may begin alike, stay as they are.
func inert(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) || strings.Trim(cell, "0123456789.,/+-~?TXeE") == "" {
		return cell
	}
	return "'" + cell
}

func (v *view) csvRuns(t *csvTable) {
	t.row("tool", "instance", "examination", "category", "class", "void", "attempts", "machine", "participation", "termination",
		"exit_code", "signal", "cpu_s", "user_s", "system_s", "wall_s", "memory_peak_bytes", "output_bytes", "measured_by",
		"mask", "points", "points_decimal", "warnings", "no_score", "flags",
		"energy", "energy_j", "energy_core_j", "energy_uncore_j", "energy_dram_j", "energy_note")
	for i := range v.cells {
		c := &v.cells[i]
		inst := v.insts[c.inst].ID.String()
		for _, r := range c.runs {
			mask := ""
			if r.Void == "" {
				mask = maskText(c.mask(r))
			}
			energy, points := cmp.Or(r.Energy, &vm.Energy{}), t.number(r.points)
			t.row(r.toolName(), inst, string(r.exam()), v.c.Examinations[c.exam].Category, v.insts[c.inst].Class.String(),
				r.Void, strconv.Itoa(r.Attempts), r.Host(), r.participation(), string(r.Termination),
				r.known(strconv.Itoa(r.ExitCode)), r.known(strconv.Itoa(r.Signal)), r.cpuTime(seconds, r.CPUTime.Duration()), r.known(r.cpuTime(seconds, r.UserTime.Duration())),
				r.known(r.cpuTime(seconds, r.SystemTime.Duration())), r.wallTime(), r.memory(func(n int64) string { return strconv.FormatInt(n, 10) }),
				r.known(strconv.FormatInt(r.OutputBytes, 10)), r.Measured,
				mask, points.exact, points.decimal, strings.Join(r.warnings(), "; "), r.noScore, strings.Join(r.flags(), " | "),
				r.Energy.State(), joules(energy.Package), joules(energy.Core), joules(energy.Uncore), joules(energy.DRAM), energy.Why)
		}
	}
}

// wallTime writes the wall time, or nothing where it is not known.
func (r *run) wallTime() string {
	if !r.walled() {
		return ""
	}
	return seconds(r.WallTime.Duration())
}

// maskText is a mask as published files have it, but for what is set aside, and for what was not
// answered where there is no reference.
func maskText(mask []scoring.Mark) string {
	text := make([]byte, len(mask))
	for i, m := range mask {
		if text[i] = m.Char(); m == scoring.Ignored {
			text[i] = '~'
		}
	}
	return string(text)
}

// plainDecimal is an exact ratio with six decimals at most, for programs that
// know no ratios.
func plainDecimal(r *big.Rat) string {
	if r == nil {
		return "0"
	}
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(6), "0")
}

// csvAnswers keeps the layout in which answers of contests are exchanged.
// Answers of void runs count for nobody and are left out.
func (v *view) csvAnswers(t *csvTable) {
	t.row("tool", "instance", "examination", "value_id", "answer", "cpu_s", "mem_mb")
	var list []judged.Said
	for i := range v.cells {
		c := &v.cells[i]
		inst := v.insts[c.inst].ID.String()
		for _, r := range c.runs {
			if r.Void != "" {
				continue
			}
			cpu, memory := r.cpuTime(seconds, r.CPUTime.Duration()), r.memory(megabytes)
			list = r.sortedAnswers(list)
			for _, a := range list {
				t.row(r.toolName(), inst, string(r.exam()), a.Item, a.Value.Text, cpu, memory)
			}
		}
	}
}

func (v *view) csvWitnesses(t *csvTable) {
	t.row("tool", "instance", "examination", "value_id", "answer", "state", "proved", "detail", "format", "malformed")
	if !v.witnessed {
		return
	}
	var list []judged.Said
	for i := range v.cells {
		for _, r := range v.cells[i].runs {
			list = r.sortedAnswers(list)
			for _, a := range list {
				if w := a.Witness; a.Witnessed() && r.Void == "" {
					t.row(r.toolName(), r.instance().String(), string(r.exam()), a.Item, a.Value.Text, string(w.State), w.Proved, w.Detail, w.Format, strconv.FormatBool(w.Malformed))
				}
			}
		}
	}
}

func (v *view) csvReferences(t *csvTable) {
	t.row("instance", "examination", "value_id", "value", "state", "rule", "clause", "votes", "doubts",
		"referee", "proved", "evidence")
	for i := range v.cells {
		for k := range v.cells[i].refs {
			r := &v.cells[i].refs[k]
			key, certainty := r.key(), ""
			if v.c.Refereed() {
				certainty = r.certainty().String()
			}
			rule, clause := r.clause()
			evidence, _ := r.evidence()
			t.row(key.Instance.String(), string(key.Exam), key.Item, r.Value().Text, string(r.State()), rule, clause,
				strconv.Itoa(len(r.votes())), strings.Join(r.doubts(), "; "), certainty, r.Proved().Text, evidence)
		}
	}
}

func (v *view) csvVotes(t *csvTable) {
	t.row("instance", "examination", "value_id", "tool", "answer", "weight", "weight_decimal")
	for i := range v.cells {
		inst := v.insts[v.cells[i].inst].ID.String()
		for k := range v.cells[i].refs {
			r := &v.cells[i].refs[k]
			for _, vote := range r.votes() {
				weight := t.number(vote.Weight)
				t.row(inst, string(r.key().Exam), r.item(), vote.Tool, vote.Value.Text, weight.exact, weight.decimal)
			}
		}
	}
}

func (v *view) csvConfidences(t *csvTable) {
	t.row("tool", "agree", "answered", "confidence", "confidence_decimal", "consistent_values")
	for i, tool := range v.tools {
		conf := v.trust[i]
		ratio := ratioOf(conf)
		text, rounded := "", ""
		if ratio != nil {
			text, rounded = exact(ratio), ratio.FloatString(8)
		}
		t.row(tool.Name, strconv.Itoa(conf.Agree), strconv.Itoa(conf.Answered), text, rounded, strconv.Itoa(conf.Consistent))
	}
}

// ratioOf is the confidence of a tool, nil when it answered no consistent value.
func ratioOf(c confidence.Share) *big.Rat {
	if c.Answered == 0 {
		return nil
	}
	return big.NewRat(int64(c.Agree), int64(c.Answered))
}

func (v *view) csvScores(t *csvTable) {
	t.row("tool", "instance", "examination", "value_id", "rule", "reason", "points", "points_decimal", "raw_points")
	v.gains, v.counted = nil, false
	for i := range v.cells {
		inst := v.insts[v.cells[i].inst].ID.String()
		for _, r := range v.cells[i].runs {
			items, _ := v.items(r)
			for k := range items {
				item := &items[k]
				v.noteItem(v.toolAt[r.toolName()], item)
				points, raw := t.number(item.Points), ""
				if item.Raw != nil {
					raw = t.number(item.Raw).exact
				}
				t.row(r.toolName(), inst, string(r.exam()), r.item(item), item.Item.Rule, r.reason(item), points.exact, points.decimal, raw)
			}
		}
	}
	v.counted = true
}

func (v *view) csvTotals(t *csvTable) {
	t.row("category", "tool", "points", "points_decimal", "rank", "place", "right", "wrong", "unjudged", "unanswered", "note", "set_aside",
		"dash", "success_cpu_s", "success_energy_j", "false_alarms", "wrong_proofs", "first_time")
	for i := range v.c.Categories {
		cat := &v.c.Categories[i]
		for _, s := range v.c.standings(cat) {
			n := v.sum(v.toolAt[s.Tool], cat.Name)
			t.row(cat.Name, s.Tool, exact(s.Points), plainDecimal(s.Points), strconv.Itoa(s.Rank), strconv.Itoa(s.Place),
				strconv.Itoa(n.right), strconv.Itoa(n.wrong), strconv.Itoa(n.unjudged), strconv.Itoa(n.missed), s.Note, strconv.Itoa(n.aside),
				strconv.FormatBool(s.Dash), seconds(s.Took()), joules(s.Metered()), strconv.Itoa(s.FalseAlarms), strconv.Itoa(s.WrongProofs),
				strconv.FormatBool(v.first(s.Tool)))
		}
	}
}

// joules is empty where nothing was measured.
func joules(micro int64) string {
	if micro == 0 {
		return ""
	}
	return plainDecimal(big.NewRat(micro, 1_000_000))
}

func (v *view) csvDisagreements(t *csvTable) {
	t.row("instance", "examination", "value_id", "value", "state", "answers", "page")
	for n, s := range v.splits {
		r := &s.cell.refs[s.item]
		t.row(r.key().Instance.String(), string(r.key().Exam), r.item(), r.Value().Text, string(r.State()),
			strconv.Itoa(len(r.camps())), v.splitPath(n))
	}
}
