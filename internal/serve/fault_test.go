package serve

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"podium/internal/campaign"
	"podium/internal/fault"
	"podium/internal/judged"
)

// TestRequestsThatFail: a request, the scores and single pages fail inside podium, one after the
// other; readers are told, nothing else is lost, and whoever started the server learns why.
func TestRequestsThatFail(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var bad atomic.Pointer[string]
	set := func(about string) { bad.Store(&about) }
	set("")
	plant := func(about string) {
		if about == *bad.Load() {
			panic("planted in " + about)
		}
	}
	fault.Plant.Store(&plant)
	t.Cleanup(func() { fault.Plant.Store(nil) })
	c := planned(t)
	o, reasons := options(c), make(chan string, 99)
	o.Say = func(text string) { reasons <- text }
	var failing atomic.Bool
	failing.Store(true)
	judge := o.Judge
	o.Judge = func(ctx context.Context, c *campaign.Campaign) (*judged.Campaign, error) {
		if failing.Load() {
			var nobody *campaign.Campaign
			return nil, errors.New(nobody.Dir)
		}
		return judge(ctx, c)
	}
	s := start(t, o)
	if page := await(t, s, "/live", holds("The scores cannot be computed now")); strings.Contains(page, "nil pointer") {
		t.Error("the page says why")
	}
	said := func(words ...string) {
		t.Helper()
		text := <-reasons
		for _, w := range words {
			if !strings.Contains(text, w) {
				t.Errorf("it says %q, without %q", text, w)
			}
		}
	}
	said("the scores of the server: a failure of podium itself", "failure-")
	set("tools.html")
	failing.Store(false)
	await(t, s, "/tools.html", holds("This page could not be made"))
	await(t, s, "/live", holds("Some pages could not be made"))
	said("tools.html: a failure of podium itself (planted in tools.html)")
	set("GET /index.html")
	if a, text := fetch(t, "GET", s.at("/index.html")); a.StatusCode != 500 || !strings.Contains(text, "podium itself failed") || strings.Contains(text, "planted") {
		t.Errorf("%d %q", a.StatusCode, text)
	}
	said("GET /index.html: a failure of podium itself (planted in GET /index.html)")
	if a, _ := fetch(t, "GET", s.at("/instances.html")); a.StatusCode != 200 {
		t.Errorf("another page: %d", a.StatusCode)
	}
	set("")
	if a, _ := fetch(t, "GET", s.at("/index.html")); a.StatusCode != 200 {
		t.Errorf("the page, when it does not fail: %d", a.StatusCode)
	}
}
