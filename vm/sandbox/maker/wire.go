//go:build linux

package maker

import (
	"errors"
	"io"
	"slices"
)

// What engine and maker say to each other.
//
// A message is its length in eight bytes, and then its fields: numbers of eight
// bytes, and texts and lists after their length. Each type of message has one method
// fields, which writes them and reads them.

// maxMessage bounds a message, in bytes.
const maxMessage = 8 << 20

var errMessage = errors.New("the message is broken")

// message is what can be sent.
type message interface{ fields(w *wire) }

// Send writes a message.
func Send(to io.Writer, m message) error {
	body := &wire{}
	m.fields(body)
	frame, size := &wire{}, len(body.data)
	frame.number(&size)
	_, err := to.Write(append(frame.data, body.data...))
	return err
}

// Receive reads a message. It returns io.EOF where no more messages come.
func Receive(from io.Reader, m message) error {
	head := &wire{data: make([]byte, 8), reads: true}
	if _, err := io.ReadFull(from, head.data); err != nil {
		return err
	}
	var size int
	if head.number(&size); size < 0 || size > maxMessage {
		return errMessage
	}
	body := &wire{data: make([]byte, size), reads: true}
	if _, err := io.ReadFull(from, body.data); err != nil {
		return errors.Join(errMessage, err)
	}
	if m.fields(body); body.broken || len(body.data) > 0 {
		return errMessage
	}
	return nil
}

// wire is a message that is written, or what is left of one that is read.
type wire struct {
	data   []byte
	reads  bool
	broken bool
}

func (w *wire) number(n *int) {
	if !w.reads {
		for i := range 8 {
			w.data = append(w.data, byte(*n>>(8*i)))
		}
		return
	}
	*n = 0
	for i, b := range w.take(8) {
		*n |= int(b) << (8 * i)
	}
}

// take returns the next bytes, or none where there are not so many.
func (w *wire) take(size int) []byte {
	if size < 0 || size > len(w.data) {
		w.broken, w.data = true, nil
		return nil
	}
	taken := w.data[:size]
	w.data = w.data[size:]
	return taken
}

func (w *wire) flag(b *bool) {
	n := 0
	if *b {
		n = 1
	}
	w.number(&n)
	*b = n != 0
}

func (w *wire) text(s *string) {
	size := len(*s)
	w.number(&size)
	if w.reads {
		*s = string(w.take(size))
		return
	}
	w.data = append(w.data, *s...)
}

func (w *wire) texts(l *[]string) { list(w, l, w.text) }

func (w *wire) numbers(l *[]int) { list(w, l, w.number) }

// list is a list of anything that takes eight bytes at least.
func list[T any](w *wire, l *[]T, each func(*T)) {
	size := len(*l)
	w.number(&size)
	if w.reads {
		if size < 0 || size > len(w.data)/8 {
			w.take(-1)
			return
		}
		*l = slices.Grow([]T(nil), size)[:size]
	}
	for i := range *l {
		each(&(*l)[i])
	}
}
