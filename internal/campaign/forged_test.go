//go:build unix

package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"podium/internal/sentinel"
)

// contested is a campaign with a shard for each of its two models. Some runs were done before
// it was shipped.
type contested struct {
	base, ring, tree string            // directories: the campaign, and its shards when their runs are done
	early            string            // the shard of Ring in the middle of its runs
	workers          map[string]string // the last one of each shard
	baseWorker       string
}

func contest(t *testing.T) *contested {
	t.Helper()
	c := small(t)
	rewriteFile(t, filepath.Join(c.Dir, "campaign.json"), "0001-01-01T00:00:00Z", time.Now().Add(-time.Hour).UTC().Format(time.RFC3339))
	x := &contested{base: c.Dir, workers: map[string]string{}}
	workAt(t, c.Dir, "base", Options{Models: []string{"Tree"}}, 2)
	workAt(t, c.Dir, "base", Options{Models: []string{"Ring"}}, 2)
	c, err := Open(c.Dir)
	must(t, err)
	x.baseWorker = strings.TrimSuffix(filepath.Base(journalsOf(t, c.Dir)[0]), ".jsonl")
	for _, model := range []string{"Ring", "Tree"} {
		dir := filepath.Join(t.TempDir(), model)
		must(t, c.Ship(t.Context(), dir, []string{model}))
		for _, sub := range []string{"models", "tools"} { // which this plan does not name as copies
			must(t, os.CopyFS(filepath.Join(dir, sub), os.DirFS(filepath.Join(c.Dir, sub))))
		}
		workAt(t, dir, "base", Options{Models: []string{model}}, 2)
		if model == "Ring" {
			x.early, x.ring = copied(t, dir), dir
		} else {
			x.tree = dir
		}
		workAt(t, dir, "base", Options{Models: []string{model}}, 99)
		for _, journal := range journalsOf(t, dir) {
			if worker := strings.TrimSuffix(filepath.Base(journal), ".jsonl"); markOf(worker) != "" {
				x.workers[model] = worker
			}
		}
	}
	return x
}

func journalsOf(t *testing.T, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "journal", "*.jsonl"))
	must(t, err)
	return list
}

// spoken is a copy without inputs, which merges do not read.
func spoken(t *testing.T, dir string) string {
	t.Helper()
	dir = copied(t, dir)
	for _, sub := range []string{"models", "tools", inputsDir} {
		must(t, os.RemoveAll(filepath.Join(dir, sub)))
	}
	return dir
}

// endsOf says what counts of a model.
func endsOf(t *testing.T, dir, model string) string {
	t.Helper()
	c, err := Open(dir)
	must(t, err)
	log, err := c.Read(t.Context())
	must(t, err)
	var lines []string
	for run := range c.Plan.RunsOf(model) {
		f, ok := log.Finished[run]
		_, void := log.Void[run]
		line := fmt.Sprint(run, " ", ok, " void ", void, log.Wanted(run), log.Attempts[run], " ", f.Worker, " ", f.Outcome.Started.UnixNano(), " ", f.Participation, f.Answers.List(), log.Drift(f))
		if ok {
			out, err := c.Log(f)
			must(t, err)
			text, err := io.ReadAll(out)
			must(t, errors.Join(err, out.Close()))
			line += " " + string(text)
		}
		lines = append(lines, line)
	}
	return strings.Join(append(lines, fmt.Sprint(log.pins[model].Node, log.Damage)), "\n")
}

// appendTo appends records to a journal, or begins one.
func appendTo(t *testing.T, path string, records ...Record) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	must(t, err)
	for _, r := range records {
		text, err := encodeRecord(r)
		must(t, err)
		_, err = f.Write(text)
		must(t, err)
	}
	must(t, f.Close())
}

// variant is a copy of the shard of Ring that is not as it was made.
type variant struct {
	name    string
	forge   func(dir string)
	refused bool // something of it has to be
	damage  bool // the true copy has to mend all
}

