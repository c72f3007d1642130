package columns

import (
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"podium/edition"
	"podium/internal/contest"
	"podium/internal/files"
	"podium/scoring"
)

// Source is what is written.
type Source struct {
	Edition *edition.Edition
	Result  *scoring.Result
	Proofs  *contest.Certificate // nil without a referee
	Of      *contest.Judged      // what the journal knows besides; nil where the source is no campaign
	Chosen  bool                 // some runs were chosen: what has none of them is left out
	Version string               // of podium
}

// Write makes the tables in a directory, which is made where it is missing. Files
// of the same names are replaced.
func Write(dir string, s Source) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	w := writer{dir: dir, s: s}
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
	dir string
	s   Source
	err error
}

// Rows are encoded in batches and flushed in groups, so that memory does not grow
// with the contest.
const (
	batch = 1 << 10
	group = 1 << 17
)

// write makes one table of the rows that fill yields.
func write[R any](w *writer, name string, fill func(yield func(R) bool)) {
	if w.err != nil {
		return
	}
	w.err = files.Replace(filepath.Join(w.dir, name+".parquet"), func(out io.Writer) error {
		table := parquet.NewGenericWriter[R](out, parquet.Compression(&zstd.Codec{}), parquet.MaxRowsPerRowGroup(group),
			parquet.CreatedBy("podium", w.s.Version, ""),
			parquet.KeyValueMetadata("podium.edition", w.s.Edition.ID),
			parquet.KeyValueMetadata("podium.units_per_point", strconv.FormatInt(w.s.Result.Scheme.Unit, 10)))
		rows, err := make([]R, 0, batch), error(nil)
		flush := func() bool {
			_, err = table.Write(rows)
			rows = rows[:0]
			return err == nil
		}
		fill(func(row R) bool {
			rows = append(rows, row)
			return len(rows) < batch || flush()
		})
		if err == nil {
			flush()
		}
		if err != nil {
			return err
		}
		return table.Close()
	})
}
