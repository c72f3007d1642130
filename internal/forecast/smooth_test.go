package forecast

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"podium/internal/campaign"
)

// TestRestDoesNotJump plays a fixed series of ends, of which one in fifty comes at the
// limit of an hour, and reads what is said after each. From one end to the next what is
// said moves, beside the time that went by, by a few percent at most, where the forecasts
// jump by a fourth; and it is as near to what happens as they are.
func TestRestDoesNotJump(t *testing.T) {
	p, took := generated(3, 12, 4, 3)
	draw := rand.New(rand.NewPCG(3, 6))
	for _, model := range p.Units() {
		for run := range p.RunsOf(model) {
			us := int64(20e6 * math.Exp(draw.NormFloat64()))
			if draw.IntN(50) == 0 {
				us = hour
			}
			took[run] = Taken{CPU: us, Wall: us, OutOfTime: us == hour}
		}
	}
	r := newRest(p, &campaign.Log{})
	type said struct {
		at          time.Time
		shown, pure int64
	}
	var all []said
	last := play(took, r, 4, func(now time.Time, runs int) {
		if p.Count()-runs < 4 { // all that is left is under way
			return
		}
		r.next = time.Time{}
		r.Remark(now)
		all = append(all, said{now, r.shown.left.Middle, r.Time(now).Middle})
	})
	var jump, pure float64
	for i := 20; i < len(all); i++ { // of fewer nothing is known
		gone := all[i].at.Sub(all[i-1].at).Microseconds()
		move := func(before, after int64) float64 {
			return math.Abs(float64(after-before+gone)) / float64(max(before, after))
		}
		if gone > all[i].shown/100 { // a while without an end is news
			continue
		}
		jump = max(jump, move(all[i-1].shown, all[i].shown))
		pure = max(pure, move(all[i-1].pure, all[i].pure))
	}
	t.Logf("it moves by at most %.1f %%, the forecasts by %.1f %%", 100*jump, 100*pure)
	if jump > 0.03 || pure < 0.2 {
		t.Errorf("from one end to the next it moves by %.1f %%, the forecasts by %.1f %%", 100*jump, 100*pure)
	}
	for _, i := range []int{len(all) / 2, len(all) * 3 / 4, len(all) * 9 / 10} {
		was := last.Sub(all[i].at).Microseconds()
		t.Logf("%d of %d: said %s, forecast %s, was %s", i, len(all), roughly(all[i].shown), roughly(all[i].pure), roughly(was))
		if off := wrong(all[i].shown, was); off > wrong(all[i].pure, was)+0.1 {
			t.Errorf("after %d runs it says %s, the forecast %s, and %s is left", i, roughly(all[i].shown), roughly(all[i].pure), roughly(was))
		}
	}
}

// short is a contest of a laptop: most runs take tenths of a second, one in fifteen goes to
// its limit of CPU time of 10 s, and one in two hundred sleeps until its limit of wall time.
func short(seed uint64) (*campaign.Plan, map[campaign.Run]Taken) {
	p, took := generated(seed, 7, 2, 5)
	p.Sequential = campaign.Confinement{CPUTime: 10 * second, WallTime: 40 * second, Cores: 1}
	draw := rand.New(rand.NewPCG(seed, 6))
	for _, model := range p.Units() {
		for run := range p.RunsOf(model) {
			us := int64(0.15e6 * math.Exp(0.8*draw.NormFloat64()))
			took[run] = Taken{CPU: us, Wall: us + 50_000}
			switch draw.IntN(200) {
			case 0:
				took[run] = Taken{CPU: second, Wall: 40 * second, OutOfTime: true}
			case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13:
				took[run] = Taken{CPU: 10 * second, Wall: 10*second + 300_000, OutOfTime: true}
			}
		}
	}
	return p, took
}

// TestRestOfShortContests plays contests of minutes. From one end to the next what is said
// moves, beside the time that went by, by a tenth and eight times the share of what was left
// that went by; it never says more than all limits together, and after 20 runs nothing of a
// worst case of hours.
func TestRestOfShortContests(t *testing.T) {
	for _, seed := range []uint64{3, 6, 8, 14, 16, 19} { // those in which runs sleep near the end, and others
		p, took := short(seed)
		r := newRest(p, &campaign.Log{})
		var before Left
		var at time.Time
		play(took, r, 2, func(now time.Time, runs int) {
			r.next = time.Time{}
			said := r.Remark(now)
			left, gone := r.shown.left, now.Sub(at).Microseconds()
			if runs > 20 && strings.Contains(said, "h") || left.Runs > 0 && !strings.HasPrefix(said, ", left: about ") {
				t.Errorf("seed %d, after %d runs: it says %q", seed, runs, said)
			}
			if runs > 20 && left.Worst < max(left.Middle, left.Most) {
				t.Errorf("seed %d, after %d runs: more is left than all limits together: %+v", seed, runs, left)
			}
			if runs > 20 && left.Runs > 2 { // the last two are under way
				move := math.Abs(float64(left.Middle-before.Middle+gone)) / float64(max(left.Middle, before.Middle))
				if move > 0.1+8*float64(gone)/float64(before.Middle) {
					t.Errorf("seed %d, after %d runs: it moves by %.0f %% from %s to %s", seed, runs, 100*move, before, left)
				}
			}
			before, at = left, now
		})
	}
}
