package progress

import (
	"time"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/forecast"
	"podium/vm"
)

// Snapshot is what the journals of a campaign say of its runs at one time.
type Snapshot struct {
	Plan  *campaign.Plan
	Log   *campaign.Log
	Under []campaign.UnderWay
	Begun forecast.Begun // the same runs, and since when
}

// NewSnapshot looks at a campaign now. The log is asked as the snapshot is used.
func NewSnapshot(p *campaign.Plan, log *campaign.Log) (*Snapshot, error) {
	under, err := log.UnderWay()
	l := &Snapshot{p, log, under, forecast.Begun{}}
	for _, u := range under {
		l.Begun[u.Run] = u.Since
	}
	return l, err
}

// Fate is what became of a run.
type Fate uint8

// The fates.
const (
	Missing Fate = iota // not begun, or begun by a worker that is gone
	Running             // a living worker is at it, also when it is done again
	Done                // ended by itself
	Stopped             // by a limit
	Crashed             // by a signal, or with an exit code that is not 0
	Void                // given up, by a fault that is not the tool's
	fates
)

// String is the word of pages, and their class.
func (f Fate) String() string {
	return [...]string{"missing", "running", "done", "stopped", "crashed", "void"}[f]
}

// Seen is a planned run and what became of it.
type Seen struct {
	campaign.Run
	Fate Fate
	Last Fate               // that of its last end, also where it is done again
	End  *campaign.Finished // nil where it has none
	Void campaign.Voided    // of a void run
}

// Runs lists the runs of the plan, in its order.
func (l *Snapshot) Runs(yield func(Seen) bool) {
	for _, unit := range l.Plan.Units() {
		for run := range l.Plan.RunsOf(unit) {
			s := Seen{Run: run, End: l.Log.Finished[run]}
			if s.End != nil {
				s.Last = fateOf(s.End.Outcome.Termination, s.End.Outcome.ExitCode)
			} else if v, gaveUp := l.Log.Void[run]; gaveUp {
				s.Last, s.Void = Void, v
			}
			s.Fate = s.Last
			if _, now := l.Begun[run]; now {
				s.Fate = Running
			}
			if !yield(s) {
				return
			}
		}
	}
}

func fateOf(end vm.Termination, code int) Fate {
	switch {
	case end == vm.Exited && code == 0:
		return Done
	case end == vm.Exited, end == vm.Signalled, end == vm.Panicked:
		return Crashed
	}
	return Stopped
}

// Tally counts runs by what became of them.
type Tally [fates]int

// All and the others are what templates ask.
func (t Tally) All() (n int) {
	for _, k := range t {
		n += k
	}
	return n
}

// Ended counts those that nothing is to be waited for.
func (t Tally) Ended() int   { return t.All() - t[Missing] - t[Running] }
func (t Tally) Missing() int { return t[Missing] }
func (t Tally) Running() int { return t[Running] }
func (t Tally) Stopped() int { return t[Stopped] }
func (t Tally) Crashed() int { return t[Crashed] }
func (t Tally) Void() int    { return t[Void] }

// Current is a run that is under way.
type Current struct {
	Tool        string          `json:"tool"`
	Instance    string          `json:"instance"`
	Examination examinations.ID `json:"examination"`
	Repetition  int             `json:"repetition,omitempty"` // 2 for the second time that the run is made
	Attempt     int             `json:"attempt"`
	Worker      string          `json:"worker"`
	Host        string          `json:"host"`
	Since       time.Time       `json:"since"`
	Expected    time.Time       `json:"expected_end,omitzero"` // as runs like it; missing where none is known
	Latest      time.Time       `json:"latest_end,omitzero"`   // by its limit; missing where nothing limits it
}

// Current tells of a run that is under way, with the end that a forecast expects.
func (l *Snapshot) Current(u campaign.UnderWay, x forecast.Expected) Current {
	after := func(us int64) (end time.Time) {
		if us > 0 {
			end = u.Since.Add(time.Duration(us) * time.Microsecond)
		}
		return end
	}
	return Current{u.Run.Tool, u.Run.Instance, u.Run.Exam, u.Run.Repetition, u.Attempt, u.Worker, u.Host, u.Since, after(x.Middle), after(forecast.Limit(l.Plan, u.Run))}
}
