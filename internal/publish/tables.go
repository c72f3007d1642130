package publish

import (
	"bufio"
	"cmp"
	"io"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"podium/confidence"
	"podium/internal/columns"
	"podium/internal/files"
	"podium/internal/judged"
	"podium/models"
	"podium/scoring"
	"podium/vm"
)

// line is what a row of the tables of runs and values is made of: an examination of an instance, and
// of it a run or a value, with what the table lists.
type line struct {
	*view
	*cell
	run    *run
	said   judged.Said     // an answer of the run; of a value that the run left open its mark alone
	item   *scoring.Addend // of its score
	ref    *ref
	votes  []answer  // on the value
	vote   *answer   // one of them
	sample vm.Sample // of the run over time

	rule, clause, evidence string // of the reference value
}

type (
	value        = columns.Value
	column       = columns.Column[*line]
	standingLine struct {
		*Category
		standing
		n tally
	}
)

// What rows are named by.
var (
	ofTool     = columns.New("tool", columns.Text, "", func(l *line) value { return columns.Str(l.run.toolName()) })
	ofInstance = columns.New("instance", columns.Text, "`Model-PT-Parameter`, or a task", func(l *line) value { return columns.Str(l.instName[l.inst]) })
	ofExam     = columns.New("examination", columns.Text, "", func(l *line) value { return columns.Str(string(l.c.Examinations[l.exam].ID)) })
	ofValue    = columns.New("value_id", columns.Text, "the formula, or the name of the value", func(l *line) value { return columns.Str(l.ref.item()) })
	ofSaid     = columns.New("value_id", columns.Text, "the formula, or the name of the value", func(l *line) value { return columns.Str(l.said.Item) })
	ofAnswer   = columns.New("answer", columns.Text, "with all digits that the source has", func(l *line) value { return columns.Str(l.said.Value.Text) })
	ofModel    = columns.New("model", columns.Text, "the family of instances", func(l *line) value { return columns.Str(l.insts[l.inst].ID.Family) })
	ofKind     = columns.New("kind", columns.Text|columns.OrNull, "`PT` or `COL`", func(l *line) value { return netKind(l.insts[l.inst].ID) })
)

// countOf is a column of counts.
func countOf[R any](name, about string, get func(R) int) columns.Column[R] {
	return columns.New(name, columns.Integer, about, func(r R) value { return columns.Int(get(r)) })
}

// netKind is null where the name of an instance is not that of a net.
func netKind(id models.ID) value { return columns.Str(id.Kind.String()).If(id.Param != "") }

// tables are those of a contest, on tasks and repetitions only where it has some. CSV files have answers in the layout in
// which contests exchange them; programs get what was judged of them.
func (v *view) tables(forPrograms bool) []columns.Table {
	answers := v.tableOfAnswers
	if forPrograms {
		answers = v.tableOfJudged
	}
	list := []columns.Table{v.tableOfRuns(), answers(), v.tableOfWitnesses(), v.tableOfReferences(), v.tableOfVotes(), v.tableOfConfidences(),
		v.tableOfScores(), v.tableOfTotals(), v.tableOfRankings(), v.tableOfSplits()}
	if v.hasTasks() {
		list = append(list, v.tableOfEfforts(), v.tableOfCategories(), v.tableOfTasks())
	}
	if slices.ContainsFunc(v.c.runs, func(r run) bool { return r.Repeated != nil }) {
		list = append(list, v.tableOfRepetitions())
	}
	if forPrograms && !v.c.FromFiles { // as CSV they would be larger than the rest of a site
		list = append(list, v.tableOfCurves())
	}
	return list
}

func (v *view) writeCSV(t *tree) error {
	for _, table := range v.tables(false) {
		if err := t.write("csv/"+table.Name+".csv", func(w *bufio.Writer) error { return table.CSV(w) }); err != nil {
			return err
		}
	}
	return nil
}

// Export writes the tables of a contest for programs into a directory, in the format parquet or json; files of the same
// names are replaced. With ofRuns what has no run is left out.
func Export(dir, format string, j *judged.Contest, ofRuns bool, version string) error {
	metadata := map[string]string{"podium.edition": j.Edition.ID, "podium.units_per_point": strconv.FormatInt(j.Result.Scheme.Unit, 10)}
	c := judgedOnly(j, ofRuns)
	c.rank()
	v := newView(c)
	for _, table := range v.tables(true) {
		name, write := table.Name+".jsonl", table.JSON
		if format == "parquet" {
			name, write = table.Name+".parquet", func(w io.Writer) error { return table.Parquet(w, version, metadata) }
		}
		if err := cmp.Or(files.Replace(filepath.Join(dir, name), write), v.failed); err != nil {
			return err
		}
	}
	return nil
}

