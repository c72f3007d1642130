package models

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
)

// Limits bound how much is read from an archive or a directory. A zero field
// stands for its value in [DefaultLimits].
type Limits struct {
	Entries    int   // entries of an archive
	FileBytes  int64 // size of one file
	TotalBytes int64 // size of the unpacked archive
	Ratio      int64 // unpacked over packed bytes, for what exceeds RatioFrom
	RatioFrom  int64 // unpacked bytes that are granted whatever the ratio
}

// DefaultLimits leave room for the largest nets of the contest (a PNML file of
// 1.4 GB; real archives unpack to at most 60 times their size) and refuse an
// archive that is made to fill the disk: deflate reaches a ratio of 1032.
var DefaultLimits = Limits{Entries: 4096, FileBytes: 4 << 30, TotalBytes: 8 << 30, Ratio: 300, RatioFrom: 64 << 20}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits
	if l.Entries > 0 {
		d.Entries = l.Entries
	}
	if l.FileBytes > 0 {
		d.FileBytes = l.FileBytes
	}
	if l.TotalBytes > 0 {
		d.TotalBytes = l.TotalBytes
	}
	if l.Ratio > 0 {
		d.Ratio = l.Ratio
	}
	if l.RatioFrom > 0 {
		d.RatioFrom = l.RatioFrom
	}
	return d
}

// budget is how many bytes an archive of the given size may unpack to.
func (l Limits) budget(packed int64) int64 {
	granted := l.RatioFrom
	if packed < l.TotalBytes/l.Ratio {
		granted = max(granted, packed*l.Ratio)
	} else {
		granted = l.TotalBytes
	}
	return min(granted, l.TotalBytes)
}

// errStop ends a walk early without being a fault.
var errStop = errors.New("stop")

// archiveError is what is wrong with an archive, and where in it.
type archiveError struct {
	Entry   string // name as the archive writes it; empty for the archive as a whole
	Code    string
	Message string
}

// Error names the entry, if there is one, before the message.
func (e *archiveError) Error() string {
	if e.Entry == "" {
		return e.Message
	}
	return fmt.Sprintf("entry %q %s", shorten(e.Entry), e.Message)
}

// shorten keeps a hostile name from filling the screen.
func shorten(s string) string {
	if len(s) > 120 {
		return s[:120] + "..."
	}
	return s
}

// walkArchive calls visit for every file of the archive that belongs to its
// instance, in the order of the archive, and returns the name of the directory at
// its top. The whole archive is read even where visit takes nothing, so that
// a truncated or damaged one is noticed.
func walkArchive(path string, l Limits, visit func(name string, size int64, content io.Reader) error) (top string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() { // to open a pipe would wait for who writes into it
		return "", &archiveError{Code: "models-archive-format", Message: "is no regular file"}
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return walkTar(f, info.Size(), l.withDefaults(), visit)
}

// Unpack returns the files of an archive of an instance that take accepts, and the name of the directory
// at its top.
func Unpack(packed []byte, l Limits, take func(name string) bool) (top string, files map[string][]byte, err error) {
	files = map[string][]byte{}
	top, err = walkTar(bytes.NewReader(packed), int64(len(packed)), l.withDefaults(), func(name string, _ int64, content io.Reader) (err error) {
		if take(name) {
			files[name], err = io.ReadAll(content)
		}
		return err
	})
	return top, files, err
}

// walkTar is walkArchive on an open archive of a known packed size.
func walkTar(packed io.Reader, size int64, l Limits, visit func(string, int64, io.Reader) error) (string, error) {
	unzip, err := gzip.NewReader(packed)
	if err != nil {
		return "", &archiveError{Code: "models-archive-format", Message: "is no gzip archive: " + err.Error()}
	}
	defer unzip.Close()
	w := walker{limits: l, budget: l.budget(size), visit: visit, seen: map[string]bool{}}
	plain := &meter{from: unzip, left: w.budget}
	entries := tar.NewReader(plain)
	for {
		w.visitors = false
		h, err := entries.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return w.top, w.broken(err, plain)
		}
		if err := w.entry(h, entries); err != nil {
			if errors.Is(err, errStop) {
				return w.top, nil
			}
			return w.top, w.broken(err, plain)
		}
	}
	// What follows the end mark of the tar still counts for the checksum.
	if _, err := io.Copy(io.Discard, plain); err != nil {
		return w.top, w.broken(err, plain)
	}
	if w.top == "" {
		return "", &archiveError{Code: "models-archive-empty", Message: "holds no directory"}
	}
	return w.top, nil
}

// meter refuses to give more than a number of bytes.
type meter struct {
	from  io.Reader
	left  int64
	spent bool
}

var errSpent = errors.New("budget spent")

func (m *meter) Read(p []byte) (int, error) {
	if m.left <= 0 {
		// One more byte tells an archive that ends here from one that goes on.
		var one [1]byte
		if _, err := io.ReadFull(m.from, one[:]); err != nil {
			return 0, err
		}
		m.spent = true
		return 0, errSpent
	}
	if int64(len(p)) > m.left {
		p = p[:m.left]
	}
	n, err := m.from.Read(p)
	m.left -= int64(n)
	return n, err
}

