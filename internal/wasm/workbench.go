package main

import (
	"context"
	"encoding/json"

	"podium/internal/referee"
	"podium/internal/workbench"
)

func init() {
	bench := &workbench.Bench{}
	options := referee.Options{Budget: workbench.Budget, Memory: workbench.Memory, Version: "workbench"}
	register("workbench-add", func(request []byte) ([]byte, error) {
		var file struct {
			workbench.File
			Exam string `json:"examination"`
		}
		if err := json.Unmarshal(request, &file); err != nil {
			return nil, err
		}
		r, err := bench.Add(context.Background(), file.File, file.Exam)
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	})
	register("workbench-form", func([]byte) ([]byte, error) {
		r, err := bench.Form(context.Background(), options)
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	})
	register("workbench-decide", func(exam []byte) ([]byte, error) {
		r, err := bench.Decide(context.Background(), string(exam), options)
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	})
}
