package explorer

import (
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/clock/clocktest"
	"podium/internal/explorer/space"
	"podium/internal/nettest"
	"podium/pnml/unfold"
)

// many is a state formula of so many atoms, all of which are false.
func many(atoms int, places []string) formula.Formula {
	f := &formula.Or{}
	for range atoms {
		f.Fs = append(f.Fs, &formula.LessEqual{Left: &formula.Number{N: 1000}, Right: &formula.TokensCount{Places: places}})
	}
	return f
}

// TestClock: the context is looked at as often as the work of formulas asks for,
// however few markings there are, and when it has ended nothing more is done and
// nothing is answered.
func TestClock(t *testing.T) {
	net := nettest.Philosophers(3)
	var places []string
	for p := range net.Places.Len() {
		places = append(places, net.Places.At(p))
	}
	const atoms = 10_000
	all := space.Explore(t.Context(), net, space.Options{})
	defer all.Close()
	work := int(all.States()) * atoms * len(places)
	state := many(atoms, places)
	for _, c := range []struct {
		exam examinations.ID
		f    formula.Formula
	}{
		{examinations.ReachabilityCardinality, &formula.ExistsPath{F: &formula.Finally{F: state}}},
		{examinations.CTLCardinality, &formula.ExistsPath{F: &formula.Next{F: &formula.ExistsPath{F: &formula.Finally{F: state}}}}},
		{examinations.LTLCardinality, &formula.ExistsPath{F: &formula.Finally{F: &formula.Globally{F: state}}}},
	} {
		props := []formula.Property{{ID: "f", Formula: c.f}}
		for _, opt := range []Options{{Unreduced: true}, {Unreduced: true, Cores: 3, tuning: space.Tuning{LearnAfter: 1, LeastWindow: 4}}, {}} {
			decide := func(looks int) (asked int, report Report, answers int) {
				ctx := clocktest.Looks(looks)
				report, err := Decide(ctx, unfold.Plain(net), c.exam, props, opt, func(Answer) { answers++ })
				if err != nil {
					t.Fatal(err)
				}
				return ctx.Asked(), report, answers
			}
			asked, report, answers := decide(1 << 40)
			if report.Stop == space.Interrupted || answers != 1 {
				t.Fatalf("%s: %v, %d answers", c.exam, report.Stop, answers)
			}
			if opt.Unreduced && asked < work/clock.Between {
				t.Errorf("%s: %d looks at %d units of work", c.exam, asked, work)
			}
			most := 3
			if !opt.Unreduced {
				most = 64 // a reduction looks where the net is whole, at every place
			}
			for looks := 0; looks < asked; looks += asked/4 + 1 {
				if after, report, answers := decide(looks); report.Stop != space.Interrupted || answers > 0 || after > looks+most {
					t.Errorf("%s: %v after %d of %d looks, %d answers, %d more looks", c.exam, report.Stop, looks, asked, answers, after-looks)
				}
			}
		}
	}
}

// TestRefusedInTime: an ended context takes back no error about a property that
// makes no sense.
func TestRefusedInTime(t *testing.T) {
	net := nettest.Philosophers(3)
	nonsense := []formula.Property{
		{ID: "unknown", Formula: &formula.ExistsPath{F: &formula.Finally{F: &formula.Fireable{Transitions: []string{"nowhere"}}}}},
		{ID: "good", Formula: &formula.ExistsPath{F: &formula.Finally{F: many(10_000, []string{net.Places.At(0)})}}},
	}
	for _, exam := range []examinations.ID{examinations.ReachabilityFireability, examinations.CTLFireability, examinations.LTLFireability} {
		for _, opt := range []Options{{Unreduced: true}, {}} {
			report, err := Decide(clocktest.Looks(1), unfold.Plain(net), exam, nonsense, opt, func(Answer) {})
			if report.Stop != space.Interrupted || err == nil || !strings.Contains(err.Error(), `"unknown"`) {
				t.Errorf("%s: %v, %v", exam, report.Stop, err)
			}
		}
	}
}
