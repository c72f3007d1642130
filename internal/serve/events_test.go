package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// heard is an event as a browser hears it.
type heard struct{ ID, Kind, Data string }

// listen opens a stream of events.
func (s *Server) stream(t *testing.T, ctx context.Context, last string) (next func() (heard, bool)) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, "GET", s.at("/live/events"), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Last-Event-ID", last)
	a, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	if a.StatusCode != 200 || a.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("the stream begins with %s, %v", a.Status, a.Header)
	}
	t.Cleanup(func() { a.Body.Close() })
	lines := bufio.NewReader(a.Body)
	return func() (e heard, ok bool) {
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return e, false
			}
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			switch name {
			case "id":
				e.ID = value
			case "event":
				e.Kind = value
			case "data":
				e.Data = value
			case "":
				if e.Kind != "" {
					return e, true
				}
			}
		}
	}
}

// TestEvents follows a journal by events. A reader that comes back gets what is
// newer than what it had, and the last event says that it is the last.
func TestEvents(t *testing.T) {
	c := planned(t)
	s := start(t, options(c))
	next := s.stream(t, t.Context(), "")
	texts, last := map[string]string{}, ""
	hear := func(next func() (heard, bool), until func() bool) {
		for !until() {
			e, ok := next()
			if !ok {
				t.Fatal("the stream has ended")
			}
			if e.Kind != "part" {
				continue
			}
			var part struct{ ID, HTML string }
			if err := json.Unmarshal([]byte(e.Data), &part); err != nil {
				t.Fatal(err)
			}
			texts[part.ID], last = part.HTML, e.ID
		}
	}
	hear(next, func() bool { return texts["scores"] != "" && texts["matrix"] != "" && texts["hosts"] != "" })
	end(t, c, "w", right("lola", "Ring-PT-1"))
	hear(next, func() bool {
		return strings.Contains(texts["matrix"], "1/3") && strings.Contains(texts["scores"], "7 runs were missing")
	})
	seen := last
	again := s.stream(t, t.Context(), seen)
	end(t, c, "v", right("lola", "Ring-PT-2"))
	clear(texts)
	hear(again, func() bool { return strings.Contains(texts["matrix"], "2/3") })
	if texts["trouble"] != "" || texts["now"] != "" {
		t.Error("it hears again what has not changed")
	}
	go s.live.end()
	for {
		e, ok := again()
		if !ok {
			t.Fatal("the stream ends without a word")
		}
		if e.Kind == "end" {
			break
		}
	}
	if _, ok := again(); ok {
		t.Error("it goes on after its end")
	}
}

// TestSlowReader: a reader that takes nothing keeps no other from news, and is dropped.
func TestSlowReader(t *testing.T) {
	o := options(planned(t))
	o.patience = 3 * time.Second // enough for the other, on a busy computer
	s := start(t, o)
	slow, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprint(slow, "GET /live/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
	await(t, s, "/live", func(int, string) bool { return len(s.streams) == 1 })
	next := s.stream(t, t.Context(), "")
	s.live.mu.Lock()
	s.live.parts = append(s.live.parts, part{id: "large"}) // which nobody else changes
	s.live.mu.Unlock()
	for i, large := 0, strings.Repeat("x", 1<<20); len(s.streams) == 2; i++ { // until the buffers of the kernel are full
		text := fmt.Sprint(large, i)
		s.live.put(map[string]template.HTML{"large": template.HTML(text)})
		for {
			if e, ok := next(); !ok {
				t.Fatal("the reader that takes everything is dropped")
			} else if strings.Contains(e.Data, text) {
				break
			}
		}
	}
}

// TestManyReaders: streams and connections are limited; those that are too many hear why.
func TestManyReaders(t *testing.T) {
	s := start(t, options(planned(t)))
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	for range maxStreams {
		s.stream(t, ctx, "")
	}
	a, text := fetch(t, "GET", s.at("/live/events"))
	if a.StatusCode != 503 || a.Header.Get("Retry-After") == "" || !strings.Contains(text, "Too many pages") {
		t.Errorf("one stream too many: %d %s", a.StatusCode, text)
	}
	if a, _ := fetch(t, "GET", s.at("/live")); a.StatusCode != 200 {
		t.Errorf("the page is then %d", a.StatusCode)
	}
	leave()
	await(t, s, "/live", func(int, string) bool { return len(s.streams) == 0 })

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	small := httptest.NewUnstartedServer(http.NotFoundHandler())
	small.Listener.Close()
	small.Listener = few(l, 1)
	small.Start()
	defer small.Close()
	first, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	second, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(second); err != nil || !strings.Contains(string(text), "Too many connections") {
		t.Errorf("one connection too many hears %q, %v", text, err)
	}
	first.Close()
	for { // until the place is free
		a, err := http.Get("http://" + l.Addr().String())
		if err == nil {
			a.Body.Close()
			if a.StatusCode == 404 {
				return
			}
		}
	}
}

// TestLimitsOfRequests: a request that is too long, or never comes, is no use.
func TestLimitsOfRequests(t *testing.T) {
	s := start(t, options(planned(t)))
	c, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET /live HTTP/1.1\r\nHost: localhost\r\nX-Long: %s\r\n\r\n", strings.Repeat("x", 2*maxHeader))
	if answer, _ := io.ReadAll(c); len(answer) > 0 && !strings.HasPrefix(string(answer), "HTTP/1.1 431") {
		t.Errorf("a long request: %s", answer)
	}
	o := options(planned(t))
	o.patience = 100 * time.Millisecond
	hasty := start(t, o)
	for _, begin := range []string{"", "GET /live HTTP/1.1\r\nHost: localhost\r\nX-Slow: "} {
		c, err := net.Dial("tcp", hasty.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(c, begin)
		if answer, err := io.ReadAll(c); err != nil || strings.HasPrefix(string(answer), "HTTP/1.1 200") { // that it ends is the test
			t.Errorf("a request that never comes: %q, %v", answer, err)
		}
		c.Close()
	}
}
