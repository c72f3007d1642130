package columns

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"podium/pnml/diagnostic"
)

// sample has a row with everything and one without anything.
func sample() Table {
	at := func(full bool, v Value) Value { return v.If(full) }
	return Of("sample", "one of two", slices.Values([]bool{true, false}),
		New("text", Text, "", func(bool) Value { return Str("bad\xff\"<script>") }),
		New("word", Text|OrNull, "", func(b bool) Value { return at(b, Str("=1+1")) }),
		New("list", Texts, "", func(b bool) Value { return List("; ", []string{"a", "b\xfe", "c"}[:map[bool]int{true: 3}[b]]) }),
		New("count", Integer, "", func(bool) Value { return Int(7) }),
		New("some", Integer|OrNull, "", func(b bool) Value { return at(b, Int(0)) }),
		New("yes", Boolean, "", Bool),
		New("points", Ratio|OrNull, "", func(b bool) Value { return at(b, Rat(big.NewRat(49, 50))) }),
		New("points_decimal", Decimal|OrNull|OnlyCSV, "", func(b bool) Value { return at(b, Rat(big.NewRat(1, 3))) }),
		New("started", Time|OrNull, "", func(b bool) Value { return at(b, At(time.UnixMicro(1_700_000_000_123_456))) }),
		New("cpu", Duration|OrNull, "", func(b bool) Value { return at(b, Int(1_500_000)) }),
		New("used", Energy|OrNull, "", func(b bool) Value { return at(b, Positive(250_000)) }))
}

// sampleRow is what Parquet and JSON have of a row.
type sampleRow struct {
	Text    string   `parquet:"text" json:"text"`
	Word    *string  `parquet:"word,optional" json:"word"`
	List    []string `parquet:"list,list" json:"list"`
	Count   int64    `parquet:"count" json:"count"`
	Some    *int64   `parquet:"some,optional" json:"some"`
	Yes     bool     `parquet:"yes" json:"yes"`
	Points  *float64 `parquet:"points,optional" json:"points"`
	Started *int64   `parquet:"started,optional,timestamp(microsecond)" json:"started"`
	CPU     *int64   `parquet:"cpu_us,optional" json:"cpu_us"`
	Used    *int64   `parquet:"used_uj,optional" json:"used_uj"`
}

// TestForms: each form has the same cells in its own units, and columns in their order.
func TestForms(t *testing.T) {
	table := sample()
	want := []sampleRow{
		{"bad\ufffd\"<script>", new("=1+1"), []string{"a", "b\ufffd", "c"}, 7, new(int64(0)), true, new(0.98), new(int64(1_700_000_000_123_456)), new(int64(1_500_000)), new(int64(250_000))},
		{"bad\ufffd\"<script>", nil, []string{}, 7, nil, false, nil, nil, nil, nil},
	}
	var text, lines, file, again bytes.Buffer
	for _, err := range []error{table.CSV(&text), table.JSON(&lines), table.Parquet(&file, "test", map[string]string{"k": "v", "a": "b"}), table.Parquet(&again, "test", map[string]string{"k": "v", "a": "b"})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, want := text.String(), "text,word,list,count,some,yes,points,points_decimal,started,cpu_s,used_j\n"+
		"\"bad\ufffd\"\"<script>\",'=1+1,a; b\ufffd; c,7,0,true,49/50,0.333333,2023-11-14T22:13:20.123456Z,1.500000,0.25\n"+
		"\"bad\ufffd\"\"<script>\",,,7,,false,,,,,\n"; got != want {
		t.Errorf("CSV has\n%s\nnot\n%s", got, want)
	}
	var rows []sampleRow
	for line := range bytes.Lines(lines.Bytes()) {
		row, decoder := sampleRow{}, json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("JSON has\n%s", lines.String())
	}
	if !bytes.Equal(file.Bytes(), again.Bytes()) {
		t.Error("the same table gives other bytes")
	}
	read, err := parquet.Read[sampleRow](bytes.NewReader(file.Bytes()), int64(file.Len()))
	for i := range read {
		if read[i].List == nil {
			read[i].List = []string{}
		}
	}
	if err != nil || !reflect.DeepEqual(read, want) {
		t.Errorf("Parquet has %+v, %v", read, err)
	}
	opened, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if value, _ := opened.Lookup("k"); value != "v" {
		t.Errorf("the metadata are %v", opened.Metadata().KeyValueMetadata)
	}
	if got, want := opened.Schema().Fields(), parquet.SchemaOf(sampleRow{}).Fields(); len(got) != len(want) {
		t.Errorf("%d columns", len(got))
	} else {
		for i := range want {
			if got[i].Name() != want[i].Name() || got[i].Optional() != want[i].Optional() || want[i].Leaf() && got[i].Type().String() != want[i].Type().String() {
				t.Errorf("column %d is %s, not %s", i, got[i], want[i])
			}
		}
	}
}

// TestManyRows: batches lose and repeat nothing.
func TestManyRows(t *testing.T) {
	rows := func(yield func(int) bool) {
		for i := range 3*batch + 1 {
			if !yield(i) {
				return
			}
		}
	}
	table := Of("n", "", rows, New("n", Integer, "", Int[int]), New("s", Text, "", func(n int) Value { return Str(big.NewInt(int64(n)).String()) }))
	var file bytes.Buffer
	if err := table.Parquet(&file, "", nil); err != nil {
		t.Fatal(err)
	}
	read, err := parquet.Read[struct {
		N int64  `parquet:"n"`
		S string `parquet:"s"`
	}](bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil || len(read) != 3*batch+1 {
		t.Fatalf("%d rows, %v", len(read), err)
	}
	for i, row := range read {
		if row.N != int64(i) || row.S != big.NewInt(row.N).String() {
			t.Fatalf("row %d is %+v", i, row)
		}
	}
}

// TestRowsAreThoseOfEncodingCSV writes cells that need quotes, and that look as if they did.
func TestRowsAreThoseOfEncodingCSV(t *testing.T) {
	cells := []string{"", "plain", "two words", "a,b", `"`, `say "no"`, "line\nline", "cr\rcr", " blank before", "blank behind ", "\ttab", "\u00a0no-break", `\.`, `\.x`,
		"\u2212 1", "=1+1", "-20.48", "\xff", ","}
	var got, want strings.Builder
	reference := csv.NewWriter(&want)
	reference.Write(slices.Repeat([]string{"c"}, len(cells)))
	var columns []Column[int]
	for k := range cells {
		columns = append(columns, New("c", Text, "", func(row int) Value { return Str(cells[(row+k)%len(cells)]) }))
	}
	var rows []int
	for i := range cells {
		rows = append(rows, i)
		row := slices.Concat(cells[i:], cells[:i])
		for k := range row {
			row[k] = inert(diagnostic.Clean(row[k]))
		}
		reference.Write(row)
	}
	table := Of("cells", "", slices.Values(rows), columns...)
	if err := table.CSV(&got); err != nil {
		t.Fatal(err)
	}
	if reference.Flush(); got.String() != want.String() {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want.String())
	}
}

// TestNumbers: seconds, joules and decimals of CSV.
func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{Seconds(1_500_000): "1.500000", Seconds(3600_000_000): "3600", Seconds(0): "0", Joules(1_250_000): "1.25",
		Rounded(big.NewRat(1, 3)): "0.333333", Rounded(big.NewRat(-5, 2)): "-2.5"} {
		if got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
