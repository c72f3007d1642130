package campaign

import (
	"os"
	"path/filepath"
	"testing"
)

// TestDigestOfTheLog: a copy of a campaign has the digest of the campaign, a torn
// tail does not count, and every record does.
func TestDigestOfTheLog(t *testing.T) {
	c := small(t)
	digest := func(dir string) string {
		t.Helper()
		opened, err := Open(dir)
		must(t, err)
		log, err := opened.Read(t.Context())
		must(t, err)
		digest, err := log.Digest()
		must(t, err)
		return digest
	}
	empty := digest(c.Dir)
	_, err := c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: cores(0, 1)})
	must(t, err)
	done := digest(c.Dir)
	if len(done) != 64 || done == empty {
		t.Errorf("the digest was %s before all runs and is %s", empty, done)
	}
	to := filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(to, os.DirFS(c.Dir)))
	if copied := digest(to); copied != done {
		t.Errorf("the digest of a copy is %s, not %s", copied, done)
	}
	files, err := filepath.Glob(filepath.Join(to, "journal", "*.jsonl"))
	must(t, err)
	appended := func(text string) string {
		f, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
		must(t, err)
		_, err = f.WriteString(text)
		must(t, err)
		must(t, f.Close())
		return digest(to)
	}
	if torn := appended("torn"); torn != done {
		t.Errorf("a torn tail changes the digest to %s", torn)
	}
	if whole := appended(" no more\n"); whole == done {
		t.Error("a line of the journal does not count")
	}
}
