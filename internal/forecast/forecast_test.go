package forecast

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/placement"
	"podium/internal/realdata"
)

const (
	second = int64(1e6)
	hour   = 3600 * second
)

// contest2019 is the published contest of 2019: its plan, and what its runs took.
func contest2019(t testing.TB) (*campaign.Plan, map[campaign.Run]Taken) {
	t.Helper()
	p, h, err := read2019(filepath.Join(realdata.Contest(t), "results", "raw-result-analysis-2019.csv.zip"))
	if err != nil {
		t.Fatal(err)
	}
	took := map[campaign.Run]Taken{}
	for _, model := range p.Units() {
		for run := range p.RunsOf(model) {
			if n, ok := h.of[h.key(run)]; ok {
				took[run] = h.taken[n]
			} else {
				took[run] = Taken{} // nobody knows of it: it took nothing
			}
		}
	}
	return p, took
}

// once2019 reads the file for all tests.
var once2019 struct {
	sync.Once
	plan    *campaign.Plan
	history *History
	err     error
}

func read2019(path string) (*campaign.Plan, *History, error) {
	o := &once2019
	o.Do(func() {
		o.history = NewHistory()
		o.plan, o.err = o.history.read(context.Background(), path, func(string) {})
	})
	return o.plan, o.history, o.err
}

// generated draws a contest: models are easy or hard, instances get harder, tools
// are quick or slow, and one run of eight or so is out of time.
func generated(seed uint64, models, instances, tools int) (*campaign.Plan, map[campaign.Run]Taken) {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &campaign.Plan{Seed: seed, Sequential: campaign.Confinement{WallTime: hour, CPUTime: hour, Cores: 1},
		Examinations: []examinations.ID{"StateSpace", "UpperBounds", "ReachabilityCardinality", "CTLFireability", "LTLCardinality"}}
	var quick []float64
	for t := range tools {
		p.Tools = append(p.Tools, campaign.PlannedTool{Name: fmt.Sprint("tool", t)})
		quick = append(quick, r.NormFloat64())
	}
	took := map[campaign.Run]Taken{}
	for m := range models {
		hard := 2 * r.NormFloat64()
		for i := range instances {
			family := fmt.Sprintf("Model%03d", m)
			id := fmt.Sprintf("%s-PT-%03d", family, i)
			p.Instances = append(p.Instances, campaign.PlannedInstance{ID: id, Family: family})
			for t := range tools {
				for _, exam := range p.Examinations {
					run := Taken{Answers: 16, CPU: int64(1e6 * math.Exp(hard+quick[t]+4*float64(i)/float64(instances)+2*r.NormFloat64()))}
					if run.CPU >= hour {
						run = Taken{CPU: hour, OutOfTime: true}
					}
					run.Wall = run.CPU
					took[campaign.Run{Tool: p.Tools[t].Name, Instance: id, Exam: exam}] = run
				}
			}
		}
	}
	p.Sort()
	return p, took
}

// known makes a history of the runs that pass.
func known(p *campaign.Plan, took map[campaign.Run]Taken, pass func(model string, run campaign.Run) bool) *History {
	h := NewHistory()
	for _, model := range p.Units() {
		for run := range p.RunsOf(model) {
			if t, ok := took[run]; ok && pass(model, run) {
				h.Add(run, t)
			}
		}
	}
	return h
}

func all(string, campaign.Run) bool { return true }

// happened plays a contest as it was, with the models placed by what h expects.
func happened(t testing.TB, p *campaign.Plan, h *History, took map[campaign.Run]Taken, hosts []placement.Host) (s sample) {
	t.Helper()
	e := newEstimate(p, h, nil)
	placed, err := e.place(hosts, e.prices(e.classes))
	if err != nil {
		t.Fatal(err)
	}
	s.end = placed.Play(func(model int) (times []int64) {
		for run := range p.RunsOf(placed.Units[model].Name) {
			s.run, s.cpu = s.run+took[run].Wall, s.cpu+took[run].CPU
			times = append(times, took[run].Wall)
		}
		return times
	}).End
	return s
}

