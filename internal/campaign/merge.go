package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// Merged says what a merge has taken over.
type Merged struct {
	Journals int   // that were new, or had grown, or whose packs had
	Bytes    int64 // of journals and packs that were copied
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
		return fmt.Sprintf("%s has a later plan than %s: merge the other way, `podium merge %s %s`, and go on with %s", e.Dir, e.Into, e.Dir, e.Into, e.Dir)
	}
	return fmt.Sprintf("%s is another campaign than %s: its plan has the digest %.12s, and the plan there %.12s; only copies of one campaign can be merged", e.Dir, e.Into, e.Digest, e.Want)
}

// mergePrefix begins the names of files that are not whole yet.
const mergePrefix = ".merge-"

// Merge takes over what was done in a copy of the campaign: journals, packs and
// pins. What both have must agree. The journal or pack of a worker is a file that
// only grows, so the longer one counts; of two pins of one number the earlier one.
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
	if err := c.sweepMerge(); err != nil {
		return m, err
	}
	journals, err := filepath.Glob(filepath.Join(from, "journal", "*.jsonl"))
	if err != nil {
		return m, err
	}
	for _, file := range journals {
		if err := ctx.Err(); err != nil {
			return m, err
		}
		n, err := c.mergeJournal(ctx, other, strings.TrimSuffix(filepath.Base(file), ".jsonl"))
		if err != nil {
			return m, err
		}
		if n > 0 {
			m.Journals++
			m.Bytes += n
		}
	}
	return m, c.mergePins(other)
}

// OpenCopy opens a copy of the campaign. The error is a *ForeignError where the directory
// holds another campaign.
func (c *Campaign) OpenCopy(dir string) (*Campaign, error) {
	other, err := Open(dir)
	if err == nil && c.planOfDigest(other.Digest) == 0 {
		err = &ForeignError{dir, other.Digest, c.Dir, c.Digest, other.planOfDigest(c.Digest) != 0}
	}
	return other, err
}

// chunk is how much of a file is compared at a time, in bytes.
const chunk = 1 << 16

