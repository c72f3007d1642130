//go:build !js

package cmd

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/internal/browsertest"
)

// pictures are the pages that manuals show.
var pictures = []struct{ name, page string }{
	{"overview.png", "index.html"}, {"model.png", "models/DiningPhilosophers.html"}, {"tool.png", "tools/walk.html"},
}

// pictureWidth and pictureHeight are those of the window that is shown, in pixels.
const pictureWidth, pictureHeight = 1000, 760

// TestPicturesOfManuals shows pages of a small contest in a browser, and compares their
// size with that of the pictures in docs/pictures, which PODIUM_PICTURES=../docs/pictures
// makes again. Letters differ from computer to computer, so that bytes are not compared.
func TestPicturesOfManuals(t *testing.T) {
	t.Parallel()
	browser := browsertest.Program(t)
	dir := t.TempDir()
	campaign := filepath.Join(dir, "campaign")
	for _, args := range [][]string{
		{"model", "generate", "DiningPhilosophers", "002", "003", "005", "--out", filepath.Join(dir, "models")},
		{"model", "generate", "KanbanCells", "001", "--out", filepath.Join(dir, "models")},
		{"tool", "write", filepath.Join(dir, "tools"), "explicit", "symbolic", "walk"},
		{"plan", "--models", filepath.Join(dir, "models"), "--tools", filepath.Join(dir, "tools"), "--edition", "mcc2020", "--cpu", "20s", "--memory", "1GB",
			"-x", "StateSpace,ReachabilityDeadlock,CTLCardinality", "--name", "A small contest", "--out", campaign},
		{"run", campaign, "--quiet"},
		{"publish", campaign},
	} {
		var said bytes.Buffer
		if code := Main(t.Context(), args, strings.NewReader(""), &said, &said); code != ExitDone {
			t.Fatalf("podium %q: exit code %d: %s", args, code, &said)
		}
	}
	for _, p := range pictures {
		shot := filepath.Join(dir, p.name)
		show(t, browser, filepath.Join(campaign, "published"), p.page, shot)
		if to := os.Getenv("PODIUM_PICTURES"); to != "" {
			data, err := os.ReadFile(shot)
			if err == nil {
				err = os.WriteFile(filepath.Join(to, p.name), data, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		now, kept := colours(t, shot), colours(t, filepath.Join("..", "docs", "pictures", p.name))
		if now < 30 || kept < 30 {
			t.Errorf("%s has %d colours, the picture of the manual %d: a page has more", p.name, now, kept)
		}
		if info, err := os.Stat(filepath.Join("..", "docs", "pictures", p.name)); err != nil || info.Size() > 150_000 {
			t.Errorf("%s: %v, %v", p.name, info, err)
		}
	}
}

// show makes a picture of a page.
func show(t *testing.T, browser, site, page, shot string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	at := url.URL{Scheme: "file", Path: filepath.Join(site, filepath.FromSlash(page))}
	c := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--user-data-dir="+t.TempDir(),
		fmt.Sprintf("--window-size=%d,%d", pictureWidth, pictureHeight), "--screenshot="+shot, at.String())
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
}

// colours counts the colours of a picture of the right size.
func colours(t *testing.T, file string) int {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if picture.Bounds() != image.Rect(0, 0, pictureWidth, pictureHeight) {
		t.Errorf("%s is %v large", file, picture.Bounds())
	}
	seen := map[[3]uint32]bool{}
	for y := range pictureHeight {
		for x := range pictureWidth {
			r, g, b, _ := picture.At(x, y).RGBA()
			seen[[3]uint32{r, g, b}] = true
		}
	}
	return len(seen)
}
