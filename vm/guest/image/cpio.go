package image

import (
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// writeCpio writes entries in the form of an initial file system ("newc" in
// the kernel's documentation of the buffer format), not compressed: the guest
// would pay for unpacking.
func writeCpio(to io.Writer, entries []entry) error {
	w := &cpioWriter{to: to}
	for i, e := range entries {
		w.header(i+1, e)
		switch {
		case e.mode&fs.ModeSymlink != 0:
			w.write([]byte(e.link))
		case e.open != nil && w.err == nil:
			w.err = copyEntry(w.counted(), e)
		}
		w.pad()
	}
	w.header(0, entry{name: "TRAILER!!!"})
	w.pad()
	return w.err
}

// cpioWriter keeps the first error and the position.
type cpioWriter struct {
	to  io.Writer
	at  int64
	err error
}

func (w *cpioWriter) write(b []byte) {
	if w.err == nil {
		_, w.err = w.counted().Write(b)
	}
}

func (w *cpioWriter) counted() io.Writer { return (*countingWriter)(w) }

type countingWriter cpioWriter

func (w *countingWriter) Write(b []byte) (int, error) {
	n, err := w.to.Write(b)
	w.at += int64(n)
	return n, err
}

// pad fills up to a multiple of four bytes.
func (w *cpioWriter) pad() { w.write(make([]byte, -w.at&3)) }

func (w *cpioWriter) header(inode int, e entry) {
	size := e.size
	if e.mode&fs.ModeSymlink != 0 {
		size = int64(len(e.link))
	}
	if size >= 1<<32 {
		w.err = fmt.Errorf("%s is too large for an initial file system", e.name)
		return
	}
	mode := unixMode(e.mode)
	if inode == 0 {
		mode = 0
	}
	// Magic, inode, mode, user, group, links, time, size, device of the file,
	// device that it is, length of the name, checksum.
	fields := []int64{int64(inode), int64(mode), int64(e.owner), int64(e.owner), 1, 0, size, 0, 0,
		int64(e.device[0]), int64(e.device[1]), int64(len(e.name) + 1), 0}
	var b strings.Builder
	b.WriteString("070701")
	for _, f := range fields {
		fmt.Fprintf(&b, "%08x", f)
	}
	b.WriteString(e.name + "\x00")
	w.write([]byte(b.String()))
	w.pad()
}
