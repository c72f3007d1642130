//go:build !js

package cmd

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"podium/internal/browsertest"
)

// TestDrawWithoutGraphviz: where dot is missing, draw says what to install.
func TestDrawWithoutGraphviz(t *testing.T) {
	dir := t.TempDir()
	var out, complaints bytes.Buffer
	run := func(args ...string) int {
		return Main(t.Context(), args, strings.NewReader(""), &out, &complaints)
	}
	if code := run("model", "generate", "DiningPhilosophers", "002", "--out", dir); code != 0 {
		t.Fatal(code, &complaints)
	}
	t.Setenv("PATH", dir)
	out.Reset()
	if code := run("model", "draw", dir+"/DiningPhilosophers-PT-002"); code != ExitHost || !strings.Contains(complaints.String(), "install the package graphviz") || out.Len() > 0 {
		t.Errorf("exit code %d: %s", code, &complaints)
	}
}

// TestPlayNets: the page with the token game works from a file, and asks for nothing else: a
// P/T net and the unfolding of a coloured one in their pictures, a larger net with a button for
// each transition.
func TestPlayNets(t *testing.T) {
	browsertest.Program(t)
	dir := t.TempDir()
	var out, complaints bytes.Buffer
	run := func(args ...string) {
		t.Helper()
		if code := Main(t.Context(), args, strings.NewReader(""), &out, &complaints); code != 0 {
			t.Fatal(code, &complaints)
		}
	}
	run("model", "generate", "DiningPhilosophers", "002", "020", "--out", dir)
	_, script, _ := strings.Cut(readText(t, "testdata/unfold.txtar"), "-- Ring-COL-2/model.pnml --\n")
	net, _, _ := strings.Cut(script, "\n-- ")
	writeTools(t, dir, map[string]string{"Ring-COL-2/model.pnml": net})
	ctx, found := browsertest.Open(t, "file://")
	for _, game := range []struct{ instance, choice, first, last string }{
		{"DiningPhilosophers-PT-002", ".game [role=button][aria-disabled=false]", "0 firings; 4 transitions are enabled.", "1 firing, the last is "},
		{"Ring-COL-2", ".game [role=button][aria-disabled=false]", "0 firings; 2 transitions are enabled.", "1 firing, the last is "},
		{"DiningPhilosophers-PT-020", ".choices button:enabled", "0 firings; 40 transitions are enabled.", "1 firing, the last is "},
	} {
		page := filepath.Join(dir, game.instance+".html")
		run("model", "draw", filepath.Join(dir, game.instance), "--out", page)
		browsertest.Do(t, ctx, chromedp.Navigate("file://"+filepath.ToSlash(page)))
		status := func() string {
			return browsertest.Value[string](t, ctx, `document.querySelector("[role=status]").textContent`)
		}
		if got := status(); !strings.HasPrefix(got, game.first) {
			t.Errorf("%s begins with %q", game.instance, got)
		}
		browsertest.Value[bool](t, ctx, `document.querySelector(`+"`"+game.choice+"`"+`).dispatchEvent(new MouseEvent("click", { bubbles: true }))`)
		if got := status(); !strings.HasPrefix(got, game.last) {
			t.Errorf("%s: after a click it says %q", game.instance, got)
		}
		if by := browsertest.Overflow(t, ctx, 400); by > 0 {
			t.Errorf("%s is wider than a phone by %d", game.instance, by)
		}
	}
	found.Check(t, 0)
}
