package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"sync"
)

// part is a section of the live page.
type part struct {
	id    string
	html  template.HTML
	seq   uint64 // of its last change
	event []byte // that says so
}

// board holds the parts of the live page, in their order. The number of the last
// change is the sum of all that changed.
type board struct {
	mu      sync.Mutex
	epoch   string // tells this server from one before it
	parts   []part
	seq     uint64
	changed chan struct{} // is closed by the next change
	ended   bool          // nothing changes any more
}

func newBoard(epoch string, ids ...string) *board {
	b := &board{epoch: epoch, changed: make(chan struct{})}
	for _, id := range ids {
		b.parts = append(b.parts, part{id: id})
	}
	return b
}

// put takes new texts of parts; those that are as before are no change.
func (b *board) put(texts map[string]template.HTML) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.seq
	for i := range b.parts {
		p := &b.parts[i]
		if text, given := texts[p.id]; given && (text != p.html || p.seq == 0) {
			b.seq++
			p.html, p.seq = text, b.seq
			p.event = event(fmt.Sprintf("%s-%d", b.epoch, b.seq), "part", map[string]string{"id": p.id, "html": string(text)})
		}
	}
	if b.seq != before {
		b.wake()
	}
}

// end says that nothing changes any more.
func (b *board) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.ended {
		b.ended = true
		b.wake()
	}
}

func (b *board) wake() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// since returns the events of the parts that changed after a number, in the order of their
// changes, the number that is reached by them, and what tells of the next change.
func (b *board) since(seq uint64) (events [][]byte, reached uint64, changed <-chan struct{}, ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	newer := slices.DeleteFunc(slices.Clone(b.parts), func(p part) bool { return p.seq <= seq })
	slices.SortFunc(newer, func(x, y part) int { return int(x.seq) - int(y.seq) })
	for _, p := range newer {
		events = append(events, p.event)
	}
	return events, b.seq, b.changed, b.ended
}

// page returns all parts as one text.
func (b *board) page() (text template.HTML) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.parts {
		text += template.HTML(`<div class="part" id="part-`+p.id+`">`) + p.html + "</div>\n"
	}
	return text
}

// event is a server-sent event. JSON has no line feeds but the one that ends it.
func event(id, kind string, data any) []byte {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false) // which would double the length
	if err := enc.Encode(data); err != nil {
		panic(err) // of strings: it does not fail
	}
	if id != "" {
		id = "id: " + id + "\n"
	}
	return fmt.Appendf(nil, "%sevent: %s\ndata: %s\n", id, kind, text.Bytes())
}