// WriteReferences writes the table of references as CSV, with ofRuns only of what has a run.
func WriteReferences(w io.Writer, j *judged.Contest, ofRuns bool) error {
	table := newView(judgedOnly(j, ofRuns)).tableOfReferences()
	return table.CSV(w)
}

// judgedOnly is what tables need of a contest.
func judgedOnly(j *judged.Contest, ofRuns bool) *Contest {
	c := bare(j)
	if c.onlyRuns = ofRuns; ofRuns {
		c.Tools = slices.DeleteFunc(c.Tools, func(t Tool) bool { return !j.Result.Contest.ToolHasRuns(j.Result.Contest.ToolNamed(t.Name)) })
	}
	c.makeRuns()
	c.doubt()
	return c
}

// ofRuns has a line for each run.
func (v *view) ofRuns(yield func(*line) bool) {
	l := &line{view: v}
	for i := range v.cells {
		l.cell = &v.cells[i]
		for _, l.run = range l.runs {
			if !yield(l) {
				return
			}
		}
	}
}

// ofAnswers has a line for each answer of runs that are not void.
func (v *view) ofAnswers(yield func(*line) bool) {
	var list []judged.Said
	for l := range v.ofRuns {
		if l.run.Void != "" {
			continue
		}
		list = l.run.sortedAnswers(list)
		for _, l.said = range list {
			if !yield(l) {
				return
			}
		}
	}
}

// ofAsked has a line for each value that was asked of a run that answered.
func (v *view) ofAsked(yield func(*line) bool) {
	var list []judged.Said
	for l := range v.ofRuns {
		if v.c.scored().Run(l.run.sheet, l.run.tool).Participation != scoring.Answered {
			continue
		}
		list = slices.AppendSeq(list[:0], v.c.Judged.Facts.Said(l.run.sheet, l.run.tool))
		for i := range l.refs {
			l.ref = &l.refs[i]
			l.said = judged.Said{Item: l.ref.item(), At: -1}
			if at := slices.IndexFunc(list, func(a judged.Said) bool { return a.Item == l.said.Item }); at >= 0 {
				l.said = list[at]
			}
			l.said.Mark = v.c.Judged.Result.ValueMark(l.run.sheet, l.run.tool, l.ref.value)
			if !yield(l) {
				return
			}
		}
	}
}

// ofValues has a line for each value that was asked, with the votes on it.
func (v *view) ofValues(yield func(*line) bool) {
	l := &line{view: v}
	for i := range v.cells {
		l.cell = &v.cells[i]
		for k := range l.refs {
			l.ref = &l.refs[k]
			if l.votes = l.ref.votes(); !yield(l) {
				return
			}
		}
	}
}

// runInt and the others are columns of runs of which a figure is known, or not.
func runInt(name, about string, get func(*run) value) column {
	return columns.New(name, columns.Integer|columns.OrNull, about, func(l *line) value { return get(l.run) })
}

func runText(name, about string, get func(*run) string) column {
	return columns.New(name, columns.Text|columns.OrNull, about, func(l *line) value { return columns.Str(get(l.run)) })
}

func runTime(name, about string, get func(*run) vm.Micros, known func(*run) bool) column {
	return columns.New(name, columns.Duration|columns.OrNull, about, func(l *line) value { return columns.Int(get(l.run).Microseconds()).If(known(l.run)) })
}

func runEnergy(name, about string, get func(*vm.Energy) int64) column {
	return columns.New(name, columns.Energy|columns.OrNull, about, func(l *line) value { return columns.Positive(get(cmp.Or(l.run.Energy, &vm.Energy{}))) })
}

// units are the points of the run in whole units of the edition, null where it has no score.
func (l *line) units() value {
	r := l.c.Judged.Result
	if !r.HasScore(l.run.sheet, l.run.tool) {
		return value{}
	}
	return columns.Int(r.RunPoints(l.run.sheet, l.run.tool))
}

func (l *line) letter(of scoring.Letters) value {
	return columns.Bool(l.c.Judged.Result.RunLetters(l.run.sheet, l.run.tool)&of != 0)
}

