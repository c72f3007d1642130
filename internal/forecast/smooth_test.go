package forecast

import (
	"math"
	"math/rand/v2"
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