// forgeries are what somebody may write who has the shard of Ring, and knows names and
// times of the shard of Tree, but not its key.
func (x *contested) forgeries(t *testing.T) (list []variant) {
	t.Helper()
	c, err := Open(x.tree)
	must(t, err)
	log, err := c.Read(t.Context())
	must(t, err)
	var victim, own Finished
	for _, f := range log.Finished {
		if f.Worker == x.workers["Tree"] {
			victim = *f
		}
	}
	r, err := Open(x.ring)
	must(t, err)
	ringLog, err := r.Read(t.Context())
	must(t, err)
	for _, f := range ringLog.Finished {
		if f.Worker == x.workers["Ring"] {
			own = *f
		}
	}
	me, now := x.workers["Ring"], time.Now().UTC()
	journal := func(worker string) string { return filepath.Join("journal", worker+".jsonl") }
	as := func(f Finished, change func(*Finished)) Record {
		f.Worker, f.Stdout, f.Stderr, f.Left = me, PackRef{}, PackRef{}, PackRef{}
		change(&f)
		return Record{Finished: &f}
	}
	early := victim.Outcome.Started.Add(-30 * time.Minute)
	opened := func(worker, format string) Record {
		return Record{Opened: &Opened{Format: format, Campaign: r.Digest, Worker: worker, Host: "h", Node: Node{Machine: "base", Boot: "base", PIDs: "1"}, Driver: "fake", At: now}}
	}
	endOf := EndOf{victim.Run, victim.Worker, victim.Outcome.Started}
	records := map[string]Record{
		"an end that began earlier":             as(victim, func(f *Finished) { f.Outcome.Started = early }),
		"an end that began earlier, no answers": as(victim, func(f *Finished) { f.Outcome.Started, f.Answers = early, Answers{} }),
		"an end of the other worker":            as(victim, func(f *Finished) { f.Outcome.Started, f.Worker = early, victim.Worker }),
		"an end of nobody":                      as(victim, func(f *Finished) { f.Outcome.Started, f.Worker = early, "" }),
		"the other's end under no lease":        as(victim, func(f *Finished) { f.Outcome.Started, f.Lease = early, 0 }),
		"the other's end with a later lease":    as(victim, func(f *Finished) { f.Outcome.Started, f.Lease = early, 99 }),
		"a fence for the other":                 {Claimed: &Claimed{"Tree", victim.Lease + 1, []Fence{{victim.Lease, victim.Worker, 0}}, now}},
		"a fence for the base":                  {Claimed: &Claimed{"Tree", victim.Lease + 1, []Fence{{1, x.baseWorker, 0}}, now}},
		"a claim without fences":                {Claimed: &Claimed{"Tree", 1, nil, now}},
		"a start":                               {Started: &Started{Run: victim.Run, Attempt: 1, Lease: victim.Lease, At: early}},
		"a void attempt":                        {Voided: &Voided{Run: victim.Run, Attempt: 1, Worker: me, Lease: victim.Lease, Reason: "r", At: now}},
		"a run that is void":                    {Voided: &Voided{Run: victim.Run, Attempt: 3, Worker: me, Lease: victim.Lease, Reason: "r", Final: true, At: now}},
		"a void run of the other worker":        {Voided: &Voided{Run: victim.Run, Attempt: 3, Worker: victim.Worker, Lease: victim.Lease, Reason: "r", Final: true, At: now}},
		"a wish":                                {Again: &Again{Model: "Tree", Ends: []EndOf{endOf}, At: now}},
		"a wish under the own model":            {Again: &Again{Model: "Ring", Ends: []EndOf{endOf}, At: now}},
		"a wish of a decision":                  {Again: &Again{Model: "Ring", Ends: []EndOf{{own.Run, own.Worker, own.Outcome.Started}}, At: now, Decision: strings.Repeat("0", 64)}},
		"a reading":                             {Reread: &Reread{End: endOf, Reader: "x", At: now}},
		"a reading of the own end":              {Reread: &Reread{End: EndOf{own.Run, own.Worker, own.Outcome.Started}, Reader: "x", At: now}},
		"an end tomorrow week":                  as(own, func(f *Finished) { f.Outcome.Started = now.Add(8 * 24 * time.Hour) }),
		"an end before the campaign":            as(own, func(f *Finished) { f.Outcome.Started = now.Add(-48 * time.Hour) }),
		"an end without a start":                as(own, func(f *Finished) { f.Outcome.Started = time.Time{} }),
		"an end of less than nothing":           as(own, func(f *Finished) { f.Outcome.WallTime = -1 }),
		"an own end by another worker":          as(own, func(f *Finished) { f.Worker = x.baseWorker }),
		"an own end with the other's output":    as(own, func(f *Finished) { f.Stdout = victim.Stdout }),
		"an output at no place":                 as(own, func(f *Finished) { f.Stdout = own.Stdout; f.Stdout.Offset = -1 }),
		"an output of no length":                as(own, func(f *Finished) { f.Stdout = own.Stdout; f.Stdout.Length = -5 }),
		"an output behind all numbers":          as(own, func(f *Finished) { f.Stdout = own.Stdout; f.Stdout.Offset = 1<<63 - 1 }),
		"an output of another digest":           as(own, func(f *Finished) { f.Stdout = own.Stdout; f.Stdout.SHA256 = victim.Stderr.SHA256 }),
		"an output of another size":             as(own, func(f *Finished) { f.Stdout = own.Stdout; f.Stdout.Size++ }),
		"a lease beyond all":                    {Claimed: &Claimed{"Ring", 1<<63 - 1, nil, now}},
		"a lease below all":                     {Claimed: &Claimed{"Ring", -1, nil, now}},
		"a fence below all":                     {Claimed: &Claimed{"Ring", 1, []Fence{{-1, "x", 0}}, now}},
		"a fence before the file":               {Claimed: &Claimed{"Ring", 1, []Fence{{1, "x", -1}}, now}},
		"a claim in the future":                 {Claimed: &Claimed{"Ring", 1, nil, now.Add(100 * time.Hour)}},
		"a start in the future":                 {Started: &Started{Run: own.Run, Attempt: 1, Lease: 1, At: now.Add(100 * time.Hour)}},
		"a void run in the future":              {Voided: &Voided{Run: own.Run, Attempt: 3, Worker: me, Lease: 1, Final: true, At: now.Add(100 * time.Hour)}},
		"a wish in the future":                  {Again: &Again{Model: "Ring", Ends: []EndOf{{own.Run, own.Worker, own.Outcome.Started}}, At: now.Add(100 * time.Hour)}},
		"a reading of a core in the future":     {Sentinel: &Sentinel{[]sentinel.Reading{{Core: 0, At: now.Add(100 * time.Hour)}}}},
		"attempts below all":                    as(own, func(f *Finished) { f.Attempt = -1 }),
		"a model that is none":                  {Claimed: &Claimed{"Nobody", 1, nil, now}},
		"a second beginning":                    opened(me, JournalFormat),
	}
	for what, record := range records {
		list = append(list, variant{what + ", appended", func(dir string) { appendTo(t, filepath.Join(dir, journal(me)), record) }, true, false})
		for _, as := range []string{"thief" + markOf(me), "thief", "thief" + markOf(victim.Worker)} {
			list = append(list, variant{what + ", in the journal of " + as, func(dir string) {
				renamed := record
				if f := record.Finished; f != nil && f.Worker == me {
					own := *f
					own.Worker = as
					if own.Stdout.Pack == me+".zst" {
						own.Stdout.Pack = as + ".zst"
						text, err := os.ReadFile(filepath.Join(dir, packName(me)))
						must(t, err)
						must(t, os.WriteFile(filepath.Join(dir, packName(as)), text, 0o644))
					}
					renamed = Record{Finished: &own}
				}
				if v := record.Voided; v != nil && v.Worker == me {
					own := *v
					own.Worker = as
					renamed = Record{Voided: &own}
				}
				if record.Opened != nil {
					renamed = opened(as, JournalFormat)
				}
				appendTo(t, filepath.Join(dir, journal(as)), opened(as, JournalFormat), renamed)
			}, true, false})
		}
		list = append(list, variant{what + ", in a journal about ends", func(dir string) {
			about := *opened("about"+markOf(me), JournalFormat).Opened
			about.About = true
			appendTo(t, filepath.Join(dir, journal("about"+markOf(me))), Record{Opened: &about}, record)
		}, true, false})
	}
	theirs, err := os.ReadFile(filepath.Join(x.tree, journal(victim.Worker)))
	must(t, err)
	lines := strings.SplitAfter(string(theirs), "\n")
	for n := 1; n < len(lines); n += 2 {
		list = append(list, variant{fmt.Sprintf("the other's journal, cut after line %d", n), func(dir string) {
			must(t, os.WriteFile(filepath.Join(dir, journal(victim.Worker)), []byte(strings.Join(lines[:n], "")), 0o644))
		}, false, false})
	}
	list = append(list, variant{"the other's journal, changed", func(dir string) {
		must(t, os.WriteFile(filepath.Join(dir, journal(victim.Worker)), theirs, 0o644))
		changeRecord(t, filepath.Join(dir, journal(victim.Worker)), `"attempt":1`, `"attempt":2`)
	}, true, false})
	for _, worker := range []string{x.baseWorker} {
		list = append(list, variant{"more in the journal of the base", func(dir string) {
			appendTo(t, filepath.Join(dir, journal(worker)), as(victim, func(f *Finished) { f.Outcome.Started, f.Worker = early, worker }))
		}, true, false}, variant{"an own end in the journal of the base", func(dir string) {
			appendTo(t, filepath.Join(dir, journal(worker)), as(own, func(f *Finished) { f.Outcome.Started, f.Worker = early, worker }))
		}, true, false})
	}
	pin := func(model string, number int64, change func(*Pin)) func(dir string) {
		return func(dir string) {
			p := Pin{PinFormat, model, far, "far", me, now}
			change(&p)
			text, err := json.Marshal(p)
			must(t, err)
			must(t, os.WriteFile(filepath.Join(dir, "pins", numbered(model, number)), text, 0o644))
		}
	}
	same := func(*Pin) {}
	for name, forge := range map[string]func(string){
		"the last of all pins":          pin("Tree", 9000000000000000000, same),
		"the last of all pins, own":     pin("Ring", 9000000000000000000, same),
		"a pin after the next":          pin("Ring", 3, same),
		"the next pin of the other":     pin("Tree", 2, same),
		"an earlier pin of the other":   pin("Tree", 1, func(p *Pin) { p.At = now.Add(-time.Hour) }),
		"a pin before the campaign":     pin("Ring", 2, func(p *Pin) { p.At = now.Add(-1000 * time.Hour) }),
		"a pin in the future":           pin("Ring", 2, func(p *Pin) { p.At = now.Add(1000 * time.Hour) }),
		"a pin of the other's worker":   pin("Ring", 2, func(p *Pin) { p.Worker = victim.Worker }),
		"a pin of the base's worker":    pin("Ring", 2, func(p *Pin) { p.Worker = x.baseWorker }),
		"a pin of no model":             pin("Nobody", 1, same),
		"a pin under another's name":    pin("Ring", 2, func(p *Pin) { p.Model = "Tree" }),
		"a pin of another format":       pin("Ring", 2, func(p *Pin) { p.Format = "podium-pin/9" }),
		"a pin that is a pipe":          func(dir string) { must(t, syscall.Mkfifo(filepath.Join(dir, "pins", "Ring@2"), 0o644)) },
		"a pin that is a link":          func(dir string) { must(t, os.Symlink("/dev/zero", filepath.Join(dir, "pins", "Ring@2"))) },
		"a journal that is a pipe":      func(dir string) { must(t, syscall.Mkfifo(filepath.Join(dir, journal("x"+markOf(me))), 0o644)) },
		"a journal that is a directory": func(dir string) { must(t, os.Mkdir(filepath.Join(dir, journal("x"+markOf(me))), 0o755)) },
		"a pack that is a link": func(dir string) {
			must(t, errors.Join(os.Remove(filepath.Join(dir, packName(me))), os.Symlink(filepath.Join(x.tree, packName(victim.Worker)), filepath.Join(dir, packName(me)))))
		},
		"no shard":           func(dir string) { must(t, os.Remove(filepath.Join(dir, shardFile))) },
		"a shard of no key":  func(dir string) { writeShard(t, dir, Shard{ShardFormat, []string{"Ring", "Tree"}, ""}) },
		"a shard of another": func(dir string) { writeShard(t, dir, Shard{ShardFormat, []string{"Ring", "Tree"}, "key"}) },
		"a shard of no model": func(dir string) {
			writeShard(t, dir, Shard{ShardFormat, []string{"Nobody"}, "key"})
		},
		"a shard that is no JSON": func(dir string) { must(t, os.WriteFile(filepath.Join(dir, shardFile), []byte("{"), 0o644)) },
	} {
		list = append(list, variant{name, forge, true, false})
	}
	key, err := r.Shard()
	must(t, err)
	wide := as(victim, func(f *Finished) { f.Outcome.Started = early })
	return append(list,
		variant{"a shard of more models", func(dir string) {
			writeShard(t, dir, Shard{ShardFormat, []string{"Ring", "Tree"}, key.Key})
			appendTo(t, filepath.Join(dir, journal(me)), wide)
		}, true, false},
		variant{"no shard, and its own note", func(dir string) {
			must(t, os.MkdirAll(filepath.Join(dir, shippedDir), 0o755))
			must(t, os.Rename(filepath.Join(dir, shardFile), filepath.Join(dir, shippedName(key.tag()))))
			appendTo(t, filepath.Join(dir, journal(me)), wide)
		}, true, false},
		variant{"no shard, and notes that it made", func(dir string) {
			must(t, os.MkdirAll(filepath.Join(dir, shippedDir), 0o755))
			must(t, os.Rename(filepath.Join(dir, shardFile), filepath.Join(dir, shippedName(key.tag()))))
			text, err := json.Marshal(Shard{ShardFormat, []string{"Tree"}, "key"})
			must(t, err)
			must(t, os.WriteFile(filepath.Join(dir, shippedName(strings.TrimPrefix(markOf(victim.Worker), "-s"))), text, 0o644))
			appendTo(t, filepath.Join(dir, journal(me)), wide)
		}, true, false})
}

