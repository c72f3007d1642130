package columns

import (
	"bufio"
	"encoding/json"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// shared numbers the columns that Parquet and JSON have.
func (t *Table) shared() (list []int) {
	for i, c := range t.Columns {
		if c.Type&OnlyCSV == 0 {
			list = append(list, i)
		}
	}
	return list
}

// plain is a cell for programs: nil, or a text, texts, a whole number, a fraction, or a boolean. Texts
// are UTF-8, whatever a tool or file has named.
func (v *Value) plain(of Type) any {
	if !v.there && of&OrNull != 0 {
		return nil
	}
	switch of.kind() {
	case Text:
		return strings.ToValidUTF8(v.text, "\ufffd")
	case Texts:
		list := make([]string, len(v.list))
		for i, s := range v.list {
			list[i] = strings.ToValidUTF8(s, "\ufffd")
		}
		return list
	case Boolean:
		return v.n != 0
	case Ratio, Decimal:
		return nearest(v.ratio)
	}
	return v.n
}

// nearest is the binary fraction next to a number.
func nearest(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// JSON writes a row as an object a line.
func (t *Table) JSON(to io.Writer) error {
	out, line, shared := bufio.NewWriter(to), []byte(nil), t.shared()
	for row := range t.rows {
		line = append(line[:0], '{')
		for n, i := range shared {
			if n > 0 {
				line = append(line, ',')
			}
			cell, err := json.Marshal(row[i].plain(t.Columns[i].Type))
			if err != nil {
				return err
			}
			line = append(append(append(append(line, '"'), t.Columns[i].In()...), '"', ':'), cell...)
		}
		out.Write(append(line, '}', '\n'))
	}
	return out.Flush()
}

// Rows are encoded in batches and flushed in groups, so that memory does not grow
// with the table.
const (
	batch = 1 << 10
	group = 1 << 17
)

// Parquet writes a table with pairs of metadata and the version of the program.
func (t *Table) Parquet(to io.Writer, version string, metadata map[string]string) error {
	shared := t.shared()
	schema := ordered{Group: parquet.Group{}}
	for _, i := range shared {
		c := t.Columns[i]
		schema.names = append(schema.names, c.In())
		schema.Group[c.In()] = c.Type.node()
	}
	options := []parquet.WriterOption{parquet.NewSchema(t.Name, schema), parquet.Compression(&zstd.Codec{}), parquet.MaxRowsPerRowGroup(group), parquet.CreatedBy("podium", version, "")}
	for key, value := range metadata {
		options = append(options, parquet.KeyValueMetadata(key, value))
	}
	out, b := parquet.NewWriter(to, options...), cells{rows: make([]parquet.Row, 0, batch)}
	flush := func() error {
		_, err := out.WriteRows(b.rows)
		b.rows, b.texts = b.rows[:0], b.texts[:0]
		return err
	}
	for row := range t.rows {
		b.rows = b.rows[:len(b.rows)+1]
		b.rows[len(b.rows)-1] = b.rows[len(b.rows)-1][:0]
		for n, i := range shared {
			b.add(&row[i], t.Columns[i].Type, n)
		}
		if len(b.rows) == batch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	return out.Close()
}

// ordered are the columns of a table in their order: those of a group are sorted.
type ordered struct {
	parquet.Group
	names []string
}

// Fields implements [parquet.Node].
func (o ordered) Fields() []parquet.Field {
	fields := o.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(o.names, a.Name()) - slices.Index(o.names, b.Name())
	})
	return fields
}

// node is a column of this type.
func (t Type) node() (n parquet.Node) {
	switch t.kind() {
	case Text:
		n = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	case Texts:
		return parquet.List(parquet.String())
	case Boolean:
		n = parquet.Leaf(parquet.BooleanType)
	case Ratio, Decimal:
		n = parquet.Leaf(parquet.DoubleType)
	case Time:
		n = parquet.Timestamp(parquet.Microsecond)
	default:
		n = parquet.Int(64)
	}
	if t&OrNull != 0 {
		n = parquet.Optional(n)
	}
	return n
}

// cells are the rows of a batch; their texts share memory.
type cells struct {
	rows  []parquet.Row
	texts []byte
}

func (c *cells) text(s string) parquet.Value {
	from := len(c.texts)
	c.texts = append(c.texts, strings.ToValidUTF8(s, "\ufffd")...)
	return parquet.ByteArrayValue(c.texts[from:len(c.texts):len(c.texts)])
}

// add adds a cell to the last row: a value, or those of a list.
func (c *cells) add(v *Value, of Type, column int) {
	row := &c.rows[len(c.rows)-1]
	put := func(x parquet.Value, repetition, definition int) {
		*row = append(*row, x.Level(repetition, definition, column))
	}
	defined := 0
	if of&OrNull != 0 {
		defined = 1
	}
	switch kind := of.kind(); {
	case kind == Texts:
		for i, s := range v.list {
			put(c.text(s), min(i, 1), 1)
		}
		if len(v.list) == 0 {
			put(parquet.NullValue(), 0, 0)
		}
	case !v.there && of&OrNull != 0:
		put(parquet.NullValue(), 0, 0)
	case kind == Text:
		put(c.text(v.text), 0, defined)
	case kind == Boolean:
		put(parquet.BooleanValue(v.n != 0), 0, defined)
	case kind == Ratio || kind == Decimal:
		put(parquet.DoubleValue(nearest(v.ratio)), 0, defined)
	default:
		put(parquet.Int64Value(v.n), 0, defined)
	}
}
