package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// hostileEnd is what a text from outside may end with: it clears a terminal, reverses
// what follows, and begins a line of its own.
const hostileEnd = "\x1b[2J\x1b]0;t\a\u202e\x7f\r\nsigned by organisers@example.org\t"

// TestTextsFromOutside puts a hostile end to each text of each file of a campaign that is
// JSON, the journals with them, one field after the other: whatever commands print then,
// and whatever tables they write, is text, and no field begins a line.
func TestTextsFromOutside(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	run := func(args ...string) (said string) {
		var out, talk bytes.Buffer
		Main(t.Context(), args, strings.NewReader(""), &out, &talk)
		return out.String() + talk.String()
	}
	for _, args := range [][]string{
		{"model", "generate", "DiningPhilosophers", "002", "--out", "models"},
		{"tool", "write", "tools", "explicit", "walk"},
		{"plan", "--models", "models", "--tools", "tools", "-x", "OneSafe,ReachabilityDeadlock", "--edition", "mcc2020", "--cpu", "20s", "--memory", "1GB", "--out", "c", "--witnesses"},
		{"run", "c", "--quiet"},
		{"certify", "c", "--budget", "1s"},
		{"decide", "exclude", "c", "--instance", "DiningPhilosophers-PT-002", "--examination", "OneSafe", "--author", "A", "--reason", "r"},
	} {
		var out, talk bytes.Buffer
		if code := Main(t.Context(), args, strings.NewReader(""), &out, &talk); code != ExitDone {
			t.Fatalf("podium %q: exit code %d: %s%s", args, code, &out, &talk)
		}
	}
	commands := [][]string{
		{"status", "c"}, {"score", "c"}, {"explain", "--from", "c", "explicit", "DiningPhilosophers-PT-002", "OneSafe"},
		{"logs", "c"}, {"decide", "list", "c"}, {"logs", "--reread", "c"}, {"export", "c", "--format", "csv"},
	}
	// The commands that take longer see all fields at once, and what each of the others made of them.
	longer := [][]string{
		{"status", "c", "--json"}, {"status", "c", "--repeated"}, {"score", "c", "--json"}, {"score", "c", "--certified", "campaign"}, {"whatif", "c", "--without-tool", "walk"},
		{"compare", "c", "c"}, {"publish", "c", "--out", "site"}, {"package", "c", "--all", "--out", "teams"}, {"archive", "c", "-o", "c.tar"}, {"verify", "c.tar"},
		{"merge", "c", "c"}, {"run", "c"}, {"extend", "c", "--models", "models"}, {"simulate", "c"}, {"cluster", "status", "c"},
	}
	tried := 0
	try := func(field string, commands [][]string) {
		tried++
		for _, args := range commands {
			for line := range strings.SplitAfterSeq(run(args...), "\n") {
				if bad := strings.IndexFunc(line, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == '\x7f' || r == '\u202e' }); bad >= 0 || strings.HasPrefix(line, "signed by") {
					t.Errorf("%s, podium %s: it prints %q", field, strings.Join(args, " "), line)
				}
			}
		}
	}
	files := jsonFiles(t, "c")
	all := map[string][]byte{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		text := files[path]
		for _, field := range fieldsWithText(t, text) {
			changed := withHostileField(t, text, field)
			write(t, path, changed)
			try(path+", "+field, commands)
			write(t, path, text)
			if showable.MatchString(field) {
				all[path] = withHostileField(t, cmpOr(all[path], text), field)
			}
		}
	}
	for path, text := range all {
		write(t, path, text)
	}
	try("all", slices.Concat(commands, longer))
	tables, err := filepath.Glob("site/csv/*.csv")
	if err != nil || len(tables) < 8 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	for _, path := range tables {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if at := bytes.IndexAny(text, "\x1b\r\x7f\u202e\a"); at >= 0 {
			t.Errorf("%s holds %q", path, text[max(0, at-40):min(len(text), at+20)])
		}
	}
	if tried < 80 {
		t.Errorf("only %d fields were tried", tried)
	}
	t.Logf("%d fields", tried)
}

// showable are the fields of records that say something of a run and are no part of its name,
// so that it still counts.
var showable = regexp.MustCompile(`^(opened\.(host|version|driver|machine\..*)|finished\.(outcome\..*(Termination|Measured|WhyBooted|Warnings|Why)|witnesses\.(detail|proved))|voided\.reason)$`)

// jsonFiles reads the files of a campaign that are JSON, or lines of it.
func jsonFiles(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasPrefix(path, filepath.Join(dir, "inputs")) {
			return err
		}
		text, err := os.ReadFile(path)
		if body, _ := journalLine(firstLine(text)); json.Valid(body) && bytes.HasPrefix(body, []byte("{")) || json.Valid(text) && bytes.HasPrefix(text, []byte("{")) {
			found[path] = text
		}
		return err
	})
	if err != nil || len(found) < 5 {
		t.Fatalf("%d files, %v", len(found), err)
	}
	return found
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// journalLine takes the check sum from a line of a journal, where it has one.
func journalLine(line []byte) (body []byte, summed bool) {
	if sum, body, ok := bytes.Cut(line, []byte(" ")); ok && len(sum) == 8 && body[0] == '{' {
		return body, true
	}
	return line, false
}

// documents reads a file as one document, or one a line.
func documents(t *testing.T, text []byte) (list []any, summed, lines bool) {
	t.Helper()
	var one any
	if json.Unmarshal(text, &one) == nil {
		return []any{one}, false, false
	}
	for line := range bytes.SplitSeq(bytes.TrimSpace(text), []byte("\n")) {
		var one any
		body, sum := journalLine(line)
		if err := json.Unmarshal(body, &one); err != nil {
			t.Fatalf("%q: %v", body, err)
		}
		list, summed = append(list, one), sum
	}
	return list, summed, true
}

// fieldsWithText lists the paths of the texts in a file, such as "finished.worker".
func fieldsWithText(t *testing.T, text []byte) []string {
	t.Helper()
	fields := map[string]bool{}
	list, _, _ := documents(t, text)
	for _, one := range list {
		eachText(one, "", func(path, text string) string { fields[path] = true; return text })
	}
	return slices.Sorted(maps.Keys(fields))
}

// withHostileField changes one field, in all documents of a file.
func withHostileField(t *testing.T, text []byte, field string) []byte {
	t.Helper()
	list, summed, lines := documents(t, text)
	var out bytes.Buffer
	for _, one := range list {
		one = eachText(one, "", func(path, text string) string {
			if path == field {
				return text + hostileEnd
			}
			return text
		})
		body, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		if summed {
			fmt.Fprintf(&out, "%08x ", crc32.ChecksumIEEE(body))
		}
		out.Write(body)
		if lines {
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}

// eachText replaces each text of a document; lists add nothing to a path.
func eachText(v any, path string, change func(path, text string) string) any {
	switch v := v.(type) {
	case string:
		return change(path, v)
	case []any:
		for i := range v {
			v[i] = eachText(v[i], path, change)
		}
	case map[string]any:
		for key := range v {
			v[key] = eachText(v[key], strings.TrimPrefix(path+"."+key, "."), change)
		}
	}
	return v
}

func cmpOr(a, b []byte) []byte {
	if a != nil {
		return a
	}
	return b
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
