package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/judged"
	"podium/internal/publish"
)

// Options say what is served, and to whom.
type Options struct {
	Address string   // host and port; port 0 is one that is free
	Token   string   // what readers must know; empty: nothing on an address of this computer alone, else a new one
	Hosts   []string // names under which browsers reach the server, beside those that it knows

	Dir     string // of the campaign
	Edition string // that judges; empty: the one of the plan
	// Open opens the campaign, again when it was extended.
	Open func() (*campaign.Campaign, error)
	// Judge judges it as it is published: without models that may not be named yet.
	Judge func(context.Context, *campaign.Campaign) (*judged.Campaign, error)
	// Publish writes the site into a directory, and returns what it shows. A [*fault.Error] says which
	// pages are missing.
	Publish func(ctx context.Context, dir string, j *judged.Campaign) (*publish.Contest, error)

	// Rest is how many times as long as it works the server rests while runs are under way, before it
	// judges or writes again.
	Rest int
	// Say takes sentences for the person who started the server: what went wrong, with what readers
	// are not told, such as names of files.
	Say func(string)

	patience time.Duration // for each piece of an answer and for the head of a request; 0 is the usual
}

// AddressError says that an address is none.
type AddressError struct{ error }

// ListenError says that this computer does not let the server listen.
type ListenError struct{ error }

// Unwrap gives what the system says.
func (e *ListenError) Unwrap() error { return e.error }

// Server serves a campaign until it is closed.
type Server struct {
	o        Options
	listener net.Listener
	local    bool
	embargo  time.Time // until then some models are not named
	guard    *guard
	live     *livePage
	streams  chan struct{}
	scratch  *files.Scratch
	dir      string // in it, of the sites that it writes
	site     atomic.Pointer[site]
	frame    atomic.Pointer[publish.Frame]
	runs     *runs       // of the loop that looks at them
	busy     atomic.Bool // runs are under way
	parts    *parts
	cancel   context.CancelFunc
	loops    sync.WaitGroup
	http     *http.Server
	served   chan error
	close    func() error
	told     map[string]string // what went wrong last, by part
	telling  sync.Mutex
}

// Start begins to listen and to look at the campaign. Errors are an *AddressError, a *ListenError, and those of the
// campaign. Close ends what it began; the end of ctx does not, so that readers can be told.
func Start(ctx context.Context, o Options) (*Server, error) {
	address, local, err := parse(o.Address)
	if err != nil {
		return nil, err
	}
	c, err := o.Open()
	if err != nil {
		return nil, err
	}
	s := &Server{o: o, local: local, embargo: c.Plan.Embargo, live: newLivePage(rand.Text()[:8], "trouble", "state", "now", "scores", "unwritten", "wrong", "matrix", "hosts", "drift"),
		streams: make(chan struct{}, maxStreams), served: make(chan error, 1), told: map[string]string{}}
	if s.parts, err = newParts(!c.Plan.OfNets()); err != nil {
		return nil, err
	}
	if s.runs, err = readRuns(ctx, c); err != nil {
		return nil, err
	}
	frame, err := publish.NewFrame(beforeAll(&judged.Public(c, time.Now()).Campaign().Plan, cmp.Or(o.Edition, c.Plan.Edition)))
	if err != nil {
		return nil, err
	}
	s.frame.Store(frame)
	if s.listener, err = listen(address); err != nil {
		return nil, err
	}
	if s.scratch, err = files.NewScratch("", "serve"); err != nil {
		return nil, errors.Join(err, s.listener.Close())
	}
	s.dir = s.scratch.Path("sites")
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		return nil, errors.Join(err, s.listener.Close(), s.scratch.Close())
	}
	if !local && o.Token == "" {
		s.o.Token = newToken()
	}
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	s.guard = &guard{token: s.o.Token, cookie: "podium_token_" + port, hosts: namesOf(address, o.Hosts), local: local, next: http.HandlerFunc(s.contained)}
	if err := s.look(ctx); err != nil {
		return nil, errors.Join(err, s.listener.Close(), s.scratch.Close())
	}
	s.close = sync.OnceValue(s.end)
	ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	s.loops.Go(func() {
		s.again(ctx, "the look at the journals", "trouble", "The journal cannot be read now.", s.watch)
	})
	s.loops.Go(func() {
		s.again(ctx, "the scores of the server", "scores", "The scores cannot be computed now.", s.score)
	})
	s.http = &http.Server{Handler: s.guard, ReadHeaderTimeout: cmp.Or(o.patience, readTime), ReadTimeout: cmp.Or(o.patience, readTime), IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ErrorLog: log.New(io.Discard, "", 0)}
	s.loops.Go(func() { s.served <- s.http.Serve(few(s.listener, maxConnections)) })
	return s, nil
}

