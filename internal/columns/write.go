package columns

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"podium/internal/files"
	"podium/internal/judged"
)

// Source is what is written.
type Source struct {
	*judged.Contest
	Chosen  bool   // some runs were chosen: what has none of them is left out
	Version string // of podium
}

// Format is the form of the tables.
type Format string

// The forms: Parquet files, or a JSON object a line with the same names.
const (
	Parquet Format = "parquet"
	JSON    Format = "json"
)

// Write makes the tables in a directory, which is made where it is missing. Files
// of the same names are replaced.
func (f Format) Write(dir string, s Source) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	w := writer{dir: dir, format: f, s: s}
	write(&w, "tools", s.tools)
	write(&w, "rankings", s.rankings)
	write(&w, "runs", s.runs)
	write(&w, "answers", s.answers)
	write(&w, "points", s.points)
	write(&w, "references", s.references)
	return w.err
}

// writer keeps the first error.
type writer struct {
	dir    string
	format Format
	s      Source
	err    error
}

// write makes one table of the rows that fill yields.
func write[R any](w *writer, name string, fill func(yield func(R) bool)) {
	if w.err != nil {
		return
	}
	if w.format == JSON {
		w.err = files.Replace(filepath.Join(w.dir, name+".jsonl"), func(out io.Writer) error { return writeLines(out, fill) })
		return
	}
	w.err = files.Replace(filepath.Join(w.dir, name+".parquet"), func(out io.Writer) error { return writeParquet(out, w.s, fill) })
}

func writeLines[R any](out io.Writer, fill func(yield func(R) bool)) error {
	b := bufio.NewWriter(out)
	lines := json.NewEncoder(b)
	for row := range fill {
		if err := lines.Encode(row); err != nil {
			return err
		}
	}
	return b.Flush()
}

// Rows are encoded in batches and flushed in groups, so that memory does not grow
// with the contest.
const (
	batch = 1 << 10
	group = 1 << 17
)

func writeParquet[R any](out io.Writer, s Source, fill func(yield func(R) bool)) error {
	table := parquet.NewGenericWriter[R](out, parquet.Compression(&zstd.Codec{}), parquet.MaxRowsPerRowGroup(group),
		parquet.CreatedBy("podium", s.Version, ""),
		parquet.KeyValueMetadata("podium.edition", s.Edition.ID),
		parquet.KeyValueMetadata("podium.units_per_point", strconv.FormatInt(s.Result.Scheme.Unit, 10)))
	rows := make([]R, 0, batch)
	for row := range fill {
		if rows = append(rows, row); len(rows) < batch {
			continue
		}
		if _, err := table.Write(rows); err != nil {
			return err
		}
		rows = rows[:0]
	}
	if _, err := table.Write(rows); err != nil {
		return err
	}
	return table.Close()
}
