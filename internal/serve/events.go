package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// serveEvents sends the parts of the live page that are newer than those that the
// reader has, and goes on as they change.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		w.Header().Set("Retry-After", "30")
		refuse(w, http.StatusServiceUnavailable, "Too many pages listen to this server: load the page again for news, or try later.")
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // of proxies
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	out := s.inTime(w)
	if _, err := fmt.Fprintf(out, "retry: 2000\nevent: time\ndata: %d\n\n", time.Now().UnixMilli()); err != nil {
		return
	}
	life := time.NewTicker(beat)
	defer life.Stop()
	for seq := s.live.known(cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("since"))); ; {
		events, reached, changed, ended := s.live.since(seq)
		seq = reached
		for _, e := range events {
			if _, err := out.Write(e); err != nil {
				return
			}
		}
		if ended {
			_, _ = out.Write(event("", "end", map[string]string{}))
		}
		if err := out.flush(); err != nil || ended {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-changed:
		case <-life.C:
			if _, err := out.Write([]byte(": alive\n\n")); err != nil {
				return
			}
		}
	}
}

// known is the number of the change that a reader has seen, by the id of the last event that
// it got; 0 where that came from another server.
func (b *livePage) known(id string) uint64 {
	text, found := strings.CutPrefix(id, b.epoch+"-")
	if !found {
		return 0
	}
	seq, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return min(seq, b.seq)
}