// beforeAll is what pages say of a contest before its first site is written.
func beforeAll(p *campaign.Plan, edition string) *publish.Contest {
	c := &publish.Contest{Title: p.Name, ForRecord: true}
	c.Edition.ID = edition
	for _, exam := range p.Examinations {
		c.Examinations = append(c.Examinations, publish.Examination{ID: exam, Task: !p.OfNets()})
	}
	return c
}

// URL is where a browser finds the live page. It holds the token, where there is one.
func (s *Server) URL() string {
	at := s.listener.Addr().String()
	if address, err := netip.ParseAddrPort(at); err == nil && address.Addr().IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			at = net.JoinHostPort(name, fmt.Sprint(address.Port()))
		}
	}
	url := "http://" + at + "/" + publish.LivePath
	if s.o.Token != "" {
		url += "?token=" + s.o.Token
	}
	return url
}

// Open reports whether others than this computer can reach the server.
func (s *Server) Open() bool { return !s.local }

// Wait waits until ctx ends, or the server fails.
func (s *Server) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-s.served:
		return err
	}
}

// Close tells readers that this was the end, stops, and removes what the server has on
// disk.
func (s *Server) Close() error { return s.close() }

func (s *Server) end() error {
	s.cancel()
	s.live.end()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if err != nil { // somebody reads slowly
		err = s.http.Close()
	}
	s.loops.Wait()
	if last := s.site.Load(); last != nil {
		err = errors.Join(err, last.root.Close())
	}
	return errors.Join(err, s.scratch.Close())
}

// route finds what answers a request. No path is cleaned, and none leads elsewhere.
func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/" + publish.LivePath:
		s.serveLive(w, r)
	case "/" + publish.LivePath + "/events":
		s.serveEvents(w, r)
	case "/live.js", "/live.css":
		s.serveAsset(w, r)
	default:
		s.serveSite(w, r)
	}
}

// parse splits an address, and reports whether only this computer can reach it.
func parse(address string) (normal string, local bool, err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", false, &AddressError{fmt.Errorf("%q is no address: write a host and a port, such as 127.0.0.1:8080", address)}
	}
	if n, err := net.LookupPort("tcp", port); err != nil || n < 0 {
		return "", false, &AddressError{fmt.Errorf("%q is no address: the port is a number from 0 to 65535, such as in 127.0.0.1:8080", address)}
	}
	ip, err := netip.ParseAddr(host)
	local = host == "localhost" || err == nil && ip.Unmap().IsLoopback()
	if host == "localhost" {
		address = net.JoinHostPort("127.0.0.1", port)
	}
	return address, local, nil
}

// listen says what to do where it does not.
func listen(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	next := ""
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		next = "another program uses this port; take another one, or 0 for one that is free"
	case errors.Is(err, syscall.EACCES):
		next = "ports below 1024 are for the administrator; take a higher one, such as 8080"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		next = "this computer has no such address; take 127.0.0.1, or 0.0.0.0 for readers elsewhere"
	default:
		next = "write an address of this computer, such as 127.0.0.1:8080"
	}
	return nil, &ListenError{fmt.Errorf("cannot listen on %s (%w): %s", address, err, next)}
}