type walker struct {
	limits  Limits
	budget  int64
	visit   func(string, int64, io.Reader) error
	top     string
	current string
	entries int
	total   int64
	seen    map[string]bool

	visitors bool // the error is one of visit
}

// broken turns a fault of the readers below into one that names the entry.
func (w *walker) broken(err error, plain *meter) error {
	var known *archiveError
	switch {
	case w.visitors:
		return err
	case errors.As(err, &known):
		return known
	case plain.spent:
		return w.tooBig()
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return &archiveError{Code: "models-archive-truncated", Message: "is truncated" + w.where()}
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.Is(err, tar.ErrHeader):
		return &archiveError{Code: "models-archive-format", Message: "is damaged" + w.where() + ": " + err.Error()}
	}
	return err
}

// where names the last entry that was seen.
func (w *walker) where() string {
	if w.current == "" {
		return " before its first entry"
	}
	return fmt.Sprintf(" in or after entry %q", shorten(w.current))
}

func (w *walker) tooBig() error {
	return &archiveError{w.current, "models-archive-size", fmt.Sprintf("makes the archive larger than the %d bytes granted to one of its size", w.budget)}
}

// entry judges one entry and hands it on when it is a file of the instance.
func (w *walker) entry(h *tar.Header, content io.Reader) error {
	w.current = h.Name
	if w.entries++; w.entries > w.limits.Entries {
		return &archiveError{h.Name, "models-archive-entries", fmt.Sprintf("is one too many: an archive may hold %d", w.limits.Entries)}
	}
	parts, err := splitEntry(h.Name)
	if err != nil {
		return err
	}
	if len(parts) == 0 || foreign(parts) || h.Typeflag == tar.TypeXGlobalHeader {
		return nil
	}
	if h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeDir {
		return &archiveError{h.Name, "models-archive-kind", "is " + kindOf(h.Typeflag) + ": only files and directories are taken"}
	}
	if w.top == "" {
		w.top = parts[0]
	}
	switch {
	case parts[0] != w.top:
		return &archiveError{h.Name, "models-archive-layout", fmt.Sprintf("lies outside the directory %q: an archive holds one instance in one directory", shorten(w.top))}
	case h.Typeflag == tar.TypeDir || len(parts) > 2:
		return nil
	case len(parts) == 1:
		return &archiveError{h.Name, "models-archive-layout", "lies outside a directory: an archive holds one instance in one directory"}
	}
	return w.file(h, parts[1], content)
}

func (w *walker) file(h *tar.Header, name string, content io.Reader) error {
	if h.Size > w.limits.FileBytes {
		return &archiveError{h.Name, "models-archive-size", fmt.Sprintf("has %d bytes: a file may have %d", h.Size, w.limits.FileBytes)}
	}
	// The declared sizes count apart from the bytes of the stream: holes of a
	// sparse file take none there.
	if w.total += h.Size; w.total > w.budget {
		return w.tooBig()
	}
	if w.seen[name] {
		return &archiveError{h.Name, "models-archive-twice", "occurs twice"}
	}
	w.seen[name] = true
	watched := &watched{from: content}
	err := w.visit(name, h.Size, watched)
	w.visitors = watched.err == nil
	return err
}

// watched remembers the fault of a reader, so that an error of visit can be
// told from one of the archive.
type watched struct {
	from io.Reader
	err  error
}

func (r *watched) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// splitEntry returns the parts of an entry's name, or refuses one that could
// lead outside the directory it is unpacked to.
func splitEntry(name string) ([]string, error) {
	if strings.HasPrefix(name, "/") {
		return nil, &archiveError{name, "models-archive-path", "has an absolute name"}
	}
	var parts []string
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case part == "" || part == ".":
		case part == "..":
			return nil, &archiveError{name, "models-archive-path", "leads outside the archive"}
		case !portable(part):
			return nil, &archiveError{name, "models-archive-path", "has a name that is no portable file name"}
		default:
			parts = append(parts, part)
		}
	}
	return parts, nil
}

// portable tells the names of files that every system and every archive can have.
func portable(name string) bool {
	return len(name) <= 255 && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' || r == utf8.RuneError })
}

// foreign tells the entries that a desktop system adds to archives (._x,
// .DS_Store, __MACOSX) and other hidden ones.
func foreign(parts []string) bool {
	for _, p := range parts {
		if p == "__MACOSX" || strings.HasPrefix(p, ".") {
			return true
		}
	}
	return false
}

func kindOf(flag byte) string {
	switch flag {
	case tar.TypeSymlink:
		return "a symbolic link"
	case tar.TypeLink:
		return "a hard link"
	case tar.TypeChar, tar.TypeBlock:
		return "a device"
	case tar.TypeFifo:
		return "a named pipe"
	case tar.TypeGNUSparse:
		return "a sparse file"
	}
	return fmt.Sprintf("of the unknown kind %q", flag)
}
