package publish

import (
	"cmp"
	"math/big"
	"slices"

	"podium/internal/ask"
	"podium/internal/judged"
	"podium/internal/publish/paths"
)

// rankingsPath is the page of other rankings.
const rankingsPath = "rankings.html"

// writeRankings writes the page that ranks the tools in other ways than the contest does.
func (s *site) writeRankings() error {
	if !s.HasRankings() {
		return nil
	}
	table, err := s.rankings()
	if err != nil {
		return err
	}
	return s.render("rankings", rankingsPath, page{Here: "categories", Title: "Rankings in other ways", Body: table, Follows: true,
		Trail: []link{{"examinations.html", s.say("Examinations")}}, About: "Who is first within a minute of CPU time, in values TRUE or FALSE, and by how much."})
}

// HasRankings reports whether the site has a page of other rankings. A team sees no other tools.
func (s *site) HasRankings() bool { return s.c.team == nil && s.Compares() && len(s.c.Categories) > 0 }

// rankings are the podiums of each category, as the contest ranks and in other ways, who leads by
// how much, and who adds most to the others.
func (s *site) rankings() (boardTable, error) {
	t := boardTable{Caption: "The first three of each category with their points, in the contest and in other ways; each name leads to all that follows from it", Head: "Ranking"}
	for i := range s.c.Categories {
		name := s.c.Categories[i].Name
		t.Columns = append(t.Columns, boardColumn{Name: name, Path: paths.Category(name)})
	}
	own := s.c.year(len(s.tools), len(s.insts))
	t.Rows = []boardRow{{Name: "The contest", Path: "index.html", Cells: s.podiumsOf(&own)}}
	for _, way := range ask.Ways(s.c.scored()) {
		r, err := way.Question.Score(s.c.Judged.Result, s.c.Judged.Edition)
		if err != nil {
			return t, err
		}
		c := &Contest{Judged: &judged.Contest{Result: r, Edition: s.c.Judged.Edition}, onlyRuns: s.c.onlyRuns}
		c.rank()
		ranked, question := c.year(0, 0), way.Question.String()
		row := boardRow{Name: way.Name, Question: question, Cells: s.podiumsOf(&ranked)}
		if s.Asks() {
			row.Path = "ask.html#" + question
		}
		t.Rows = append(t.Rows, row)
	}
	lead, contribution := boardRow{Name: "Lead", Note: "points of the first before the second"}, boardRow{Name: "Contribution", Note: "most values that no other tool has right", Path: "together.html"}
	for i := range own.Categories {
		lead.Cells, contribution.Cells = append(lead.Cells, s.lead(&own.Categories[i])), append(contribution.Cells, s.contribution(i))
	}
	t.Rows = append(t.Rows, lead, contribution)
	return t, nil
}

// podiumsOf are the podiums of each category under a question, without what the tools answered.
func (s *site) podiumsOf(of *Earlier) (cells []boardCell) {
	for i := range s.c.Categories {
		cell := podiumOf(of.category(s.c.Categories[i].Name), s.toolPath)
		for k, p := range cell.Places {
			cell.Places[k].Says = p.Points
		}
		cells = append(cells, cell)
	}
	return cells
}

// lead says by how many points the first of a category is before the second.
func (s *site) lead(cat *rankedCategory) boardCell {
	on := places(cat.standings)
	if len(on) < 2 {
		return boardCell{None: "nobody"}
	}
	return boardCell{Places: []boardPlace{{Tool: clean(on[0].Tool), Path: s.toolPath(on[0].Tool), Says: decimal(new(big.Rat).Sub(on[0].Points, on[1].Points))}}}
}

// contribution says who answered most values of a category alone.
func (s *site) contribution(category int) boardCell {
	tool, alone := s.together.Contributor(category)
	if tool < 0 {
		return boardCell{None: "nobody"}
	}
	name := s.tools[tool].Name
	return boardCell{Places: []boardPlace{{Tool: clean(name), Path: s.toolPath(name), Says: count(alone)}}}
}

// medalsRow is how often a tool is on a podium.
type medalsRow struct {
	Tool, Path string
	Places     [3]int // first, second, third
	Won        []link // the categories in which it is first
}

// medals counts the places of the tools that are on a podium, the most first places first. Categories of
// demonstrations have no podium.
func (s *site) medals() (rows []medalsRow) {
	at := map[string]int{}
	for _, p := range s.podiums() {
		for _, step := range p.Places {
			i, seen := at[step.Tool]
			if !seen {
				i = len(rows)
				at[step.Tool], rows = i, append(rows, medalsRow{Tool: step.Tool, Path: step.Path})
			}
			rows[i].Places[step.Place-1]++
			if step.Place == 1 {
				rows[i].Won = append(rows[i].Won, link{p.Path, p.Name})
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b medalsRow) int {
		return cmp.Or(slices.Compare(b.Places[:], a.Places[:]), cmp.Compare(a.Tool, b.Tool))
	})
	return rows
}
