package columns

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"podium/pnml/diagnostic"
)

// reader prints the rows of a file as hyparquet reads them: an object a line, whole numbers
// as texts.
const reader = `const [, , dir, name] = process.argv
const { asyncBufferFromFile, parquetReadObjects } = await import(dir + '/hyparquet/src/node.js')
const { decompress } = await import(dir + '/fzstd/esm/index.mjs')
const rows = await parquetReadObjects({ file: await asyncBufferFromFile(name),
  compressors: { ZSTD: (input, size) => decompress(input, new Uint8Array(size)) },
  parsers: { timestampFromMicroseconds: us => us } })
for (let at = 0; at < rows.length; at += 1000)
  process.stdout.write(rows.slice(at, at + 1000).map(row => JSON.stringify(row, (_, v) => typeof v === 'bigint' ? String(v) : v) + '\n').join(''))
`

// TestReadersOfParquet gives tables to hyparquet: every cell is what the CSV has, also beyond
// the first batch and group of rows.
func TestReadersOfParquet(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED, nobody else reads the tables: the program node is not here (apt-get install nodejs)")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	modules := filepath.Join(cache, "podium", "readers", "node_modules")
	if _, err := os.Stat(filepath.Join(modules, "hyparquet")); err != nil {
		t.Skip("SKIPPED, nobody else reads the tables: ", err, " (make setup)")
	}
	dir := t.TempDir()
	script, file := filepath.Join(dir, "reader.mjs"), filepath.Join(dir, "t.parquet")
	if err := os.WriteFile(script, []byte(reader), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, table := range []Table{sample(), mixed(group + batch + 1)} {
		var text, written bytes.Buffer
		if err := table.CSV(&text); err != nil {
			t.Fatal(err)
		}
		if err := table.Parquet(&written, "test", nil); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, written.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		read := exec.Command(node, script, modules, file)
		read.Stderr = os.Stderr
		said, err := read.Output()
		if err != nil {
			t.Fatal(err)
		}
		want, err := csv.NewReader(&text).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		lines := slices.Collect(bytes.Lines(said))
		if len(lines) != len(want)-1 {
			t.Fatalf("%s: it reads %d rows of %d", table.Name, len(lines), len(want)-1)
		}
		for n, line := range lines {
			row := map[string]any{}
			in := json.NewDecoder(bytes.NewReader(line))
			in.UseNumber()
			if err := in.Decode(&row); err != nil || len(row) != len(table.shared()) {
				t.Fatalf("%s, row %d: %d columns, %v", table.Name, n, len(row), err)
			}
			for _, i := range table.shared() {
				c := table.Columns[i]
				got, want := inCSV(c.Type, row[c.In()]), want[n+1][i]
				if exact, ok := new(big.Rat).SetString(want); ok && c.Type.kind() == Ratio {
					want = shortest(exact) // the nearest number that Parquet has
				}
				if got != want {
					t.Fatalf("%s, row %d, %s: %v, which is %q, not %q", table.Name, n, c.In(), row[c.In()], got, want)
				}
			}
		}
	}
}

// mixed is a table of rows of all types, each with its own nulls.
func mixed(rows int) Table {
	numbers := func(yield func(int) bool) {
		for i := range rows {
			if !yield(i) {
				return
			}
		}
	}
	return Of("mixed", "", numbers,
		New("text", Text, "", func(n int) Value { return Str(strings.Repeat("ä", n%5) + fmt.Sprint(n)) }),
		New("word", Text|OrNull, "", func(n int) Value { return Str([]string{"", "few", "words"}[n%3]) }),
		New("list", Texts, "", func(n int) Value { return List("; ", []string{"a", fmt.Sprint(n), "", "d"}[:n%5]) }),
		New("count", Integer, "", func(n int) Value { return Int(int64(n-rows/2) << 40) }),
		New("some", Integer|OrNull, "", func(n int) Value { return Positive(int64(n % 7)) }),
		New("yes", Boolean|OrNull, "", func(n int) Value { return Bool(n%2 > 0).If(n%11 > 0) }),
		New("points", Ratio|OrNull, "", func(n int) Value { return Rat(big.NewRat(int64(n-9), int64(n%64+1))).If(n%13 > 0) }),
		New("share", Decimal, "", func(n int) Value { return Rat(big.NewRat(int64(n), 4)) }),
		New("started", Time|OrNull, "", func(n int) Value {
			return At(time.UnixMicro(1_700_000_000_000_000 + int64(n)*1_000_003)).If(n%17 > 0)
		}),
		New("cpu", Duration|OrNull, "", func(n int) Value { return Positive(int64(n%3) * 1_000_007) }),
		New("used", Energy, "", func(n int) Value { return Int(n * 250_000) }))
}

// shortest is the binary fraction next to a number, in as few digits as name it.
func shortest(x *big.Rat) string { return strconv.FormatFloat(nearest(x), 'g', -1, 64) }

// inCSV is what the CSV has of a cell that a reader of Parquet read.
func inCSV(of Type, cell any) string {
	var v Value
	switch x := cell.(type) {
	case bool:
		v = Bool(x)
	case string:
		if v = Str(x); of.kind() != Text {
			n, _ := new(big.Int).SetString(x, 10)
			v = Int(n.Int64())
		}
		if of.kind() == Time {
			v = At(time.UnixMicro(v.n))
		}
	case []any:
		var list []string
		for _, word := range x {
			list = append(list, word.(string))
		}
		v = List("; ", list)
	case json.Number:
		r, _ := new(big.Rat).SetString(x.String())
		if v = Rat(r); of.kind() == Ratio {
			return shortest(r)
		}
	}
	var c rows
	return inert(diagnostic.Clean(c.text(of.kind(), &v)))
}
