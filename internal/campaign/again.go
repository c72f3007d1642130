package campaign

import (
	"context"
	"maps"
	"slices"
	"time"
)

// Again asks for runs to be done again that have an end. The end counts until the run
// has another one: nothing is lost when the new attempt never ends.
type Again struct {
	Model string    `json:"model"`
	Ends  []EndOf   `json:"ends"`
	At    time.Time `json:"at"`
	// Decision is the SHA-256 of the file of the decision that asks: it asks as long as
	// the decision is there and in force. Empty: a person asked by `podium run --again`.
	Decision string `json:"decision,omitempty"`
}

// EndOf names an end of a run, or with an empty worker that it is void.
type EndOf struct {
	Run     Run       `json:"run"`
	Worker  string    `json:"worker,omitempty"`
	Started time.Time `json:"started,omitzero"`
}

// endKey is an end as maps find it.
type endKey struct {
	run     Run
	worker  string
	started int64
}

func (e EndOf) key() endKey { return endKey{e.Run, e.Worker, e.Started.UnixNano()} }

func (f *Finished) key() endKey {
	return EndOf{f.Run, f.Worker, f.Outcome.Started}.key()
}

// wished are the runs that were asked for again.
type wished struct {
	all  []*Again
	ends map[endKey]time.Time // that count only as long as there is no other, and when that was asked last
	at   map[Run]time.Time    // of the last wish
	void map[Run]time.Time    // of the last attempt that was final and void
}

func newWished() wished {
	return wished{ends: map[endKey]time.Time{}, at: map[Run]time.Time{}, void: map[Run]time.Time{}}
}

// wish takes a record in. What is not in the plan is an error.
func (l *Log) wish(a *Again) error {
	for _, e := range a.Ends {
		if _, err := l.campaign.Plan.model(e.Run); err != nil {
			return err
		}
	}
	l.wished.all = append(l.wished.all, a)
	l.heed(a)
	return nil
}

// heed follows a wish, unless it is that of a decision that is not in force.
func (l *Log) heed(a *Again) {
	if a.Decision != "" && !l.decided.force[a.Decision] {
		return
	}
	for _, e := range a.Ends {
		if e.Worker != "" {
			key := e.key()
			if last, known := l.wished.ends[key]; !known || a.At.After(last) {
				l.wished.ends[key] = a.At
			}
			l.touched[e.Run] = true
		}
		if a.At.After(l.wished.at[e.Run]) {
			l.wished.at[e.Run] = a.At
		}
	}
}

// heedAll follows all wishes again, after decisions.
func (l *Log) heedAll() {
	clear(l.wished.ends)
	clear(l.wished.at)
	for _, a := range l.wished.all {
		l.heed(a)
		for _, e := range a.Ends {
			l.touched[e.Run] = true
		}
	}
}

// wishedEnd reports whether an end counts only as long as there is no other.
func (l *Log) wishedEnd(f *Finished) bool {
	_, is := l.wished.ends[f.key()]
	return is
}

// Wanted reports whether a run that has an end is still to be done again.
func (l *Log) Wanted(run Run) bool {
	f, finished := l.Finished[run]
	return finished && l.wishedEnd(f) && !l.wished.void[run].After(l.wished.at[run])
}

// wishesOf lists the ends of a model's runs that are chosen, to be asked for again.
func (l *Log) wishesOf(model string, chosen func(Run) bool) (list []EndOf) {
	for run := range l.campaign.Plan.RunsOf(model) {
		f, finished := l.Finished[run]
		_, void := l.Void[run]
		switch {
		case !finished && !void || !chosen(run):
		case finished:
			list = append(list, EndOf{run, f.Worker, f.Outcome.Started})
		default:
			list = append(list, EndOf{Run: run})
		}
	}
	return list
}

// Ends lists the ends of the chosen runs, by model.
func (l *Log) Ends(chosen func(Run) bool) map[string][]EndOf {
	all := map[string][]EndOf{}
	for _, model := range l.campaign.Plan.Units() {
		if list := l.wishesOf(model, chosen); len(list) > 0 {
			all[model] = list
		}
	}
	return all
}

// Ask records, for the decision whose file will have a SHA-256, that runs with these
// ends are to be done again. It has no effect before the decision is written.
func (c *Campaign) Ask(ctx context.Context, version, decision string, ends map[string][]EndOf) error {
	return c.writeWhole(version, func(write func(Record) error) error {
		for _, model := range slices.Sorted(maps.Keys(ends)) {
			if err := write(Record{Again: &Again{model, ends[model], time.Now().UTC(), decision}}); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}
