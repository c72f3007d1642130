package cmd

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"podium/internal/ask"
	"podium/internal/ask/asktest"
	"podium/internal/judged"
	"podium/internal/publish"
)

// TestPapersAnswerAsTheQuestion: the rankings of tables for papers are those that the question has in
// `podium whatif --json` and on pages.
func TestPapersAnswerAsTheQuestion(t *testing.T) {
	c, ed := asktest.Contest(t)
	official := judged.OfResult(ed.Score(c), ed, nil)
	names, rng, answered := ask.NewSession(c, ed).Names(), rand.New(rand.NewPCG(3, 47)), 0
	for round := range 30 {
		q := ask.Question{}
		if round > 0 {
			q = asktest.Question(rng, names)
		}
		r, err := q.Score(official.Result, ed)
		if err != nil {
			continue
		}
		under, err := q.Edition(ed)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		paper := publish.Paper{Contest: &judged.OfResult(r, under, nil).Contest, Asked: q.String(), Sources: []judged.Named{{Name: "a", Text: "0123456789abcdef"}}}
		if err := publish.WritePaper(dir, "csv", &paper); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "rankings.csv"))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, row := range rows[1:] {
			if row[1] != "" {
				got[fmt.Sprint(row)] = true
			}
		}
		n := 0
		for _, board := range ask.NewScores(r, under).Boards {
			for _, line := range board.Lines {
				n++
				if want := fmt.Sprint([]string{board.Category, fmt.Sprint(line.Rank), line.Tool, line.Points, fmt.Sprint(line.Right), fmt.Sprint(line.Wrong), fmt.Sprint(line.Timeouts), fmt.Sprint(line.MemoryOuts)}); !got[want] {
					t.Errorf("%s: no row %s in\n%s", q, want, text)
				}
			}
		}
		if n != len(got) {
			t.Errorf("%s: %d rows, %d lines of the answer", q, len(got), n)
		}
		if n > 0 && q.String() != "" {
			answered++
		}
	}
	if answered < 10 {
		t.Errorf("only %d questions have an answer", answered)
	}
}