func (v *view) tableOfRuns() columns.Table {
	inCampaign := func(r *run) bool { return !r.of.FromFiles }
	timed := func(r *run) bool { return inCampaign(r) && r.Times() }
	return columns.Of("runs", "one run: outcome, measured figures and points", v.ofRuns, ofTool, ofInstance, ofExam,
		columns.New("category", columns.Text, "", func(l *line) value { return columns.Str(l.c.Examinations[l.exam].Category) }),
		columns.New("class", columns.Text, "`known`, `stripped` or `surprise` (E-4.4)", func(l *line) value { return columns.Str(l.insts[l.inst].Class.String()) }),
		runText("void", "why the run counts for nobody", func(r *run) string { return r.Void }),
		columns.New("attempts", columns.Integer, "tries, void ones included", func(l *line) value { return columns.Int(l.run.Attempts) }),
		runText("host", "campaigns only", func(r *run) string { return r.Host() }),
		columns.New("participation", columns.Text, "`answered`, `CC`, `DNC`, `DNF` (stopped by a limit), `Unknown` (the log was lost), `void`", func(l *line) value {
			return columns.Str(l.c.scored().Run(l.run.sheet, l.run.tool).Participation.String())
		}),
		runText("termination", "`exited`, `signal`, `cputime`, `walltime`, `memory`, ...; of files also `time`, `time+memory`", func(r *run) string { return string(r.Termination) }),
		runInt("exit_code", "campaigns only", func(r *run) value { return columns.Int(r.ExitCode).If(inCampaign(r)) }),
		runInt("signal", "campaigns only", func(r *run) value { return columns.Int(r.Signal).If(inCampaign(r)) }),
		runTime("cpu", "CPU time", func(r *run) vm.Micros { return r.CPUTime }, (*run).Times),
		runTime("user", "of it in the program", func(r *run) vm.Micros { return r.UserTime }, timed),
		runTime("system", "of it in the kernel", func(r *run) vm.Micros { return r.SystemTime }, timed),
		runTime("wall", "wall-clock time", func(r *run) vm.Micros { return r.WallTime }, (*run).walled),
		runInt("memory_bytes", "greatest memory", func(r *run) value { return columns.Int(r.MemoryPeak).If(r.Memory()) }),
		runInt("output_bytes", "campaigns only", func(r *run) value { return columns.Int(r.OutputBytes).If(inCampaign(r)) }),
		runText("measured_by", "", func(r *run) string { return r.Measured }),
		columns.New("mask", columns.Text|columns.OrNull, "the judgement of each value", func(l *line) value { return columns.Str(maskText(l.mask(l.run))).If(l.run.Void == "") }),
		columns.New("points", columns.Ratio|columns.OrNull, "", func(l *line) value { return columns.Rat(l.run.points).If(l.run.noScore == "") }),
		columns.New("points_decimal", columns.Decimal|columns.OrNull|columns.OnlyCSV, "", func(l *line) value { return columns.Rat(l.run.points).If(l.run.noScore == "") }),
		columns.New("warnings", columns.Texts, "sentences about the run", func(l *line) value { return columns.List("; ", l.run.warnings()) }),
		runText("no_score", "why the run has no points", func(r *run) string { return r.noScore }),
		columns.New("flags", columns.Texts, "what checks of the edition found", func(l *line) value { return columns.List(" | ", l.run.flags()) }),
		runText("energy", "`measured`, `estimate` or `not measured`; null where nobody looked", func(r *run) string { return r.Energy.State() }),
		runEnergy("energy", "of the processor packages, where it was measured", func(e *vm.Energy) int64 { return e.Package }),
		runEnergy("energy_core", "of it the cores", func(e *vm.Energy) int64 { return e.Core }),
		runEnergy("energy_uncore", "of it the rest, such as graphics", func(e *vm.Energy) int64 { return e.Uncore }),
		runEnergy("energy_dram", "memory, beside the packages", func(e *vm.Energy) int64 { return e.DRAM }),
		runText("energy_note", "", func(r *run) string { return cmp.Or(r.Energy, &vm.Energy{}).Why }),
		columns.New("team", columns.Text, "who handed the tool in; variants have the same (E-4.5)", func(l *line) value { return columns.Str(l.c.scored().Tools[l.run.tool].FamilyName()) }),
		ofModel,
		columns.New("parameter", columns.Text|columns.OrNull, "null where the instance is no net of the contest", func(l *line) value { return columns.Str(l.insts[l.inst].ID.Param) }),
		ofKind,
		columns.New("started", columns.Time|columns.OrNull, "UTC; campaigns only", func(l *line) value { return columns.At(l.run.Started) }),
		columns.New("units", columns.Integer|columns.OrNull, "points in whole units of the edition, exact", (*line).units),
		columns.New("fastest", columns.Boolean, "it has the bonus of time", func(l *line) value { return l.letter(scoring.Fastest) }),
		columns.New("smallest", columns.Boolean, "it has the bonus of memory", func(l *line) value { return l.letter(scoring.Smallest) }))
}

