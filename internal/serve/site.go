package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"podium/internal/judged"
	"podium/internal/publish"
)

// site is a published site on disk. It is removed when another one has taken its place;
// files of it that are being read stay readable.
type site struct {
	number int
	dir    string
	root   *os.Root
}

// looks is the time between two looks whether there is something new to judge.
const looks = time.Second

// restIdle is how many times as long as it works the server rests while no runs are under way.
const restIdle = 2

// score judges the campaign and writes the site whenever the journal has grown, and rests
// in between.
func (s *Server) score(ctx context.Context) {
	scored, written, number := pace{s: s}, pace{s: s}, 0
	for ok := true; ok; ok = rest(ctx, looks) {
		state := fmt.Sprint(stateOf(s.o.Dir), time.Now().Before(s.embargo))
		if !scored.due(state) && !written.due(state) {
			continue
		}
		write := written.due(state)
		j, err := s.judge(ctx)
		scored.did(state)
		if err != nil {
			s.trouble(ctx, "scores", "The scores cannot be computed now.", err)
		}
		if !write {
			continue
		}
		if err == nil {
			number++
			var partly error
			switch partly, err = s.write(ctx, j, number); {
			case err != nil:
				s.trouble(ctx, "unwritten", "The pages are those of before, since new ones could not be written.", err)
			case partly != nil:
				s.trouble(ctx, "unwritten", "Some pages could not be made.", partly)
			default:
				s.live.put(map[string]template.HTML{"unwritten": ""})
			}
		}
		if err != nil {
			state = "" // it is tried again
		}
		written.did(state)
	}
}

// pace says when work is to be done again: when there is something new, and after a
// rest.
type pace struct {
	s     *Server
	state string // that it was done for
	began time.Time
	ended time.Time
}

func (p *pace) due(state string) bool {
	times := restIdle
	if p.s.busy.Load() {
		times = p.s.o.Rest
	}
	if state == p.state || time.Since(p.ended) < time.Duration(times)*p.ended.Sub(p.began) {
		return false
	}
	p.began = time.Now()
	return true
}

func (p *pace) did(state string) { p.state, p.ended = state, time.Now() }

// scores are those of the journal as it was at some time.
type scores struct {
	*judged.Provisional
	At     time.Time
	Hidden bool // some models are left out
}

// judge makes the part with the scores.
func (s *Server) judge(ctx context.Context) (*judged.Campaign, error) {
	at := time.Now()
	c, err := s.o.Open()
	if err != nil {
		return nil, err
	}
	j, err := s.o.Judge(ctx, c)
	if err != nil {
		return nil, err
	}
	text, err := s.parts.text("scores", scores{j.Provisional(), at, !j.Shown.Complete()})
	if err != nil {
		return nil, err
	}
	s.live.put(map[string]template.HTML{"scores": text})
	return j, nil
}

