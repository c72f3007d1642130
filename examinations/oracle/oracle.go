package oracle

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"podium/examinations"
	"podium/examinations/output"
	"podium/models"
	"podium/pnml/diagnostic"
)

// Read reads an oracle file: a line "instance examination", then answers as a
// tool would print them. Items are the ids of the formula file in any order;
// they are not needed for other examinations. Unknown values are not in the
// map.
//
// In a line "FORMULA instance-examination-NN" NN is the rank of the formula
// among the sorted ids, see [examinations.Ranked]. An id of the formula file
// that does not end like this is used as it is.
func Read(r io.Reader, file string, items []string) (map[examinations.Key]examinations.Value, diagnostic.List) {
	values := map[examinations.Key]examinations.Value{}
	list := read(r, file, items, func(key examinations.Key, a output.Answer) { values[key] = a.Value })
	return values, list
}

// read calls add with each known value.
func read(r io.Reader, file string, items []string, add func(examinations.Key, output.Answer)) diagnostic.List {
	b := bufio.NewReader(io.LimitReader(r, maxOracle))
	instance, exam, d := oracleHead(b, file)
	if d != nil {
		return diagnostic.List{*d}
	}
	ranks := oracleRanks(instance, exam, items)
	names := append([]string{}, slices.Sorted(maps.Keys(ranks))...)
	answers := output.NewReader(b, exam, output.ReaderOptions{Instance: instance, Items: names, File: file, Line: 1})
	for answers.Scan() {
		a := answers.Answer()
		add(examinations.Key{Instance: instance, Exam: exam, Item: ranks[a.Item]}, a)
	}
	list := answers.Diagnostics()
	list = slices.DeleteFunc(list, func(d diagnostic.Diagnostic) bool { return slices.Contains(oracleHabits, d.Code) })
	if err := answers.Err(); err != nil {
		list.Add(diagnostic.Diagnostic{File: file, Code: "oracle-read", Message: err.Error()})
	}
	list.Sort()
	return list
}

// maxOracle bounds an oracle file.
const maxOracle = 64 << 20

// oracleHabits are findings that oracles may have: ? and -1 for what is not
// known, their own word for the technique, and any number of tools behind it.
var oracleHabits = []string{"answer-unknown", "answer-negative", "answer-technique", "answer-unanswered", "answer-rounded", "answer-many-techniques"}

func oracleHead(b *bufio.Reader, file string) (models.ID, examinations.ID, *diagnostic.Diagnostic) {
	bad := func(err error) (models.ID, examinations.ID, *diagnostic.Diagnostic) {
		return models.ID{}, "", &diagnostic.Diagnostic{File: file, Line: 1, Code: "oracle-head", Message: err.Error(),
			Hint: `an oracle begins with the line "instance examination"`}
	}
	line, err := b.ReadSlice('\n')
	if err != nil && err != io.EOF {
		return bad(errors.New("the first line is too long or cannot be read"))
	}
	words := bytes.Fields(line)
	if len(words) != 2 {
		return bad(fmt.Errorf("the first line holds %d words, not 2", len(words)))
	}
	instance, err := models.ParseID(string(words[0]))
	if err != nil {
		return bad(err)
	}
	exam, err := examinations.ParseID(string(words[1]))
	if err != nil {
		return bad(err)
	}
	return instance, exam, nil
}

// oracleRanks returns what each item of an oracle means.
func oracleRanks(instance models.ID, exam examinations.ID, items []string) map[string]string {
	ranks := map[string]string{}
	if !exam.HasFormulas() {
		for _, item := range exam.Items(nil) {
			ranks[item] = item
		}
		return ranks
	}
	ranked := examinations.Ranked(items)
	for _, item := range ranked {
		ranks[item] = item
	}
	for i, item := range ranked {
		ranks[rankName(instance, exam, i)] = item
	}
	return ranks
}

func rankName(instance models.ID, exam examinations.ID, rank int) string {
	return fmt.Sprintf("%s-%s-%02d", instance, exam, rank)
}

