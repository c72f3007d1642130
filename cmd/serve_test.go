package cmd

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// served is a worker that serves its campaign.
type served struct {
	cmd  *exec.Cmd
	home string   // address of the site, with a slash at its end
	said chan int // how much it said, when it has ended
	temp string
}

// serveRun starts `podium run --listen`.
func serveRun(t *testing.T, args ...string) *served {
	t.Helper()
	return serving(t, append([]string{"run", "--listen", "127.0.0.1:0"}, args...)...)
}

// serving starts a command that serves.
func serving(t *testing.T, args ...string) *served {
	t.Helper()
	s := &served{cmd: podium(args...), said: make(chan int, 1), temp: t.TempDir()}
	s.cmd.Env = append(s.cmd.Environ(), "TMPDIR="+s.temp)
	talk, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	lines := bufio.NewScanner(talk)
	for s.home == "" && lines.Scan() {
		if at, found := strings.CutPrefix(lines.Text(), "live: "); found {
			s.home = strings.TrimSuffix(at, "live")
		}
	}
	if s.home == "" {
		t.Fatal("it does not say where it serves")
	}
	go func() {
		n := 0
		for lines.Scan() {
			n++
		}
		s.said <- n
	}()
	return s
}

// get fetches a path; the answer is 200.
func (s *served) get(t *testing.T, path string) []byte {
	t.Helper()
	text, status := s.look(t, path)
	if status != http.StatusOK {
		t.Fatalf("%s: %d\n%s", path, status, text)
	}
	return text
}

