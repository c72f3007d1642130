package results

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"podium/examinations"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// KeptBenchExec writes result files of BenchExec again as they are, byte for byte, but for
// the columns category and score of the runs, which are those of a scored contest. The
// files are those that the contest was made of; none of them is ours.
type KeptBenchExec struct {
	sets   []*BenchSet
	result *scoring.Result
}

// KeepBenchExec is false where one of the files is our own, which [WriteBenchExec] writes.
func KeepBenchExec(sets []*BenchSet, r *scoring.Result) (KeptBenchExec, bool) {
	for _, s := range sets {
		if s.Generator == podiumGenerator {
			return KeptBenchExec{}, false
		}
	}
	return KeptBenchExec{sets, r}, len(sets) > 0
}

// Write writes the file of a set, whose text is given.
func (k KeptBenchExec) Write(out io.Writer, set int, text []byte) error {
	s := k.sets[set]
	w := keptWriter{out: bufio.NewWriter(out), text: text}
	return w.write(s.File, k.judgements(s))
}

// judgements are the columns that replace those of each run; empty ones replace nothing.
func (k KeptBenchExec) judgements(s *BenchSet) []keptColumns {
	c := k.result.Contest
	tool := c.ToolNamed(participant(s, k.sets))
	exam := examinations.ID(s.taskCategory())
	type asked struct {
		instance string
		exam     examinations.ID
	}
	sheets := map[asked]int{}
	for i, sheet := range c.Sheets {
		sheets[asked{c.Instances[sheet.Instance].Name, c.Exams[sheet.Exam].ID}] = i
	}
	list := make([]keptColumns, len(s.Runs))
	for i := range s.Runs {
		sheet, there := sheets[asked{s.Runs[i].instance(), exam}]
		if !there || tool < 0 || !k.result.HasScore(sheet, tool) || s.Runs[i].Status == "" {
			continue
		}
		category := benchCategory(k.result, sheet, tool, int(c.Sheets[sheet].First))
		if category == "error" {
			category = s.Runs[i].unanswered()
		}
		list[i] = keptColumns{{"category", category},
			{"score", k.result.Scheme.PointsText(k.result.RunPoints(sheet, tool))}}
	}
	return list
}

// unanswered is the category of a run without an answer: that of the file, unless it judges
// a status that counts as no answer.
func (r *BenchRun) unanswered() string {
	switch {
	case r.Category == "unknown" || r.Category == "error" || r.Category == "missing":
		return r.Category
	case r.Category != "" || r.Status == "unknown" || r.Status == "done":
		return "unknown"
	}
	return "error"
}

// keptColumns are titles and values.
type keptColumns [][2]string

type keptWriter struct {
	out  *bufio.Writer
	text []byte
	from int64 // end of what was written
}

// write copies the text, and replaces the columns of each run.
func (w *keptWriter) write(file string, judged []keptColumns) error {
	d := xml.NewDecoder(bytes.NewReader(w.text))
	depth, run := 0, -1
	var missing keptColumns // of the open run
	for {
		before := d.InputOffset()
		token, err := d.RawToken()
		if err == io.EOF {
			w.out.Write(w.text[w.from:])
			return w.out.Flush()
		} else if err != nil {
			return diagnostic.Diagnostic{File: file, Code: "benchexec-read", Message: err.Error()}
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch depth++; {
			case depth == 2 && isRun(t.Name):
				if run++; run >= len(judged) {
					return diagnostic.Diagnostic{File: file, Code: "benchexec-changed", Message: "the file has changed while it was read"}
				}
				missing = append(keptColumns{}, judged[run]...)
			case depth == 3 && t.Name.Local == "column":
				for i, c := range missing {
					if title(t) == c[0] {
						w.upTo(before)
						w.column(t, c, w.text[d.InputOffset()-2] == '/')
						w.from = d.InputOffset()
						missing = append(missing[:i:i], missing[i+1:]...)
						break
					}
				}
			}
		case xml.EndElement:
			if depth == 2 && isRun(t.Name) && len(missing) > 0 {
				w.upTo(before)
				w.columns(missing)
				missing = nil
			}
			depth--
		}
	}
}

func title(t xml.StartElement) string {
	for _, a := range t.Attr {
		if a.Name.Local == "title" {
			return a.Value
		}
	}
	return ""
}

// upTo copies the text up to a place.
func (w *keptWriter) upTo(end int64) {
	w.out.Write(w.text[w.from:end])
	w.from = end
}

// column writes a column with another value, hidden as it was. An element that is not empty
// stays open.
func (w *keptWriter) column(t xml.StartElement, c [2]string, empty bool) {
	hidden := ""
	for _, a := range t.Attr {
		if a.Name.Local == "hidden" {
			hidden = fmt.Sprintf(` hidden="%s"`, escaped(a.Value))
		}
	}
	end := "/>"
	if !empty {
		end = ">"
	}
	fmt.Fprintf(w.out, `<column title="%s" value="%s"%s%s`, c[0], escaped(c[1]), hidden, end)
}

func (w *keptWriter) columns(list keptColumns) {
	for _, c := range list {
		fmt.Fprintf(w.out, `<column hidden="true" title="%s" value="%s"/>`, c[0], escaped(c[1]))
	}
}

func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text))
	return b.String()
}
