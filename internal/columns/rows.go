package columns

import (
	"math/big"
	"slices"
	"strings"

	"podium/examinations"
	"podium/internal/judged"
	"podium/models"
	"podium/scoring"
	"podium/scoring/explain"
)

// took lists the runs that took place, by sheet and tool.
func (s Source) took(yield func(sheet, tool int) bool) {
	c := s.Result.Contest
	for sheet := range c.Sheets {
		for tool := range c.Tools {
			switch c.Run(sheet, tool).Participation {
			case scoring.Absent, scoring.Void:
				continue
			}
			if c.OptedOut(sheet, tool) {
				continue
			}
			if !yield(sheet, tool) {
				return
			}
		}
	}
}

// place says of which instance and examination a sheet is.
func (s Source) place(sheet int) (*scoring.Instance, *scoring.Examination) {
	c := s.Result.Contest
	return &c.Instances[c.Sheets[sheet].Instance], &c.Exams[c.Sheets[sheet].Exam]
}

func (s Source) runs(yield func(run) bool) {
	for sheet, tool := range s.took {
		row := s.run(sheet, tool)
		if ran, ok := s.Facts.Ran(sheet, tool); ok {
			row.Termination, row.Host = known(string(ran.Termination)), known(ran.Host())
			if at := ran.Started; !at.IsZero() {
				row.Started = new(at.UnixMicro())
			}
		}
		if !yield(row) {
			return
		}
	}
}

func (s Source) run(sheet, tool int) run {
	r, c := s.Result, s.Result.Contest
	i, exam := s.place(sheet)
	figures, letters := c.Run(sheet, tool), r.RunLetters(sheet, tool)
	row := run{
		Tool: text(c.Tools[tool].Name), Team: text(c.Tools[tool].FamilyName()),
		Instance: text(i.Name), Model: text(i.ID.Family), Parameter: known(i.ID.Param), Kind: kind(i.ID), Class: i.Class.String(),
		Examination: text(string(exam.ID)), Category: text(exam.Category),
		Participation: figures.Participation.String(),
		CPU:           measured(figures.CPU), Wall: measured(figures.Wall), Memory: measured(figures.Memory),
		NoScore: known(r.NoScore(sheet, tool)), Flags: texts(explain.FlagTexts(r, sheet, tool)),
		Fastest: letters&scoring.Fastest != 0, Smallest: letters&scoring.Smallest != 0,
	}
	whole, parts := figures.Energies()
	row.Energy, row.Core, row.Uncore, row.DRAM = used(whole), used(parts.Core), used(parts.Uncore), used(parts.DRAM)
	if r.HasScore(sheet, tool) {
		units := r.RunPoints(sheet, tool)
		row.Units, row.Points = new(units), new(nearest(r.Scheme.Points(units)))
	}
	return row
}

// words are the marks in words.
var words = [...]string{scoring.Open: "open", scoring.Unjudged: "unjudged", scoring.Missing: "missing", scoring.Right: "right",
	scoring.Wrong: "wrong", scoring.Excluded: "excluded", scoring.Ignored: "ignored"}

func (s Source) answers(yield func(answer) bool) {
	r, c := s.Result, s.Result.Contest
	for sheet, tool := range s.took {
		if c.Run(sheet, tool).Participation != scoring.Answered {
			continue
		}
		i, exam := s.place(sheet)
		answers := slices.Collect(s.Facts.Said(sheet, tool))
		for n, mark := range r.RunMarks(sheet, tool) {
			value := int(c.Sheets[sheet].First) + n
			row := answer{Tool: text(c.Tools[tool].Name), Instance: text(i.Name), Examination: text(string(exam.ID)), Item: text(c.Items[value]),
				Answer: known(c.Answer(value, tool).Text), Mark: words[mark], Reference: s.elected(sheet, value), Techniques: []string{}}
			if at := slices.IndexFunc(answers, func(a judged.Said) bool { return a.Item == c.Items[value] }); at >= 0 {
				row.Techniques = texts(strings.Fields(answers[at].Techniques))
				if when := answers[at].At; when >= 0 {
					row.At = new(when.Microseconds())
				}
			}
			if !yield(row) {
				return
			}
		}
	}
}