// look fetches a path that may not be there yet.
func (s *served) look(t *testing.T, path string) (text []byte, status int) {
	t.Helper()
	a, err := http.Get(s.home + path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err = io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return text, a.StatusCode
}

// listen keeps so many pages open, and returns the news that each has heard when the server ends.
func (s *served) listen(pages int) (heard <-chan string) {
	all := make(chan string, pages)
	for range pages {
		go func() {
			a, err := http.Get(s.home + "live/events")
			if err != nil {
				all <- err.Error()
				return
			}
			defer a.Body.Close()
			text, _ := io.ReadAll(a.Body) // the server ends it
			all <- string(text)
		}()
	}
	return all
}

// interrupt stops it, and wants an exit code and nothing left behind.
func (s *served) interrupt(t *testing.T, want int) {
	t.Helper()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-s.said
	err := s.cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if code := s.cmd.ProcessState.ExitCode(); code != want {
		t.Errorf("exit code %d, want %d", code, want)
	}
	if left, err := filepath.Glob(filepath.Join(s.temp, "podium-serve-*")); err != nil || len(left) > 0 {
		t.Errorf("it leaves %q, %v", left, err)
	}
}

// The scores of the live page.
var (
	boardOf = regexp.MustCompile(`(?s)<caption>(.*?)</caption>(.*?)</table>`)
	rowOf   = regexp.MustCompile(`<th scope="row">(.*?)</th><td class="num beside">(\d+)</td><td class="num">(\S+?)</td><td class="num">(\S+?)</td><td class="num">(\S+?)</td>`)
)

// TestServedContest follows a real contest on its live page, while many pages are open. The final points lie in every
// range that the page has shown, and the site that is served at the end is the one that is published,
// but for the link to the live page.
func TestServedContest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	models, c, out := filepath.Join(dir, "models"), filepath.Join(dir, "c"), filepath.Join(dir, "site")
	run(t, 0, "model", "generate", "--out", models, "DiningPhilosophers", "002")
	run(t, 0, "model", "generate", "--out", models, "TokenRingMutex", "002")
	run(t, 0, "plan", "--models", models, "--tools", "explicit", "--tools", "walk", "--tools", "liar", "--out", c, "--edition", "mcc2020",
		"-x", "OneSafe,ReachabilityDeadlock,UpperBounds,StateSpace", "--cpu", "20s", "--memory", "1GB", "--seed", "20")
	s := serveRun(t, "--stay", c)
	const pages = 20
	heard := s.listen(pages)
	type span struct{ least, greatest *big.Rat }
	spans, last, looks := map[string][]span{}, map[string]*big.Rat{}, 0
	for final := false; !final; {
		page := s.get(t, "live")
		final = bytes.Contains(page, []byte("No run is missing"))
		for _, board := range boardOf.FindAllSubmatch(page, -1) {
			for _, row := range rowOf.FindAllSubmatch(board[2], -1) {
				of := string(board[1]) + " " + string(row[1])
				now, least, greatest := number(t, row[3]), number(t, row[4]), number(t, row[5])
				spans[of], last[of] = append(spans[of], span{least, greatest}), now
				looks++
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	if len(last) < 9 || looks == len(last) {
		t.Errorf("%d scores were seen, %d times in all", len(last), looks)
	}
	wide := false
	hundredth := big.NewRat(1, 100) // numbers are rounded
	for of, list := range spans {
		for _, s := range list {
			wide = wide || s.least.Cmp(s.greatest) < 0
			if new(big.Rat).Sub(last[of], hundredth).Cmp(s.greatest) > 0 || new(big.Rat).Add(last[of], hundredth).Cmp(s.least) < 0 {
				t.Errorf("%s: the final score %s is not from %s to %s", of, last[of], s.least, s.greatest)
			}
		}
	}
	if !wide {
		t.Error("no range was open at any time")
	}

	run(t, 0, "publish", "--out", out, c)
	want, err := os.ReadFile(filepath.Join(out, "provenance.json"))
	if err != nil {
		t.Fatal(err)
	}
	for !bytes.Equal(want, s.get(t, "provenance.json")) { // until the last pages are written
		time.Sleep(50 * time.Millisecond)
	}
	s.equals(t, out)

	// What joins later is shown, too.
	more := filepath.Join(dir, "more")
	run(t, 0, "model", "generate", "--out", more, "BinaryCounter", "02")
	run(t, 0, "extend", "--models", more, c)
	for page := []byte(nil); !bytes.Contains(page, []byte("12 runs were missing")) || !bytes.Contains(page, []byte("2/3")) || !bytes.Contains(page, []byte("BinaryCounter")); page = s.get(t, "live") {
		time.Sleep(50 * time.Millisecond)
	}
	s.interrupt(t, ExitDone)
	for range pages {
		if text := <-heard; !strings.Contains(text, "12 runs were missing") {
			t.Errorf("a page has not heard of what joined last: %.200s", text)
		}
	}
}

// TestServedAsPublished: with another edition and earlier ones, what is served is what is
// published.
func TestServedAsPublished(t *testing.T) {
	dir := t.TempDir()
	out, raw := filepath.Join(dir, "site"), filepath.Join(dir, "raw.csv")
	c := planned(t, 2, func(int) (kind, class string) { return "PT", "known" })
	answer(t, c, "w", func(string) bool { return true })
	if err := os.WriteFile(raw, []byte(run(t, ExitDone, "export", "--format", "raw", c.Dir)), 0o644); err != nil {
		t.Fatal(err)
	}
	flags := []string{"--edition", "mcc2019", "--previous", "mcc2020=" + raw}
	run(t, ExitDone, append(append([]string{"publish", "--out", out}, flags...), c.Dir)...)
	want, err := os.ReadFile(filepath.Join(out, "provenance.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`"id": "mcc2019"`, `"mcc2020, raw.csv"`} {
		if !bytes.Contains(want, []byte(text)) {
			t.Errorf("what is published does not say %s", text)
		}
	}
	s := serving(t, append(append([]string{"serve", "--listen", "127.0.0.1:0"}, flags...), c.Dir)...)
	for got := []byte(nil); !bytes.Equal(want, got); got, _ = s.look(t, "provenance.json") {
		time.Sleep(50 * time.Millisecond)
	}
	s.interrupt(t, ExitDone)
}

// equals compares what is served with a published site.
func (s *served) equals(t *testing.T, dir string) {
	t.Helper()
	link := regexp.MustCompile(`\n<li><a href="(\.\./)*live">Live</a></li>`)
	n, linked := 0, 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		want, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		got := s.get(t, filepath.ToSlash(name))
		n++
		if strings.HasSuffix(name, ".html") {
			linked += len(link.FindAll(got, -1))
			got = link.ReplaceAll(got, nil)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is served with %d bytes, and published with %d", name, len(got), len(want))
		}
		return nil
	})
	if err != nil || n < 40 || linked < 20 {
		t.Errorf("%d files were compared, with %d links: %v", n, linked, err)
	}
}

func number(t *testing.T, text []byte) *big.Rat {
	t.Helper()
	x, ok := new(big.Rat).SetString(string(text))
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return x
}

// TestServedRunIsInterrupted: the first interrupt ends worker and server, and leaves a campaign that
// goes on.
func TestServedRunIsInterrupted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	models, c := filepath.Join(dir, "models"), filepath.Join(dir, "c")
	run(t, 0, "model", "generate", "--out", models, "DiningPhilosophers", "002")
	tool := writeTool(t, dir, "slow", "sleep 100\n")
	run(t, 0, "plan", "--models", models, "--tools", tool, "--out", c, "--examination", "StateSpace", "--cpu", "200s", "--memory", "200MB")
	s := serveRun(t, "--stay", c)
	for !bytes.Contains(s.get(t, "live"), []byte(`<th scope="row">slow</th>`)) {
		time.Sleep(20 * time.Millisecond)
	}
	s.interrupt(t, ExitInterrupted)
	if err := syscall.Kill(s.cmd.Process.Pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the worker is still there: %v", err)
	}
}
