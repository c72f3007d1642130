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
		r, err := bench.Form(context.Background(), referee.Options{Budget: workbench.FormBudget, Memory: workbench.FormMemory, Version: "workbench"})
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	})
}