// tableOfAnswers has the layout in which answers of contests are exchanged.
func (v *view) tableOfAnswers() columns.Table {
	return columns.Of("answers", "one value that a tool gave", v.ofAnswers, ofTool, ofInstance, ofExam, ofSaid, ofAnswer,
		runTime("cpu", "", func(r *run) vm.Micros { return r.CPUTime }, (*run).Times),
		runText("mem_mb", "", func(r *run) string { return r.memory(megabytes) }))
}

// tableMarks are the marks in words, as tables have them.
var tableMarks = [...]string{scoring.Open: "open", scoring.Unjudged: "unjudged", scoring.Missing: "missing", scoring.Right: "right",
	scoring.Wrong: "wrong", scoring.Excluded: "excluded", scoring.Ignored: "ignored"}

func (v *view) tableOfJudged() columns.Table {
	return columns.Of("answers", "one value that was asked of a run that answered", v.ofAsked, ofTool, ofInstance, ofExam, ofSaid,
		columns.New("answer", columns.Text|columns.OrNull, "with all digits that the source has; null: left open", ofAnswer.Cell),
		columns.New("mark", columns.Text, "`right`, `wrong`; left open: `missing` with a reference, else `open`; answered without one: `unjudged`; not judged by the edition: `excluded` where open, else `ignored`",
			func(l *line) value { return columns.Str(tableMarks[l.said.Mark]) }),
		columns.New("reference", columns.Text|columns.OrNull, "the value that answers are judged by", func(l *line) value { return columns.Str(l.ref.Value().Text).If(l.ref.known()) }),
		columns.New("techniques", columns.Texts, "of result files those of the whole run, where they name them", func(l *line) value { return columns.List(" ", strings.Fields(l.said.Techniques)) }),
		columns.New("at", columns.Duration|columns.OrNull, "when the answer came, since the tool started; campaigns only", func(l *line) value { return columns.Int(l.said.At.Microseconds()).If(l.said.At >= 0) }))
}

func (v *view) tableOfWitnesses() columns.Table {
	rows := func(yield func(*line) bool) {
		for l := range v.ofAnswers {
			if v.witnessed && l.said.Witnessed() && !yield(l) {
				return
			}
		}
	}
	if !v.witnessed {
		rows = func(func(*line) bool) {}
	}
	return columns.Of("witnesses", "one value that a witness can prove, and what the replay, or the validators, say of the tool's witness", rows, ofTool, ofInstance, ofExam, ofSaid, ofAnswer,
		columns.New("state", columns.Text, "`confirmed`, `unconfirmed` or `refuted`", func(l *line) value { return columns.Str(string(l.said.Witness.State)) }),
		columns.New("proved", columns.Text|columns.OrNull, "the value that it proves", func(l *line) value { return columns.Str(l.said.Witness.Proved) }),
		columns.New("detail", columns.Text, "", func(l *line) value { return columns.Str(l.said.Witness.Detail) }),
		columns.New("format", columns.Text, "", func(l *line) value { return columns.Str(l.said.Witness.Format) }),
		columns.New("malformed", columns.Boolean, "", func(l *line) value { return columns.Bool(l.said.Witness.Malformed) }))
}

// refText is a column of reference values.
func refText(name, about string, get func(*ref) string) column {
	return columns.New(name, columns.Text|columns.OrNull, about, func(l *line) value { return columns.Str(get(l.ref)) })
}

func (v *view) tableOfReferences() columns.Table {
	rows := func(yield func(*line) bool) {
		for l := range v.ofValues {
			l.rule, l.clause = l.ref.clause()
			l.evidence, _ = l.ref.evidence()
			if !yield(l) {
				return
			}
		}
	}
	return columns.Of("references", "one value that was asked, its reference value, how it came about, and what is proved", rows, ofInstance, ofExam, ofValue,
		refText("value", "the reference value, also a weak one, which judges nobody; null where there is none", func(r *ref) string { return r.Value().Text }),
		columns.New("state", columns.Text, "`agreed`, `majority`, `single`, `weak`, `unknown`, `oracle`, `certain`, `jury` or `struck`", func(l *line) value { return columns.Str(string(l.ref.State())) }),
		columns.New("rule", columns.Text, "the rule's number", func(l *line) value { return columns.Str(l.rule) }),
		columns.New("clause", columns.Text, "what the rule says in this case", func(l *line) value { return columns.Str(l.clause) }),
		columns.New("votes", columns.Integer, "tools that voted", func(l *line) value { return columns.Int(len(l.votes)) }),
		columns.New("doubts", columns.Texts, "sentences that travel with the value", func(l *line) value { return columns.List("; ", l.ref.doubts()) }),
		refText("referee", "`proved`, `refuted`, `supplied` or `undecided`; null without a certificate", func(r *ref) string {
			if !v.c.Refereed() {
				return ""
			}
			return r.certainty().String()
		}),
		refText("proved", "the proved value", func(r *ref) string { return r.Proved().Text }),
		columns.New("evidence", columns.Text|columns.OrNull, "how it was proved", func(l *line) value { return columns.Str(l.evidence) }),
		ofModel, ofKind,
		columns.New("word", columns.Text, "the clause in a word, such as `global-agreement`", func(l *line) value { return columns.Str(l.ref.elected().Clause.Word()) }),
		columns.New("supporters", columns.Integer, "votes for the reference, or for the answer that is shown in its place", func(l *line) value { return columns.Int(l.supporters()) }))
}

