package forecast

import (
	"time"

	"podium/internal/campaign"
	"podium/models"
)

// Begun are runs that are under way, with the time when they began.
type Begun map[campaign.Run]time.Time

// Expected is how long a run that is under way takes in all. Times are
// microseconds, 0 where nothing is known or nothing limits it.
type Expected struct {
	Middle int64 // mean of the runs most like it that took longer than it has taken already
	Most   int64 // its limit of wall time
}

// Work is the wall time of all runs together that the log has no end of, and how long
// each of those takes that are under way.
func Work(plan *campaign.Plan, log *campaign.Log, begun Begun, now time.Time) (Left, map[campaign.Run]Expected) {
	left := plan.Count() > len(log.Finished)+len(log.Void)
	if !left && len(begun) == 0 {
		return Left{}, nil
	}
	r := newRest(plan, log)
	r.addLog()
	var work Left
	if left {
		work = r.sketch(time.Time{}).left(0, 1)
	}
	return work, r.expected(begun, now)
}

// Going is how long a campaign goes on, if as many runs as are under way now are always
// under way, and how long each of those takes. Nothing is known of the end while none is.
func Going(plan *campaign.Plan, log *campaign.Log, begun Begun, now time.Time) (Left, map[campaign.Run]Expected) {
	if len(begun) == 0 {
		return Left{}, nil
	}
	r := newRest(plan, log)
	r.addLog()
	r.since = begun
	return r.sketch(now).left(0, len(begun)), r.expected(begun, now)
}

// expected looks at each run that is under way.
func (r *Rest) expected(begun Begun, now time.Time) map[campaign.Run]Expected {
	list := make(map[campaign.Run]Expected, len(begun))
	for run, since := range begun {
		l := limitsOfRun(r.plan, run)
		x := Expected{Middle: r.history.longer(run, l, now.Sub(since).Microseconds())}
		if most, ok := l.most(); ok {
			x.Most = most.wall
			if x.Middle == 0 && r.history.Len() > 0 {
				x.Middle = x.Most
			}
		}
		list[run] = x
	}
	return list
}

func limitsOfRun(plan *campaign.Plan, run campaign.Run) limits {
	tool, _ := plan.Tool(run.Tool)
	asked, _ := plan.Instance(run.Instance)
	return limitsOf(plan.Confinement(tool, asked))
}

// Limit is what limits the wall time of a run, in microseconds; 0 where nothing does.
func Limit(plan *campaign.Plan, run campaign.Run) int64 {
	most, _ := limitsOfRun(plan, run).most()
	return most.wall
}

// longer is the mean time under limits of the runs most like one that took longer than
// it has taken already; 0 where none did.
func (h *History) longer(run campaign.Run, l limits, spent int64) int64 {
	var like []int32
	if own, ok := h.of[h.key(run)]; ok {
		like = []int32{own}
	}
	for _, k := range likes(run, models.ParseAnyID(run.Instance).Family) {
		if len(like) == 0 {
			like = h.alike[k]
		}
	}
	var sum, n int64
	for _, i := range like {
		if took := h.taken[i].under(l).wall; took >= spent {
			sum, n = sum+took, n+1
		}
	}
	return sum / max(1, n)
}
