package contest

import (
	"podium/internal/publish"
	"podium/scoring"
)

// Earlier gives the contest in the form in which pages show it beside a later one: places,
// points and values by category, as its own edition judges them.
func (f *Files) Earlier() publish.Earlier {
	c := f.Result.Contest
	e := publish.Earlier{ID: f.Edition.ID, Title: f.Edition.Title, Tools: len(c.Tools), Instances: len(c.Instances)}
	for i := range c.Runs {
		if c.Runs[i].Participation != scoring.Absent {
			e.Runs++
		}
	}
	var shown publish.Contest
	f.viewCategories(&shown)
	boards := f.Result.Boards()
	for _, cat := range shown.Categories {
		of := publish.EarlierCategory{Name: cat.Name}
		for _, b := range boards {
			if b.Name != cat.Name {
				continue
			}
			of.Values = b.Values
			for tool, s := range cat.Standings { // in the order of the tools
				of.Standings = append(of.Standings, publish.EarlierStanding{Standing: s, Right: b.Standings[tool].Right, Wrong: b.Standings[tool].Wrong})
			}
		}
		e.Categories = append(e.Categories, of)
	}
	return e
}

// Sources are the files that the contest was read from, with their digests.
func (f *Files) Sources() []publish.Named { return f.from }
