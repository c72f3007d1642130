package serve

import (
	"bufio"
	"bytes"
	"html/template"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/internal/publish"
)

// FuzzRequest sends any request to a server that asks for a token: without the token nothing
// is told, and with it nothing but files of the site.
func FuzzRequest(f *testing.F) {
	for _, text := range []string{
		"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /live?token=the-token-of-the-fuzzer HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n",
		"HEAD /a/b.html HTTP/1.1\r\nHost: 127.0.0.1:80\r\nCookie: podium_token_1=the-token-of-the-fuzzer\r\n\r\n",
		"GET /../outside HTTP/1.1\r\nHost: [::1]\r\nAuthorization: Bearer the-token-of-the-fuzzer\r\n\r\n",
		"GET http://evil.example.org/a/%2e%2e/%2e%2e/outside HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET /a/b.html HTTP/1.0\r\nRange: bytes=0-1,5-\r\nIf-None-Match: x, y\r\n\r\n",
		"POST /live HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc",
	} {
		f.Add([]byte(text))
	}
	dir := f.TempDir()
	for name, text := range map[string]string{"outside": "kept secret", "site/a/b.html": "of the site", "site/index.html": "of the site"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			f.Fatal(err)
		}
	}
	if err := os.Symlink("../outside", filepath.Join(dir, "site", "link.html")); err != nil {
		f.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Join(dir, "site"))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { root.Close() })
	s := &Server{live: newLivePage("epoch", "state"), streams: make(chan struct{}, 1)}
	s.live.put(map[string]template.HTML{"state": "of the site"})
	s.live.end()
	s.site.Store(&site{number: 1, dir: dir, root: root})
	frame, err := publish.NewFrame(&publish.Contest{Title: "of the site"})
	if err != nil {
		f.Fatal(err)
	}
	s.frame.Store(frame)
	if s.parts, err = newParts(false); err != nil {
		f.Fatal(err)
	}
	const token = "the-token-of-the-fuzzer"
	g := &guard{token: token, cookie: "podium_token_1", hosts: []string{"localhost"}, local: true, next: http.HandlerFunc(s.route)}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(raw)))
		if err != nil {
			return
		}
		w := writer{httptest.NewRecorder()}
		g.ServeHTTP(w, r)
		text := w.Body.String()
		if strings.Contains(text, "kept secret") {
			t.Errorf("%q reads what is not of the site", raw)
		}
		if !bytes.Contains(raw, []byte(token)) && !strings.Contains(r.URL.Query().Get("token"), token) && (w.Code < 400 || strings.Contains(text, "of the site")) {
			t.Errorf("%q is answered with %d without the token:\n%s", raw, w.Code, text)
		}
		if to := w.Header().Get("Location"); to != "" && (!strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`)) {
			t.Errorf("%q leads to %q", raw, to)
		}
	})
}

// writer is a recorder with deadlines, which it need not keep.
type writer struct{ *httptest.ResponseRecorder }

func (writer) SetWriteDeadline(time.Time) error { return nil }
