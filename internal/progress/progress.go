// Package progress shows how far a worker is, on a terminal or in a file.
package progress

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"podium/internal/campaign"
	"podium/internal/forecast"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Progress shows how far the runs are and forecasts the rest: a bar on a terminal, a
// plain line now and then elsewhere.
type Progress struct {
	out     io.Writer
	bar     *progressbar.ProgressBar // nil off a terminal
	quiet   bool
	rest    *forecast.Rest
	total   int
	ended   func() int // counts the runs of the campaign that are done, whoever did them
	before  int        // of these, when this worker began
	all     int        // of these, as far as is known
	next    time.Time  // when they are to be counted again
	done    int        // by this worker
	void    int
	begun   time.Time
	spoken  time.Time
	waiting map[string]bool
}

// speakEvery is the time between two lines off a terminal.
const speakEvery = 10 * time.Second

// Screen returns the terminal that a writer writes to; nil where it is none.
func Screen(w io.Writer) *os.File {
	if f, ok := diagnostic.Raw(w).(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// countShare is the time between two counts of what all workers have done, as a multiple of what one
// takes: runs are measured meanwhile.
const countShare = 500

// New begins to show the runs of a plan of so many. Ended counts those that are done, also by
// workers beside this one. Quiet leaves out all but what went wrong.
func New(out io.Writer, total int, ended func() int, rest *forecast.Rest, quiet bool) *Progress {
	now := time.Now()
	p := &Progress{out: out, quiet: quiet, rest: rest, total: total, ended: ended, begun: now, spoken: now, waiting: map[string]bool{}}
	if quiet {
		return p
	}
	p.before = ended()
	p.all = p.before
	if p.before > 0 {
		fmt.Fprintf(out, "going on: %s done already\n", wording.Part(p.before, total, "runs is", "runs are"))
	}
	if screen := Screen(out); screen != nil {
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(screen), progressbar.OptionSetDescription("runs"), progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(false), progressbar.OptionSetWidth(12), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish())
		_ = p.bar.Set(p.all)
	}
	return p
}

// Observe takes in a step of the worker.
func (p *Progress) Observe(e campaign.Event) {
	now := time.Now()
	if !p.quiet {
		p.rest.Observe(e, now)
	}
	switch {
	case e.Finished != nil:
		p.end()
	case e.Voided != nil:
		p.say("void attempt %d of %s: %s", e.Voided.Attempt, e.Voided.Run, e.Voided.Reason)
		if !e.Voided.Final {
			return
		}
		p.end()
		p.void++
	case e.Waiting != nil:
		if !p.waiting[e.Waiting.Worker] {
			p.waiting[e.Waiting.Worker] = true
			p.say("some models are left to worker %s, process %d on %s", e.Waiting.Worker, e.Waiting.PID, e.Waiting.Host)
		}
	case e.Lost != nil:
		p.say("model %s was taken over by another worker, since this one gave no sign of life for its lease", e.Lost.Model)
		return
	case e.Ahead != nil:
		p.say("model %s is taken over: the last sign of life of the worker that had it is dated %s in the future, so the clock of the file system has jumped", e.Ahead.Model, e.Ahead.By.Round(time.Second))
		return
	default:
		return
	}
	if p.quiet {
		return
	}
	p.count(now)
	if p.bar != nil {
		p.bar.Describe("runs" + p.rest.Remark(now))
		_ = p.bar.Set(p.all)
	} else if now.Sub(p.spoken) >= speakEvery {
		p.spoken = now
		fmt.Fprintf(p.out, "%d of %d runs%s\n", p.all, p.total, p.rest.Remark(now))
	}
}

// end counts a run that this worker has done.
func (p *Progress) end() {
	p.done++
	p.all++
}

// count counts what all workers have done, when it is time.
func (p *Progress) count(now time.Time) {
	if now.Before(p.next) {
		return
	}
	begun := time.Now()
	p.all = p.ended()
	p.next = now.Add(max(time.Second, countShare*time.Since(begun)))
}

// say prints a line without tearing the bar.
func (p *Progress) say(format string, args ...any) {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintf(p.out, format+"\n", args...)
}

// Finish says what was done.
func (p *Progress) Finish() {
	if p.quiet {
		return
	}
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintf(p.out, "%s in %s", wording.Count(p.done, "run", "runs"), time.Since(p.begun).Round(100*time.Millisecond))
	if p.void > 0 {
		fmt.Fprintf(p.out, ", %d of them void", p.void)
	}
	if all := p.ended(); all > p.before+p.done {
		fmt.Fprintf(p.out, " by this worker; of the campaign, %s done", wording.Part(all, p.total, "run is", "runs are"))
	}
	fmt.Fprintln(p.out)
}