func (s Source) points(yield func(point) bool) {
	r, c := s.Result, s.Result.Contest
	accountant := r.Accountant()
	for sheet, tool := range s.took {
		if !r.HasScore(sheet, tool) {
			continue
		}
		i, exam := s.place(sheet)
		for _, a := range accountant.Worth(sheet, tool).Addends {
			row := point{Tool: text(c.Tools[tool].Name), Instance: text(i.Name), Examination: text(string(exam.ID)),
				Rule: text(a.Item.Rule), Reason: text(a.Item.Text()), Points: nearest(a.Points)}
			if a.Item.Value >= 0 {
				row.Item = new(text(c.Items[c.Sheets[sheet].First+a.Item.Value]))
			}
			if a.Raw != nil {
				row.Raw = new(nearest(a.Raw))
			}
			if !yield(row) {
				return
			}
		}
	}
}

func (s Source) references(yield func(reference) bool) {
	r, c := s.Result, s.Result.Contest
	for sheet, of := range c.Sheets {
		if s.Chosen && !c.HasRuns(sheet) {
			continue
		}
		i, exam := s.place(sheet)
		for value := int(of.First); value < int(of.First+of.Values); value++ {
			row := reference{Instance: text(i.Name), Model: text(i.ID.Family), Kind: kind(i.ID), Examination: text(string(exam.ID)), Item: text(c.Items[value]),
				Reference: s.elected(sheet, value), Clause: r.Elected(sheet, value).Clause.Word(),
				Votes: int32(len(r.Votes(sheet, value))), Supporters: int32(len(r.Supporters(sheet, value)))}
			if s.Proofs != nil {
				proved, _ := r.Certified(value)
				how, _, _ := s.Proofs.Evidence(examinations.Key{Instance: i.ID, Exam: exam.ID, Item: c.Items[value]})
				row.Referee, row.Proved, row.Evidence = known(r.Certainty(sheet, value).String()), known(proved.Text), known(how)
			}
			if !yield(row) {
				return
			}
		}
	}
}

// elected is the text of a reference value, nil where there is none.
func (s Source) elected(sheet, value int) *string {
	ref := s.Result.Elected(sheet, value)
	if !ref.Known() {
		return nil
	}
	return known(s.Result.Contest.Values[ref.Answer].Text)
}

func (s Source) rankings(yield func(ranking) bool) {
	c := s.Result.Contest
	for _, board := range s.Result.Boards() {
		for tool, standing := range board.Standings {
			if standing.Dash || s.Chosen && !c.ToolHasRuns(tool) {
				continue
			}
			row := ranking{Category: text(board.Name), Tool: text(c.Tools[tool].Name), Team: text(c.Tools[tool].FamilyName()),
				Points: nearest(standing.Points), Right: int32(standing.Right), Wrong: int32(standing.Wrong), SuccessCPU: standing.SuccessCPU}
			if at := slices.IndexFunc(board.Places, func(p scoring.Place) bool { return p.Tool == tool }); at >= 0 {
				row.Rank = new(int32(board.Places[at].Rank))
			}
			if !yield(row) {
				return
			}
		}
	}
}

func (s Source) tools(yield func(tool) bool) {
	r := s.Result
	for n, t := range r.Contest.Tools {
		if s.Chosen && !r.Contest.ToolHasRuns(n) {
			continue
		}
		share := r.Shares[n]
		if !yield(tool{text(t.Name), text(t.FamilyName()), t.OutOfCompetition, int32(share.Consistent), int32(share.Answered), int32(share.Agree),
			nearest(r.Confidence[n].Rat())}) {
			return
		}
	}
}

// kind is nil where the name of an instance is not that of a net.
func kind(id models.ID) *string {
	if id.Param == "" {
		return nil
	}
	return new(id.Kind.String())
}

// text is a text that readers take for UTF-8, whatever a tool or file has named.
func text(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

func texts(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = text(s)
	}
	return out
}

// known is nil for what is not known.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return new(text(s))
}

// used returns a figure of energy; 0 was not measured.
func used(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

// measured is nil for what was not measured.
func measured(n int64) *int64 {
	if n == scoring.Unmeasured {
		return nil
	}
	return &n
}

// nearest is the binary fraction next to a number.
func nearest(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}
