//go:build !js

// Package browsertest shows pages to a headless browser, for the tests of other rooms.
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// programs are the names of browsers that speak the protocol of chromedp. The first is
// Chromium without windows, which starts in a third of the time.
var programs = []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}

// Open returns a tab of a headless browser, and what it will complain of: words on the console,
// requests that failed, and requests to addresses that do not begin with one of homes. Without
// a browser, and in short tests, it skips the test.
func Open(t *testing.T, homes ...string) (context.Context, *Complaints) {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(Program(t)), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("force-prefers-reduced-motion", true)) // a click misses what scrolls smoothly
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	found := &Complaints{homes: append(homes, "blob:")} // the worker of a page asks nobody
	if err := chromedp.Listen(ctx, found.hear); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	listening := ctx // the loop below outlives the next assignment
	go func() {
		for message, err := range chromedp.Console(listening) {
			if err != nil {
				return
			}
			found.add(fmt.Sprintf("console: %s", message))
		}
	}()
	ctx, cancel = context.WithTimeout(ctx, Patience(5*time.Minute))
	t.Cleanup(cancel)
	return ctx, found
}

// Program finds a browser. Without one, and in short tests, it skips the test: a test that
// prepares much for a browser asks for it first.
func Program(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the race detector does not see into a browser")
	}
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no chromium here: the pages are not tried in a browser")
	return ""
}

// Patience is how long something may take; the long forms of tests are given more.
func Patience(d time.Duration) time.Duration {
	if os.Getenv("PODIUM_SOAK") != "" {
		return 20 * d
	}
	return d
}

// Complaints are what a browser found wrong.
type Complaints struct {
	homes    []string
	mu       sync.Mutex
	list     []string
	requests int
}

func (c *Complaints) add(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, text)
}

func (c *Complaints) hear(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		c.mu.Lock()
		c.requests++
		c.mu.Unlock()
		if !slices.ContainsFunc(c.homes, func(home string) bool { return strings.HasPrefix(e.Request.URL, home) }) {
			c.add("request to " + e.Request.URL)
		}
	case *network.EventLoadingFailed:
		if !e.Canceled {
			c.add("failed request: " + e.ErrorText)
		}
	}
}

// Check fails the test for each complaint, and where fewer requests than least were seen:
// then nobody listened.
func (c *Complaints) Check(t *testing.T, least int) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, text := range c.list {
		t.Error(text)
	}
	if c.requests < least {
		t.Errorf("only %d requests were seen", c.requests)
	}
}

// Do does steps one after the other.
func Do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// Value is what a script gives.
func Value[T any](t *testing.T, ctx context.Context, script string) T {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](script))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return value
}

// Until waits for a script to give true. A script that the change to another page cut off is asked again.
func Until(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	for {
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script))
		if err != nil && !leftThePage(err) {
			t.Fatalf("%s: %v", script, err)
		}
		if is {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("never: %s", script)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// leftThePage says whether a script ended because its page did, in the browser's words.
func leftThePage(err error) bool {
	return strings.Contains(err.Error(), "Inspected target navigated or closed") ||
		strings.Contains(err.Error(), "Execution context was destroyed") ||
		strings.Contains(err.Error(), "Cannot find context with specified id")
}

// SetScheme shows pages light or dark.
func SetScheme(t *testing.T, ctx context.Context, scheme string) {
	t.Helper()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
		t.Fatal(err)
	}
	if dark := Value[bool](t, ctx, `matchMedia("(prefers-color-scheme: dark)").matches`); dark != (scheme == "dark") {
		t.Fatalf("the browser is not %s", scheme)
	}
}
