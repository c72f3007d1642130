package forecast

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/internal/campaign"
	"podium/vm"
)

// finished is the end of a run that took so long.
func finished(run campaign.Run, t Taken) *campaign.Finished {
	f := &campaign.Finished{Run: run, Outcome: vm.Outcome{CPUTime: vm.Took(time.Duration(t.CPU) * time.Microsecond), WallTime: vm.Took(time.Duration(t.Wall) * time.Microsecond)}}
	if t.OutOfTime {
		f.Outcome.Termination = vm.OutOfTime
	}
	return f
}

// look is what was seen of a contest while it was run.
type look struct {
	share float64 // of the runs that had ended
	left  Left
	plain int64 // the time so far, in proportion to the runs
	was   int64 // what was left indeed
}

// play does the runs that r says are left on slots of one host, in the order of the
// plan, tells it each step, and calls ended after each end. It returns the last end.
func play(took map[campaign.Run]Taken, r *Rest, slots int, ended func(now time.Time, runs int)) time.Time {
	type end struct {
		run campaign.Run
		at  time.Time
	}
	now, open, under, runs := time.Unix(0, 0), r.open(), []end{}, 0
	for len(open)+len(under) > 0 {
		if len(open) > 0 && len(under) < slots {
			run := open[0]
			open = open[1:]
			r.Observe(campaign.Event{Started: &campaign.Started{Run: run}}, now)
			e := end{run, now.Add(time.Duration(took[run].Wall) * time.Microsecond)}
			i, _ := slices.BinarySearchFunc(under, e, func(a, b end) int { return a.at.Compare(b.at) })
			under = slices.Insert(under, i, e)
			continue
		}
		run := under[0].run
		now, under = under[0].at, under[1:]
		f := finished(run, took[run])
		r.Observe(campaign.Event{Finished: f}, now)
		runs++
		ended(now, runs)
	}
	return now
}

// live plays what is left and looks at the forecast at some shares of all runs.
func live(p *campaign.Plan, took map[campaign.Run]Taken, r *Rest, slots int, shares []float64) (looks []look) {
	begun := time.Unix(0, 0)
	var at []time.Time
	all := p.Count()
	before := all - len(r.open())
	last := play(took, r, slots, func(now time.Time, ended int) {
		if len(shares) > 0 && float64(before+ended) >= shares[0]*float64(all) {
			plain := now.Sub(begun).Microseconds() / int64(ended) * int64(all-before-ended)
			looks, at = append(looks, look{share: shares[0], left: r.Time(now), plain: plain}), append(at, now)
			shares = shares[1:]
		}
	})
	for i := range looks {
		looks[i].was = last.Sub(at[i]).Microseconds()
	}
	return looks
}

// wrong is by what power of e a forecast is wrong.
func wrong(forecast, was int64) float64 { return math.Abs(math.Log(float64(forecast) / float64(was))) }

// TestRest runs contests from nothing, so that the forecast knows only what has ended.
// What happens is between the least and the most that it says, and at half of the runs
// of the published contest it is within 10 %.
func TestRest(t *testing.T) {
	shares := []float64{0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99}
	inside := func(l look) bool { return l.left.Least <= l.was && l.was <= l.left.Most }
	t.Run("generated", func(t *testing.T) {
		in, n := 0, 0
		for seed := range uint64(12) {
			p, took := generated(seed, 20, 8, 6)
			for _, l := range live(p, took, newRest(p, &campaign.Log{}), 4, shares[2:5]) {
				if n++; inside(l) {
					in++
				}
			}
		}
		t.Logf("%d of %d inside", in, n)
		if in < n/2 {
			t.Errorf("only %d of %d are between least and most", in, n)
		}
	})
	t.Run("2019", func(t *testing.T) {
		p, took := contest2019(t)
		looks := live(p, took, newRest(p, &campaign.Log{}), 16, shares)
		for _, l := range looks {
			t.Logf("%2.0f %%: %s, was %s (%+.0f %%)", 100*l.share, l.left, roughly(l.was), 100*off(l.left.Middle, l.was))
			if !inside(l) || l.left.Worst < l.was {
				t.Errorf("at %.0f %% of the runs %v µs are left, and the forecast is %+v", 100*l.share, l.was, l.left)
			}
		}
		if l := looks[3]; math.Abs(off(l.left.Middle, l.was)) > 0.1 {
			t.Errorf("at half of the runs the forecast is %+.1f %% off", 100*off(l.left.Middle, l.was))
		}
	})
}

