//go:build !js

package publish

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"podium/internal/realdata"
	"podium/internal/referee"
	"podium/internal/workbench"
	"podium/models"
)

// formTime bounds the forms of the soak test, the smallest models first: a form takes up to
// a minute in the browser, and as long in the room.
const formTime = 20 * time.Minute

// instanceText is a public instance with its model.
type instanceText struct {
	id   models.ID
	text string
}

// smallInstances reads the public instances whose models have no more bytes than most, the smallest first.
func smallInstances(t *testing.T, most int64) (list []instanceText) {
	t.Helper()
	for _, path := range realdata.InstanceArchives(t) {
		opened, err := models.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range opened.Instances {
			if text, err := i.ReadFile(models.ModelFile, most); err == nil {
				list = append(list, instanceText{i.ID, string(text)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b instanceText) int { return cmp.Compare(len(a.text), len(b.text)) })
	return list
}

// TestWorkbenchAsTheCommands gives public instances to the page and to the room that
// `podium check`, `podium model form` and `podium certify` call: the reports are the same, but for what
// the slower program of the page leaves undecided. The room compares itself with the commands.
// PODIUM_SOAK=1 looks at all models below 2 MB, and at their forms for formTime.
func TestWorkbenchAsTheCommands(t *testing.T) {
	ctx, found := browser(t)
	dir := filepath.Join(t.TempDir(), "bench")
	if err := WriteWorkbench(t.Context(), dir, "test", program(t)); err != nil {
		t.Fatal(err)
	}
	most, forms := int64(20<<10), 5<<10 // bytes of a model
	if os.Getenv("PODIUM_SOAK") != "" {
		most, forms = 2<<20, 2<<20
	}
	do(t, ctx, chromedp.Navigate(address(dir, "index.html")))
	waitFor(t, ctx, `"workbenchLook" in window`)
	options := referee.Options{Budget: workbench.Budget, Memory: workbench.Memory, Version: "test"}
	reports, decided, left, formed := 0, 0, 0, 0
	// answered gives what the page reports next.
	answered := func() (r workbench.Report) {
		reports++
		waitFor(t, ctx, fmt.Sprintf(`document.getElementById("reports").dataset.count === "%d"`, reports))
		if err := json.Unmarshal([]byte(evaluate[string](t, ctx, `JSON.stringify(workbenchReport)`)), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	click := func(button string) workbench.Report {
		evaluate[bool](t, ctx, fmt.Sprintf(`Array.from(document.querySelectorAll("#reports button")).find((b) => b.textContent === %q).click(), true`, button))
		return answered()
	}
	compare := func(id models.ID, page, room *workbench.Report) {
		for k, row := range page.Rows {
			switch other := room.Rows[k]; {
			case row[0] == other[0] && row[1] == other[1]:
				decided++
			case undecided(row[1]) || undecided(other[1]):
				left++
			default:
				t.Errorf("%s: the page says %v, the room %v", id, row, other)
			}
		}
	}
	instances, began := smallInstances(t, most), time.Now()
	for _, i := range instances {
		bench := &workbench.Bench{}
		file := workbench.File{Name: i.id.String() + ".pnml", Text: i.text}
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
			t.Errorf("%s: the page reports %+v, the room %+v", i.id, got, want)
		}
		if len(i.text) > forms || time.Since(began) > formTime {
			continue
		}
		formed++
		values, err := bench.Decide(t.Context(), "StateSpace", options)
		if err != nil {
			t.Fatal(err)
		}
		page := click("StateSpace")
		compare(i.id, &page, values)
		form, err := bench.Form(t.Context(), options)
		if err != nil {
			t.Fatal(err)
		}
		page = click("Fill in the model form")
		compare(i.id, &page, form)
	}
	t.Logf("%d instances; of %d of them %d values and entries of forms are the same, %d were decided by one side alone", len(instances), formed, decided, left)
	if len(instances) < realdata.Least(4, 1) || decided == 0 {
		t.Errorf("only %d instances were small enough, %d entries of forms", len(instances), decided)
	}
	found.Check(t, 1)
}

func undecided(value string) bool { return value == "unknown" || value == "not decided" }

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
