package cmd

import (
	"encoding/xml"
	"math/big"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/internal/realdata"
)

// Short names of result files of BenchExec.
const (
	predicate1613 = "test.2015-03-03_1613.results.predicateAnalysis.xml"
	value1613     = "test.2015-03-03_1613.results.valueAnalysis.xml"
	predicate1815 = "test.2015-03-03_1815.results.predicateAnalysis.xml"
	value1815     = "test.2015-03-03_1815.results.valueAnalysis.xml"
	predicateBy   = "test.2015-03-03_1613.results.predicateAnalysis." // parts 0, 1 and 2
	valueBy       = "test.2015-03-03_1613.results.valueAnalysis."     // parts 0 and 1
)

var (
	predicateParts = []string{predicateBy + "0.xml", predicateBy + "1.xml", predicateBy + "2.xml"}
	valueParts     = []string{valueBy + "1.xml", valueBy + "0.xml"}
	both1613       = [][]string{{predicate1613}, {value1613}}
	reversed       = [][]string{{value1613}, {predicate1613}}
	four           = [][]string{{predicate1613}, {value1613}, {predicate1815}, {value1815}}
	wild           = [][]string{{predicate1613}, {predicate1815}, {value1613}, {value1815}}
	twoParts       = [][]string{predicateParts, valueParts}
	mixedParts     = [][]string{{predicate1613}, valueParts, {predicate1815}}
	oneAfterOther  = [][]string{{predicate1613, predicate1815}, {value1613, value1815}}
	solvers        = [][]string{{"mathsat.2015-05-27_1004.results.xml"}, {"smtinterpol.2015-05-27_1004.results.xml"}}
	withError      = [][]string{{"test-error.2015-03-03_1613.results.predicateAnalysis.xml"}, {value1613}}
)

// expectedTables are the tables that BenchExec's tests expect of table-generator, and for each
// run set of them the result files that it is made of.
var expectedTables = map[string][][]string{
	"benchmark-example-true.2019-11-06_0932.results.no options.csv": {{"benchmark-example-true.2019-11-06_0932.results.no options.xml.bz2"}},
	"integration-predicateAnalysis.2015-10-20_1355.all-columns.csv": {{"integration-predicateAnalysis.2015-10-20_1355.results.xml.bz2"}},
	"nan_and_inf.csv":                                                 {{"nan_and_inf.xml"}},
	"multi-table-only-columns.diff.csv":                               four,
	"multi-table-only-columns.table.csv":                              four,
	"multi-table-with-columns.diff.csv":                               four,
	"multi-table-with-columns.table.csv":                              four,
	"multi-table-with-diff-over-column.diff.csv":                      four,
	"multi-table-with-diff-over-column.table.csv":                     four,
	"multi-table-with-wildcards.diff.csv":                             wild,
	"multi-table-with-wildcards.table.csv":                            wild,
	"multi-table.diff.csv":                                            four,
	"multi-table.table.csv":                                           four,
	"predicateAnalysis.table.csv":                                     {{predicate1613}, {predicate1815}},
	"predicateAnalysis-reverse.table.csv":                             {{predicate1815}, {predicate1613}},
	"simple-table-with-columns.table.csv":                             {{predicate1613}},
	"simple-table-with-links.table.csv":                               {{"test.2015-03-03_1613.results.predicateAnalysis-logfile-links.xml"}},
	"simple-table-with-numberOfDigits.table.csv":                      {{predicate1613}},
	"simple-table-with-scaling.table.csv":                             {{predicate1613}},
	"smt.diff.csv":                                                    solvers,
	"smt.table.csv":                                                   solvers,
	"task-def-files.table.csv":                                        {{"benchmark.test.2019-12-20_1532.results.xml.bz2"}, {"benchmark.test.2020-06-10_09-17-06.results.xml.bz2"}},
	"test-error.2015-03-03_1613.diff.csv":                             withError,
	"test-error.2015-03-03_1613.table.csv":                            withError,
	"test.2015-03-03_1613-common.diff.csv":                            both1613,
	"test.2015-03-03_1613-common.table.csv":                           both1613,
	"test.2015-03-03_1613-correct-only.diff.csv":                      both1613,
	"test.2015-03-03_1613-correct-only.table.csv":                     both1613,
	"test.2015-03-03_1613-reverse.diff.csv":                           reversed,
	"test.2015-03-03_1613-reverse.table.csv":                          reversed,
	"test.2015-03-03_1613.diff.csv":                                   both1613,
	"test.2015-03-03_1613.table.csv":                                  both1613,
	"test.2015-03-03_1613.results.predicateAnalysis.all-columns.csv":  {{predicate1613}},
	"test.2015-03-03_1613.results.predicateAnalysis.correct-only.csv": {{predicate1613}},
	"test.2015-03-03_1613.results.predicateAnalysis.csv":              {{predicate1613 + ".bz2"}},
	"test.2015-03-03_1613.results.predicateAnalysis.custom-score.csv": {{predicateBy + "custom-score.xml"}},
	"test.2015-03-03_1613.results.valueAnalysis.csv":                  {{value1613}},
	"test.2015-03-03_1613.results.valueAnalysis.table.csv":            {{value1613}},
	"union-table-duplicate-results.diff.csv":                          oneAfterOther,
	"union-table-duplicate-results.table.csv":                         oneAfterOther,
	"union-table-mixed.diff.csv":                                      mixedParts,
	"union-table-mixed.table.csv":                                     mixedParts,
	"union-table-multiple-results.diff.csv":                           oneAfterOther,
	"union-table-multiple-results.table.csv":                          oneAfterOther,
	"union-table-predicateAnalysis.table.csv":                         {predicateParts},
	"union-table-valueAnalysis.table.csv":                             {valueParts},
	"union-table.diff.csv":                                            twoParts,
	"union-table.table.csv":                                           twoParts,
}