func writeShard(t *testing.T, dir string, s Shard) {
	t.Helper()
	text, err := json.Marshal(s)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, shardFile), text, 0o644))
}

// damages are what may happen to the files of a copy on their way.
func (x *contested) damages(t *testing.T) (list []variant) {
	t.Helper()
	must(t, filepath.WalkDir(x.ring, func(path string, d fs.DirEntry, err error) error {
		name, rerr := filepath.Rel(x.ring, path)
		if err != nil || rerr != nil || d.IsDir() || strings.HasPrefix(name, "claims") || strings.HasPrefix(name, ".") {
			return errors.Join(err, rerr)
		}
		text, err := os.ReadFile(path)
		must(t, err)
		with := func(what string, change func() []byte) {
			list = append(list, variant{name + " " + what, func(dir string) { must(t, os.WriteFile(filepath.Join(dir, name), change(), 0o644)) }, false, true})
		}
		for _, part := range []int{0, 1, len(text) / 3, len(text) / 2, len(text) - 1} {
			if 0 <= part && part < len(text) {
				with(fmt.Sprintf("cut at %d", part), func() []byte { return text[:part] })
				with(fmt.Sprintf("flipped at %d", part), func() []byte {
					flipped := slices.Clone(text)
					flipped[part] ^= 0x20
					return flipped
				})
			}
		}
		with("doubled", func() []byte { return slices.Concat(text, text) })
		with("replaced", func() []byte { return []byte(strings.Repeat("x\n", len(text)/2+1)) })
		with("of zeros", func() []byte { return make([]byte, len(text)) })
		with("with more behind it", func() []byte { return append(slices.Clone(text), "0123abcd {\"finished\":{}}\nrest"...) })
		if earlier, err := os.ReadFile(filepath.Join(x.early, name)); err == nil {
			with("as it was earlier", func() []byte { return earlier })
		}
		list = append(list, variant{name + " missing", func(dir string) { must(t, os.Remove(filepath.Join(dir, name))) }, false, true})
		return nil
	}))
	return list
}