func forecast(t testing.TB, p *campaign.Plan, h *History, o Options) *Forecast {
	t.Helper()
	f, err := Make(p, h, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// off is how far a forecast is from what happened.
func off(forecast, happened int64) float64 { return float64(forecast)/float64(happened) - 1 }

// contests calls try with a contest that is drawn, and with the published one of 2019.
func contests(t *testing.T, try func(t *testing.T, p *campaign.Plan, took map[campaign.Run]Taken)) {
	t.Run("generated", func(t *testing.T) {
		p, took := generated(1, 40, 10, 8)
		try(t, p, took)
	})
	t.Run("2019", func(t *testing.T) {
		p, took := contest2019(t)
		try(t, p, took)
	})
}

// TestForecastFromHalf forecasts contests from half of their own runs: hours, CPU
// hours and the end are within 10 % of what happened.
func TestForecastFromHalf(t *testing.T) {
	contests(t, func(t *testing.T, p *campaign.Plan, took map[campaign.Run]Taken) {
		for seed := range uint64(3) {
			r := rand.New(rand.NewPCG(seed, 2))
			h := known(p, took, func(string, campaign.Run) bool { return r.IntN(2) == 0 })
			hosts := Equal(4, 4)
			f, was := forecast(t, p, h, Options{Hosts: hosts, Samples: 20}), happened(t, p, h, took, hosts)
			t.Logf("%d of %d runs known: hours %+.1f %%, CPU hours %+.1f %%, end %+.1f %%; the end is expected %.2f %% after the bound", h.Len(), p.Count(),
				100*off(f.Run.P50, was.run), 100*off(f.CPU.P50, was.cpu), 100*off(f.End.P50, was.end), 100*off(f.Expected, f.Bound))
			for what, x := range map[string]float64{"hours": off(f.Run.P50, was.run), "CPU hours": off(f.CPU.P50, was.cpu), "end": off(f.End.P50, was.end)} {
				if math.Abs(x) > 0.1 {
					t.Errorf("the forecast of %s is %+.1f %% off", what, 100*x)
				}
			}
		}
	})
}

// TestPlacementOfContest places contests on few hosts and on many: where the times are
// as expected, the end is within 5 % of the bound.
func TestPlacementOfContest(t *testing.T) {
	contests(t, func(t *testing.T, p *campaign.Plan, took map[campaign.Run]Taken) {
		e := newEstimate(p, known(p, took, all), nil)
		costs := e.prices(e.classes)
		for _, n := range []int{2, 5, 10, 20, 40, 80} {
			placed, err := e.place(Equal(n, 4), costs)
			if err != nil {
				t.Fatal(err)
			}
			end, bound := placed.Play(nil).End, placement.Bound(placed.Hosts, placed.Units)
			t.Logf("%d hosts: the end is %.2f %% after the bound", n, 100*off(end, bound))
			if off(end, bound) > 0.05 || end < bound {
				t.Errorf("on %d hosts the end is %d, and the bound %d", n, end, bound)
			}
		}
	})
}

// TestForecastOfNew forecasts contests of which half of the instances, models or tools
// are new. How far that is off is logged; it must not be off by a factor.
func TestForecastOfNew(t *testing.T) {
	tries := uint64(2)
	if os.Getenv("PODIUM_SOAK") != "" {
		tries = 20
	}
	contests(t, func(t *testing.T, p *campaign.Plan, took map[campaign.Run]Taken) {
		for k, new := range []string{"instances", "models", "tools"} {
			within, worst := 0, 0.0
			for seed := range tries {
				half := map[string]bool{}
				r := rand.New(rand.NewPCG(seed, 3))
				h := known(p, took, func(model string, run campaign.Run) bool {
					name := []string{run.Instance, model, run.Tool}[k]
					if _, drawn := half[name]; !drawn {
						half[name] = r.IntN(2) == 0
					}
					return half[name]
				})
				if h.Len() == 0 {
					continue
				}
				f, was := forecast(t, p, h, Options{Hosts: Equal(4, 4), Samples: 40}), happened(t, p, h, took, Equal(4, 4))
				x := off(f.Run.P50, was.run)
				t.Logf("half of the %s known: hours %+.1f %%, end %+.1f %%, tenths %+.1f %% to %+.1f %%", new, 100*x, 100*off(f.End.P50, was.end), 100*off(f.Run.P10, was.run), 100*off(f.Run.P90, was.run))
				worst = max(worst, math.Abs(math.Log(1+x)))
				if f.Run.P10 <= was.run && was.run <= f.Run.P90 {
					within++
				}
			}
			t.Logf("half of the %s known: off by a factor of %.2f at most, %d of %d between the tenths", new, math.Exp(worst), within, tries)
			if worst > math.Log(2) {
				t.Errorf("half of the %s known: the forecast is off by a factor of %.2f", new, math.Exp(worst))
			}
		}
	})
}

// TestLimitsAreCounted compares what shorter limits save and lose, where every run is
// known, with the sums over the runs.
func TestLimitsAreCounted(t *testing.T) {
	contests(t, func(t *testing.T, p *campaign.Plan, took map[campaign.Run]Taken) {
		f := forecast(t, p, known(p, took, all), Options{Hosts: Equal(3, 2), Samples: 2})
		if len(f.Limits) != 7 || f.Limits[0].Limit != 60*second || f.Limits[3].Limit != 600*second {
			t.Fatalf("limits %+v", f.Limits)
		}
		for _, o := range f.Limits {
			var before, after, given, kept int64
			for _, run := range took {
				given += int64(run.Answers)
				if run.OutOfTime {
					before, after = before+hour, after+o.Limit
				} else {
					before, after = before+min(run.Wall, hour), after+min(run.Wall, o.Limit)
				}
				if run.Wall <= o.Limit {
					kept += int64(run.Answers)
				}
			}
			if f.Run.P50 != before || f.Run.P10 != before || math.Abs(off(o.Run, after)) > 1e-9 {
				t.Errorf("limit %d: %d µs of %d, want %d of %d", o.Limit, o.Run, f.Run.P50, after, before)
			}
			if saved, lost := 1-float64(after)/float64(before), 1-float64(kept)/float64(given); math.Abs(o.Saved-saved) > 1e-9 || math.Abs(o.Lost-lost) > 1e-9 {
				t.Errorf("limit %d: %.6f saved and %.6f lost, want %.6f and %.6f", o.Limit, o.Saved, o.Lost, saved, lost)
			}
			t.Logf("limit %s: %.1f %% of the hours saved, %.1f %% of the answers lost", limitText(o.Limit), 100*o.Saved, 100*o.Lost)
		}
	})
}

// TestUnder: what a run would have taken under other limits.
func TestUnder(t *testing.T) {
	at := []int64{2, 30, 90}
	for _, c := range []struct {
		taken Taken
		under limits
		want  cost
	}{
		{Taken{CPU: 100, Wall: 50, Answers: 3}, limits{}, cost{100, 50, 3}},
		{Taken{CPU: 100, Wall: 50, Answers: 3}, limits{cpu: 100, wall: 50}, cost{100, 50, 3}},
		{Taken{CPU: 100, Wall: 50, Answers: 3}, limits{cpu: 50}, cost{50, 25, 0}},
		{Taken{CPU: 50, Wall: 100, Answers: 3, At: at}, limits{wall: 40}, cost{20, 40, 2}},
		{Taken{CPU: 50, Wall: 100, Answers: 3, At: at}, limits{cpu: 5, wall: 40}, cost{5, 10, 1}},
		{Taken{CPU: 0, Wall: 100, Answers: 3}, limits{cpu: 1}, cost{0, 100, 3}},
		// A run that was out of time is so again, also under a longer limit.
		{Taken{CPU: 50, Wall: 100, OutOfTime: true}, limits{wall: 400}, cost{200, 400, 0}},
		{Taken{CPU: 100, Wall: 100, OutOfTime: true, Answers: 3, At: at}, limits{cpu: 1000, wall: 2000}, cost{1000, 1000, 3}},
		{Taken{CPU: 50, Wall: 100, OutOfTime: true}, limits{wall: 10}, cost{5, 10, 0}},
		{Taken{CPU: 50, Wall: 100, OutOfTime: true}, limits{}, cost{50, 100, 0}},
		{Taken{CPU: mostTime, Wall: 1, OutOfTime: true}, limits{wall: hour}, cost{mostTime, hour, 0}},
	} {
		if got := c.taken.under(c.under); got != c.want {
			t.Errorf("%+v under %+v: %+v, want %+v", c.taken, c.under, got, c.want)
		}
	}
	if most, ok := limitsOf(campaign.Confinement{WallTime: math.MaxInt64, Cores: math.MaxInt}).most(); !ok || most != (cost{cpu: mostTime, wall: mostTime}) {
		t.Errorf("the most under huge limits is %+v", most)
	}
	if got, want := (limits{cpu: 60, wall: 90}).with(10), (limits{cpu: 10, wall: 40}); got != want {
		t.Errorf("a shorter limit: %+v, want %+v", got, want)
	}
	if got, want := (limits{wall: 90}).with(10), (limits{wall: 10}); got != want {
		t.Errorf("a shorter limit of wall time: %+v, want %+v", got, want)
	}
}

// TestSources: what the time of a run comes from, the best first.
func TestSources(t *testing.T) {
	h := NewHistory()
	for i, run := range [][2]string{{"old", "A-PT-1"}, {"old", "B-PT-1"}, {"older", "C-PT-1"}} {
		h.Add(campaign.Run{Tool: run[0], Instance: run[1], Exam: "StateSpace"}, Taken{CPU: second, Wall: int64(i+1) * second})
	}
	h.Add(campaign.Run{Tool: "old", Instance: "A-PT-1", Exam: "LTLCardinality"}, Taken{CPU: -1, Wall: -1})
	h.Add(campaign.Run{Tool: "old", Instance: "A-PT-1", Exam: "CTLCardinality"}, Taken{CPU: mostTime + 1})
	if h.Len() != 3 || h.omits != 2 {
		t.Fatalf("%d runs, %d omitted", h.Len(), h.omits)
	}
	p := &campaign.Plan{Tools: []campaign.PlannedTool{{Name: "old"}, {Name: "new"}}, Examinations: []examinations.ID{"StateSpace", "OneSafe"}}
	for _, id := range []string{"A-PT-1", "A-PT-2", "New-PT-1"} {
		family, _, _ := strings.Cut(id, "-")
		p.Instances = append(p.Instances, campaign.PlannedInstance{ID: id, Family: family})
	}
	f := forecast(t, p, h, Options{Hosts: Equal(1, 1)})
	want := map[string]int{sources[0]: 1, sources[1]: 1, sources[2]: 1, sources[3]: 2, sources[4]: 1, sources[5]: 6}
	if !reflect.DeepEqual(f.Sources, want) {
		t.Errorf("%v, want %v", f.Sources, want)
	}
	if f.Limit != 0 || f.End.Worst != 0 {
		t.Errorf("without limits the worst is %+v under %d", f.End, f.Limit)
	}
	again := forecast(t, p, h, Options{Hosts: Equal(1, 1)})
	p.Seed++
	other := forecast(t, p, h, Options{Hosts: Equal(1, 1)})
	if !reflect.DeepEqual(f, again) || reflect.DeepEqual(f.Run, other.Run) {
		t.Error("the seed decides all that is random, and nothing else does")
	}
	if _, err := Make(p, NewHistory(), Options{Hosts: Equal(1, 1)}); err == nil {
		t.Error("a forecast from nothing")
	}
	if _, err := Make(p, h, Options{}); err == nil {
		t.Error("a forecast on no hosts")
	}
}

// TestReport: a forecast fits a terminal, also where names are long or hostile, and
// names the model that decides the end.
func TestReport(t *testing.T) {
	p, took := generated(2, 3, 4, 2)
	long := strings.Repeat("Long", 12)
	h := known(p, took, all)
	for i := range p.Instances {
		if p.Instances[i].Family == "Model001" {
			p.Instances[i] = campaign.PlannedInstance{ID: long + p.Instances[i].ID, Family: long + "\x1b[2J"}
		}
	}
	for run, taken := range took {
		if strings.HasPrefix(run.Instance, "Model001") {
			taken.Wall = hour
			h.Add(campaign.Run{Tool: run.Tool, Instance: long + run.Instance, Exam: run.Exam}, taken)
		}
	}
	p.Sort()
	f := forecast(t, p, h, Options{Hosts: Equal(12, 8), Limit: 90 * time.Minute})
	var out strings.Builder
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + out.String())
	for line := range strings.SplitSeq(out.String(), "\n") {
		if len([]rune(line)) > 79 || strings.ContainsAny(line, "\x1b\t") {
			t.Errorf("%d columns: %q", len([]rune(line)), line)
		}
	}
	for _, want := range []string{long, "more hosts do not help", "limit 1h30m", "At most so many are lost", "worst"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report does not say %q", want)
		}
	}
}