// tablesLeftOut are those that nothing here can be compared with, with the reason.
var tablesLeftOut = map[string]string{
	"cbmc.2015-12-11_1211.results.Simple.csv": "its result file is not among those of BenchExec's tests that are here",
}

// columnsLeftOut are those of which result files say nothing, or something else on purpose.
var columnsLeftOut = map[string]string{
	"score": "the edition's, and not the file's", "setup": "read from logs", "analysis": "read from logs", "SMT time": "read from logs",
	"variable count": "read from logs", "non-existent": "never there", "witness": "a link", "benchexec": "a link",
}

// TestTablesOfBenchExec: tables made of what `podium export` writes hold what BenchExec's
// tests expect of table-generator, for each of their tables.
func TestTablesOfBenchExec(t *testing.T) {
	dir := filepath.Join(realdata.Contest(t), "benchexec")
	list, err := filepath.Glob(filepath.Join(dir, "expected", "*.csv"))
	if err != nil || len(list) == 0 {
		t.Skip("the files of BenchExec are not here: set PODIUM_DATA")
	}
	out := t.TempDir()
	exported := map[string][]benchRow{}
	rowsOf := func(name string) []benchRow {
		rows, done := exported[name]
		if !done {
			to := filepath.Join(out, name)
			run(t, 0, "export", "--format", "benchexec", "--edition", "svcomp2026", "--out", to, filepath.Join(dir, "results", name))
			data, err := os.ReadFile(filepath.Join(to, strings.TrimSuffix(name, ".bz2")))
			if err != nil {
				t.Fatal(err)
			}
			rows = benchRows(t, data)
			exported[name] = rows
		}
		return rows
	}
	cells := 0
	for _, file := range list {
		name := filepath.Base(file)
		if tablesLeftOut[name] != "" {
			continue
		}
		sets := expectedTables[name]
		if sets == nil {
			t.Errorf("%s is neither compared nor left out with a reason", name)
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := compareTable(t, name, string(text), sets, rowsOf)
		if n < 10 {
			t.Errorf("%s: %d cells were compared", name, n)
		}
		cells += n
	}
	t.Logf("%d tables, %d cells", len(list)-len(tablesLeftOut), cells)
}

// compareTable compares the cells of a table with the rows that were exported.
func compareTable(t *testing.T, name, text string, sets [][]string, rowsOf func(string) []benchRow) (cells int) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	titles := strings.Split(lines[2], "\t")
	first := slices.Index(titles, "status")
	rounded := strings.Contains(name, "numberOfDigits") || strings.Contains(name, "scaling")
	for _, line := range lines[3:] {
		fields := strings.Split(line, "\t")
		set := -1
		var row *benchRow
		for i, title := range titles[first:] {
			if title == "status" {
				set++
				row = nil
				for _, file := range sets[set] {
					if first == 3 && !strings.Contains(file, fields[2]) {
						continue // the third column says which result
					}
					if rows := rowsOf(file); row == nil {
						row = findRow(rows, titles[0]+fields[0], fields[1:first])
					}
				}
			}
			title, unit, _ := strings.Cut(strings.TrimSuffix(title, ")"), " (")
			want := ""
			if first+i < len(fields) { // without what is empty at the end
				want = fields[first+i]
			}
			switch {
			case columnsLeftOut[title] != "":
			case row == nil:
				if want != "" {
					t.Errorf("%s: %s: no row, want %s %q", name, fields[0], title, want)
				}
			case want == "" && strings.Contains(name, "correct-only"):
			default:
				cells++
				if got := row.text(title); !sameCell(got, want, unit, rounded) {
					t.Errorf("%s: %s: %s is %q, want %q", name, fields[0], title, got, want)
				}
			}
		}
	}
	return cells
}

