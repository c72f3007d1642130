package serve

import (
	"context"
	"fmt"
	"html/template"
	"path/filepath"
	"time"

	"podium/internal/publish"
)

// Between two looks at the journals lies a multiple of what a look takes, but not less nor
// more than this.
const (
	lookRest  = 20
	lookLeast = 700 * time.Millisecond
	lookMost  = time.Minute
)

// watch looks at the journals again and again.
func (s *Server) watch(ctx context.Context) {
	for {
		began := time.Now()
		err := s.look(ctx)
		if err != nil {
			err = s.reopen(ctx, err)
		}
		if err != nil {
			s.trouble(ctx, "trouble", "The journal cannot be read now.", err)
		}
		if !rest(ctx, min(max(lookLeast, lookRest*time.Since(began)), lookMost)) {
			return
		}
	}
}

// reopen reads everything again after a look that failed, as when the campaign was
// extended. The error is the first one where that fails, too.
func (s *Server) reopen(ctx context.Context, why error) error {
	c, err := s.o.Open()
	if err != nil {
		return why
	}
	fresh, err := readRuns(ctx, c)
	if err != nil {
		return why
	}
	s.runs = fresh
	return s.look(ctx)
}

// rest waits, and reports whether there is time left.
func rest(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// trouble says on the page that the server's own work failed, and once to who started it,
// why: an error may name what readers shall not know.
func (s *Server) trouble(ctx context.Context, part, what string, why error) {
	if ctx.Err() != nil {
		return
	}
	if text, err := s.parts.text("trouble", what); err == nil {
		s.live.put(map[string]template.HTML{part: text})
	}
	s.tell(part, what, why)
}

// tell says once to who started the server what went wrong.
func (s *Server) tell(part, what string, why error) {
	s.telling.Lock()
	defer s.telling.Unlock()
	if s.told[part] != why.Error() {
		s.told[part] = why.Error()
		s.o.Say(what + " " + why.Error())
	}
}

// look takes in what the journals say now, and makes the parts of the page that
// tell it.
func (s *Server) look(ctx context.Context) error {
	if n := plansIn(s.runs.c.Dir); n != s.runs.plans {
		return fmt.Errorf("the campaign was extended: it is read again")
	}
	if err := s.runs.log.Update(ctx); err != nil {
		return err
	}
	p, err := s.runs.picture(time.Now())
	if err != nil {
		return err
	}
	s.link(p.Wrong)
	s.busy.Store(p.All.Running() > 0)
	texts := map[string]template.HTML{"trouble": ""}
	for _, part := range []string{"state", "now", "matrix", "wrong", "hosts"} {
		if texts[part], err = s.parts.text(part, p); err != nil {
			return err
		}
	}
	s.live.put(texts)
	return nil
}

// link finds the pages of runs in the site as it is now.
func (s *Server) link(list []mishap) {
	now, there := s.site.Load(), map[string]bool{}
	if now == nil {
		return
	}
	for i := range list {
		m := &list[i]
		page, place := publish.RunPath(m.Tool, m.Instance, m.Exam)
		if _, known := there[page]; !known {
			_, err := now.root.Stat(filepath.FromSlash(page))
			there[page] = err == nil
		}
		if there[page] {
			m.Page = page + "#" + place
		}
	}
}
