package campaign

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"podium/internal/files"
)

// chunk is how much of a file is compared at a time, in bytes.
const chunk = 1 << 16

// size is the length of a file in bytes, -1 when there is none.
func size(path string) int64 {
	info, err := os.Lstat(path)
	if err != nil {
		return -1
	}
	return info.Size()
}

// openRegular opens a file of the campaign without waiting for the writer of a pipe.
func openRegular(path string) (*os.File, error) {
	return files.Open(filepath.Dir(path), filepath.Base(path))
}

// lastLine returns the offset behind the last line feed of a file.
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

// lengthOf returns how much of a file counts: of a journal its complete records.
func lengthOf(f *os.File) (int64, error) {
	if filepath.Ext(f.Name()) == ".jsonl" {
		return lastLine(f)
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// two are a file of this campaign and that of a copy, as far as they count. Either may
// be missing.
type two struct {
	ours, theirs *os.File
	have, offers int64 // bytes of each, -1 without a file
	same         bool  // they agree as far as both go
	path         string
}

// compare opens a file of a copy and the one of that name here, and compares them.
func compare(theirs, ours, name string) (t *two, err error) {
	t = &two{have: -1, offers: -1, same: true, path: filepath.Join(ours, name)}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	for _, one := range []struct {
		file   **os.File
		length *int64
		dir    string
	}{{&t.theirs, &t.offers, theirs}, {&t.ours, &t.have, ours}} {
		f, err := files.Open(one.dir, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return t, err
		}
		*one.file = f
		if *one.length, err = lengthOf(f); err != nil {
			return t, err
		}
	}
	var a, b [chunk]byte
	for at, common := int64(0), min(t.have, t.offers); at < common && t.same; at += chunk {
		n := min(chunk, common-at)
		if _, err := t.ours.ReadAt(a[:n], at); err != nil {
			return t, err
		}
		if _, err := t.theirs.ReadAt(b[:n], at); err != nil {
			return t, err
		}
		t.same = bytes.Equal(a[:n], b[:n])
	}
	return t, nil
}

func (t *two) close() {
	for _, f := range []*os.File{t.ours, t.theirs} {
		if f != nil {
			f.Close()
		}
	}
}

// longer stages the longer file, which the other one begins: nothing where that is ours.
func (t *two) longer() (*files.Staged, error) {
	if t.offers <= t.have {
		return &files.Staged{}, nil
	}
	return files.StageFile(t.path, func(to *os.File) error {
		_, err := io.Copy(to, io.NewSectionReader(t.theirs, 0, t.offers))
		return err
	})
}
