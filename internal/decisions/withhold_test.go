package decisions

import (
	"strings"
	"testing"

	"podium/internal/campaign"
)

// TestWithhold: a decision that chooses a hidden instance or names one keeps number, date and rulings, and no text of it is left.
func TestWithhold(t *testing.T) {
	hidden := []campaign.PlannedInstance{{ID: "Owl-PT-7", Family: "Owl"}}
	mentions := func(text string) bool { return strings.Contains(strings.ToLower(text), "owl") }
	for _, test := range []struct {
		withheld bool
		change   func(*Decision)
	}{
		{false, func(*Decision) {}},
		{true, func(d *Decision) { d.Instance = "Owl-PT-7" }},
		{true, func(d *Decision) { d.Instance = "O*" }},
		{true, func(d *Decision) { d.Instance = "o??-pt-[7]" }},
		{true, func(d *Decision) { d.Instance = "*" }},
		{false, func(d *Decision) { d.Instance = "Ring-PT-*" }},
		{false, func(d *Decision) { d.Examination = "OneSafe" }},
		{true, func(d *Decision) { d.Reason = "as for the owl" }},
		{true, func(d *Decision) { d.Author = "Owl's friends" }},
		{true, func(d *Decision) { d.Link = "https://example.org/owl" }},
		{true, func(d *Decision) { d.Kind, d.Tool, d.Only = Redo, "", "model=O*" }},
		{true, func(d *Decision) { d.Kind, d.Tool, d.Only = Redo, "", "tool=A instance=OWL*,Ring*" }},
		{true, func(d *Decision) { d.Kind, d.Tool, d.Only = Redo, "", "model!=?wl" }},
		{false, func(d *Decision) { d.Kind, d.Tool, d.Only = Redo, "", "tool=A host=node3" }},
		{true, func(d *Decision) {
			d.Kind, d.Tool, d.Instance, d.Examination, d.Item, d.Value = Correct, "", "[N-P]*", "StateSpace", "STATES", "4711"
		}},
		{true, func(d *Decision) {
			d.Kind, d.Tool, d.Examination, d.Item = Exclude, "", "UpperBounds", "Owl-PT-7-UpperBounds-01"
		}},
	} {
		d := decision(test.change)
		d.Effect = []string{"Owl-PT-7 StateSpace STATES: 4711 -> ?", "A: rank 1 -> 2"}
		if err := d.Check(); err != nil {
			t.Fatal(err)
		}
		r := &Record{Decisions: []Decision{d}}
		got := r.Withhold(hidden, mentions).Decisions[0]
		if (got.Text() == withheldText) != test.withheld || (got.Reason == "") != test.withheld || (got.Author == "") != test.withheld {
			t.Errorf("%s is shown as %+v", d.Text(), got)
		}
		shown := strings.Join(append(got.Effect, got.Text(), got.Why(), got.Reason, got.Author, got.Link), "\n")
		for _, word := range []string{"Owl", "owl", "OWL", "?wl", "4711", "rank"} {
			if strings.Contains(shown, word) {
				t.Errorf("%s: %q tells %s", d.Text(), shown, word)
			}
		}
		if len(got.rulings()) != len(d.rulings()) || !got.At.Equal(d.At) || len(r.Decisions[0].Effect) != 2 {
			t.Errorf("%s: it is another decision now: %+v, or the record is", d.Text(), got)
		}
	}
}
