package whatif

import (
	"math/bits"

	"podium/confidence"
	"podium/scoring"
)

// Limits stop runs of a contest earlier than they were stopped; 0 is no limit.
type Limits struct {
	CPU, Wall int64 // microseconds
	Memory    int64 // bytes
}

// Within returns the contest as if each run had been stopped at some limits. As in the contest, a value
// counts that a run said before it was stopped for its time, and a run without any is out of
// time. Times of answers are wall times: the CPU time until an answer is taken to be the same
// share of all CPU time of the run as its wall time is of all wall time. Where it is not known
// when a value was said, it is as if the run had said it at its end; so it is with all values
// of a run that was too large, because nobody knows when that was. A task has its one
// value at the end of the run.
func Within(c *scoring.Contest, l Limits) *scoring.Contest {
	out, ballots := *c, *c.Ballots
	out.Runs, ballots.Cells = append([]scoring.Run(nil), c.Runs...), append([]confidence.Answer(nil), c.Ballots.Cells...)
	out.Ballots, out.Untimed = &ballots, 0
	for i, s := range c.Sheets {
		for t := range c.Tools {
			run := out.Run(i, t)
			tooLarge := l.Memory > 0 && run.Memory > l.Memory
			tooLong := l.CPU > 0 && run.CPU > l.CPU || l.Wall > 0 && run.Wall > l.Wall
			if run.Participation == scoring.Absent || run.Participation == scoring.Void || !tooLarge && !tooLong {
				continue
			}
			if run.Participation != scoring.Answered { // it has nothing to lose
				if tooLong {
					l.stop(run)
				}
				continue
			}
			kept, untimed := false, false
			for cell := int(s.First)*len(c.Tools) + t; cell < int(s.First+s.Values)*len(c.Tools); cell += len(c.Tools) {
				said := answeredAt(c, cell)
				switch {
				case ballots.Cells[cell] == confidence.None:
					continue
				case !tooLarge && said > 0 && l.allow(said, run):
					kept = true
					continue
				case !tooLarge && said == 0:
					untimed = true
				}
				ballots.Cells[cell] = confidence.None
			}
			if untimed {
				out.Untimed++
			}
			if !kept {
				run.Participation = scoring.OutOfTime
			}
			if tooLong {
				l.stop(run)
			}
		}
	}
	return &out
}

// answeredAt is when an answer was given, by its cell, in microseconds of wall time; 0 where that
// is not known.
func answeredAt(c *scoring.Contest, cell int) int64 {
	if c.AnsweredAt == nil {
		return 0
	}
	return int64(c.AnsweredAt[cell]) * 1000
}

// allow reports whether a run has said something before it is stopped for its time.
func (l *Limits) allow(said int64, run *scoring.Run) bool {
	if l.Wall > 0 && said > l.Wall && run.Wall > l.Wall {
		return false
	}
	if l.CPU == 0 || run.CPU <= l.CPU {
		return true
	}
	// said / wall time <= limit / CPU time
	high, low := bits.Mul64(uint64(said), uint64(run.CPU))
	most, least := bits.Mul64(uint64(l.CPU), uint64(max(0, run.Wall)))
	return high < most || high == most && low <= least
}

// stop gives a run the times at which it is stopped.
func (l *Limits) stop(run *scoring.Run) {
	cpu, wall := run.CPU, run.Wall
	run.Ending = scoring.AtTimeLimit
	if l.CPU > 0 && cpu > l.CPU {
		run.CPU, run.Wall = l.CPU, min(run.Wall, share(wall, l.CPU, cpu))
	}
	if l.Wall > 0 && wall > l.Wall {
		run.CPU, run.Wall = min(run.CPU, share(cpu, l.Wall, wall)), min(run.Wall, l.Wall)
	}
}

// share is part / whole of a time, where part < whole; a time that was not measured stays so.
func share(time, part, whole int64) int64 {
	if time < 0 {
		return time
	}
	high, low := bits.Mul64(uint64(time), uint64(part))
	of, _ := bits.Div64(high, low, uint64(whole))
	return int64(of)
}