// benchRow is a run of a result XML: its columns by title.
type benchRow struct {
	name, property string
	columns        map[string]string
}

// benchRows reads a result XML without the reader of results.
func benchRows(t *testing.T, data []byte) (rows []benchRow) {
	t.Helper()
	var result struct {
		Runs []struct {
			Name       string `xml:"name,attr"`
			Properties string `xml:"properties,attr"`
			Columns    []struct {
				Title string `xml:"title,attr"`
				Value string `xml:"value,attr"`
			} `xml:"column"`
		} `xml:"run"`
	}
	if err := xml.Unmarshal(data, &result); err != nil {
		t.Fatal(err)
	}
	for _, run := range result.Runs {
		columns := map[string]string{}
		for _, c := range slices.Backward(run.Columns) { // the first one of a title counts
			columns[c.Title] = c.Value
		}
		rows = append(rows, benchRow{run.Name, run.Properties, columns})
	}
	return rows
}

// findRow finds the row of a task by the end of its path, and by its property where the table
// has a column of it.
func findRow(rows []benchRow, full string, ids []string) *benchRow {
	for i := range rows {
		name := path.Clean(rows[i].name)
		for strings.HasPrefix(name, "../") {
			name = name[len("../"):]
		}
		if (full == name || strings.HasSuffix(full, "/"+name)) && (len(ids) == 0 || ids[0] == rows[i].property || strings.Contains(ids[0], "(") || rows[i].property == "test") {
			return &rows[i]
		}
	}
	return nil
}

// shownAs are the columns of files that tables show under another title.
var shownAs = map[string][]string{"memory": {"memory", "memUsage"}, "memory-GB": {"memUsage"}, "cputime-h": {"cputime"}, "CPU Time": {"cputime"}}

func (r *benchRow) text(title string) string {
	names := shownAs[title]
	if names == nil {
		names = []string{title}
	}
	for _, n := range names {
		if v := r.columns[n]; v != "" {
			return v
		}
	}
	return ""
}

// unitFactors are how many of a unit one second, byte or joule is.
var unitFactors = map[string]*big.Rat{"": big.NewRat(1, 1), "s": big.NewRat(1, 1), "B": big.NewRat(1, 1), "J": big.NewRat(1, 1), "ms": big.NewRat(1000, 1), "ns": big.NewRat(1_000_000_000, 1),
	"h": big.NewRat(1, 3600), "Gs": big.NewRat(1, 1_000_000_000), "MB": big.NewRat(1, 1_000_000), "GB": big.NewRat(1, 1_000_000_000)}

// sameCell compares a value of a file with that of a table in a unit: as a number exactly, or
// where the table is rounded to half of its last digit that is not 0.
func sameCell(got, want, unit string, rounded bool) bool {
	if got == want {
		return true
	}
	x, ok := new(big.Rat).SetString(strings.TrimRight(got, "sBJ"))
	y, also := new(big.Rat).SetString(want)
	if !ok || !also || unitFactors[unit] == nil {
		return strings.EqualFold(got, want) && strings.Contains("nan inf -inf", strings.ToLower(want))
	}
	difference := new(big.Rat).Sub(x.Mul(x, unitFactors[unit]), y)
	if !rounded {
		return difference.Sign() == 0
	}
	whole, decimals, _ := strings.Cut(want, ".")
	half := big.NewRat(1, 2)
	for range decimals {
		half.Mul(half, big.NewRat(1, 10))
	}
	for ; decimals == "" && strings.HasSuffix(whole, "0"); whole = strings.TrimSuffix(whole, "0") {
		half.Mul(half, big.NewRat(10, 1))
	}
	return difference.Abs(difference).Cmp(half) <= 0
}