// write writes the site, and puts it in the place of the one before. After a failure nothing of
// it is left. partly is why single pages are missing.
func (s *Server) write(ctx context.Context, j *judged.Campaign, number int) (partly, err error) {
	dir, taken := filepath.Join(s.dir, strconv.Itoa(number)), false
	defer func() {
		if !taken {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	shown, err := s.o.Publish(ctx, dir, j)
	if failed(err) {
		partly, err = err, nil
	}
	if err != nil {
		return nil, err
	}
	frame, err := publish.NewFrame(shown)
	if err != nil {
		return nil, err
	}
	drift, err := s.parts.text("drift", publish.DriftFigures(shown, number))
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	taken = true
	s.live.put(map[string]template.HTML{"drift": drift}) // the speed of the computers, as the site draws it
	s.frame.Store(frame)
	if before := s.site.Swap(&site{number, dir, root}); before != nil {
		return partly, before.remove()
	}
	return partly, nil
}

func (t *site) remove() error {
	err := t.root.Close()
	if gone := os.RemoveAll(t.dir); err == nil {
		err = gone
	}
	return err
}

// stateOf tells what judges and pages depend on: it changes with every record of the
// journal, every decision, certificate and plan.
func stateOf(dir string) string {
	var text strings.Builder
	for _, pattern := range []string{"campaign*.json", "journal/*", "decisions/*", "certified/*", "pins/*"} {
		list, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, file := range list {
			if info, err := os.Stat(file); err == nil {
				fmt.Fprintf(&text, "%s %d %d\n", file, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return text.String()
}

// kinds are the types of the files of a site, whatever this computer calls them.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
	".json": "application/json", ".csv": "text/csv; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".zip": "application/zip",
}

// serveSite serves a file of the site, pages with a link to the live page.
func (s *Server) serveSite(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	now := s.site.Load()
	if now == nil {
		s.notYet(w, r, name)
		return
	}
	if !fs.ValidPath(name) {
		refuse(w, http.StatusNotFound, "There is no such page.")
		return
	}
	file, err := now.root.Open(filepath.FromSlash(name))
	if err != nil && now != s.site.Load() { // replaced meanwhile
		s.serveSite(w, r)
		return
	}
	if err != nil {
		refuse(w, http.StatusNotFound, "There is no such page.")
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		refuse(w, http.StatusNotFound, "There is no such page.")
		return
	}
	kind, known := kinds[path.Ext(name)]
	if !known {
		kind = "application/octet-stream"
	}
	head := w.Header()
	head.Set("Content-Type", kind)
	head.Set("ETag", fmt.Sprintf(`"%s-%d"`, s.live.epoch, now.number))
	out := s.inTime(w)
	if path.Ext(name) != ".html" {
		http.ServeContent(out, r, "", time.Time{}, file)
		return
	}
	head.Set("Content-Security-Policy", "frame-ancestors 'none'") // the rest says the page itself
	if slices.Contains(strings.Split(r.Header.Get("If-None-Match"), ", "), head.Get("ETag")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	start := make([]byte, 16<<10) // holds the navigation
	n, err := io.ReadFull(file, start)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		refuse(w, http.StatusInternalServerError, "This page cannot be read now.")
		return
	}
	linked := publish.WithLive(name, start[:n])
	head.Set("Content-Length", strconv.FormatInt(info.Size()+int64(len(linked)-n), 10))
	if r.Method == http.MethodHead {
		return
	}
	_, _ = io.Copy(struct{ io.Writer }{out}, io.MultiReader(bytes.NewReader(linked), file))
}

// notYet answers before the first site is written.
func (s *Server) notYet(w http.ResponseWriter, r *http.Request, name string) {
	switch asset, known := publish.Asset(name); {
	case known:
		w.Header().Set("Content-Type", kinds[path.Ext(name)])
		http.ServeContent(s.inTime(w), r, "", time.Time{}, bytes.NewReader(asset))
	case name == "index.html":
		http.Redirect(w, r, "/"+publish.LivePath, http.StatusFound)
	default:
		w.Header().Set("Retry-After", "5")
		refuse(w, http.StatusServiceUnavailable, "The pages are being written. /live shows how far the runs are.")
	}
}

// serveLive serves the live page with what is known now.
func (s *Server) serveLive(w http.ResponseWriter, r *http.Request) {
	body, err := s.parts.text("live", struct {
		Parts template.HTML
		At    time.Time
	}{s.live.page(), time.Now()})
	var page bytes.Buffer
	if err == nil {
		err = s.frame.Load().Write(&page, publish.FramedPage{Title: "Live", Body: body, Sheets: []string{"live.css"}, Scripts: []string{"live.js"}})
	}
	if err != nil {
		refuse(w, http.StatusInternalServerError, "This page cannot be made now.")
		return
	}
	head := w.Header()
	head.Set("Content-Type", kinds[".html"])
	head.Set("Cache-Control", "no-store")
	head.Set("Content-Security-Policy", "frame-ancestors 'none'")
	head.Set("Content-Length", strconv.Itoa(page.Len()))
	if r.Method != http.MethodHead {
		_, _ = s.inTime(w).Write(page.Bytes())
	}
}

// serveAsset serves a file that is inside of the program.
func (s *Server) serveAsset(w http.ResponseWriter, r *http.Request) {
	data, err := embedded.ReadFile("assets" + r.URL.Path)
	if err != nil {
		refuse(w, http.StatusNotFound, "There is no such page.")
		return
	}
	w.Header().Set("Content-Type", kinds[path.Ext(r.URL.Path)])
	http.ServeContent(s.inTime(w), r, "", time.Time{}, bytes.NewReader(data))
}
