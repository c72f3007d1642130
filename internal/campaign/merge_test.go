package campaign

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// copied is a copy of a campaign as `cp -r` makes it.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

// workAt does some runs of a copy on a node of its own; it ends by itself or after
// so many runs.
func workAt(t *testing.T, dir, node string, o Options, runs int) {
	t.Helper()
	c, err := Open(dir)
	must(t, err)
	d := &machines{exec: answering, runs: map[string]int{}}
	o.Driver, o.Cores, o.node, o.Observe = d, cores(0), Node{Machine: node, Boot: node, PIDs: "1"}, stopAt(d, runs)
	_, _ = c.Work(t.Context(), o) // it may be stopped, or find nothing to do
}

// state is all that judges a campaign: the digest of journals and pins, and what
// counts.
func state(t *testing.T, dir string) string {
	t.Helper()
	c, err := Open(dir)
	must(t, err)
	log, err := c.Read(t.Context())
	must(t, err)
	digest, err := log.Digest()
	must(t, err)
	var lines []string
	for run, f := range log.Finished {
		out, err := c.Log(f)
		must(t, err)
		text, err := io.ReadAll(out)
		must(t, err)
		must(t, out.Close())
		curve, err := c.Curve(f)
		must(t, err)
		if !slices.Equal(curve, answeringCurve) {
			t.Errorf("%s: the run over time is %v", run, curve)
		}
		lines = append(lines, fmt.Sprint(run, " ", f.Worker, " ", f.Outcome.Started, " ", len(log.Further[run]), " ", string(text)))
	}
	slices.Sort(lines)
	return digest + "\n" + strings.Join(lines, "\n")
}

