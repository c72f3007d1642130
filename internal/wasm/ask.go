package main

import (
	"encoding/json"
	"errors"
	"strconv"

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
	register("plot", func(request []byte) ([]byte, error) {
		var p ask.PlotRequest
		if err := json.Unmarshal(request, &p); err != nil {
			return nil, err
		}
		if session == nil {
			return nil, errNoContest
		}
		drawn, err := session.Plot(p)
		if err != nil {
			return nil, err
		}
		return json.Marshal(drawn)
	})
	register("plot-run", func(request []byte) ([]byte, error) {
		run, err := strconv.Atoi(string(request))
		if err != nil {
			return nil, err
		}
		if session == nil {
			return nil, errNoContest
		}
		of, err := session.RunAt(run)
		if err != nil {
			return nil, err
		}
		return json.Marshal(of)
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