// BenchmarkForecast places and plays 250,000 runs on 40 hosts, once and in all samples
// of a forecast; at /rest half of them have ended.
func BenchmarkForecast(b *testing.B) {
	p, took := generated(1, 150, 28, 12)
	r := rand.New(rand.NewPCG(1, 4))
	h := known(p, took, func(string, campaign.Run) bool { return r.IntN(2) == 0 })
	log := &campaign.Log{Finished: map[campaign.Run]*campaign.Finished{}}
	half := p.Count() / 2
	for run, n := range order(p) {
		if n < half {
			log.Finished[run] = finished(run, took[run])
		}
	}
	took = nil
	b.Run("rest", func(b *testing.B) {
		for b.Loop() {
			Work(p, log, nil, time.Time{})
		}
	})
	b.Run("once", func(b *testing.B) {
		for b.Loop() {
			e := newEstimate(p, h, nil)
			t, err := e.trial(0, e.classes, Equal(40, 4))
			if err != nil {
				b.Fatal(err)
			}
			e.sample([]*trial{t}, 1)
		}
		memory(b, p)
	})
	b.Run("forecast", func(b *testing.B) {
		for b.Loop() {
			forecast(b, p, h, Options{Hosts: Equal(40, 4)})
		}
		memory(b, p)
	})
}

func memory(b *testing.B, p *campaign.Plan) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys-m.HeapReleased)/1e6, "MB")
	b.ReportMetric(float64(p.Count()), "runs")
}