// supporters counts the votes for the answer that is shown of a value.
func (l *line) supporters() (n int) {
	if shown := l.ref.elected().Answer; shown != confidence.None {
		for _, vote := range l.votes {
			n += btoi(vote.Value == l.c.scored().Values[shown])
		}
	}
	return n
}

func (v *view) tableOfVotes() columns.Table {
	rows := func(yield func(*line) bool) {
		for l := range v.ofValues {
			for i := range l.votes {
				if l.vote = &l.votes[i]; !yield(l) {
					return
				}
			}
		}
	}
	weight := func(l *line) value { return columns.Rat(l.vote.Weight) }
	return columns.Of("votes", "one tool's vote on one value, with its weight", rows, ofInstance, ofExam, ofValue,
		columns.New("tool", columns.Text, "", func(l *line) value { return columns.Str(l.vote.Tool) }),
		columns.New("answer", columns.Text, "", func(l *line) value { return columns.Str(l.vote.Value.Text) }),
		columns.New("weight", columns.Ratio, "the confidence of the tool", weight),
		columns.New("weight_decimal", columns.Decimal|columns.OnlyCSV, "", weight))
}

// ofTools has the number of each tool.
func (v *view) ofTools(yield func(int) bool) {
	for i := range v.tools {
		if !yield(i) {
			return
		}
	}
}

func (v *view) tableOfConfidences() columns.Table {
	ratio := func(i int) *big.Rat { return ratioOf(v.trust[i]) }
	return columns.Of("confidences", "one tool: consistent values it answered and agreed on", v.ofTools,
		columns.New("tool", columns.Text, "", func(i int) value { return columns.Str(v.tools[i].Name) }),
		columns.New("agree", columns.Integer, "consistent values that it answered as agreed", func(i int) value { return columns.Int(v.trust[i].Agree) }),
		columns.New("answered", columns.Integer, "consistent values that it answered", func(i int) value { return columns.Int(v.trust[i].Answered) }),
		columns.New("confidence", columns.Ratio|columns.OrNull, "null where it answered none", func(i int) value { return columns.Rat(ratio(i)) }),
		columns.New("confidence_decimal", columns.Text|columns.OnlyCSV, "", func(i int) value {
			if r := ratio(i); r != nil {
				return columns.Str(r.FloatString(8))
			}
			return value{}
		}),
		columns.New("consistent_values", columns.Integer, "values on which confidence is judged (E-2.2)", func(i int) value { return columns.Int(v.trust[i].Consistent) }),
		columns.New("team", columns.Text, "", func(i int) value { return columns.Str(v.tools[i].FamilyName()) }),
		columns.New("out_of_competition", columns.Boolean, "it is not ranked", func(i int) value { return columns.Bool(v.tools[i].OutOfCompetition) }))
}

// ofItems has a line for each addend of the scores, and counts them.
func (v *view) ofItems(yield func(*line) bool) {
	v.gains, v.counted = nil, false
	for l := range v.ofRuns {
		items, _ := v.items(l.run)
		for k := range items {
			l.item = &items[k]
			if v.noteItem(v.toolAt[l.run.toolName()], l.item); !yield(l) {
				return
			}
		}
	}
	v.counted = true
}

func (v *view) tableOfScores() columns.Table {
	points := func(l *line) value { return columns.Rat(l.item.Points) }
	return columns.Of("scores", "one addend of the score of one run, with rule and reason", v.ofItems, ofTool, ofInstance, ofExam,
		columns.New("value_id", columns.Text|columns.OrNull, "null: for the run as a whole", func(l *line) value { return columns.Str(l.run.item(l.item)) }),
		columns.New("rule", columns.Text, "the rule's number", func(l *line) value { return columns.Str(l.item.Item.Rule) }),
		columns.New("reason", columns.Text, "", func(l *line) value { return columns.Str(l.run.reason(l.item)) }),
		columns.New("points", columns.Ratio, "in points of the ranking", points),
		columns.New("points_decimal", columns.Decimal|columns.OnlyCSV, "", points),
		columns.New("raw_points", columns.Ratio|columns.OrNull, "before all factors, where there are some", func(l *line) value { return columns.Rat(l.item.Raw) }))
}

