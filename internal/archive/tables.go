package archive

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"podium/pnml/diagnostic"
)

// table compares a table of the archive, by its name there, with the one that was computed
// below a directory.
func (e *examination) table(name, again string) error {
	recorded, computed := filepath.Join(e.dir, name), filepath.Join(again, name)
	if path.Ext(name) != ".csv" {
		return e.provenance(name, recorded, computed)
	}
	d, err := differing(recorded, computed)
	if err != nil {
		return err
	}
	e.Lines += d.rows
	if d.line > 0 {
		e.Deviations.Add(diagnostic.Diagnostic{File: e.archive + ":" + name, Line: d.line, Code: "archive-deviates",
			Message: "computed again from journals and outputs, this line is another one", Hint: "--into DIR keeps the campaign, and podium explain shows each point"})
	}
	if len(d.lacks) > 0 {
		e.unchecked("%s: it has no column %s, which this version of podium writes", name, strings.Join(d.lacks, ", "))
	}
	return nil
}

// provenance compares what the tables say of themselves: all keys that are recorded.
func (e *examination) provenance(name, recorded, computed string) error {
	var texts [2][]byte
	var values [2]map[string]any
	for i, file := range []string{recorded, computed} {
		text, err := os.ReadFile(file)
		if err == nil && i == 1 {
			err = json.Unmarshal(text, &values[i])
		}
		if err != nil {
			return err
		}
		texts[i] = text
	}
	if bytes.Equal(texts[0], texts[1]) {
		return nil
	}
	if err := json.Unmarshal(texts[0], &values[0]); err != nil {
		return fmt.Errorf("%s: %w", recorded, err)
	}
	same := true
	for key, value := range values[0] {
		if !reflect.DeepEqual(value, values[1][key]) {
			same = false
			said, is := apart(value, values[1][key])
			e.deviates(name, "%s is %s, and computed again it is %s", diagnostic.Line(diagnostic.Cut(key)), shown(said), shown(is))
		}
	}
	if same {
		e.deviates(name, "it lacks something, or is written in another form")
	}
	return nil
}

// difference says where two tables differ.
type difference struct {
	rows  int      // that were compared
	line  int      // the first one of the recorded table that differs; 0 for none
	lacks []string // columns that only the computed one has
}

// differing compares a table of an archive with the one that is computed. Columns are known
// by their names: later versions of Podium may have more of them. With the same columns the
// tables must be the same byte by byte.
func differing(recorded, computed string) (d difference, err error) {
	a, err := os.Open(recorded)
	if err != nil {
		return d, err
	}
	defer a.Close()
	b, err := os.Open(computed)
	if err != nil {
		return d, err
	}
	defer b.Close()
	left, right := csv.NewReader(bufio.NewReader(a)), csv.NewReader(bufio.NewReader(b))
	left.ReuseRecord, right.ReuseRecord = true, true
	var column []int // of the computed table, by that of the recorded one
	at := 1
	for ; ; d.rows++ {
		row, errLeft := left.Read()
		again, errRight := right.Read()
		if errors.Is(errLeft, io.EOF) && errors.Is(errRight, io.EOF) {
			break
		}
		if len(row) > 0 {
			at, _ = left.FieldPos(0)
		}
		switch {
		case errRight != nil && !errors.Is(errRight, io.EOF):
			return d, errRight
		case errLeft != nil || errRight != nil:
			d.line = at
			return d, nil
		case d.rows == 0:
			for _, name := range row {
				column = append(column, slices.Index(again, name))
			}
			for k, name := range again {
				if !slices.Contains(column, k) {
					d.lacks = append(d.lacks, name)
				}
			}
		}
		for k, cell := range row {
			if column[k] < 0 || cell != again[column[k]] {
				d.line = at
				return d, nil
			}
		}
	}
	if len(d.lacks) == 0 {
		d.line, err = differentLine(a, b)
	}
	return d, err
}

// differentLine returns the first line in which two files differ; 0 for none.
func differentLine(a, b *os.File) (int, error) {
	if _, err := a.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	if _, err := b.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	left, right := bufio.NewReader(a), bufio.NewReader(b)
	for line := 1; ; {
		x, errX := left.ReadByte()
		y, errY := right.ReadByte()
		switch {
		case errX == io.EOF && errY == io.EOF:
			return 0, nil
		case errX != nil && errX != io.EOF || errY != nil && errY != io.EOF:
			return 0, errors.Join(errX, errY)
		case x != y || errX != errY:
			return line, nil
		case x == '\n':
			line++
		}
	}
}