// TestRestAgain stops contests at half of their runs and goes on. The forecast knows the
// first half, and is nearer to what happens than the time since then in proportion to
// the runs, which jumps.
func TestRestAgain(t *testing.T) {
	contests(t, func(t *testing.T, p *campaign.Plan, took map[campaign.Run]Taken) {
		log := &campaign.Log{Finished: map[campaign.Run]*campaign.Finished{}}
		half := p.Count() / 2
		for run, n := range order(p) {
			if n < half {
				log.Finished[run] = finished(run, took[run])
			}
		}
		r := newRest(p, log)
		r.addLog()
		var mine, plain float64
		for _, l := range live(p, took, r, 4, []float64{0.501, 0.505, 0.51, 0.52, 0.55, 0.6}) {
			t.Logf("%.1f %%: off %+.0f %%, in proportion %+.0f %%", 100*l.share, 100*off(l.left.Middle, l.was), 100*off(l.plain, l.was))
			mine, plain = mine+wrong(l.left.Middle, l.was), plain+wrong(l.plain, l.was)
		}
		if mine >= plain {
			t.Errorf("the forecast is wrong by e^%.2f, what is in proportion by e^%.2f", mine/6, plain/6)
		}
	})
}

// order gives every run its place in the order of the plan.
func order(p *campaign.Plan) map[campaign.Run]int {
	at := map[campaign.Run]int{}
	for _, model := range p.Units() {
		for run := range p.RunsOf(model) {
			at[run] = len(at)
		}
	}
	return at
}

// TestRestOfHistory knows an earlier contest, on hosts that were half as quick, and each
// run took more or less by half or so. When a tenth has ended the forecast has seen
// that, and is within 10 % from then on.
func TestRestOfHistory(t *testing.T) {
	contests(t, func(t *testing.T, p *campaign.Plan, took map[campaign.Run]Taken) {
		draw := rand.New(rand.NewPCG(1, 5))
		r := newRest(p, &campaign.Log{})
		for _, model := range p.Units() {
			for run := range p.RunsOf(model) {
				was := took[run]
				if was.Wall = int64(2 * float64(was.Wall) * math.Exp(draw.NormFloat64()/2)); was.Wall >= hour {
					was.Wall, was.OutOfTime = hour, true
				}
				r.history.Add(run, was)
			}
		}
		r.addLog()
		in := 0
		looks := live(p, took, r, 4, []float64{0.01, 0.1, 0.25, 0.5, 0.75})
		for _, l := range looks[1:] {
			t.Logf("%.0f %%: %s, was %s (%+.1f %%)", 100*l.share, l.left, roughly(l.was), 100*off(l.left.Middle, l.was))
			if math.Abs(off(l.left.Middle, l.was)) > 0.1 {
				t.Errorf("at %.0f %% of the runs the forecast is %+.1f %% off", 100*l.share, 100*off(l.left.Middle, l.was))
			}
			if l.left.Least <= l.was && l.was <= l.left.Most {
				in++
			}
		}
		if first := looks[0]; first.left.Middle < first.was || in < 3 {
			t.Errorf("it begins with %+v where %d is left, and %d are between least and most", first.left, first.was, in)
		}
	})
}

// TestRestSteps: what is left follows what the worker does, also where others hold
// models, runs are void, or a model is done again.
func TestRestSteps(t *testing.T) {
	p, took := generated(4, 4, 3, 2)
	begun := time.Unix(0, 0)
	first, second := p.Units()[0], p.Units()[1]
	of := func(model string) (list []campaign.Run) { return slices.Collect(p.RunsOf(model)) }
	r := newRest(p, &campaign.Log{})
	expect := func(runs int, remark string) {
		t.Helper()
		if got := r.Time(begun).Runs; got != runs {
			t.Errorf("%d runs are left, want %d", got, runs)
		}
		r.next = time.Time{}
		if got := r.Remark(begun); !strings.HasPrefix(got, remark) {
			t.Errorf("it says %q, want %q", got, remark)
		}
	}
	each := p.Count() / 4
	expect(4*each, ", left: at most 5d00h")
	r.Observe(campaign.Event{Waiting: &campaign.Lease{Model: first}}, begun)
	expect(3*each, ", left: at most 3d18h")
	run := of(first)[0]
	r.Observe(campaign.Event{Started: &campaign.Started{Run: run}}, begun) // it is given back
	expect(4*each, ", left: at most 5d00h")
	r.Observe(campaign.Event{Voided: &campaign.Voided{Run: run}}, begun)
	expect(4*each, "")
	r.Observe(campaign.Event{Voided: &campaign.Voided{Run: run, Final: true}}, begun)
	expect(4*each-1, "")
	for _, run := range of(second) {
		r.Observe(campaign.Event{Started: &campaign.Started{Run: run}}, begun)
	}
	if r.slots != each {
		t.Errorf("%d runs at one time, want %d", r.slots, each)
	}
	r.Observe(campaign.Event{Lost: &campaign.Lease{Model: second}}, begun)
	expect(3*each-1, "")
	if len(r.since) != 0 {
		t.Errorf("of a model that was taken over %d runs are under way", len(r.since))
	}

	log := &campaign.Log{Finished: map[campaign.Run]*campaign.Finished{}}
	for _, run := range append(of(first), of(second)...) {
		log.Finished[run] = finished(run, took[run])
	}
	r = newRest(p, log)
	r.addLog()
	expect(2*each, ", left: about ") // two models are too few to say how sure it is
	if l := r.shown.left; strings.ContainsAny(l.String(), "(,") || l.Middle == 0 || l.Least != 0 || l.Most != 0 {
		t.Errorf("of two models more is known than can be: %+v, %s", l, l)
	}
	r.again = []string{first}
	expect(3*each, "")
	for _, run := range of(p.Units()[2]) {
		log.Finished[run] = finished(run, took[run])
	}
	r = newRest(p, log)
	r.addLog()
	expect(each, ", left: about ")
	if got, want := r.shown.left.after(time.Duration(r.shown.left.Middle-5e6)*time.Microsecond), int64(5e6); got.Middle != want || got.Least != 1 && got.Least >= want {
		t.Errorf("counted down to %+v", got)
	}
	if left, _ := Work(p, log, nil, begun); left.Runs != each || left.Least <= 0 || left.Most < left.Middle || left.Worst != int64(each)*hour {
		t.Errorf("the work that is left is %+v", left)
	}
	for _, model := range p.Units() {
		for _, run := range of(model) {
			log.Finished[run] = finished(run, took[run])
		}
	}
	if left, _ := Work(p, log, nil, begun); left != (Left{}) || left.String() != "" {
		t.Errorf("nothing is left, and that is %+v", left)
	}
}

