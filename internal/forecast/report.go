package forecast

import (
	"fmt"
	"io"
	"time"

	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Write prints the forecast for people, in lines of less than 80 columns.
func (f *Forecast) Write(out io.Writer) error {
	w := &report{Writer: out}
	w.say("%s of %s, limit %s, on %s with %s in all\n\n", wording.Count(f.Runs, "run", "runs"), wording.Count(f.Models, "model", "models"), limitText(f.Limit), wording.Count(f.Hosts, "host", "hosts"), wording.Count(f.Slots, "slot", "slots"))
	w.table("\tp10\tp50\tp90\tworst\t", func(t io.Writer) {
		for _, line := range []struct {
			what string
			of   Spread
			form func(int64) string
		}{{"CPU time", f.CPU, hours}, {"time of runs", f.Run, hours}, {"end", f.End, days}, {"time of hosts", f.Occupied, days}, {"disk", f.Disk, bytes}} {
			worst := "-"
			if line.of.Worst > 0 {
				worst = line.form(line.of.Worst)
			}
			if line.of.P90 > 0 {
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t\n", line.what, line.form(line.of.P10), line.form(line.of.P50), line.form(line.of.P90), worst)
			}
		}
	})
	w.say("p10: one sample in ten is below it, p50: half of them, p90: nine in ten.\nWorst: every run goes to its limit.\n")
	if f.Disk.P90 == 0 {
		w.say("How much they write is not known: only campaigns say it.\n")
	}
	w.pins(f)
	if len(f.Limits) > 0 {
		w.say("\nWith a shorter limit of CPU time (else of wall time), of time and answers:\n")
		w.table("limit\ttime saved\tanswers lost\tCPU time\tend\t", func(t io.Writer) {
			for _, o := range f.Limits {
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t\n", limitText(o.Limit), percent(o.Saved), percent(o.Lost), hours(o.CPU), days(o.End))
			}
		})
		if f.Untimed > 0 {
			w.say("At most so many are lost: of %s nobody knows when the\nanswers were given, and they count as given at the end.\n", wording.Count(f.Untimed, "run", "runs"))
		}
	}
	if len(f.Numbers) > 0 {
		w.say("\nWith other numbers of hosts:\n")
		w.table("hosts\tend\tslots in use\t", func(t io.Writer) {
			for _, n := range f.Numbers {
				fmt.Fprintf(t, "%d\t%s\t%s\t\n", n.Hosts, days(n.End), percent(n.Busy))
			}
		})
	}
	w.say("\nWhere the times come from (%s of what is not known):\n", wording.Count(f.Samples, "sample", "samples"))
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
	t := wording.Numbers(w)
	fmt.Fprintln(t, head)
	rows(t)
	t.Flush()
}

// pins says what follows from each model's being run on one host.
func (w *report) pins(f *Forecast) {
	w.say("\nNo placement of the models is expected to end before %s;\nthis one ends after %s.\n", days(f.Bound), days(f.Expected))
	w.say("The largest model takes %s on a host of its own:\n  %s\n", days(f.Critical.Alone), diagnostic.Printable(f.Critical.Model))
	if f.Critical.Alone*20 >= f.Expected*19 {
		w.say("It decides the end: more hosts do not help, more slots on its host do.\n")
	}
	if f.Lost.Host != "" {
		w.say("If its last host is lost half way and its models are run again elsewhere,\nthe end is after %s.\n", days(f.Lost.End))
	}
}

// hours returns microseconds in a unit that fits, at most hours.
func hours(us int64) string {
	for _, unit := range []struct {
		name string
		of   time.Duration
	}{{"h", time.Hour}, {"min", time.Minute}} {
		if x := float64(us) / float64(unit.of.Microseconds()); x >= 1 {
			return fmt.Sprintf("%.1f %s", x, unit.name)
		}
	}
	return fmt.Sprintf("%.1f s", float64(us)/1e6)
}

// days returns microseconds as hours does, and in days from two days on.
func days(us int64) string {
	if x := float64(us) / float64((24 * time.Hour).Microseconds()); x >= 2 {
		return fmt.Sprintf("%.1f days", x)
	}
	return hours(us)
}

func bytes(n int64) string {
	if n < 1e9 {
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
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