func merge(t *testing.T, into string, from ...string) {
	t.Helper()
	c, err := Open(into)
	must(t, err)
	for _, dir := range from {
		m, err := c.Merge(t.Context(), dir)
		must(t, errors.Join(err, m.Refused.Err()))
	}
	for _, sub := range []string{"journal", "packs", "pins", RefusedDir} {
		left, err := filepath.Glob(filepath.Join(into, sub, ".*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

// mergeOne merges a copy, and gives what is refused as an error.
func mergeOne(t *testing.T, c *Campaign, dir string) error {
	t.Helper()
	m, err := c.Merge(t.Context(), dir)
	return errors.Join(err, m.Refused.Err())
}

// TestMergeInAnyOrder makes copies of one campaign that were run apart: on their own
// models or on the same ones, stopped early, moved, done again, with torn tails, some
// as they were in the middle. In whatever order and groups they are merged, and however
// often, the result is the same.
func TestMergeInAnyOrder(t *testing.T) {
	lots := rand.New(rand.NewPCG(16, 250))
	for round := range 12 {
		base := small(t)
		workAt(t, base.Dir, "base", Options{}, lots.IntN(4))
		var shards []string
		for i := range 4 {
			dir := copied(t, base.Dir)
			node := fmt.Sprint("node", i)
			for range 1 + lots.IntN(2) {
				o := Options{Models: [][]string{{"Ring"}, {"Tree"}, nil}[lots.IntN(3)]}
				if lots.IntN(4) == 0 {
					o.Move = []string{"Ring"}
				}
				if lots.IntN(4) == 0 {
					o.Again = []string{"Tree"}
				}
				workAt(t, dir, node, o, 1+lots.IntN(12))
				if lots.IntN(3) == 0 { // brought back too early, and again later
					early := copied(t, dir)
					if lots.IntN(2) == 0 { // packs were copied before journals
						cutPacks(t, early, lots)
					}
					shards = append(shards, early)
				}
			}
			if journals, _ := filepath.Glob(filepath.Join(dir, "journal", "*.jsonl")); lots.IntN(2) == 0 && len(journals) > 0 {
				f, err := os.OpenFile(journals[lots.IntN(len(journals))], os.O_APPEND|os.O_WRONLY, 0)
				must(t, err)
				_, err = f.WriteString(`0123abcd {"finished":{"run`)
				must(t, err)
				must(t, f.Close())
			}
			shards = append(shards, dir)
		}
		once, twice, grouped := copied(t, base.Dir), copied(t, base.Dir), copied(t, base.Dir)
		merge(t, once, shards...)
		want := state(t, once)

		lots.Shuffle(len(shards), func(i, j int) { shards[i], shards[j] = shards[j], shards[i] })
		merge(t, twice, append(slices.Clone(shards), shards...)...)
		if got := state(t, twice); got != want {
			t.Fatalf("round %d: in another order and twice:\n%s\nwant\n%s", round, got, want)
		}
		cut := 1 + lots.IntN(len(shards)-1)
		left, right := copied(t, shards[0]), copied(t, shards[cut])
		merge(t, left, shards[:cut]...)
		merge(t, right, shards[cut:]...)
		merge(t, grouped, right, left)
		if got := state(t, grouped); got != want {
			t.Fatalf("round %d: in groups:\n%s\nwant\n%s", round, got, want)
		}
	}
}

// cutPacks leaves the beginnings of some packs, and nothing of others.
func cutPacks(t *testing.T, dir string, lots *rand.Rand) {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join(dir, "packs", "*.zst"))
	must(t, err)
	for _, pack := range packs {
		if lots.IntN(3) == 0 {
			must(t, os.Remove(pack))
		} else if n := size(pack); n > 0 {
			must(t, os.Truncate(pack, lots.Int64N(n)))
		}
	}
}

// TestMergePackLate: a copy whose packs were copied before its journals is merged,
// and the outputs come with the next one, also when the run has ended since.
func TestMergePackLate(t *testing.T) {
	base := small(t)
	shard := copied(t, base.Dir)
	workAt(t, shard, "node", Options{}, 99)
	early, into, whole := copied(t, shard), copied(t, base.Dir), copied(t, base.Dir)
	must(t, os.RemoveAll(filepath.Join(early, "packs")))
	merge(t, whole, shard, early)
	merge(t, into, early, shard)
	if got, want := state(t, into), state(t, whole); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestMergeKilled: a merge that ended anywhere is done again.
func TestMergeKilled(t *testing.T) {
	base := small(t)
	shard := copied(t, base.Dir)
	workAt(t, shard, "node", Options{}, 99)
	whole := copied(t, base.Dir)
	merge(t, whole, shard)
	// The pack took its place and the journal did not; copies are left.
	killed := copied(t, base.Dir)
	must(t, os.CopyFS(filepath.Join(killed, "packs"), os.DirFS(filepath.Join(shard, "packs"))))
	for _, name := range []string{"packs/.podium-write-1", "journal/.podium-write-2", "refused/.podium-merge-3"} {
		left := filepath.Join(killed, name)
		must(t, os.MkdirAll(left, 0o700))
		writeMode(t, filepath.Join(left, ".lock"), "", 0o600)
		writeMode(t, filepath.Join(left, "file"), "half", 0o600)
	}
	merge(t, killed, shard)
	if left, err := filepath.Glob(filepath.Join(killed, "*", ".podium-*")); err != nil || len(left) > 0 {
		t.Errorf("%v, %v are left", left, err)
	}
	if got, want := state(t, killed), state(t, whole); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestMergeRefuses(t *testing.T) {
	base := small(t)
	shard := copied(t, base.Dir)
	workAt(t, shard, "node", Options{}, 99)
	journals, err := filepath.Glob(filepath.Join(shard, "journal", "*.jsonl"))
	must(t, err)
	journal := filepath.Base(journals[0])

	var foreign *ForeignError
	other := copied(t, base.Dir)
	rewriteFile(t, filepath.Join(other, "campaign.json"), `"small"`, `"other"`)
	if _, err := base.Merge(t.Context(), other); !errors.As(err, &foreign) || !strings.Contains(err.Error(), foreign.Digest[:12]) || !strings.Contains(err.Error(), base.Digest[:12]) {
		t.Errorf("another plan: %v", err)
	}
	for want, spoil := range map[string]func(dir string){
		"journal belongs to worker": func(dir string) {
			must(t, os.Rename(filepath.Join(dir, "journal", journal), filepath.Join(dir, "journal", "me.jsonl")))
		},
		"the check sum":                          func(dir string) { rewriteFile(t, filepath.Join(dir, "journal", journal), `"host"`, `"hOst"`) },
		":2: the check sum of the line is wrong": func(dir string) { rewriteFile(t, filepath.Join(dir, "journal", journal), `{"claimed"`, `{"cLaimed"`) },
		"is not in the plan": func(dir string) {
			f, err := os.OpenFile(filepath.Join(dir, "journal", journal), os.O_APPEND|os.O_WRONLY, 0)
			must(t, err)
			text, err := encodeRecord(Record{Started: &Started{Run: Run{Tool: "nobody"}}})
			must(t, err)
			_, err = f.Write(text)
			must(t, errors.Join(err, f.Close()))
		},
		"a symbolic link": func(dir string) {
			must(t, os.Remove(filepath.Join(dir, "journal", journal)))
			must(t, os.Symlink("/dev/zero", filepath.Join(dir, "journal", journal)))
		},
		"the pin is of the model": func(dir string) {
			must(t, os.Rename(filepath.Join(dir, "pins", "Ring@1"), filepath.Join(dir, "pins", "Tree@7")))
		},
		"there is no campaign here": func(dir string) { must(t, os.Remove(filepath.Join(dir, "campaign.json"))) },
	} {
		dir, into := copied(t, shard), copied(t, base.Dir)
		spoil(dir)
		c, err := Open(into)
		must(t, err)
		if err := mergeOne(t, c, dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		merge(t, into, shard) // nothing that was refused stands in its way
		state(t, into)
	}
	into := copied(t, base.Dir)
	merge(t, into, shard)
	c, err := Open(into)
	must(t, err)
	want := state(t, into)
	path := filepath.Join(into, "journal", journal)
	rewriteFile(t, path, `"attempt":1`, `"attempt":2`)
	must(t, mergeOne(t, c, shard)) // mends a line whose check sum is wrong
	if got := state(t, into); got != want {
		t.Errorf("mended:\n%s\nwant\n%s", got, want)
	}
	changeRecord(t, path, `"attempt":1`, `"attempt":2`)
	if err := mergeOne(t, c, shard); err == nil || !strings.Contains(err.Error(), "one of them was changed") {
		t.Errorf("a journal that differs: %v", err)
	}
}

// changeRecord changes the first record of a journal that holds a text, with its check sum.
func changeRecord(t *testing.T, path, from, to string) {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	lines := strings.SplitAfter(string(text), "\n")
	for i, line := range lines {
		if !strings.Contains(line, from) {
			continue
		}
		body := strings.Replace(line[9:len(line)-1], from, to, 1)
		lines[i] = fmt.Sprintf("%08x %s\n", crc32.ChecksumIEEE([]byte(body)), body)
		break
	}
	must(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644))
}

func rewriteFile(t *testing.T, path, from, to string) {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o644))
}
