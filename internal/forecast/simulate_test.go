package forecast

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"podium/internal/campaign"
)

// TestModels: a contest of fewer models has some of its own, whole; one of more has
// all, and new ones as large as these. The seed decides which.
func TestModels(t *testing.T) {
	p, _ := generated(1, 20, 7, 2)
	drawn := map[string]bool{}
	for seed := range uint64(5) {
		p.Seed = seed
		for _, n := range []int{0, 1, 7, 20, 33} {
			got := withModels(p, n)
			models := got.Units()
			if want := max(n, 20*(1-min(n, 1))); len(models) != want || len(got.Instances) != 7*want {
				t.Fatalf("%d models: %d with %d instances", n, len(models), len(got.Instances))
			}
			for i, model := range models {
				if model != p.Units()[min(i, 19)] && n == 20 || strings.HasPrefix(model, "New") && n <= 20 {
					t.Errorf("%d models: %s", n, model)
				}
			}
			if again := withModels(p, n); !reflect.DeepEqual(got, again) {
				t.Errorf("%d models: drawn twice, and different", n)
			}
			if n == 1 {
				drawn[models[0]] = true
			}
		}
	}
	if len(p.Instances) != 140 {
		t.Errorf("the plan itself has %d instances now", len(p.Instances))
	}
	if len(drawn) < 2 {
		t.Errorf("every seed draws %v", drawn)
	}
}

// TestQuestions: what makes no sense is said before anything is read.
func TestQuestions(t *testing.T) {
	for _, q := range []Question{{Slots: 1}, {Hosts: 1}, {Hosts: mostHosts + 1, Slots: 1}, {Hosts: 1, Slots: 1, Models: mostModels + 1},
		{Hosts: 1, Slots: 1, Limit: time.Microsecond}, {Hosts: 1, Slots: 1, Limit: 2000 * time.Hour}} {
		q.Of = "nowhere"
		var wrong *QuestionError
		if _, err := Simulate(t.Context(), q); !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), "--") {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// TestDisk: what runs keep on disk is added up; where nobody knows, the mean of the
// others stands for it.
func TestDisk(t *testing.T) {
	p, took := generated(3, 2, 4, 2)
	h := NewHistory()
	var want int64
	n := int64(0)
	for _, model := range p.Units() {
		for run := range p.RunsOf(model) {
			taken := took[run]
			if n%2 == 0 {
				taken.Disk = 1000 + n*10
				want += taken.Disk
			}
			n++
			h.Add(run, taken)
		}
	}
	f := forecast(t, p, h, Options{Hosts: Equal(1, 1), Samples: 2})
	if f.Disk.P50 != 2*want {
		t.Errorf("%d bytes, want %d", f.Disk.P50, 2*want)
	}
	none := known(p, took, func(string, campaign.Run) bool { return true })
	if f := forecast(t, p, none, Options{Hosts: Equal(1, 1), Samples: 2}); f.Disk != (Spread{}) {
		t.Errorf("nothing is known, and %+v is forecast", f.Disk)
	}
}

// TestTools: fewer tools are some of the plan's own; of more, the new ones take as many cores as one of them.
func TestTools(t *testing.T) {
	p, _ := generated(1, 3, 2, 4)
	own := map[string]int{}
	for _, tool := range p.Tools {
		own[tool.Name]++
	}
	for _, n := range []int{0, 1, 4, 9} {
		got, seen := withTools(p, n), map[string]bool{}
		for i, tool := range got.Tools {
			if seen[tool.Name] || i < len(p.Tools) && own[tool.Name] == 0 || i >= len(p.Tools) && !strings.HasPrefix(tool.Name, "New") {
				t.Errorf("%d tools: tool %d is %s", n, i, tool.Name)
			}
			seen[tool.Name] = true
		}
		if want := max(n, 4*(1-min(n, 1))); len(got.Tools) != want || len(p.Tools) != 4 {
			t.Errorf("%d tools: %d, and the plan itself has %d", n, len(got.Tools), len(p.Tools))
		}
	}
}
