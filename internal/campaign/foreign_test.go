package campaign

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestForeignJournalsAreRefused: what is not of this campaign, or not of a format
// that is known, is named with its file and line and changes nothing.
func TestForeignJournalsAreRefused(t *testing.T) {
	run := Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "StateSpace"}
	for _, test := range []struct {
		name    string
		records func(c *Campaign) []Record
		want    string // "" for none
	}{
		{"of this campaign", func(c *Campaign) []Record { return []Record{firstRecord(c, "w", Node{}), end(run, 1, 0)} }, ""},
		{"of the version before", func(c *Campaign) []Record {
			r := firstRecord(c, "w", Node{})
			r.Opened.Format = "podium-journal/2"
			return []Record{r, end(run, 1, 0)}
		}, `w.jsonl:1: the journal has the format "podium-journal/2", and this program reads "podium-journal/1": use the version of podium that began the campaign`},
		{"of a later version", func(c *Campaign) []Record {
			r := firstRecord(c, "w", Node{})
			r.Opened.Format = "podium-journal/9"
			return []Record{r}
		}, `w.jsonl:1: the journal has the format "podium-journal/9", and this program reads "podium-journal/1": use the version of podium that began the campaign`},
		{"of another campaign", func(c *Campaign) []Record {
			r := firstRecord(c, "w", Node{})
			r.Opened.Campaign = strings.Repeat("0", 64)
			return []Record{r}
		}, "w.jsonl:1: the journal is of another campaign: its plan has a digest that begins with 000000000000, that"},
		{"of nobody", func(c *Campaign) []Record { return []Record{end(run, 1, 0)} }, "w.jsonl:1: the first record does not say whose journal it is"},
		{"of another worker", func(c *Campaign) []Record { return []Record{firstRecord(c, "v", Node{})} }, "w.jsonl:1: the journal belongs to worker v"},
		{"opened twice", func(c *Campaign) []Record { return []Record{firstRecord(c, "w", Node{}), firstRecord(c, "w", Node{})} }, "w.jsonl:2: a journal is opened a second time"},
		{"unplanned tool", func(c *Campaign) []Record {
			return []Record{firstRecord(c, "w", Node{}), end(Run{Tool: "cat", Instance: "Ring-PT-1", Exam: "StateSpace"}, 1, 0)}
		}, `w.jsonl:2: the run "cat Ring-PT-1 StateSpace" is not in the plan`},
		{"unplanned instance", func(c *Campaign) []Record {
			return []Record{firstRecord(c, "w", Node{}), end(run, 1, 0), {Started: &Started{Run: Run{Tool: "ant", Instance: "Ring-PT-9", Exam: "StateSpace"}}}}
		}, `w.jsonl:3: the run "ant Ring-PT-9 StateSpace" is not in the plan`},
		{"unplanned examination", func(c *Campaign) []Record {
			return []Record{firstRecord(c, "w", Node{}), {Voided: &Voided{Run: Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "Liveness"}}}}
		}, `w.jsonl:2: the run "ant Ring-PT-1 Liveness" is not in the plan`},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := small(t)
			write(t, c, "w", test.records(c)...)
			_, err := c.Read(t.Context())
			if test.want == "" {
				must(t, err)
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "move it out of journal/") {
				t.Errorf("reading: %v", err)
			}
			if _, err := c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: cores(0)}); err == nil {
				t.Error("a worker went on")
			}
			if files, _ := filepath.Glob(filepath.Join(c.Dir, "journal", "*")); len(files) != 1 {
				t.Errorf("journals: %v", files)
			}
		})
	}
}

// TestUnknownRecordsAreDamage: a record without a part that is known says nothing,
// and that is told.
func TestUnknownRecordsAreDamage(t *testing.T) {
	c := small(t)
	write(t, c, "w", firstRecord(c, "w", Node{}))
	path := filepath.Join(c.Dir, "journal", "w.jsonl")
	text, err := os.ReadFile(path)
	must(t, err)
	body := `{"pardoned":{}}`
	must(t, os.WriteFile(path, fmt.Appendf(text, "%08x %s\n", crc32.ChecksumIEEE([]byte(body)), body), 0o644))
	log, err := c.Read(t.Context())
	must(t, err)
	if len(log.Damage) != 1 || log.Damage[0].Line != 2 {
		t.Errorf("damage: %v", log.Damage)
	}
}

// TestAFirstRecordThatCannotBeReadIsRefused: nobody knows whose journal it is.
func TestAFirstRecordThatCannotBeReadIsRefused(t *testing.T) {
	c := small(t)
	write(t, c, "w", firstRecord(c, "w", Node{}))
	path := filepath.Join(c.Dir, "journal", "w.jsonl")
	text, err := os.ReadFile(path)
	must(t, err)
	text[20] ^= 1
	must(t, os.WriteFile(path, text, 0o644))
	if _, err := c.Read(t.Context()); err == nil || !strings.Contains(err.Error(), "w.jsonl:1: the first record") {
		t.Errorf("%v", err)
	}
}