// sweepMerge removes what a merge that was killed has left.
func (c *Campaign) sweepMerge() error {
	for _, dir := range []string{"journal", "packs"} {
		left, err := filepath.Glob(filepath.Join(c.Dir, dir, mergePrefix+"*"))
		if err != nil {
			return err
		}
		for _, path := range left {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return os.MkdirAll(filepath.Join(c.Dir, "pins"), 0o755)
}

// mergeJournal takes over the journal of a worker and its pack, where they have more
// than there is here, and gives the number of bytes that were copied. The journal is
// read before, so that none that is damaged or of another campaign comes in. It takes
// its place last: what it speaks of is in the pack then, if the copy has it. A copy
// that was made during a run may lack it; a later one has a longer pack.
func (c *Campaign) mergeJournal(ctx context.Context, other *Campaign, worker string) (int64, error) {
	name, packName := filepath.Join("journal", worker+".jsonl"), filepath.Join("packs", worker+".zst")
	length, damage, err := c.readable(ctx, filepath.Join(other.Dir, name))
	if err != nil {
		return 0, err
	}
	journal, err := stage(filepath.Join(other.Dir, name), filepath.Join(c.Dir, name), length)
	if err != nil {
		return 0, err
	}
	defer journal.drop()
	if journal.temp != "" && damage != nil {
		return 0, damage
	}
	var pack staged
	if journal.temp != "" || size(filepath.Join(other.Dir, packName)) > size(filepath.Join(c.Dir, packName)) {
		if pack, err = stage(filepath.Join(other.Dir, packName), filepath.Join(c.Dir, packName), -1); err != nil {
			return 0, err
		}
		defer pack.drop()
	}
	if err := pack.place(); err != nil {
		return 0, err
	}
	return journal.length + pack.length, journal.place()
}

// size is the length of a file in bytes, -1 when there is none.
func size(path string) int64 {
	info, err := os.Lstat(path)
	if err != nil {
		return -1
	}
	return info.Size()
}

// readable reads a journal of a copy as this campaign will read it. It gives the
// length of its complete records in bytes, and the first damage among them.
func (c *Campaign) readable(ctx context.Context, path string) (length int64, damage, err error) {
	f, err := openRegular(path)
	if err != nil {
		return 0, nil, err
	}
	if err := f.Close(); err != nil {
		return 0, nil, err
	}
	log := newLog(c, true)
	if err := log.take(ctx, path); err != nil {
		return 0, nil, err
	}
	if len(log.Damage) > 0 {
		first := log.Damage[0]
		first.Hint = "copy the file again; when it is damaged where it comes from, too, cut it before this line: what is behind will be done again"
		damage = diagnostic.List{first}
	}
	return log.read[path].offset, damage, nil
}

// lastLine gives the offset behind the last line feed of a file.
func lastLine(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	buf := make([]byte, chunk)
	for end := info.Size(); end > 0; {
		from := max(0, end-int64(len(buf)))
		part := buf[:end-from]
		if _, err := f.ReadAt(part, from); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		end = from
	}
	return 0, nil
}

func openRegular(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, diagnostic.List{{File: path, Code: "campaign-file", Message: "this is no regular file", Hint: "copy the campaign again"}}
	}
	return os.Open(path)
}

// staged is a copy of a file that has not taken its place yet. The zero value has
// nothing to place.
type staged struct {
	temp, path string
	length     int64
}

// stage copies the first bytes of a file (all of them for -1) beside the place that
// they are to take, unless as much is there already. What is there must be the
// beginning of it, or the other way round.
func stage(source, path string, length int64) (staged, error) {
	f, err := openRegular(source)
	if errors.Is(err, fs.ErrNotExist) {
		return staged{}, nil // a worker without output, or a copy without packs
	} else if err != nil {
		return staged{}, err
	}
	defer f.Close()
	if length < 0 {
		info, err := f.Stat()
		if err != nil {
			return staged{}, err
		}
		length = info.Size()
	}
	have, err := agree(f, length, source, path)
	if err != nil || have >= length {
		return staged{}, err
	}
	to, err := os.CreateTemp(filepath.Dir(path), mergePrefix+"*")
	if err != nil {
		return staged{}, err
	}
	s := staged{to.Name(), path, length}
	_, err = f.Seek(0, io.SeekStart)
	if err == nil {
		_, err = io.CopyN(to, f, length)
	}
	if err == nil {
		err = to.Chmod(0o644)
	}
	if err == nil {
		err = to.Sync()
	}
	if err = errors.Join(err, to.Close()); err != nil {
		s.drop()
		return staged{}, err
	}
	return s, nil
}

// agree compares what is at a path with the first bytes of a file, and gives how much
// is there: of a journal its complete records.
func agree(f *os.File, length int64, source, path string) (int64, error) {
	mine, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return -1, nil
	} else if err != nil {
		return 0, err
	}
	defer mine.Close()
	info, err := mine.Stat()
	if err != nil {
		return 0, err
	}
	have := info.Size()
	if filepath.Ext(path) == ".jsonl" {
		if have, err = lastLine(mine); err != nil {
			return 0, err
		}
	}
	for at, common := int64(0), min(have, length); at < common; at += chunk {
		var mineHere, theirsHere [chunk]byte
		n := min(chunk, common-at)
		if _, err := mine.ReadAt(mineHere[:n], at); err != nil {
			return 0, err
		}
		if _, err := f.ReadAt(theirsHere[:n], at); err != nil {
			return 0, err
		}
		if mineHere != theirsHere {
			return 0, diagnostic.List{{File: source, Code: "merge-differs",
				Message: "this file and " + path + " differ in what both of them have: one of them was changed", Hint: "restore the one that was changed, or remove it if what only it records may be lost"}}
		}
	}
	return have, nil
}

func (s staged) place() error {
	if s.temp == "" {
		return nil
	}
	if err := os.Rename(s.temp, s.path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(s.path))
}

// drop removes a copy that has not taken its place.
func (s staged) drop() {
	if s.temp != "" {
		_ = os.Remove(s.temp)
	}
}

// mergePins takes over pins. Where two copies pinned a model, the earlier pin of the
// same number counts; runs that were made elsewhere are set aside (E-5.1).
func (c *Campaign) mergePins(other *Campaign) error {
	names, err := os.ReadDir(filepath.Join(other.Dir, "pins"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range names {
		model, _, ok := fileNumber(e.Name())
		if !ok {
			continue
		}
		var theirs, ours Pin
		path := filepath.Join(c.Dir, "pins", e.Name())
		if err := readSmall(filepath.Join(other.Dir, "pins", e.Name()), PinFormat, &theirs); err != nil {
			return err
		}
		if theirs.Model != model {
			return diagnostic.List{{File: filepath.Join(other.Dir, "pins", e.Name()), Code: "campaign-file", Message: "the pin is of the model " + diagnostic.Excerpt(theirs.Model), Hint: "restore the file"}}
		}
		err := readSmall(path, PinFormat, &ours)
		if err == nil && !theirs.before(ours) {
			continue
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := files.Replace(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(theirs) }); err != nil {
			return err
		}
	}
	return syncDir(filepath.Join(c.Dir, "pins"))
}

// before orders the pins of one number.
func (p Pin) before(o Pin) bool {
	if c := p.At.Compare(o.At); c != 0 {
		return c < 0
	}
	return p.Worker < o.Worker
}
