package oracle

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"podium/examinations"
)

// TestKnown reads one value from a table, from an oracle file and from a directory
// of them; a path that does not exist is an error, and no path knows nothing.
func TestKnown(t *testing.T) {
	dir := t.TempDir()
	m := instance(t, "M-PT-1")
	key := examinations.Key{Instance: m, Exam: examinations.ReachabilityDeadlock, Item: "ReachabilityDeadlock"}
	file, table := filepath.Join(dir, FileName(m, key.Exam)), filepath.Join(dir, "oracle_by_id.csv")
	for path, text := range map[string]string{
		file:  "M-PT-1 ReachabilityDeadlock\nFORMULA ReachabilityDeadlock TRUE TECHNIQUES X\n",
		table: "instance,examination,formula_id,value\nM-PT-1,ReachabilityDeadlock,ReachabilityDeadlock,TRUE\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{file, table, dir} {
		k, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		values, err := k.Values(m, key.Exam, key.Exam.Items(nil))
		if err != nil || values[key] != examinations.True {
			t.Errorf("%s: %v, %v", path, values, err)
		}
	}
	k, _ := Open(dir)
	if _, err := k.Values(m, examinations.StateSpace, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an examination without a file: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "nosuch")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a path that does not exist: %v", err)
	}
	k, err := Open("")
	if values, verr := k.Values(m, key.Exam, nil); err != nil || verr != nil || len(values) > 0 {
		t.Errorf("no path: %v, %v, %v", values, err, verr)
	}
}