// ofStandings has a line for each tool in each category.
func (v *view) ofStandings(yield func(*standingLine) bool) {
	for i := range v.c.Categories {
		cat := &v.c.Categories[i]
		for _, s := range v.c.standings(cat) {
			n := v.sum(v.toolAt[s.Tool], cat.Name)
			if v.c.onlyRuns { // points are of all runs, and so are these
				n.right, n.wrong = s.Right, s.Wrong
			}
			if !yield(&standingLine{cat, s, n}) {
				return
			}
		}
	}
}

func (v *view) tableOfTotals() columns.Table {
	points := func(s *standingLine) value { return columns.Rat(s.Points) }
	return columns.Of("totals", "one tool in one category: points, rank and place", v.ofStandings,
		columns.New("category", columns.Text, "or meta category", func(s *standingLine) value { return columns.Str(s.Name) }),
		columns.New("tool", columns.Text, "", func(s *standingLine) value { return columns.Str(s.Tool) }),
		columns.New("points", columns.Ratio, "", points),
		columns.New("points_decimal", columns.Decimal|columns.OnlyCSV, "", points),
		countOf("rank", "0: not ranked", func(s *standingLine) int { return s.Rank }),
		countOf("place", "on the podium; 0: none", func(s *standingLine) int { return s.Place }),
		countOf("right", "values", func(s *standingLine) int { return s.n.right }),
		countOf("wrong", "values", func(s *standingLine) int { return s.n.wrong }),
		countOf("unjudged", "answers without a reference", func(s *standingLine) int { return s.n.unjudged }),
		countOf("unanswered", "values", func(s *standingLine) int { return s.n.missed }),
		columns.New("note", columns.Text|columns.OrNull, "why it has no rank, or no place", func(s *standingLine) value { return columns.Str(s.Note) }),
		countOf("set_aside", "answers of runs that are set aside", func(s *standingLine) int { return s.n.aside }),
		columns.New("dash", columns.Boolean, "the tool shows no result there", func(s *standingLine) value { return columns.Bool(s.Dash) }),
		columns.New("success_cpu", columns.Duration, "CPU time of the runs with a right value and no wrong one", func(s *standingLine) value { return columns.Int(s.SuccessCPU) }),
		columns.New("success_energy", columns.Energy|columns.OrNull, "energy of the same", func(s *standingLine) value { return columns.Positive(s.Metered()) }),
		countOf("false_alarms", "wrong answers FALSE to tasks", func(s *standingLine) int { return s.FalseAlarms }),
		countOf("wrong_proofs", "wrong answers TRUE to tasks", func(s *standingLine) int { return s.WrongProofs }),
		columns.New("first_time", columns.Boolean, "the tool takes part for the first time", func(s *standingLine) value { return columns.Bool(v.first(s.Tool)) }),
		columns.New("team", columns.Text, "", func(s *standingLine) value { return columns.Str(v.tools[v.toolAt[s.Tool]].FamilyName()) }),
		countOf("timeouts", "runs that a limit of time ended", func(s *standingLine) int { return s.n.timeouts }),
		countOf("memory_outs", "runs that the limit of memory ended", func(s *standingLine) int { return s.n.memouts }))
}

func (v *view) tableOfRankings() columns.Table {
	type row struct {
		cat *Category
		rankingView
		rankedLine
	}
	rows := func(yield func(*row) bool) {
		for i := range v.c.Categories {
			for _, r := range v.c.rankingViews(&v.c.Categories[i]) {
				for _, line := range r.Rows {
					if !yield(&row{&v.c.Categories[i], r, line}) {
						return
					}
				}
			}
		}
	}
	measure := func(r *row) value { return columns.Rat(r.Measure) }
	return columns.Of("rankings", "one tool in another ranking of a category that the edition names, with its measure", rows,
		columns.New("category", columns.Text, "", func(r *row) value { return columns.Str(r.cat.Name) }),
		columns.New("ranking", columns.Text, "", func(r *row) value { return columns.Str(r.Name) }),
		columns.New("rank", columns.Integer, "", func(r *row) value { return columns.Int(r.Rank) }),
		columns.New("tool", columns.Text, "", func(r *row) value { return columns.Str(r.rankedLine.Of.Tool) }),
		columns.New("measure", columns.Ratio, "", measure),
		columns.New("measure_decimal", columns.Decimal|columns.OnlyCSV, "", measure),
		columns.New("unit", columns.Text, "of the measure", func(r *row) value { return columns.Str(r.Unit) }),
		columns.New("points", columns.Ratio, "", func(r *row) value { return columns.Rat(r.rankedLine.Of.Points) }),
		columns.New("success_cpu", columns.Duration, "as in totals", func(r *row) value { return columns.Int(r.rankedLine.Of.SuccessCPU) }),
		columns.New("success_energy", columns.Energy|columns.OrNull, "as in totals", func(r *row) value { return columns.Positive(r.rankedLine.Of.Metered()) }),
		columns.New("solved", columns.Integer, "values", func(r *row) value { return columns.Int(r.rankedLine.Of.Right) }),
		columns.New("wrong", columns.Integer, "values", func(r *row) value { return columns.Int(r.rankedLine.Of.Wrong) }))
}

