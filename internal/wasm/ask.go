package main

import (
	"encoding/json"
	"errors"

	"podium/internal/ask"
)

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
	register("ask", func(request []byte) ([]byte, error) {
		if session == nil {
			return nil, errors.New("there is no contest yet to ask about")
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