// TestRestUnderWay: a run that is under way takes longer than it has taken.
func TestRestUnderWay(t *testing.T) {
	p, took := generated(4, 1, 3, 2)
	runs := slices.Collect(p.RunsOf(p.Units()[0]))
	r := newRest(p, &campaign.Log{})
	for _, run := range runs[1:] {
		r.Observe(campaign.Event{Started: &campaign.Started{Run: run}}, time.Unix(0, 0))
		took := took[run]
		took.Wall = 10 * second
		f := finished(run, took)
		r.Observe(campaign.Event{Finished: f}, time.Unix(12, 0)) // two seconds beside it
	}
	r.slots = 1
	r.Observe(campaign.Event{Started: &campaign.Started{Run: runs[0]}}, time.Unix(100, 0))
	for _, c := range []struct{ after, want int64 }{{0, 12}, {7, 5}, {11, 1}, {13, 3589}, {3700, 0}} {
		if l := r.Time(time.Unix(100+c.after, 0)); l.Runs != 1 || l.Middle != c.want*second {
			t.Errorf("after %d s %+v is left, want %d s", c.after, l, c.want)
		}
	}
	// Under a limit of CPU time, what computes all the time ends there; what does not may
	// take twice as long as until now, and no longer than its limit of wall time.
	p.Sequential.CPUTime = 20 * second
	for _, c := range []struct{ after, want int64 }{{13, 9}, {21, 1}, {23, 23}, {3000, 602}, {3700, 0}} {
		if l := r.Time(time.Unix(100+c.after, 0)); l.Middle != c.want*second {
			t.Errorf("with a limit of CPU time after %d s %+v is left, want %d s", c.after, l, c.want)
		}
	}
}

// TestExpected: a run that is under way takes as long as the runs most like it that
// took longer than it has already, or else goes to its limit.
func TestExpected(t *testing.T) {
	p, _ := generated(4, 2, 3, 2)
	runs := slices.Collect(p.RunsOf(p.Units()[0]))
	run := runs[0]
	log := &campaign.Log{Finished: map[campaign.Run]*campaign.Finished{}}
	begun := time.Unix(100, 0)
	expected := func(after int64) Expected {
		_, list := Work(p, log, Begun{run: begun}, begun.Add(time.Duration(after)*time.Second))
		return list[run]
	}
	if got := expected(5); got != (Expected{0, hour}) {
		t.Errorf("when nothing is known it is %+v", got)
	}
	took := int64(10)
	for _, other := range runs[1:] {
		if other.Tool == run.Tool && other.Exam == run.Exam {
			log.Finished[other] = finished(other, Taken{CPU: took * second, Wall: took * second})
			took += 20
		} else {
			log.Finished[other] = finished(other, Taken{CPU: 999 * second, Wall: 999 * second})
		}
	}
	for _, c := range []struct{ after, want int64 }{{0, 20}, {10, 20}, {11, 30}, {30, 30}, {31, 3600}} {
		if got := expected(c.after); got != (Expected{c.want * second, hour}) {
			t.Errorf("after %d s it is %+v, want %d s", c.after, got, c.want)
		}
	}
}

// TestRoughly: times in at most two units.
func TestRoughly(t *testing.T) {
	for _, c := range []struct {
		seconds float64
		want    string
	}{{0.4, "0s"}, {59.6, "1m0s"}, {119, "1m59s"}, {150, "3m"}, {3570, "60m"}, {3600, "1h00m"}, {7260, "2h01m"}, {172799, "48h00m"}, {172800, "2d00h"}, {1e6, "11d14h"}} {
		if got := roughly(int64(1e6 * c.seconds)); got != c.want {
			t.Errorf("%g s: %s, want %s", c.seconds, got, c.want)
		}
	}
}
