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
	before  int // done by earlier workers
	done    int
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

// New begins to show the runs of a plan of so many, of which the log has some. Quiet
// leaves out all but what went wrong.
func New(out io.Writer, total int, log *campaign.Log, rest *forecast.Rest, quiet bool) *Progress {
	now := time.Now()
	p := &Progress{out: out, quiet: quiet, rest: rest, total: total, before: len(log.Finished) + len(log.Void), begun: now, spoken: now, waiting: map[string]bool{}}
	if quiet {
		return p
	}
	if p.before > 0 {
		fmt.Fprintf(out, "going on: %s done already\n", wording.Part(p.before, total, "runs is", "runs are"))
	}
	if screen := Screen(out); screen != nil {
		p.bar = progressbar.NewOptions(total-p.before,
			progressbar.OptionSetWriter(screen), progressbar.OptionSetDescription("runs"), progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(false), progressbar.OptionSetWidth(12), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish())
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
		p.done++
	case e.Voided != nil:
		p.say("void attempt %d of %s: %s", e.Voided.Attempt, e.Voided.Run, e.Voided.Reason)
		if !e.Voided.Final {
			return
		}
		p.done++
		p.void++
	case e.Waiting != nil:
		if !p.waiting[e.Waiting.Worker] {
			p.waiting[e.Waiting.Worker] = true
			p.say("some models are left to worker %s, process %d on %s", e.Waiting.Worker, e.Waiting.PID, e.Waiting.Host)
		}
		return
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
	if p.bar != nil {
		p.bar.Describe("runs" + p.rest.Remark(now))
		_ = p.bar.Add(1)
	} else if now.Sub(p.spoken) >= speakEvery {
		p.spoken = now
		fmt.Fprintf(p.out, "%d of %d runs%s\n", p.before+p.done, p.total, p.rest.Remark(now))
	}
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
	fmt.Fprintln(p.out)
}
