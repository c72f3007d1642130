package main

import (
	"context"
	"encoding/json"

	"podium/internal/referee"
	"podium/internal/workbench"
)

func init() {
	bench := &workbench.Bench{}
	register("workbench-add", func(request []byte) ([]byte, error) {
		var file struct {
			workbench.File
			Exam      string `json:"examination"`
			Intervals bool   `json:"intervals"`
		}
		if err := json.Unmarshal(request, &file); err != nil {
			return nil, err
		}
		bench.Intervals = file.Intervals
		r, err := bench.Add(context.Background(), file.File, file.Exam)
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	})
	register("workbench-unpack", func(request []byte) ([]byte, error) {
		files, err := workbench.Unpack(request)
		if err != nil {
			return nil, err
		}
		return json.Marshal(files)
	})
	register("workbench-form", func(request []byte) ([]byte, error) {
		asked, err := searchOf(request)
		if err != nil {
			return nil, err
		}
		r, err := bench.Form(context.Background(), asked.limits)
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	})
	register("workbench-decide", func(request []byte) ([]byte, error) {
		asked, err := searchOf(request)
		if err != nil {
			return nil, err
		}
		r, err := bench.Decide(context.Background(), asked.Exam, asked.limits)
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	})
}

// search is what a page asks to be decided, and how long that may take.
type search struct {
	Exam    string `json:"examination"`
	Seconds int    `json:"seconds"`
	limits  referee.Options
}

func searchOf(request []byte) (s search, err error) {
	if err = json.Unmarshal(request, &s); err == nil {
		s.limits, err = workbench.Within(s.Seconds)
	}
	return s, err
}
