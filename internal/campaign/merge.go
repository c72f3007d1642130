package campaign

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"podium/internal/files"
	"podium/internal/parallel"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Merged says what a merge has taken over.
type Merged struct {
	Journals int   // that were new, or had grown, or whose packs had
	Bytes    int64 // of journals and packs that were written
	Mended   int   // outputs that were damaged here, and are whole in the copy
	// Refused is what was not taken over and why; the rest of the copy was.
	Refused diagnostic.List
}

// ForeignError says that a campaign was planned otherwise than another one, which
// therefore cannot take over its journals.
type ForeignError struct {
	Dir, Digest string // of the one that was to be merged
	Into, Want  string
	Later       bool // it is the same campaign, with a later plan
}

func (e *ForeignError) Error() string {
	if e.Later {
		return fmt.Sprintf("%s has a later plan than %s: merge the other way, `podium shard merge %s %s`, and go on with %s", e.Dir, e.Into, e.Dir, e.Into, e.Dir)
	}
	return fmt.Sprintf("%s is another campaign than %s: its plan has the digest %.12s, and the plan there %.12s; only copies of one campaign can be merged", e.Dir, e.Into, e.Digest, e.Want)
}

// Merge takes over what was done in a copy of the campaign: journals, packs and pins, as
// far as the copy may speak of it. What both have must agree. The journal or pack of a worker is a file that
// only grows, so the longer one counts; of two pins of one number the earlier one. What is damaged in one
// of them is taken from the other.
// So copies may be merged in any order, in groups and several times, and the result
// is the same. A merge that was killed is simply done again.
func (c *Campaign) Merge(ctx context.Context, from string) (m Merged, err error) {
	other, err := c.OpenCopy(from)
	if err != nil {
		return m, err
	}
	lock, err := Lock(ctx, filepath.Join(c.Dir, ".merge"))
	if err != nil {
		return m, err
	}
	defer lock.Close()
	if err := os.MkdirAll(filepath.Join(c.Dir, "pins"), 0o755); err != nil {
		return m, err
	}
	voice, err := c.voiceOf(other)
	if err != nil {
		return m, err
	}
	journals, err := filepath.Glob(filepath.Join(from, "journal", "*.jsonl"))
	if err != nil {
		return m, err
	}
	merging := &merging{c: c, other: other, voice: voice, done: &m}
	for _, file := range journals {
		if err := ctx.Err(); err != nil {
			return m, err
		}
		worker := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		if err := merging.refuse(merging.journal(ctx, worker), journalName(worker), packName(worker)); err != nil {
			return m, err
		}
	}
	return m, merging.pins()
}

func journalName(worker string) string { return filepath.Join("journal", worker+".jsonl") }

func packName(worker string) string { return filepath.Join("packs", worker+".zst") }

// OpenCopy opens a copy of the campaign. The error is a *ForeignError where the directory
// holds another campaign.
func (c *Campaign) OpenCopy(dir string) (*Campaign, error) {
	other, err := Open(dir)
	if err == nil && c.planOfDigest(other.Digest) == 0 {
		err = &ForeignError{dir, other.Digest, c.Dir, c.Digest, other.planOfDigest(c.Digest) != 0}
	}
	return other, err
}

// merging is a merge of one copy.
type merging struct {
	c, other *Campaign
	voice    *voice
	done     *Merged
	log      *Log // of the copy, when it was asked for
}

// refuse notes what is not taken over, if an error says so, and sets the files aside. Any
// other error ends the merge.
func (m *merging) refuse(err error, names ...string) error {
	var why diagnostic.List
	if !errors.As(err, &why) {
		return err
	}
	why, err = m.c.setAside(m.other.Dir, names, slices.Clone(why))
	m.done.Refused = append(m.done.Refused, why...)
	return err
}