// Write writes an oracle file. Items are those of the examination, in any
// order; items without an entry in values are written as unknown. Technique
// names the source, such as ORACLE2025.
func Write(w io.Writer, instance models.ID, exam examinations.ID, items []string, values map[examinations.Key]examinations.Value, technique string) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s %s\n", instance, exam)
	if exam.HasFormulas() {
		items = examinations.Ranked(items)
	}
	for i, item := range items {
		name, unknown, keyword := item, "?", "FORMULA"
		switch {
		case exam == examinations.StateSpace:
			unknown, keyword = "-1", "STATE_SPACE"
		case exam.HasFormulas():
			name = rankName(instance, exam, i)
		}
		text := values[examinations.Key{Instance: instance, Exam: exam, Item: item}].Text
		switch {
		case text == "":
			text = unknown
		case text == examinations.Infinite.Text && exam != examinations.StateSpace:
			text = "inf"
		}
		fmt.Fprintf(b, "%s %s %s TECHNIQUES %s\n", keyword, name, text, technique)
	}
	return b.Flush()
}

// FileName is the name of an oracle file, such as Peterson-PT-2-CTLC.out.
func FileName(instance models.ID, exam examinations.ID) string {
	return instance.String() + "-" + exam.Abbreviation() + ".out"
}

// oracleColumns are the columns of an oracle table that are read.
var oracleColumns = []string{"instance", "examination", "formula_id", "value"}

// ReadCSV reads an oracle table with the columns instance, examination,
// formula_id and value, in any order; formula_id is the full id of the formula,
// or an item as in [examinations.Key]. Unknown values (? or -1) are not in the
// map.
func ReadCSV(r io.Reader, file string) (map[examinations.Key]examinations.Value, diagnostic.List) {
	c := csv.NewReader(r)
	c.ReuseRecord = true
	var list diagnostic.List
	header, err := c.Read()
	if err != nil {
		return nil, diagnostic.List{csvFault(file, err)}
	}
	columns := make([]int, len(oracleColumns))
	for i, name := range oracleColumns {
		if columns[i] = slices.Index(header, name); columns[i] < 0 {
			list.Add(diagnostic.Diagnostic{File: file, Line: 1, Code: "oracle-column", Message: "the table has no column " + name,
				Hint: "the columns are " + strings.Join(oracleColumns, ", ")})
		}
	}
	if len(list) > 0 {
		return nil, list
	}
	values := map[examinations.Key]examinations.Value{}
	for {
		record, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			list.Add(csvFault(file, err))
			if !errors.Is(err, csv.ErrFieldCount) {
				break
			}
			continue
		}
		key, value, err := oracleRow(record, columns)
		line, _ := c.FieldPos(0)
		switch before, twice := values[key]; {
		case err != nil:
			list.Add(diagnostic.Diagnostic{File: file, Line: line, Code: "oracle-value", Message: err.Error()})
		case twice && before != value:
			list.Add(diagnostic.Diagnostic{File: file, Line: line, Code: "oracle-contradiction", Message: "a second value for " + diagnostic.Excerpt(key.Item)})
		case !value.IsZero():
			values[key] = value
		}
	}
	list.Sort()
	return values, list
}

func oracleRow(record []string, columns []int) (examinations.Key, examinations.Value, error) {
	instance, err := models.ParseID(record[columns[0]])
	if err != nil {
		return examinations.Key{}, examinations.Value{}, err
	}
	exam, err := examinations.ParseID(record[columns[1]])
	if err != nil {
		return examinations.Key{}, examinations.Value{}, err
	}
	key := examinations.Key{Instance: instance, Exam: exam, Item: strings.Clone(record[columns[2]])}
	text := record[columns[3]]
	if text == "?" || text == "-1" && exam.Kind() == examinations.Nat {
		return key, examinations.Value{}, nil
	}
	value, ok := examinations.ParseValue(strings.Clone(text), exam.Kind())
	if !ok {
		return examinations.Key{}, examinations.Value{}, fmt.Errorf("%s is no value of %s", diagnostic.Excerpt(text), exam)
	}
	return key, value, nil
}

func csvFault(file string, err error) diagnostic.Diagnostic {
	d := diagnostic.Diagnostic{File: file, Code: "oracle-csv", Message: err.Error()}
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		d.Line, d.Col, d.Message = parse.Line, parse.Column, parse.Err.Error()
	}
	return d
}
