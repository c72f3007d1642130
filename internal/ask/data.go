package ask

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	"podium/confidence"
	"podium/edition"
	"podium/scoring"
)

// Limits of a file from outside.
const (
	format  = "podium-answers/1"
	maxFile = 1 << 30 // bytes, unpacked
)

// file is a contest as it lies beside the pages of a site, in columns.
type file struct {
	Format  string
	Edition []byte   // its text
	Changes []string // of the edition
	Contest scoring.Contest
	Ruled   scoring.Ruled
	Said    []byte // the column of the contest, see packTimes
}

// Write writes a contest and the edition that judges it, packed by gzip.
func Write(w io.Writer, c *scoring.Contest, ed *edition.Edition) error {
	f := file{Format: format, Edition: ed.Text, Contest: *onlyAsked(c), Ruled: c.Ruled()}
	for _, change := range ed.Changes {
		f.Changes = append(f.Changes, change.String())
	}
	f.Contest.Runs = append([]scoring.Run(nil), c.Runs...)
	for i := range f.Contest.Runs {
		f.Contest.Runs[i].Source = "" // no score depends on it
	}
	f.Said, f.Contest.AnsweredAt = packTimes(c), nil
	z := gzip.NewWriter(w)
	if err := gob.NewEncoder(z).Encode(&f); err != nil {
		return err
	}
	return z.Close()
}

// onlyAsked returns the contest without instances of which nothing is asked: they were left out.
func onlyAsked(c *scoring.Contest) *scoring.Contest {
	out := *c
	number := make([]int32, len(c.Instances)) // of the instances that are kept, from 1 on
	out.Instances, out.Sheets = nil, append([]scoring.Sheet(nil), c.Sheets...)
	for i := range out.Sheets {
		s := &out.Sheets[i]
		if number[s.Instance] == 0 {
			out.Instances = append(out.Instances, c.Instances[s.Instance])
			number[s.Instance] = int32(len(out.Instances))
		}
		s.Instance = number[s.Instance] - 1
	}
	for i := range out.Instances {
		if twin := &out.Instances[i].Twin; *twin >= 0 {
			*twin = int(number[*twin]) - 1
		}
	}
	return &out
}

// Read reads what Write wrote. A file that does not fit together is an error.
func Read(packed []byte) (*scoring.Contest, *edition.Edition, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, nil, fmt.Errorf("the data of the contest: %w", err)
	}
	var f file
	if err := gob.NewDecoder(io.LimitReader(z, maxFile)).Decode(&f); err != nil {
		return nil, nil, fmt.Errorf("the data of the contest: %w", err)
	}
	if f.Format != format {
		return nil, nil, fmt.Errorf("the data of the contest have the form %q, this program reads %s", f.Format, format)
	}
	ed, found := edition.Load("edition.yaml", f.Edition)
	if err := found.Err(); err != nil {
		return nil, nil, err
	}
	if ed, err = (Question{Changes: f.Changes}).Edition(ed); err != nil {
		return nil, nil, err
	}
	f.Contest.Untimed = 0 // nobody has asked anything yet
	if err = check(&f.Contest, &f.Ruled); err == nil {
		f.Contest.AnsweredAt, err = unpackTimes(&f.Contest, f.Said)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the data of the contest do not fit together: %w", err)
	}
	return f.Contest.WithRuled(f.Ruled), ed, nil
}

// packTimes packs the times of answers: of each run those of the values that it gave, as steps from
// one to the next. Most tools give several values at once, so that these are a byte each
// before gzip.
func packTimes(c *scoring.Contest) (packed []byte) {
	if c.AnsweredAt == nil {
		return nil
	}
	for cells := range cellsOfRuns(c) {
		before := int32(0)
		for _, cell := range cells {
			packed = binary.AppendVarint(packed, int64(c.AnsweredAt[cell]-before))
			before = c.AnsweredAt[cell]
		}
	}
	return packed
}