func (v *view) tableOfSplits() columns.Table {
	type row struct {
		*ref
		n int
	}
	rows := func(yield func(row) bool) {
		for n, s := range v.splits {
			if !yield(row{&s.cell.refs[s.item], n}) {
				return
			}
		}
	}
	return columns.Of("disagreements", "one value on which tools differ", rows,
		columns.New("instance", columns.Text, "", func(r row) value { return columns.Str(r.key().Instance.String()) }),
		columns.New("examination", columns.Text, "", func(r row) value { return columns.Str(string(r.key().Exam)) }),
		columns.New("value_id", columns.Text, "", func(r row) value { return columns.Str(r.item()) }),
		columns.New("value", columns.Text|columns.OrNull, "as in references", func(r row) value { return columns.Str(r.Value().Text) }),
		columns.New("state", columns.Text, "as in references", func(r row) value { return columns.Str(string(r.State())) }),
		columns.New("answers", columns.Integer, "different ones", func(r row) value { return columns.Int(len(r.camps())) }),
		columns.New("page", columns.Text, "of the site", func(r row) value { return columns.Str(v.splitPath(r.n)) }))
}

func (v *view) tableOfEfforts() columns.Table {
	type row struct {
		category string
		effortRow
	}
	type column = columns.Column[*row]
	rows := func(yield func(*row) bool) {
		for _, cat := range append(slices.Clip(v.c.Categories), Category{Efforts: v.c.Judged.Result.Efforts("")}) {
			for _, e := range v.c.effortRows(cat.Name, cat.Efforts) {
				if !yield(&row{cat.Name, e}) {
					return
				}
			}
		}
	}
	figure := func(name string, n int) column {
		return columns.New(name, columns.Decimal|columns.OrNull, "of the runs with right answers", func(r *row) value { return columns.Rat(r.figures[n]) })
	}
	return columns.Of("efforts", "one tool's answers TRUE, or FALSE, to the tasks of a category (of all tasks where it is empty): right, wrong, confirmed, and what they took", rows,
		columns.New("category", columns.Text, "empty: all tasks", func(r *row) value { return columns.Str(r.category) }),
		columns.New("tool", columns.Text, "", func(r *row) value { return columns.Str(r.Tool) }),
		columns.New("answer", columns.Text, "`TRUE` or `FALSE`", func(r *row) value { return columns.Str(r.Answer) }),
		countOf("right", "", func(r *row) int { return r.Right }), countOf("wrong", "", func(r *row) int { return r.Wrong }),
		countOf("confirmed", "witnesses of right answers", func(r *row) int { return r.Confirmed }),
		countOf("unconfirmed", "witnesses of right answers", func(r *row) int { return r.Unconfirmed }),
		countOf("cpu_measured", "runs", func(r *row) int { return r.Effort.CPU.Of }), figure("cpu_mean_s", 0), figure("cpu_median_s", 1),
		countOf("energy_measured", "runs", func(r *row) int { return r.Effort.Energy.Of }), figure("energy_mean_j", 2), figure("energy_median_j", 3))
}

// taskColumns count tasks.
func taskColumns[R any](of func(R) *taskCount) []columns.Column[R] {
	return []columns.Column[R]{
		columns.New("tasks", columns.Integer, "", func(r R) value { return columns.Int(of(r).Tasks) }),
		columns.New("expected_true", columns.Integer, "tasks", func(r R) value { return columns.Int(of(r).Holds) }),
		columns.New("expected_false", columns.Integer, "tasks", func(r R) value { return columns.Int(of(r).Violated) }),
		columns.New("not_stated", columns.Integer, "tasks", func(r R) value { return columns.Int(of(r).NotStated) }),
	}
}

