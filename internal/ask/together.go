package ask

import (
	"fmt"

	"podium/internal/plots"
	"podium/internal/together"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// Together compares the tools of a question on the same values, as the page of tools together
// does of the contest as it was judged.
type Together struct {
	Tools    []string          `json:"tools"`
	Virtual  []VirtualTool     `json:"virtual"`
	Shares   []Share           `json:"shares"` // by tool
	Pairs    [][]together.Pair `json:"pairs"`  // by tool and tool
	Hardness []Hardness        `json:"hardness"`
	Upset    *Upset            `json:"upset"` // nil when no value was answered right
}

// VirtualTool is the best tool of a category, and what all tools together have.
type VirtualTool struct {
	Category  string `json:"category"`
	Best      string `json:"best"` // empty: nobody has a right value
	BestRight int    `json:"best_right"`
	together.Virtual
}

// Share is what a tool adds to the others.
type Share struct {
	Right  int `json:"right"`
	Alone  int `json:"alone"`
	Missed int `json:"missed"` // that it left out and another one answered right
	together.Firsts
}

// Hardness counts the values of an examination by how many tools answered them right: none,
// one, less than half, half or more. Bar is the SVG of it.
type Hardness struct {
	Exam  string `json:"examination"`
	Parts [4]int `json:"parts"`
	Bar   string `json:"bar"`
	Alt   string `json:"alt"`
}

// Upset is the plot of which tools answered the same values, as SVG.
type Upset struct {
	Body    string  `json:"body"`
	Width   float64 `json:"width"`
	Height  float64 `json:"height"`
	Wide    bool    `json:"wide"`
	Alt     string  `json:"alt"`
	Caption string  `json:"caption"`
}

// Together compares the tools of a question.
func (s *Session) Together(question string) (*Together, error) {
	r, err := s.asked(question)
	if err != nil {
		return nil, err
	}
	c := r.Contest
	shown := boards(r)
	var categories []string
	for _, b := range shown {
		categories = append(categories, b.Category)
	}
	counts := together.Of(r, nil, nil, categories)
	t := &Together{Tools: []string{}, Virtual: []VirtualTool{}, Shares: []Share{}, Pairs: [][]together.Pair{}, Hardness: []Hardness{}}
	for i := range c.Tools {
		t.Tools = append(t.Tools, diagnostic.Clean(c.Tools[i].Name))
		t.Pairs = append(t.Pairs, counts.Pairs[i*len(c.Tools):(i+1)*len(c.Tools)])
		t.Shares = append(t.Shares, Share{counts.Right[i], sum(counts.Alone[i]), sum(counts.Missed[i]), counts.Firsts[i]})
	}
	for k, b := range shown {
		row := VirtualTool{Category: b.Category, Virtual: counts.Virtual[k]}
		if tool, right := counts.Best(k); tool >= 0 {
			row.Best, row.BestRight = c.Tools[tool].Name, right
		}
		t.Virtual = append(t.Virtual, row)
	}
	for e := range c.Exams {
		if parts := counts.Hardness(e); parts != [4]int{} {
			bar, alt := plots.HardBar(parts)
			t.Hardness = append(t.Hardness, Hardness{string(c.Exams[e].ID), parts, bar, alt})
		}
	}
	if sets, values, others := counts.Upset(); len(sets) > 0 {
		d, wide := plots.Upset(t.Tools, sets)
		t.Upset = &Upset{d.Body, d.Width, d.Height, wide, plots.UpsetAlt(t.Tools, sets), plots.UpsetCaption(values, others)}
	}
	return t, nil
}

func sum(list []int) (n int) {
	for _, x := range list {
		n += x
	}
	return n
}

// PointsRequest asks for the points of the contest of a question, by model or by instance.
type PointsRequest struct {
	Question string `json:"question"`
	Category string `json:"category"`    // empty: all
	Exam     string `json:"examination"` // empty: all
	By       string `json:"by"`          // model or instance
}

// PointsTable has the points of each tool.
type PointsTable struct {
	Tools []string    `json:"tools"`
	Rows  []PointsRow `json:"rows"`
}

// PointsRow has exact ratios, by tool; an empty one where the tool has no run. Best are the
// numbers of the tools with the most points, if these are above 0.
type PointsRow struct {
	Name   string   `json:"name"`
	Points []string `json:"points"`
	Best   []int    `json:"best"`
}

// Points sums up the points of a category or an examination by model or by instance.
func (s *Session) Points(p PointsRequest) (*PointsTable, error) {
	r, err := s.asked(p.Question)
	if err != nil {
		return nil, err
	}
	if p.By != "model" && p.By != "instance" {
		return nil, fmt.Errorf("points are listed by model or by instance, not by %q", diagnostic.Cut(p.By))
	}
	c := r.Contest
	table := &PointsTable{Tools: []string{}, Rows: []PointsRow{}}
	for i := range c.Tools {
		table.Tools = append(table.Tools, c.Tools[i].Name)
	}
	sums, ran := map[string][]int64{}, map[string][]bool{}
	plots.AllRuns(r, diagnostic.Clean).Each(p.Category, func(tool, sheet, _ int, _ *scoring.Run) {
		of := &c.Sheets[sheet]
		if p.Exam != "" && p.Exam != string(c.Exams[of.Exam].ID) {
			return
		}
		inst := &c.Instances[of.Instance]
		name := inst.Name
		if p.By == "model" {
			name = inst.ID.Family
		}
		if sums[name] == nil {
			sums[name], ran[name] = make([]int64, len(c.Tools)), make([]bool, len(c.Tools))
		}
		ran[name][tool] = true
		if r.HasScore(sheet, tool) {
			sums[name][tool] += r.RunPoints(sheet, tool)
		}
	})
	instances := s.sortedInstances()
	names := distinct(instances, func(i *scoring.Instance) string {
		if p.By == "model" {
			return i.ID.Family
		}
		return i.Name
	})
	for _, name := range names {
		of := sums[name]
		if of == nil {
			continue
		}
		row, most := PointsRow{Name: name, Best: []int{}}, int64(0)
		for tool, units := range of {
			text := ""
			if ran[name][tool] {
				text, most = r.Scheme.Points(units).RatString(), max(most, units)
			}
			row.Points = append(row.Points, text)
		}
		for tool, units := range of {
			if units == most && most > 0 {
				row.Best = append(row.Best, tool)
			}
		}
		table.Rows = append(table.Rows, row)
	}
	return table, nil
}