// TestForgedCopies: copies of one shard that were forged or damaged, merged between the true
// copies in several orders, also twice. The ends of the other model stand as they stood, what
// is refused is set aside with its reason, and true copies bring what is missing.
func TestForgedCopies(t *testing.T) {
	if testing.Short() {
		t.Skip("it does one thing after another, for long")
	}
	x := contest(t)
	for _, dir := range []*string{&x.base, &x.ring, &x.tree, &x.early} {
		*dir = spoken(t, *dir)
	}
	clean := copied(t, x.base)
	merge(t, clean, x.ring, x.tree)
	want := map[string]string{"Ring": endsOf(t, clean, "Ring"), "Tree": endsOf(t, clean, "Tree")}
	if strings.Contains(want["Ring"]+want["Tree"], " false void") {
		t.Fatal(want)
	}
	variants, merges := append(x.forgeries(t), x.damages(t)...), 0
	for i, v := range variants {
		forged := copied(t, x.ring)
		v.forge(forged)
		orders := [][]string{{forged, x.ring, x.tree}, {x.ring, forged, x.tree}, {x.tree, forged, x.ring}, {x.tree, x.ring, forged}, {forged, forged, x.tree, x.ring, forged}}
		if testing.Short() || !v.damage {
			orders = orders[i%5 : i%5+1]
		} else {
			orders = [][]string{orders[0], orders[1+i%4]}
		}
		for n, order := range orders {
			into := copied(t, x.base)
			c, err := Open(into)
			must(t, err)
			refused := false
			for _, dir := range order {
				m, err := c.Merge(t.Context(), dir)
				merges++
				if dir != forged {
					must(t, err)
				}
				if dir == forged {
					refused = refused || err != nil || len(m.Refused) > 0
				}
				for _, d := range m.Refused {
					if !strings.HasPrefix(d.File, dir) || d.Message == "" || d.Hint == "" {
						t.Errorf("%s: refused without file, reason or next step: %+v", v.name, d)
					}
				}
			}
			if got := endsOf(t, into, "Tree"); got != want["Tree"] {
				t.Errorf("%s, order %d: the other model has\n%s\nwant\n%s", v.name, n, got, want["Tree"])
			}
			if got := endsOf(t, into, "Ring"); v.damage && got != want["Ring"] {
				t.Errorf("%s, order %d: its own model has\n%s\nwant\n%s", v.name, n, got, want["Ring"])
			}
			if v.refused && !refused {
				t.Errorf("%s, order %d: nothing was refused", v.name, n)
			}
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d variants, %d merges", len(variants), merges)
}
