package serve

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
)

// guard stands before a handler and lets through what may read.
type guard struct {
	token  string   // empty: none is asked for
	cookie string   // where a browser keeps it; browsers do not tell ports apart
	hosts  []string // names under which the server may be asked for, in lower case
	local  bool     // only this computer can reach the server
	next   http.Handler
}

// newToken makes a token that nobody guesses.
func newToken() string { return rand.Text() + rand.Text() }

// ServeHTTP refuses other methods than GET and HEAD, requests for names that are not the
// server's (a page of others may have pointed its own name here), and those without the token.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("Cross-Origin-Resource-Policy", "same-origin")
	head.Set("X-Frame-Options", "DENY")
	head.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	head.Set("Cache-Control", "private, no-cache")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		head.Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "This server is only read: it knows GET and HEAD.")
		return
	}
	if !g.knows(r.Host) {
		refuse(w, http.StatusMisdirectedRequest, fmt.Sprintf("This server is not known as %q. `podium serve --host-name NAME` adds a name.", r.Host))
		return
	}
	if !g.admits(w, r) {
		return
	}
	g.next.ServeHTTP(w, r)
}

// knows reports whether a request is for this server. A number is no name that somebody
// else could have pointed here.
func (g *guard) knows(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if address, err := netip.ParseAddr(host); err == nil {
		return !g.local || address.Unmap().IsLoopback()
	}
	return slices.Contains(g.hosts, host)
}

// admits looks for the token: in the address, which a browser is then told to
// forget, in a cookie, or in the header for programs.
func (g *guard) admits(w http.ResponseWriter, r *http.Request) bool {
	if g.token == "" {
		return true
	}
	if given, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); found && g.fits(given) {
		return true
	}
	if kept, err := r.Cookie(g.cookie); err == nil && g.fits(kept.Value) && !r.URL.Query().Has("token") {
		return true
	}
	if !g.fits(r.URL.Query().Get("token")) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, http.StatusUnauthorized, "This site asks for a token: open the address that podium printed when it started.")
		return false
	}
	http.SetCookie(w, &http.Cookie{Name: g.cookie, Value: g.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		return true
	}
	clean := *r.URL
	query := clean.Query()
	query.Del("token")
	clean.RawQuery, clean.Scheme, clean.Host = query.Encode(), "", ""
	clean.Path, clean.RawPath = "/"+strings.TrimLeft(clean.Path, "/"), "" // "//name" would lead to another server
	http.Redirect(w, r, clean.String(), http.StatusSeeOther)
	return false
}

// fits compares in a time that does not tell how much of a guess is right.
func (g *guard) fits(given string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(g.token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// refuse answers with a sentence.
func refuse(w http.ResponseWriter, code int, sentence string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	fmt.Fprintln(w, sentence)
}

// namesOf are the names that a server at an address may be asked for by.
func namesOf(address string, more []string) []string {
	names := []string{"localhost"}
	if own, err := os.Hostname(); err == nil {
		names = append(names, strings.ToLower(own))
	}
	if host, _, err := net.SplitHostPort(address); err == nil && host != "" {
		names = append(names, strings.ToLower(host))
	}
	for _, name := range more {
		names = append(names, strings.ToLower(strings.TrimSuffix(name, ".")))
	}
	return names
}