// journal takes over the journal of a worker and its pack, where they have more than there
// is here, or what is damaged here. The journal is read before, so that nothing comes in
// that is damaged, of another campaign, or not for this copy to say. It takes
// its place last: what it speaks of is in the pack then, if the copy has it. A copy
// that was made during a run may lack it; a later one has a longer pack.
func (m *merging) journal(ctx context.Context, worker string) error {
	t, err := compare(m.other.Dir, m.c.Dir, journalName(worker))
	if err != nil {
		return err
	}
	defer t.close()
	var journal *files.Staged
	if t.same {
		journal, err = t.longer()
	} else {
		journal, err = t.mendLines(ctx)
	}
	if err != nil {
		return err
	}
	defer journal.Discard()
	var outputs []named
	if !journal.Empty() {
		if outputs, err = m.heard(ctx, t); err != nil {
			return err
		}
	}
	pack, err := m.pack(ctx, worker, t, outputs)
	if err != nil {
		return err
	}
	defer pack.Discard()
	if journal.Empty() && pack.Empty() {
		return nil
	}
	m.done.Journals++
	m.done.Bytes += journal.Size + pack.Size
	if err := pack.Commit(); err != nil {
		return err
	}
	return journal.Commit()
}

// named is an output that an end names.
type named struct {
	PackRef
	end   EndOf
	known bool // the journal here names it, too
}

// heard reads the journal of a copy, as this campaign will read it, and returns the outputs
// that it names. The error is what is wrong with it.
func (m *merging) heard(ctx context.Context, t *two) (list []named, err error) {
	log := newLog(m.c, true)
	log.hear = func(from *source, r *Record) error {
		if err := m.voice.record(m.c, from, r); err != nil {
			return err
		}
		list = name(list, r, t.same && from.offset <= t.have)
		return nil
	}
	path := t.theirs.Name()
	if err := log.take(ctx, path); err != nil {
		var foreign diagnostic.List
		if errors.As(err, &foreign) {
			foreign[0].Hint = "ask whoever made the copy how this came about"
		}
		return nil, err
	}
	if len(log.Damage) > 0 {
		first := log.Damage[0]
		first.Hint = "copy the file again; when it is damaged where it comes from, too, cut it before this line: what is behind will be done again"
		return nil, diagnostic.List{first}
	}
	return list, nil
}

// name adds the outputs that a record names.
func name(list []named, r *Record, known bool) []named {
	if f := r.Finished; f != nil {
		for _, ref := range f.outputs() {
			if ref.Size > 0 {
				list = append(list, named{*ref, EndOf{f.Run, f.Worker, f.Outcome.Started}, known})
			}
		}
	}
	return list
}

// pack takes over the pack of a worker, whose journal is t. What is new in it, or newly
// named, has to have the digests that the journal gives.
func (m *merging) pack(ctx context.Context, worker string, t *two, list []named) (*files.Staged, error) {
	p, err := compare(m.other.Dir, m.c.Dir, packName(worker))
	if err != nil {
		return nil, err
	}
	defer p.close()
	if len(list) == 0 && (p.same && p.offers <= p.have || t.ours == nil) {
		return &files.Staged{}, nil
	}
	if len(list) == 0 {
		log := newLog(m.c, true)
		log.hear = func(_ *source, r *Record) error {
			list = name(list, r, true)
			return nil
		}
		if err := log.take(ctx, t.path); err != nil {
			return nil, err
		}
	}
	var pack *files.Staged
	if p.same {
		pack, err = p.longer()
	} else {
		var mended, worse int
		if pack, mended, worse, err = p.mendOutputs(ctx, list); err == nil && worse > 0 {
			err = m.refuse(p.differ(0, "of this one "+wording.Count(worse, "output is", "outputs are")+" damaged", "copy the file again"), packName(worker))
		}
		m.done.Mended += mended
	}
	if err == nil {
		at := p.path
		if !pack.Empty() {
			at = pack.File()
		}
		err = m.whole(ctx, at, p, list)
	}
	if err != nil {
		pack.Discard()
	}
	return pack, err
}