// unpackTimes is the inverse of packTimes. It returns nil for nothing.
func unpackTimes(c *scoring.Contest, packed []byte) ([]int32, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	said := make([]int32, len(c.Ballots.Cells))
	for cells := range cellsOfRuns(c) {
		at := int64(0)
		for _, cell := range cells {
			step, n := binary.Varint(packed)
			if at += step; n <= 0 || at < 0 || at > math.MaxInt32 {
				return nil, errors.New("times of answers that are none")
			}
			said[cell], packed = int32(at), packed[n:]
		}
	}
	if len(packed) > 0 {
		return nil, errors.New("times of no answers")
	}
	return said, nil
}

// cellsOfRuns returns of each run in turn the cells of the ballots with a value. The list is good until the
// next one.
func cellsOfRuns(c *scoring.Contest) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		var cells []int
		for _, s := range c.Sheets {
			for t := range c.Tools {
				cells = cells[:0]
				for v := int(s.First); v < int(s.First+s.Values); v++ {
					if cell := v*len(c.Tools) + t; c.Ballots.Cells[cell] != confidence.None {
						cells = append(cells, cell)
					}
				}
				if !yield(cells) {
					return
				}
			}
		}
	}
}

// check wants every number to name something that is there.
func check(c *scoring.Contest, r *scoring.Ruled) error {
	if c.Ballots == nil {
		c.Ballots = &confidence.Ballots{}
	}
	tools, values := len(c.Tools), len(c.Items)
	cells := tools * values
	columns := []struct {
		name      string
		has, want int
		may       bool // be empty
	}{
		{"ballots", c.Ballots.Tools, tools, false}, {"cells", len(c.Ballots.Cells), cells, false}, {"runs", len(c.Runs), tools * len(c.Sheets), false},
		{"given values", len(c.Oracle), values, true}, {"proofs", len(c.Certified), values, true}, {"values that runs are told", len(c.Told), values, true}, {"witnesses", len(c.Witnesses), cells, true},
	}
	if len(r.Reasons) > 0 {
		columns = append(columns, []struct {
			name      string
			has, want int
			may       bool
		}{{"places", len(r.Places), tools, false}, {"struck runs", len(r.Runs), len(c.Runs), false}, {"struck values", len(r.Values), values, false},
			{"struck votes", len(r.Votes), cells, false}, {"rulings", len(r.References), values, false}, {"ruled values", len(r.Set), values, false}}...)
	}
	for _, x := range columns {
		if x.has != x.want && !(x.may && x.has == 0) {
			return fmt.Errorf("%d %s instead of %d", x.has, x.name, x.want)
		}
	}
	if err := checkSheets(c); err != nil {
		return err
	}
	for _, list := range [][]confidence.Answer{c.Ballots.Cells, c.Oracle, c.Certified, c.Told, r.Set} {
		for _, a := range list {
			if int(a) >= len(c.Values) && a != confidence.None {
				return fmt.Errorf("there is no value %d", a)
			}
		}
	}
	for _, list := range [][]int32{r.Places, r.Runs, r.Values, r.Votes, r.References} {
		for _, why := range list {
			if why < 0 || int(why) >= len(r.Reasons) {
				return fmt.Errorf("there is no reason %d", why)
			}
		}
	}
	return nil
}

func checkSheets(c *scoring.Contest) error {
	next := int32(0)
	for _, s := range c.Sheets {
		if s.Instance < 0 || int(s.Instance) >= len(c.Instances) || s.Exam < 0 || int(s.Exam) >= len(c.Exams) {
			return errors.New("a sheet of no instance or examination")
		}
		if s.First != next || s.Values < 0 || int(s.First)+int(s.Values) > len(c.Items) {
			return errors.New("a sheet of other values")
		}
		next += s.Values
	}
	if int(next) != len(c.Items) {
		return errors.New("values of no sheet")
	}
	for _, i := range c.Instances {
		if i.Twin < -1 || i.Twin >= len(c.Instances) || i.FamilySize < 0 {
			return errors.New("an instance without its family")
		}
	}
	for i := range c.Runs {
		s, r := c.Sheets[i/len(c.Tools)], &c.Runs[i]
		if r.Participation > scoring.Void || r.Vector < 0 || r.Vector > s.Values {
			return errors.New("a run of other values")
		}
	}
	for i := range c.Exams {
		if len(c.Exams[i].Points) == 0 {
			return errors.New("an examination without points")
		}
	}
	return nil
}
