package main

import (
	"encoding/json"
	"errors"

	"podium/internal/ask"
)

var errNoContest = errors.New("there is no contest yet to ask about")

func init() {
	var session *ask.Session
	register("contest", func(request []byte) ([]byte, error) {
		c, ed, err := ask.Read(request)
		if err != nil {
			return nil, err
		}
		session = ask.NewSession(c, ed)
		return json.Marshal(session.Names())
	})
	register("plot", answering(&session, (*ask.Session).Plot))
	register("plot-run", answering(&session, (*ask.Session).RunAt))
	register("model", answering(&session, (*ask.Session).Model))
	register("points", answering(&session, (*ask.Session).Points))
	register("together", func(request []byte) ([]byte, error) {
		if session == nil {
			return nil, errNoContest
		}
		t, err := session.Together(string(request))
		if err != nil {
			return nil, err
		}
		return json.Marshal(t)
	})
	register("ask", func(request []byte) ([]byte, error) {
		if session == nil {
			return nil, errNoContest
		}
		q, err := ask.Parse(string(request))
		if err != nil {
			return nil, err
		}
		a, err := session.Ask(q)
		if err != nil {
			return nil, err
		}
		return json.Marshal(a)
	})
}

// answering reads a request as JSON and returns the reply of a session to it.
func answering[Request, Reply any](session **ask.Session, reply func(*ask.Session, Request) (*Reply, error)) func([]byte) ([]byte, error) {
	return func(text []byte) ([]byte, error) {
		var request Request
		if err := json.Unmarshal(text, &request); err != nil {
			return nil, err
		}
		if *session == nil {
			return nil, errNoContest
		}
		r, err := reply(*session, request)
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	}
}
