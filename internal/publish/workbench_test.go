//go:build !js

package publish

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"podium/internal/realdata"
	"podium/internal/referee"
	"podium/internal/workbench"
	"podium/models"
)

// TestWorkbenchAsTheCommands gives public instances to the page and to the room that
// `podium check` and `podium model form` call: the reports are the same, but for what
// the slower program of the page leaves undecided. The room compares itself with the commands.
func TestWorkbenchAsTheCommands(t *testing.T) {
	ctx, found := browser(t)
	dir := filepath.Join(t.TempDir(), "bench")
	if err := WriteWorkbench(t.Context(), dir, "test", program(t)); err != nil {
		t.Fatal(err)
	}
	most, forms := int64(20<<10), int64(4<<10) // bytes of a model
	if os.Getenv("PODIUM_SOAK") != "" {
		most, forms = 2<<20, 30<<10
	}
	do(t, ctx, chromedp.Navigate(address(dir, "index.html")))
	waitFor(t, ctx, `"workbenchLook" in window`)
	reports, instances, decided, left := 0, 0, 0, 0
	// answered gives what the page reports next.
	answered := func() (r workbench.Report) {
		reports++
		waitFor(t, ctx, fmt.Sprintf(`document.getElementById("reports").dataset.count === "%d"`, reports))
		if err := json.Unmarshal([]byte(evaluate[string](t, ctx, `JSON.stringify(workbenchReport)`)), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, path := range realdata.InstanceArchives(t) {
		opened, err := models.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range opened.Instances {
			text, err := i.ReadFile(models.ModelFile, most)
			if err != nil {
				continue // larger
			}
			instances++
			bench := &workbench.Bench{}
			file := workbench.File{Name: i.ID.String() + ".pnml", Text: string(text)}
			want, err := bench.Add(t.Context(), file, "")
			if err != nil {
				t.Fatal(err)
			}
			argument, err := json.Marshal(file.Text)
			if err != nil {
				t.Fatal(err)
			}
			evaluate[bool](t, ctx, fmt.Sprintf(`workbenchLook(%q, %s), true`, file.Name, argument))
			if got := answered(); !same(t, &got, want) {
				t.Errorf("%s: the page reports %+v, the room %+v", i.ID, got, want)
			}
			if int64(len(text)) > forms {
				continue
			}
			whole, err := bench.Form(t.Context(), referee.Options{Budget: workbench.Budget, Memory: workbench.Memory, Version: "test"})
			if err != nil {
				t.Fatal(err)
			}
			evaluate[bool](t, ctx, `Array.from(document.querySelectorAll("#reports section:first-child button")).find((b) => b.textContent === "Fill in the model form").click(), true`)
			for k, row := range answered().Rows {
				switch {
				case row[0] == whole.Rows[k][0] && row[1] == whole.Rows[k][1]:
					decided++
				case strings.Contains(row[1], "unknown") || strings.Contains(whole.Rows[k][1], "unknown"):
					left++
				default:
					t.Errorf("%s: the page says %v, the room %v", i.ID, row, whole.Rows[k])
				}
			}
		}
	}
	t.Logf("%d instances, %d entries of forms are the same, %d were decided by one side alone", instances, decided, left)
	if instances < realdata.Least(4, 1) || decided == 0 {
		t.Errorf("only %d instances were small enough, %d entries of forms", instances, decided)
	}
	found.Check(t, 1)
}

// same tells whether two reports are the same when they are written down.
func same(t *testing.T, a, b *workbench.Report) bool {
	t.Helper()
	var texts [2]any
	for i, r := range []*workbench.Report{a, b} {
		text, err := json.Marshal(r)
		if err == nil {
			err = json.Unmarshal(text, &texts[i])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return reflect.DeepEqual(texts[0], texts[1])
}
