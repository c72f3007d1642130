package columns

import (
	"iter"
	"math/big"
	"time"
)

// Type is what the cells of a column are. OrNull and OnlyCSV may be added.
type Type uint8

// The types.
const (
	Text Type = iota
	Texts
	Integer
	Boolean
	Ratio   // in CSV exact, such as 49/50
	Decimal // with six decimals in CSV
	Time
	Duration // in microseconds; CSV has seconds
	Energy   // in microjoules; CSV has joules

	OrNull  Type = 1 << 6 // a cell may be empty
	OnlyCSV Type = 1 << 7 // another column says the same in other forms
)

// kind is the type alone.
func (t Type) kind() Type { return t &^ (OrNull | OnlyCSV) }

// String is the type in words.
func (t Type) String() string {
	word := [...]string{"text", "list of texts", "integer", "boolean", "number", "number", "time", "integer", "integer"}[t.kind()]
	if t&OrNull != 0 {
		word += " or null"
	}
	if t&OnlyCSV != 0 {
		word += ", in CSV alone"
	}
	return word
}

// units are what the names of columns end with, in CSV and in other forms.
var units = map[Type][2]string{Duration: {"_s", "_us"}, Energy: {"_j", "_uj"}}

// Head is a column without its cells. Name lacks the unit, which [Head.In] adds.
type Head struct {
	Name  string
	Type  Type
	About string // what it is, where its name does not say it
}

// In is the name in Parquet and JSON.
func (h Head) In() string { return h.Name + units[h.Type.kind()][1] }

// Column is a column of rows that are made of an R.
type Column[R any] struct {
	Head
	Cell func(R) Value
}

// New makes a column.
func New[R any](name string, of Type, about string, cell func(R) Value) Column[R] {
	return Column[R]{Head{name, of, about}, cell}
}

// Value is a cell. The zero value is null, an empty text, or an empty list.
type Value struct {
	there bool
	text  string
	n     int64 // also 1 for true
	ratio *big.Rat
	list  []string
	comma string // between texts of a list, in CSV
}

// Str is a text; an empty one is null where the column allows it.
func Str(s string) Value { return Value{text: s, there: s != ""} }

// Int is a number.
func Int[N int | int32 | int64](n N) Value { return Value{n: int64(n), there: true} }

// Positive is a number, null where it is 0.
func Positive(n int64) Value { return Value{n: n, there: n != 0} }

// If is null unless something is known.
func (v Value) If(known bool) Value {
	if !known {
		return Value{}
	}
	return v
}

// Bool is true or false.
func Bool(b bool) Value {
	if b {
		return Int(1)
	}
	return Int(0)
}

// Rat is a number that nobody changes any more; nil is null.
func Rat(x *big.Rat) Value { return Value{ratio: x, there: x != nil} }

// At is a moment; the zero one is null.
func At(t time.Time) Value {
	if t.IsZero() {
		return Value{}
	}
	return Value{n: t.UnixMicro(), text: t.UTC().Format(time.RFC3339Nano), there: true}
}

// List is texts, which a text stands between in CSV.
func List(comma string, texts []string) Value { return Value{list: texts, comma: comma, there: true} }

// Table is rows with the same columns.
type Table struct {
	Name    string
	Row     string // what a row is
	Columns []Head
	Grouped bool // the rows with the same first cell stand together; it is their head where people read them
	rows    iter.Seq[[]Value]
}

// Of makes a table. Its cells are asked for when it is written.
func Of[R any](name, row string, rows iter.Seq[R], columns ...Column[R]) Table {
	t := Table{Name: name, Row: row}
	for _, c := range columns {
		t.Columns = append(t.Columns, c.Head)
	}
	t.rows = func(yield func([]Value) bool) {
		cells := make([]Value, len(columns))
		for row := range rows {
			for i := range columns {
				cells[i] = columns[i].Cell(row)
			}
			if !yield(cells) {
				return
			}
		}
	}
	return t
}