// whole checks the outputs that nobody has checked yet. One that lies behind the end of the
// pack comes with another copy.
func (m *merging) whole(ctx context.Context, path string, p *two, list []named) error {
	f, err := openRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	length := size(path)
	unchecked := slices.DeleteFunc(slices.Clone(list), func(n named) bool {
		end := n.Offset + n.Length
		return end > length || n.known && p.same && end <= p.have
	})
	var first *named
	wrong := 0
	for some := range slices.Chunk(unchecked, 1024) {
		i := 0
		for err := range parallel.Each(ctx, some, func(n named) error { return n.whole(ctx, f) }) {
			if err != nil && m.counts(ctx, some[i].end) {
				if wrong++; wrong == 1 {
					first = &some[i]
				}
			}
			i++
		}
	}
	if err := ctx.Err(); err != nil || wrong == 0 {
		return err
	}
	run := first.end.Run
	return diagnostic.List{{File: filepath.Join(m.other.Dir, "packs", first.Pack), Code: "merge-output",
		Message: fmt.Sprintf("%s not what the journal says, the first that of %s at offset %d", wording.Part(wrong, len(list), "outputs is", "outputs are"), run, first.Offset),
		Hint:    fmt.Sprintf("copy the file again and merge it; when it is damaged where it comes from, too, have the runs done again there: podium run %s --again --only %s", wording.Shell(m.other.Dir), wording.Shell(run.Only()))}}
}

// counts reports whether an end counts in the copy, as far as it can be read: nobody needs
// the outputs of another one.
func (m *merging) counts(ctx context.Context, e EndOf) bool {
	if m.log == nil {
		var err error
		if m.log, err = m.other.ReadEnds(ctx); err != nil {
			m.log = newLog(m.other, true)
		}
	}
	f, ok := m.log.Finished[e.Run]
	return !ok || f.key() == e.key()
}

// pins takes over pins. Where two copies pinned a model, the earlier pin of the
// same number counts; runs that were made elsewhere are set aside (E-5.1).
func (m *merging) pins() error {
	entries, err := os.ReadDir(filepath.Join(m.other.Dir, "pins"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	type numberedPin struct {
		name, model string
		number      int64
	}
	var pins []numberedPin
	for _, e := range entries {
		if model, n, ok := fileNumber(e.Name()); ok {
			pins = append(pins, numberedPin{e.Name(), model, n})
		}
	}
	slices.SortFunc(pins, func(a, b numberedPin) int {
		return cmp.Or(cmp.Compare(a.model, b.model), cmp.Compare(a.number, b.number))
	})
	last := map[string]int64{}
	known, err := os.ReadDir(filepath.Join(m.c.Dir, "pins"))
	if err != nil {
		return err
	}
	for _, e := range known {
		if model, n, ok := fileNumber(e.Name()); ok {
			last[model] = max(last[model], n)
		}
	}
	var names []string
	var why diagnostic.List
	for _, p := range pins {
		var one diagnostic.List
		if err := m.pin(p.name, p.model, p.number, last); errors.As(err, &one) {
			names, why = append(names, filepath.Join("pins", p.name)), append(why, one...)
		} else if err != nil {
			return err
		}
	}
	if len(why) == 0 {
		return nil
	}
	return m.refuse(why, names...)
}

// pin takes over one pin. last are the numbers of the last pins here.
func (m *merging) pin(name, model string, number int64, last map[string]int64) error {
	var theirs, ours Pin
	from, path := filepath.Join(m.other.Dir, "pins", name), filepath.Join(m.c.Dir, "pins", name)
	if err := readSmall(from, PinFormat, &theirs); err != nil {
		return err
	}
	damaged := diagnostic.List{}
	err := readSmall(path, PinFormat, &ours)
	switch {
	case err == nil && theirs == ours:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.As(err, &damaged): // else the copy mends it
		return err
	case theirs.Model != model:
		return pinRefused(from, "the pin is of the model "+diagnostic.Excerpt(theirs.Model))
	case !slices.Contains(m.c.Plan.Units(), model):
		return pinRefused(from, "the campaign has no model "+diagnostic.Excerpt(model))
	}
	if err == nil && !theirs.before(ours) {
		return nil
	}
	if err := m.voice.pin(theirs, number, last[model]); err != nil {
		return pinRefused(from, err.Error())
	}
	last[model] = max(last[model], number)
	return files.Replace(path, func(to io.Writer) error { return json.NewEncoder(to).Encode(theirs) })
}

func pinRefused(file, message string) error {
	return diagnostic.List{{File: file, Code: "merge-pin", Message: message, Hint: "restore the file in the copy, or ask whoever made it how this came about"}}
}

// before orders the pins of one number.
func (p Pin) before(o Pin) bool {
	if c := p.At.Compare(o.At); c != 0 {
		return c < 0
	}
	return p.Worker < o.Worker
}
