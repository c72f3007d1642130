package oracle

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// TestToolsBehindValues: oracle files of 2026 name the tools behind each value.
func TestToolsBehindValues(t *testing.T) {
	file, m := filepath.Join(t.TempDir(), "o.out"), instance(t, "M-PT-1")
	for text, want := range map[string]string{
		"TRUE TECHNIQUES ORACLE2026 ITSTOOLS TAPAAL 2025GOLD":                 "TRUE [ITSTOOLS TAPAAL 2025GOLD]",
		"TRUE TECHNIQUES ORACLE2026 A B C D E F G H":                          "TRUE [A B C D E F G H]",
		"FALSE TECHNIQUES ORACLE2026 2025GOLD":                                "FALSE [2025GOLD]",
		"? TECHNIQUES ORACLE2026":                                             " []",
		"? TECHNIQUES ORACLE2026 TAPAAL":                                      " []",
		"TRUE TECHNIQUES ORACLE2025":                                          "TRUE []",
		"TRUE TECHNIQUES TEDD2023":                                            "TRUE []",
		"TRUE TECHNIQUES EXPLICIT ORACLE2026":                                 "TRUE []",
		"TRUE":                                                                "TRUE []",
		"TRUE TECHNIQUES ORACLE2026 ITS\r\n\r\nFORMULA M-PT-1-UpperBounds-00": "TRUE [ITS]",
	} {
		if err := os.WriteFile(file, []byte("M-PT-1 OneSafe\nFORMULA OneSafe "+text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		key := examinations.Key{Instance: m, Exam: examinations.OneSafe, Item: "OneSafe"}
		k, err := Open(file)
		if err != nil {
			t.Fatal(err)
		}
		values, _ := k.Values(m, key.Exam, nil)
		behind, _ := k.Behind(m, key.Exam, nil)
		if got := fmt.Sprint(values[key].Text, " ", behind[key]); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
		if f, err := os.Open(file); err != nil {
			t.Error(err)
		} else if _, found := Read(f, file, nil); len(found) > 0 && text != "TRUE" && !strings.Contains(text, "\n") {
			t.Errorf("%q: %v", text, found)
		}
	}
}