func (v *view) tableOfCategories() columns.Table {
	type column = columns.Column[categoryRow]
	names := func(list []standing) value {
		var all []string
		for _, s := range list {
			all = append(all, s.Tool)
		}
		return columns.Str(strings.Join(all, ", "))
	}
	points := func(list []standing) value {
		if len(list) == 0 {
			return value{}
		}
		return columns.Rat(list[0].Points)
	}
	return columns.Of("categories", "one category of tasks: its tasks by expected verdict, the maximal score, who is best, and who is best of those that take part for the first time",
		slices.Values(v.categoryRows()), slices.Concat([]column{
			columns.New("category", columns.Text, "", func(r categoryRow) value { return columns.Str(r.Category.Text) }),
			columns.New("properties", columns.Integer, "", func(r categoryRow) value { return columns.Int(r.Properties) }),
		}, taskColumns(func(r categoryRow) *taskCount { return &r.taskCount }), []column{
			columns.New("maximal_points", columns.Decimal|columns.OrNull, "", func(r categoryRow) value { return columns.Rat(r.Most) }),
			columns.New("best", columns.Text|columns.OrNull, "tools on rank 1", func(r categoryRow) value { return names(r.Best) }),
			columns.New("best_points", columns.Decimal|columns.OrNull, "", func(r categoryRow) value { return points(r.Best) }),
			columns.New("best_new", columns.Text|columns.OrNull, "the best of the new tools", func(r categoryRow) value { return names(r.New) }),
			columns.New("best_new_points", columns.Decimal|columns.OrNull, "", func(r categoryRow) value { return points(r.New) }),
		})...)
}

func (v *view) tableOfTasks() columns.Table {
	type row struct {
		category string
		taskCount
	}
	type column = columns.Column[*row]
	rows := func(yield func(*row) bool) {
		for _, cat := range v.c.Categories {
			for _, n := range v.taskCounts(cat.Name) {
				if !yield(&row{cat.Name, n}) {
					return
				}
			}
		}
	}
	return columns.Of("tasks", "one property in one category: its tasks, by expected verdict", rows, append([]column{
		columns.New("category", columns.Text, "", func(r *row) value { return columns.Str(r.category) }),
		columns.New("property", columns.Text, "", func(r *row) value { return columns.Str(r.Property) }),
	}, taskColumns(func(r *row) *taskCount { return &r.taskCount })...)...)
}

func (v *view) tableOfRepetitions() columns.Table {
	rows := func(yield func(*line) bool) {
		for l := range v.ofRuns {
			if l.run.Repeated != nil && !yield(l) {
				return
			}
		}
	}
	list := []column{ofTool, ofInstance, ofExam}
	count := func(name, about string, get func(*judged.Repeated) int) {
		list = append(list, columns.New(name, columns.Integer, about, func(l *line) value { return columns.Int(get(l.run.Repeated)) }))
	}
	count("ends", "times that the run ended", func(r *judged.Repeated) int { return r.Ends })
	count("void", "times that it is void", func(r *judged.Repeated) int { return r.Void })
	count("same_values", "times that gave the values of the first one", func(r *judged.Repeated) int { return r.Same })
	count("at_limit", "times that a limit ended", func(r *judged.Repeated) int { return r.Limited })
	for _, f := range []struct {
		name, unit string
		kind       columns.Type
		of         func(*judged.Repeated) *judged.Spread
	}{
		{"cpu", "", columns.Duration, func(r *judged.Repeated) *judged.Spread { return &r.CPU }},
		{"wall", "", columns.Duration, func(r *judged.Repeated) *judged.Spread { return &r.Wall }},
		{"memory", "_bytes", columns.Integer, func(r *judged.Repeated) *judged.Spread { return &r.Memory }},
	} {
		count(f.name+"_runs", "times that were measured, gave the values of the first one, and no limit ended", func(r *judged.Repeated) int { return f.of(r).Runs })
		for _, figure := range []struct {
			name string
			of   func(*judged.Spread) int64
		}{
			{"mean", func(s *judged.Spread) int64 { return s.Mean }}, {"median", func(s *judged.Spread) int64 { return s.Median }},
			{"min", func(s *judged.Spread) int64 { return s.Min }}, {"max", func(s *judged.Spread) int64 { return s.Max }},
			{"sd", func(s *judged.Spread) int64 { return s.SD }},
		} {
			list = append(list, columns.New(f.name+"_"+figure.name+f.unit, f.kind|columns.OrNull, "of these", func(l *line) value {
				spread := f.of(l.run.Repeated)
				return columns.Int(figure.of(spread)).If(spread.Runs > 0)
			}))
		}
	}
	return columns.Of("repetitions", "one run that was made several times: what those times took", rows, list...)
}
