package forecast

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"podium/pnml/diagnostic"
)

// Write prints the forecast for people, in lines of less than 80 columns.
func (f *Forecast) Write(out io.Writer) error {
	w := &report{Writer: out}
	w.say("%d runs of %d models, limit %s, on %d hosts with %d slots in all\n\n", f.Runs, f.Models, limitText(f.Limit), f.Hosts, f.Slots)
	w.table("\tp10\tp50\tp90\tworst\t", func(t io.Writer) {
		for _, line := range []struct {
			what string
			of   Spread
			unit time.Duration
		}{{"CPU hours", f.CPU, time.Hour}, {"hours of runs", f.Run, time.Hour}, {"days until the end", f.End, day}, {"days of hosts", f.Occupied, day}} {
			worst := "-"
			if line.of.Worst > 0 {
				worst = in(line.of.Worst, line.unit)
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t\n", line.what, in(line.of.P10, line.unit), in(line.of.P50, line.unit), in(line.of.P90, line.unit), worst)
		}
	})
	w.say("p10: one sample in ten is below it, p50: half of them, p90: nine in ten.\nWorst: every run goes to its limit.\n")
	w.pins(f)
	if len(f.Limits) > 0 {
		w.say("\nWith a shorter limit, in hours of runs and in answers:\n")
		w.table("limit\tsaved\tanswers lost\tCPU hours\tdays until the end\t", func(t io.Writer) {
			for _, o := range f.Limits {
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t\n", limitText(o.Limit), percent(o.Saved), percent(o.Lost), in(o.CPU, time.Hour), in(o.End, day))
			}
		})
		if f.Untimed > 0 {
			w.say("At most so many are lost: of %d runs nobody knows when they\ngave their answers, and they count as given at the end.\n", f.Untimed)
		}
	}
	if len(f.Numbers) > 0 {
		w.say("\nWith other numbers of hosts:\n")
		w.table("hosts\tdays until the end\tslots in use\t", func(t io.Writer) {
			for _, n := range f.Numbers {
				fmt.Fprintf(t, "%d\t%s\t%s\t\n", n.Hosts, in(n.End, day), percent(n.Busy))
			}
		})
	}
	w.say("\nWhere the times come from (%d samples of what is not known):\n", f.Samples)
	w.table("runs\t  as\t", func(t io.Writer) {
		for _, s := range sources {
			if n := f.Sources[s]; n > 0 {
				fmt.Fprintf(t, "%d\t  %s\t\n", n, s)
			}
		}
	})
	return w.err
}

// report writes until the first error.
type report struct {
	io.Writer
	err error
}

func (w *report) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	var n int
	n, w.err = w.Writer.Write(p)
	return n, w.err
}

func (w *report) say(format string, args ...any) { fmt.Fprintf(w, format, args...) }

func (w *report) table(head string, rows func(t io.Writer)) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, head)
	rows(t)
	t.Flush()
}

// pins says what follows from each model's being run on one host.
func (w *report) pins(f *Forecast) {
	w.say("\nNo placement of the models is expected to end before %s days;\nthis one ends after %s.\n", in(f.Bound, day), in(f.Expected, day))
	w.say("The largest model takes %s days on a host of its own:\n  %s\n", in(f.Critical.Alone, day), diagnostic.Printable(f.Critical.Model))
	if f.Critical.Alone*20 >= f.Expected*19 {
		w.say("It decides the end: more hosts do not help, more slots on its host do.\n")
	}
	if f.Lost.Host != "" {
		w.say("If its last host is lost half way and its models are run again elsewhere,\nthe end is after %s days.\n", in(f.Lost.End, day))
	}
}

const day = 24 * time.Hour

// in gives microseconds in a unit.
func in(us int64, unit time.Duration) string {
	x := float64(us) / float64(unit.Microseconds())
	if x < 1 {
		return fmt.Sprintf("%.3f", x)
	}
	return fmt.Sprintf("%.1f", x)
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func limitText(us int64) string {
	if us == 0 {
		return "none"
	}
	t := (time.Duration(us) * time.Microsecond).String()
	for _, tail := range []string{"m0s", "h0m"} {
		if len(t) > len(tail) && t[len(t)-len(tail):] == tail {
			t = t[:len(t)-len(tail)+1]
		}
	}
	return t
}
