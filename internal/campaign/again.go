package campaign

import "time"

// Again asks for runs to be done again that have an end. The end counts until the run
// has another one: nothing is lost when the new attempt never ends.
type Again struct {
	Model string    `json:"model"`
	Ends  []EndOf   `json:"ends"`
	At    time.Time `json:"at"`
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
	ends map[endKey]bool   // that count only as long as there is no other
	at   map[Run]time.Time // of the last wish
	void map[Run]time.Time // of the last attempt that was final and void
}

func newWished() wished {
	return wished{map[endKey]bool{}, map[Run]time.Time{}, map[Run]time.Time{}}
}

// wish takes a record in. What is not in the plan is an error.
func (l *Log) wish(a *Again) error {
	for _, e := range a.Ends {
		if _, err := l.campaign.Plan.model(e.Run); err != nil {
			return err
		}
		if e.Worker != "" {
			l.wished.ends[e.key()] = true
			l.touched[e.Run] = true
		}
		if a.At.After(l.wished.at[e.Run]) {
			l.wished.at[e.Run] = a.At
		}
	}
	return nil
}

// Wanted tells whether a run that has an end is still to be done again.
func (l *Log) Wanted(run Run) bool {
	f, finished := l.Finished[run]
	return finished && l.wished.ends[f.key()] && !l.wished.void[run].After(l.wished.at[run])
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
