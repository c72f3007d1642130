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

// livePage holds the parts of the live page, in their order. The number of the last
// change is the sum of all that changed.
type livePage struct {
	mu      sync.Mutex
	epoch   string // tells this server from one before it
	parts   []part
	seq     uint64
	changed chan struct{} // is closed by the next change
	ended   bool          // nothing changes any more
}

func newLivePage(epoch string, ids ...string) *livePage {
	l := &livePage{epoch: epoch, changed: make(chan struct{})}
	for _, id := range ids {
		l.parts = append(l.parts, part{id: id})
	}
	return l
}

// put takes new texts of parts; those that are as before are no change.
func (l *livePage) put(texts map[string]template.HTML) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.seq
	for i := range l.parts {
		p := &l.parts[i]
		if text, given := texts[p.id]; given && (text != p.html || p.seq == 0) {
			l.seq++
			p.html, p.seq = text, l.seq
			p.event = event(fmt.Sprintf("%s-%d", l.epoch, l.seq), "part", map[string]string{"id": p.id, "html": string(text)})
		}
	}
	if l.seq != before {
		l.wake()
	}
}

// end says that nothing changes any more.
func (l *livePage) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ended {
		l.ended = true
		l.wake()
	}
}

func (l *livePage) wake() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// since returns the events of the parts that changed after a number, in the order of their
// changes, the number that is reached by them, and what tells of the next change.
func (l *livePage) since(seq uint64) (events [][]byte, reached uint64, changed <-chan struct{}, ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	newer := slices.DeleteFunc(slices.Clone(l.parts), func(p part) bool { return p.seq <= seq })
	slices.SortFunc(newer, func(x, y part) int { return int(x.seq) - int(y.seq) })
	for _, p := range newer {
		events = append(events, p.event)
	}
	return events, l.seq, l.changed, l.ended
}

// page returns all parts as one text.
func (l *livePage) page() (text template.HTML) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.parts {
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
