package examinations

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

	"podium/models"
	"podium/pnml/diagnostic"
)

// ReadOracle reads an oracle file: a line "instance examination", then the
// lines of a tool that knows everything. items are the ids of the formula file
// in any order; they are not needed for other examinations. Values that the
// oracle does not know are not in the map.
//
// The -NN of an oracle's line "FORMULA instance-examination-NN" is the rank of
// the formula among the sorted ids, see Ranked; an id of the formula file that
// does not look like a rank is taken as it stands.
func ReadOracle(r io.Reader, file string, items []string) (map[Key]Value, diagnostic.List) {
	b := bufio.NewReader(io.LimitReader(r, maxOracle))
	instance, exam, d := oracleHead(b, file)
	if d != nil {
		return nil, diagnostic.List{*d}
	}
	ranks := oracleRanks(instance, exam, items)
	names := append([]string{}, slices.Sorted(maps.Keys(ranks))...)
	answers := NewReader(b, exam, ReaderOptions{Instance: instance, Items: names, File: file, Line: 1})
	values := map[Key]Value{}
	for answers.Scan() {
		a := answers.Answer()
		values[Key{instance, exam, ranks[a.Item]}] = a.Value
	}
	list := answers.Diagnostics()
	list = slices.DeleteFunc(list, func(d diagnostic.Diagnostic) bool { return slices.Contains(oracleHabits, d.Code) })
	if err := answers.Err(); err != nil {
		list.Add(diagnostic.Diagnostic{File: file, Code: "oracle-read", Message: err.Error()})
	}
	list.Sort()
	return values, list
}

// maxOracle bounds an oracle file.
const maxOracle = 64 << 20

// oracleHabits are findings that oracles may have: ? and -1 for what is not
// known, and their own word for the technique.
var oracleHabits = []string{"answer-unknown", "answer-negative", "answer-technique", "answer-unanswered", "answer-rounded"}

func oracleHead(b *bufio.Reader, file string) (models.ID, ID, *diagnostic.Diagnostic) {
	bad := func(err error) (models.ID, ID, *diagnostic.Diagnostic) {
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
	exam, err := Parse(string(words[1]))
	if err != nil {
		return bad(err)
	}
	return instance, exam, nil
}

// oracleRanks gives what each item of an oracle means.
func oracleRanks(instance models.ID, exam ID, items []string) map[string]string {
	ranks := map[string]string{}
	if !exam.HasFormulas() {
		for _, item := range exam.Items(nil) {
			ranks[item] = item
		}
		return ranks
	}
	ranked := Ranked(items)
	for _, item := range ranked {
		ranks[item] = item
	}
	for i, item := range ranked {
		ranks[rankName(instance, exam, i)] = item
	}
	return ranks
}

func rankName(instance models.ID, exam ID, rank int) string {
	return fmt.Sprintf("%s-%s-%02d", instance, exam, rank)
}

// WriteOracle writes an oracle file. items are those of the examination, in any
// order; what values does not hold is unknown. technique names the source, such
// as ORACLE2025.
func WriteOracle(w io.Writer, instance models.ID, exam ID, items []string, values map[Key]Value, technique string) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s %s\n", instance, exam)
	if exam.HasFormulas() {
		items = Ranked(items)
	}
	for i, item := range items {
		name, unknown, keyword := item, "?", wordFormula
		switch {
		case exam == StateSpace:
			unknown, keyword = "-1", wordStateSpace
		case exam.HasFormulas():
			name = rankName(instance, exam, i)
		}
		text := values[Key{instance, exam, item}].Text
		switch {
		case text == "":
			text = unknown
		case text == Infinite.Text && exam != StateSpace:
			text = "inf"
		}
		fmt.Fprintf(b, "%s %s %s %s %s\n", keyword, name, text, wordTechniques, technique)
	}
	return b.Flush()
}

// OracleFile is the name of an oracle file, such as Peterson-PT-2-CTLC.out.
func OracleFile(instance models.ID, exam ID) string {
	return instance.String() + "-" + exam.Abbreviation() + ".out"
}

// oracleColumns are the columns of an oracle table that are read.
var oracleColumns = []string{"instance", "examination", "formula_id", "value"}

// ReadOracleCSV reads an oracle table with the columns instance, examination,
// formula_id and value, in any order; formula_id is the real id, or an item as
// in Key. Values that are not known (? or -1) are not in the map.
func ReadOracleCSV(r io.Reader, file string) (map[Key]Value, diagnostic.List) {
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
	values := map[Key]Value{}
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
			list.Add(diagnostic.Diagnostic{File: file, Line: line, Code: "oracle-contradiction", Message: "a second value for " + excerpt(key.Item)})
		case !value.IsZero():
			values[key] = value
		}
	}
	list.Sort()
	return values, list
}

func oracleRow(record []string, columns []int) (Key, Value, error) {
	instance, err := models.ParseID(record[columns[0]])
	if err != nil {
		return Key{}, Value{}, err
	}
	exam, err := Parse(record[columns[1]])
	if err != nil {
		return Key{}, Value{}, err
	}
	key := Key{instance, exam, strings.Clone(record[columns[2]])}
	text := record[columns[3]]
	if text == "?" || text == "-1" && exam.Kind() == Nat {
		return key, Value{}, nil
	}
	value, ok := ParseValue(strings.Clone(text), exam.Kind())
	if !ok {
		return Key{}, Value{}, fmt.Errorf("%s is no value of %s", excerpt(text), exam)
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
