package progress

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/term"

	"podium/internal/campaign"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Between two looks at the journals lies a multiple of what a look takes, so that runs
// are not disturbed, but not less nor more than this.
const (
	watchShare = 20
	watchLeast = time.Second
	watchMost  = time.Minute
)

// Watch shows a status until all runs have an end that were chosen when it began, which
// gives that status, or until ctx ends, which gives its error. On a terminal the status
// is drawn again in place. Any other writer gets one line with all counts, and then a
// line for each run that is begun, ends, or is left by a worker that is gone.
func Watch(ctx context.Context, c *campaign.Campaign, log *campaign.Log, out io.Writer, o StatusOptions) (*Status, error) {
	w := &watch{out: out, plan: &c.Plan}
	if screen := Screen(out); screen != nil {
		w.out = screen
		w.size = func() (int, int, error) { return term.GetSize(int(screen.Fd())) }
	}
	o.freeze(&c.Plan)
	for {
		o.Now = time.Now()
		r, err := NewStatus(c, log, o)
		took := time.Since(o.Now)
		if err == nil {
			err = w.show(r, log)
		}
		if err != nil || r.complete() {
			return r, err
		}
		select {
		case <-ctx.Done():
			return r, ctx.Err()
		case <-time.After(min(max(watchLeast, watchShare*took), watchMost)):
		}
		if err := log.Update(ctx); err != nil {
			return r, err
		}
	}
}

// freeze chooses the runs that are chosen now: which fit may change as runs end.
func (o *StatusOptions) freeze(p *campaign.Plan) {
	if o.Only == nil {
		return
	}
	chosen := map[campaign.Run]bool{}
	for _, unit := range p.Units() {
		for run := range p.RunsOf(unit) {
			if o.Only(run) {
				chosen[run] = true
			}
		}
	}
	o.Only = func(run campaign.Run) bool { return chosen[run] }
}

// complete reports whether nothing is to be waited for.
func (r *Status) complete() bool { return r.Left+r.Wanted+len(r.Running) == 0 }

// watch is what was shown so far.
type watch struct {
	out    io.Writer
	plan   *campaign.Plan
	size   func() (width, height int, err error) // of the terminal; nil off one
	lines  int                                   // on the terminal
	states []Fate                                // of the chosen runs, in the order of the plan
}

// show shows a status.
func (w *watch) show(r *Status, log *campaign.Log) error {
	if w.size != nil {
		return w.draw(r)
	}
	return w.tell(r, log)
}

// draw writes the status over the last one, the table last. Lines that the terminal has
// no room for are left out, since it could not be drawn over them.
func (w *watch) draw(r *Status) error {
	var text strings.Builder
	if err := r.writeCounts(&text); err != nil {
		return err
	}
	r.writeRunning(&text)
	r.writeTable(&text)
	width, height, err := w.size()
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(diagnostic.Clean(text.String()), "\n"), "\n")
	if room := max(2, height-1); len(lines) > room {
		lines = append(lines[:room-1:room-1], fmt.Sprintf("(%s more; --only shows some runs)", wording.Count(len(lines)-room+1, "line", "lines")))
	}
	back := ""
	if w.lines > 0 {
		back = fmt.Sprintf("\x1b[%dA", w.lines)
	}
	w.lines = len(lines)
	for i := range lines {
		lines[i] = wording.CutEnd(lines[i], max(1, width))
	}
	_, err = io.WriteString(w.out, back+"\r\x1b[J"+strings.Join(lines, "\n")+"\n")
	return err
}

// tell writes what has changed since the last status.
func (w *watch) tell(r *Status, log *campaign.Log) error {
	var text strings.Builder
	n := 0
	hosts := map[campaign.Run]string{}
	for _, c := range r.Running {
		hosts[campaign.Run{Tool: c.Tool, Instance: c.Instance, Exam: c.Examination, Repetition: c.Repetition}] = diagnostic.Line(c.Host)
	}
	for _, unit := range w.plan.Units() {
		for run := range w.plan.RunsOf(unit) {
			if !r.only(run) {
				continue
			}
			if now := r.states[n]; w.states != nil && now != w.states[n] {
				fmt.Fprintf(&text, "%s %s: %s\n", r.at.UTC().Format(time.RFC3339), diagnostic.Line(run.String()), became(now, log, run, hosts[run]))
			}
			n++
		}
	}
	if w.states == nil {
		fmt.Fprintf(&text, "%d of %d runs done, %d running, %d missing, %d void\n", r.all.Done, r.all.Planned, r.all.Running, r.all.Missing, r.all.Void)
	}
	w.states = r.states
	_, err := io.WriteString(w.out, text.String())
	return err
}

// became says what a run is now.
func became(now Fate, log *campaign.Log, run campaign.Run, host string) string {
	switch now {
	case Running:
		return "running on " + host
	case Done, Stopped, Crashed:
		return "done, " + log.Finished[run].Outcome.EndedAfter()
	case Void:
		return "void, " + diagnostic.Line(log.Void[run].Reason)
	}
	return "missing, its worker is gone"
}
