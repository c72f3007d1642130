package publish

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/internal/campaign"
)

// Every page of a contest on emulated machines says so, and nothing else does.
func TestEmulatedMachinesAreSaid(t *testing.T) {
	for _, emulated := range []bool{true, false} {
		m := smallMaker()
		m.runs[0].By = &campaign.Opened{Host: "node-1", Emulated: emulated}
		c := m.contest()
		c.ForRecord, c.Machines = false, []Machine{{Name: "node-1", Emulated: emulated}, {Name: "node-2"}}
		dir := publishedSite(t, c)
		pages := 0
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".html") {
				return err
			}
			text, err := os.ReadFile(path)
			pages++
			if bytes.Contains(text, []byte("<strong>emulated</strong>")) != emulated {
				t.Errorf("emulated %v: %s", emulated, path)
			}
			if strings.Contains(path, "runs") && bytes.Contains(text, []byte("node-1, emulated")) != emulated {
				t.Errorf("emulated %v: the page of the run is %s", emulated, text)
			}
			return err
		})
		if err != nil || pages < 10 {
			t.Errorf("%d pages, %v", pages, err)
		}
		var out bytes.Buffer
		if err := Summary(&out, c, 0); err != nil || strings.Contains(out.String(), "emulated machines") != emulated {
			t.Errorf("emulated %v: %v\n%s", emulated, err, out.String())
		}
	}
}
