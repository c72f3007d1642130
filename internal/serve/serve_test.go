package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/publish"
	"podium/vm"
)

type shown = publish.Contest

// hostileTool has a name that no page may take for markup.
const hostileTool = `<img src=x onerror=alert(1)>`

// planned writes a campaign of two tools, three instances and two examinations, one of the
// instances a surprise.
func planned(t *testing.T) *campaign.Campaign {
	t.Helper()
	p := &campaign.Plan{Name: "small & served", Edition: "mcc2023", Examinations: []examinations.ID{"StateSpace", "OneSafe"}, Embargo: time.Date(2999, 1, 2, 0, 0, 0, 0, time.UTC)}
	p.Sequential = campaign.Confinement{WallTime: 3600e6}
	for _, tool := range []string{"lola", hostileTool} {
		p.Tools = append(p.Tools, campaign.PlannedTool{Name: tool, Dir: "inputs/tool"})
	}
	for _, id := range []string{"Ring-PT-1", "Ring-PT-2"} {
		p.Instances = append(p.Instances, campaign.PlannedInstance{ID: id, Path: "inputs/" + id, Family: "Ring", Class: "known"})
	}
	p.Instances = append(p.Instances, campaign.PlannedInstance{ID: "Secret-PT-7", Path: "inputs/Secret-PT-7", Family: "Secret", Class: "surprise"})
	c, err := campaign.Create(t.TempDir(), p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// plannedTasks is a campaign on tasks, of which nothing has run.
func plannedTasks(t *testing.T) *campaign.Campaign {
	t.Helper()
	p := &campaign.Plan{Name: "tasks", Edition: "svcomp2026", Examinations: []examinations.ID{"Loops"}, Sequential: campaign.Confinement{WallTime: 900e6},
		Tools: []campaign.PlannedTool{{Name: "cpa", Dir: "inputs/cpa", Task: &campaign.TaskTool{Command: []string{"cpa", "{task}"}}}}}
	for _, name := range []string{"loops/sum01.yml", "loops/sum02.yml"} {
		p.Instances = append(p.Instances, campaign.PlannedInstance{ID: name, Path: "inputs/sum", Family: name, Class: "known",
			Task: &campaign.PlannedTask{Inputs: []string{"sum.c"}, PropertyFile: "unreach-call.prp", Property: "unreach-call", Categories: []examinations.ID{"Loops"}}})
	}
	c, err := campaign.Create(t.TempDir(), p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// end writes ends of runs, as a worker's journal.
func end(t *testing.T, c *campaign.Campaign, worker string, ends ...campaign.Finished) {
	t.Helper()
	if err := c.Import(worker, func(add func(campaign.Finished) error) error {
		for _, f := range ends {
			if err := add(f); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// right is a run that says that a net is safe.
func right(tool, instance string) campaign.Finished {
	return campaign.Finished{Run: campaign.Run{Tool: tool, Instance: instance, Exam: "OneSafe"}, Attempt: 1, Participation: output.Answered,
		Answers: campaign.AnswersOf(campaign.Answer{Item: "OneSafe", Text: "TRUE", Line: 1, At: 5}),
		Outcome: vm.Outcome{Termination: vm.Exited, Started: time.Unix(9, 0).UTC(), WallTime: vm.Took(1500 * time.Millisecond), CPUTime: vm.Took(time.Second), MemoryPeak: 1e6}}
}

// options serve a campaign on a free port.
func options(c *campaign.Campaign) Options {
	return Options{Address: "127.0.0.1:0", Dir: c.Dir, Rest: 2, Say: func(string) {},
		Open: func() (*campaign.Campaign, error) { return campaign.Open(c.Dir) },
		Judge: func(ctx context.Context, c *campaign.Campaign) (*judged.Campaign, error) {
			return judged.Judge(ctx, c, judged.Options{Edition: "mcc2023", WithoutEmbargoed: true, Now: time.Now()})
		},
		Publish: func(ctx context.Context, dir string, j *judged.Campaign) (*publish.Contest, error) {
			shown := publish.Of(j)
			return shown, publish.Write(ctx, dir, shown)
		}}
}

func start(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(s.dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", s.dir, err)
		}
	})
	return s
}

// at is the address of a path of a server.
func (s *Server) at(path string) string { return "http://" + s.listener.Addr().String() + path }

func (s *Server) port() string {
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	return port
}

// fetch asks, with header fields in pairs of name and value, and returns answer and text.
func fetch(t *testing.T, method, url string, head ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(head); i += 2 {
		if head[i] == "Host" {
			r.Host = head[i+1]
		} else {
			r.Header.Set(head[i], head[i+1])
		}
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	a, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a, string(text)
}

// await asks again and again until an answer fits.
func await(t *testing.T, s *Server, path string, fits func(code int, text string) bool) string {
	t.Helper()
	for {
		a, text := fetch(t, "GET", s.at(path))
		if fits(a.StatusCode, text) {
			return text
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("%s is still %d\n%s", path, a.StatusCode, text)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func holds(word string) func(int, string) bool {
	return func(code int, text string) bool { return code == 200 && strings.Contains(text, word) }
}

// TestLivePage reads the page while a journal grows: counts, what went wrong, scores. What
// tools are called is text, and surprise models are not named.
func TestLivePage(t *testing.T) {
	c := planned(t)
	s := start(t, options(c))
	page := await(t, s, "/live", holds("10 runs were missing"[3:])) // of 12, 8 are of models that may be named
	for _, word := range []string{"<dd>12</dd>", "No run is under way", "small &amp; served", "Surprise models may not be named yet", "&lt;img src=x"} {
		if !strings.Contains(page, word) {
			t.Errorf("the page does not say %q", word)
		}
	}
	crash, late := right("lola", "Ring-PT-2"), right(hostileTool, "Secret-PT-7")
	crash.Outcome.Termination, crash.Outcome.Signal = vm.Signalled, 11
	late.Outcome.Termination = vm.OutOfTime
	end(t, c, "w", right("lola", "Ring-PT-1"), crash, late)
	page = await(t, s, "/live", holds("signal 11 (segmentation fault) after CPU time 1s, wall time 1.5s"))
	for _, word := range []string{"a surprise model", "limit of wall time after CPU time 1s, wall time 1.5s", `aria-label="1 done, 1 stopped, 1 crashed, 9 missing"`} {
		if !strings.Contains(page, word) {
			t.Errorf("the page does not say %q", word)
		}
	}
	page = await(t, s, "/live", holds(" 6 runs were missing"[1:]))
	for _, word := range []string{"Secret", hostileTool, "unsafe-inline", " style="} {
		if strings.Contains(page, word) {
			t.Errorf("the page says %q", word)
		}
	}
	for _, path := range []string{"/", "/index.html", "/tools.html", "/instances.html", "/csv/runs.csv"} {
		if text := await(t, s, path, func(code int, _ string) bool { return code == 200 }); strings.Contains(text, "Secret") {
			t.Errorf("%s names the surprise model", path)
		}
	}
}

// TestLivePageOfTasks: a contest on tasks has tasks and categories, from the first look on.
func TestLivePageOfTasks(t *testing.T) {
	c := plannedTasks(t)
	o := options(c)
	o.Judge = func(ctx context.Context, c *campaign.Campaign) (*judged.Campaign, error) {
		return judged.Judge(ctx, c, judged.Options{Edition: "svcomp2026"})
	}
	s := start(t, o)
	_, first := fetch(t, http.MethodGet, s.at("/live"))
	crash := campaign.Finished{Run: campaign.Run{Tool: "cpa", Instance: "loops/sum01.yml", Exam: "Loops"}, Attempt: 1, Outcome: vm.Outcome{Termination: vm.OutOfTime, WallTime: vm.Took(2 * time.Second), Started: time.Unix(9, 0).UTC()}}
	end(t, c, "w", crash)
	last := await(t, s, "/live", func(_ int, text string) bool {
		return strings.Contains(text, "limit of wall time") && strings.Contains(text, "1 run was missing")
	})
	shown := regexp.MustCompile(`>[^<]*|aria-label="[^"]*"`)
	nets := regexp.MustCompile(`(?i)\b(model|instance|examination|net)s?\b`)
	for name, page := range map[string]string{"first": first, "last": last} {
		for _, text := range shown.FindAllString(page, -1) {
			if word := nets.FindString(text); word != "" {
				t.Errorf("the %s page says %q in %q", name, word, text)
			}
		}
		for _, want := range []string{`<caption>Runs that have ended, of all, by tool and task</caption>`, `<th scope="col">Category</th>`, `aria-label="Runs by tool and Task"`} {
			if !strings.Contains(page, want) {
				t.Errorf("the %s page lacks %s", name, want)
			}
		}
	}
}

// TestTrouble: readers are told that something failed, and who started the server why.
func TestTrouble(t *testing.T) {
	c := planned(t)
	o := options(c)
	why, reasons := errors.New("disk of /secret/place is full"), make(chan string, 9)
	publish := o.Publish
	var failing atomic.Bool
	failing.Store(true)
	o.Publish = func(ctx context.Context, dir string, j *judged.Campaign) (*shown, error) {
		if failing.Load() {
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Error(err)
			}
			return nil, why
		}
		return publish(ctx, dir, j)
	}
	o.Say = func(text string) { reasons <- text }
	s := start(t, o)
	if page := await(t, s, "/live", holds("new ones could not be written")); strings.Contains(page, "secret") {
		t.Error("the page says why")
	}
	if got := <-reasons; !strings.HasSuffix(got, why.Error()) {
		t.Errorf("it says %q", got)
	}
	if a, _ := fetch(t, "GET", s.at("/tools.html")); a.StatusCode != 503 || a.Header.Get("Retry-After") == "" {
		t.Errorf("a page that is not there yet: %d", a.StatusCode)
	}
	if a, _ := fetch(t, "GET", s.at("/")); a.StatusCode != 302 || a.Header.Get("Location") != "/live" {
		t.Errorf("the overview that is not there yet: %d", a.StatusCode)
	}
	failing.Store(false)
	await(t, s, "/tools.html", func(code int, _ string) bool { return code == 200 })
	await(t, s, "/live", func(_ int, text string) bool { return !strings.Contains(text, "could not be written") })
	if len(reasons) > 0 {
		t.Errorf("it says again %q", <-reasons)
	}
	if left, err := os.ReadDir(s.dir); err != nil || len(left) != 1 {
		t.Errorf("beside the site that is served lies what failed: %v, %v", left, err)
	}
}

// TestGuard: who may ask for what, and what the answers forbid.
func TestGuard(t *testing.T) {
	c := planned(t)
	s := start(t, options(c))
	o := options(c)
	o.Token, o.Hosts = "a-token-of-the-test", []string{"Contest.Example.org"}
	secret := start(t, o)
	const browser = "text/html,*/*"
	for _, x := range []struct {
		what   string
		s      *Server
		method string
		path   string
		head   []string
		code   int
	}{
		{"a page", s, "GET", "/live", nil, 200},
		{"its head", s, "HEAD", "/live", nil, 200},
		{"a change", s, "POST", "/live", nil, 405},
		{"options", s, "OPTIONS", "/live", nil, 405},
		{"deletion", s, "DELETE", "/index.html", nil, 405},
		{"localhost", s, "GET", "/live", []string{"Host", "localhost:1"}, 200},
		{"an address of this computer", s, "GET", "/live", []string{"Host", "[::1]:80"}, 200},
		{"a name that was pointed here", s, "GET", "/live", []string{"Host", "evil.example.org"}, 421},
		{"no name", s, "GET", "/live", []string{"Host", "127.0.0.1.evil.example.org"}, 421},
		{"an address elsewhere", s, "GET", "/live", []string{"Host", "192.0.2.1"}, 421},
		{"a file above", s, "GET", "/../campaign.json", nil, 404},
		{"a file above, written otherwise", s, "GET", "/csv/%2e%2e/%2e%2e/campaign.json", nil, 404},
		{"a directory", s, "GET", "/csv", nil, 404},
		{"no such page", s, "GET", "/nothing.html", nil, 404},
		{"without the token", secret, "GET", "/live", nil, 401},
		{"events without the token", secret, "GET", "/live/events", nil, 401},
		{"a style sheet without the token", secret, "GET", "/style.css", nil, 401},
		{"another token", secret, "GET", "/live?token=a-token-of-the-tesT", nil, 401},
		{"an empty token", secret, "GET", "/live?token=", []string{"Cookie", "podium_token_" + secret.port() + "="}, 401},
		{"the token, from a program", secret, "GET", "/live?token=a-token-of-the-test", nil, 200},
		{"the token, from a browser", secret, "GET", "/live?token=a-token-of-the-test&x=1", []string{"Accept", browser}, 303},
		{"the token in a cookie", secret, "GET", "/live", []string{"Cookie", "podium_token_" + secret.port() + "=a-token-of-the-test"}, 200},
		{"the token in a header", secret, "GET", "/live", []string{"Authorization", "Bearer a-token-of-the-test"}, 200},
		{"a name that was given", secret, "GET", "/live?token=a-token-of-the-test", []string{"Host", "contest.example.org:443"}, 200},
		{"another server", secret, "GET", "//evil.example.org/live?token=a-token-of-the-test", []string{"Accept", browser}, 303},
	} {
		await(t, s, "/index.html", func(code int, _ string) bool { return code == 200 })
		a, text := fetch(t, x.method, x.s.at(x.path), x.head...)
		if a.StatusCode != x.code || x.method == "HEAD" && text != "" {
			t.Errorf("%s: %d, want %d\n%s", x.what, a.StatusCode, x.code, text)
		}
		if a.Header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(a.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") || a.Header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: the headers are %v", x.what, a.Header)
		}
		if to := a.Header.Get("Location"); a.StatusCode == 303 && to != "/live?x=1" && to != "/evil.example.org/live" {
			t.Errorf("%s: it leads to %q", x.what, to)
		}
	}
}

// TestAddresses: what is no address, or not to be had, has a sentence with the next step.
func TestAddresses(t *testing.T) {
	c := planned(t)
	for address, want := range map[string]string{"8080": "write a host and a port", "127.0.0.1:http5": "the port is a number", "127.0.0.1:99999": "the port is a number"} {
		o := options(c)
		o.Address = address
		_, err := Start(t.Context(), o)
		if wrong := (*AddressError)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	o := options(c)
	for address, want := range map[string]error{taken.Addr().String(): syscall.EADDRINUSE, "192.0.2.1:8080": syscall.EADDRNOTAVAIL} {
		o.Address = address
		_, err := Start(t.Context(), o)
		if refused := (*ListenError)(nil); !errors.As(err, &refused) || !errors.Is(err, want) || !strings.Contains(err.Error(), "; ") {
			t.Errorf("%s: %v", address, err)
		}
	}
	// An address that others reach makes a token of its own.
	o.Address = "0.0.0.0:0"
	s := start(t, o)
	if !s.Open() || len(s.o.Token) < 40 || !strings.HasSuffix(s.URL(), "/live?token="+s.o.Token) {
		t.Errorf("it is served at %s", s.URL())
	}
	a, _ := fetch(t, "GET", fmt.Sprintf("http://127.0.0.1:%d/live", s.listener.Addr().(*net.TCPAddr).Port))
	if a.StatusCode != 401 {
		t.Errorf("without the token it answers %d", a.StatusCode)
	}
}
