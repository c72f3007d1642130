package cmd

import (
	"strings"
	"testing"
)

// TestRevokedRedo: a decision to do runs again that is revoked after they were done
// restores the scores, and what it will change is shown before.
func TestRevokedRedo(t *testing.T) {
	t.Parallel()
	c := doneCampaign(t, "OneSafe")
	right := totals(run(t, 0, "score", c.Dir))
	misread(t, c)
	before := totals(run(t, 0, "score", c.Dir))
	by := []string{"--author", "Ada", "--reason", "a test"}
	run(t, 0, append([]string{"decide", "redo", c.Dir, "--only", "tool=*"}, by...)...)
	if now := totals(run(t, 0, "score", c.Dir)); now != before {
		t.Errorf("scores before:\n%s\ndecided, and not done:\n%s", before, now)
	}
	run(t, 0, "run", c.Dir)
	if now := totals(run(t, 0, "score", c.Dir)); now != right {
		t.Errorf("done again:\n%s\nwant:\n%s", now, right)
	}
	revoke := append([]string{"decide", "revoke", c.Dir, "1"}, by...)
	shown := run(t, 0, append(revoke, "--dry-run")...)
	if !strings.Contains(shown, "* symbolic: rank 1 -> none") || totals(run(t, 0, "score", c.Dir)) != right {
		t.Errorf("a trial of the revocation:\n%s", shown)
	}
	if taken := run(t, 0, revoke...); taken != shown {
		t.Errorf("shown:\n%s\ntaken:\n%s", shown, taken)
	}
	if now := totals(run(t, 0, "score", c.Dir)); now != before {
		t.Errorf("scores before:\n%s\nrevoked:\n%s", before, now)
	}
	shown = run(t, 0, append([]string{"decide", "revoke", c.Dir, "2"}, by...)...)
	if now := totals(run(t, 0, "score", c.Dir)); now != right || !strings.Contains(shown, "symbolic: rank none -> 1") {
		t.Errorf("restored:\n%s\nwant:\n%s\nshown:\n%s", now, right, shown)
	}
}
