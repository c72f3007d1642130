//go:build !js

package publish

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"podium/internal/carried"
)

// program gives the program of the pages, built from this tree.
func program(t *testing.T) *Program {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go here: the program of the pages is not built")
	}
	wasm, err := carried.Packed(carried.Pages)
	if err != nil {
		t.Fatal(err)
	}
	glue, err := carried.Glue()
	if err != nil {
		t.Fatal(err)
	}
	return &Program{Wasm: wasm, Glue: glue}
}

// waitFor evaluates an expression until it is true, and fails after a while.
func waitFor(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	for range 600 {
		if evaluate[bool](t, ctx, script) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("never true: %s", script)
}

// TestProgramStarts starts the program in a page that was opened as a file, under
// the policy of pages that compute.
func TestProgramStarts(t *testing.T) {
	ctx, found := browser(t)
	c := fixture(1, 4, 9)
	c.Program = program(t)
	v, err := newView(c)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := &site{view: v, tree: newTree(ctx, dir)}
	for _, step := range []func() error{s.parse, s.writeAssets, s.writeProgram, func() error {
		return s.render("glossary", "deep/page.html", page{Title: "Computes", Computes: true})
	}} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	do(t, ctx, chromedp.Navigate(address(dir, "deep/page.html")))
	evaluate[bool](t, ctx, `podiumPages.start("../").then((p) => p.ask("nothing", "?")).then(() => { window.said = "answered"; }, (e) => { window.said = e.message; }), true`)
	waitFor(t, ctx, `"said" in window`)
	if said := evaluate[string](t, ctx, `window.said`); said != `podium answers no "nothing"` {
		t.Errorf("the page was told: %s", said)
	}
	found.mu.Lock()
	defer found.mu.Unlock()
	for _, text := range found.list {
		if !strings.Contains(text, "blob:") {
			t.Error(text)
		}
	}
}
