package explain

import (
	"fmt"
	"strings"

	"podium/scoring"
)

// RunAccount explains the score of a run: its lines, as they are printed, add up
// to its total, as it is printed.
type RunAccount struct {
	Tool          string                `json:"tool"`
	Instance      string                `json:"instance"`
	Exam          string                `json:"examination"`
	Participation scoring.Participation `json:"participation"`
	Source        string                `json:"source"` // where the answers come from
	Flags         []string              `json:"flags"`  // what each flag of the run says and does, with its rule
	Lines         []AccountLine         `json:"lines"`
	Factors       []FactorLine          `json:"factors"`
	Total         string                `json:"points"` // or "-" for a run without a score
	Mask          string                `json:"mask"`
	Unjudged      []string              `json:"unjudged,omitempty"` // why answers have no reference, and how many
	NoScore       string                `json:"no_score,omitempty"` // why the run has no score, a sentence; empty when it has one
}

// AccountLine is one item of the points of a run, in words.
type AccountLine struct {
	Rule   string `json:"rule"`
	Item   string `json:"item,omitempty"`       // name of the value, "" for the run as a whole
	Points string `json:"points"`               // what it is worth in points of the ranking
	Raw    string `json:"raw_points,omitempty"` // the points that the rule states, where they are others
	Text   string `json:"text"`
}

// FactorLine is one of the factors by which raw points become points of the
// ranking, in words.
type FactorLine struct {
	Rule   string `json:"rule"`
	Factor string `json:"factor"`
	Text   string `json:"text"`
}

// Run returns every item of the points of a run, in words.
func Run(r *scoring.Result, sheet, tool int) *RunAccount {
	c, s := r.Contest, r.Contest.Sheets[sheet]
	run := c.Run(sheet, tool)
	a := &RunAccount{
		Tool: c.Tools[tool].Name, Instance: c.Instances[s.Instance].Name, Exam: string(c.Exams[s.Exam].ID),
		Participation: run.Participation, Source: run.Source, Mask: r.Mask(sheet, tool), Total: "-",
		Flags: FlagTexts(r, sheet, tool), NoScore: r.NoScore(sheet, tool),
	}
	if !r.HasScore(sheet, tool) {
		return a
	}
	worth := r.Accountant().Worth(sheet, tool)
	a.Total = r.Scheme.PointsText(r.RunPoints(sheet, tool))
	for _, x := range worth.Addends {
		line := AccountLine{Rule: x.Item.Rule, Points: scoring.PointsText(x.Points), Text: x.Item.Text()}
		if x.Raw != nil {
			line.Raw = scoring.PointsText(x.Raw)
		}
		if x.Item.Value >= 0 {
			v := int(s.First) + int(x.Item.Value)
			line.Item = c.Items[v]
			line.Text = fmt.Sprintf("%s: answered %s, reference %s", line.Text, c.Answer(v, tool), c.Values[r.References[v].Answer])
		}
		a.Lines = append(a.Lines, line)
	}
	if run.Participation == scoring.Answered {
		a.Unjudged = unjudged(r, sheet, a.Mask)
	}
	for _, f := range worth.Factors {
		a.Factors = append(a.Factors, FactorLine{f.Item.Rule, scoring.PointsText(f.Points), f.Item.Text()})
	}
	return a
}

// unjudged says why values that a mask marks as without a reference have none.
func unjudged(r *scoring.Result, sheet int, mask string) (texts []string) {
	count, first := map[string]int{}, int(r.Contest.Sheets[sheet].First)
	for i, letter := range mask {
		if letter == '?' {
			text := r.ClauseText(sheet, first+i)
			if count[text]++; count[text] == 1 {
				texts = append(texts, text)
			}
		}
	}
	for i, text := range texts {
		texts[i] = fmt.Sprintf("%d: %s", count[text], text)
	}
	return texts
}

// String is the account as lines of text.
func (a *RunAccount) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s on %s of %s: %s\n", a.Tool, a.Exam, a.Instance, Points(a.Total))
	if a.Source != "" {
		fmt.Fprintf(&out, "  source %s\n", a.Source)
	}
	if a.NoScore != "" {
		fmt.Fprintf(&out, "  the run has no score: %s\n", a.NoScore)
	} else if a.Participation != scoring.Answered {
		fmt.Fprintf(&out, "  the run has no answers: %s%s\n", a.Participation, meaning(a.Participation))
	}
	for _, f := range a.Flags {
		fmt.Fprintf(&out, "  flag: %s\n", f)
	}
	for _, l := range a.Lines {
		item, raw := "", ""
		if l.Item != "" {
			item = l.Item + ": "
		}
		if l.Raw != "" {
			raw = fmt.Sprintf(" (raw points: %s)", l.Raw)
		}
		fmt.Fprintf(&out, "  %-6s %8s %s%s%s\n", l.Rule, signed(l.Points), item, l.Text, raw)
	}
	for _, f := range a.Factors {
		fmt.Fprintf(&out, "  %-6s %8s %s\n", f.Rule, "x "+f.Factor, f.Text)
	}
	if a.Participation == scoring.Answered {
		fmt.Fprintf(&out, "  mask   %s (%s)\n", a.Mask, maskText(a.Mask))
	}
	for _, text := range a.Unjudged {
		fmt.Fprintf(&out, "  ?      %s\n", text)
	}
	return out.String()
}

// meaning says what the word of a participation without answers stands for.
func meaning(p scoring.Participation) string {
	switch p {
	case scoring.CannotCompute:
		return ", it said CANNOT_COMPUTE (of a task UNKNOWN), or nothing that was understood"
	case scoring.DoNotCompete:
		return ", it said DO_NOT_COMPETE"
	case scoring.OutOfTime:
		return ", a limit ended it"
	}
	return ""
}

// maskText counts the letters of a mask in words.
func maskText(mask string) string {
	var parts []string
	for _, letter := range []struct{ char, means string }{{"T", "right"}, {"X", "wrong"}, {"?", "without a reference"}, {"-", "not answered"}} {
		if n := strings.Count(mask, letter.char); n > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d %s", letter.char, n, letter.means))
		}
	}
	return strings.Join(parts, ", ")
}

func signed(points string) string {
	if points == "0" || strings.HasPrefix(points, "-") {
		return points
	}
	return "+" + points
}

// Points is a number of points with its noun: "12 points", "1 point".
func Points(number string) string {
	if number == "1" {
		return "1 point"
	}
	return number + " points"
}

// FlagTexts returns for each flag of a run what it found and its effect.
func FlagTexts(r *scoring.Result, sheet, tool int) []string {
	var texts []string
	for i, f := range r.Scheme.Flags {
		if r.Flags[sheet*len(r.Contest.Tools)+tool]&(1<<i) != 0 {
			texts = append(texts, f.Text())
		}
	}
	return texts
}
