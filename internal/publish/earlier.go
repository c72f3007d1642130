package publish

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"podium/internal/judged"
	"podium/scoring"
)

// Earlier is an earlier edition of the contest, judged by its own rules.
type Earlier struct {
	ID, Title  string // of its edition
	Tools      int
	Instances  int
	Runs       int
	Categories []EarlierCategory
}

// EarlierCategory is a category of an earlier edition.
type EarlierCategory struct {
	Name      string
	Values    int // that were asked
	standings []standing
}

// EarlierOf makes of an earlier edition what pages show beside a later one: places, points and
// values by category, as its own rules judge them.
func EarlierOf(f *judged.Files) Earlier {
	scored := f.Result.Contest
	c := &Contest{Judged: &f.Contest, Edition: Edition{ID: f.Edition.ID, Title: f.Edition.Title}}
	c.rank()
	e := c.year(len(scored.Tools), len(scored.Instances), 0)
	for i := range scored.Runs {
		e.Runs += btoi(scored.Runs[i].Participation != scoring.Absent)
	}
	return e
}

// year is the contest in the form of an earlier edition.
func (c *Contest) year(tools, instances, runs int) Earlier {
	e := Earlier{ID: c.Edition.ID, Title: c.Edition.Title, Tools: tools, Instances: instances, Runs: runs}
	for i := range c.Categories {
		cat := &c.Categories[i]
		e.Categories = append(e.Categories, EarlierCategory{cat.Name, cat.Values, c.standings(cat)})
	}
	return e
}

// sameName compares names of tools and categories of different years by their letters and
// digits: editions write them differently.
func sameName(a, b string) bool {
	plain := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}
	a, b = strings.Map(plain, a), strings.Map(plain, b)
	return a != "" && a == b
}

// overYears has a row for each tool or category of any year: its name in each of them, empty
// where a year does not have it.
type overYears [][]string

// joined makes the rows of the names of each year. Names are the same where they are equal,
// or else by [sameName] if no other name of a year comes into question: LoLA and LoLA+ of one
// year are two tools.
func joined(years [][]string) overYears {
	var rows overYears
	for year, names := range years {
		var others []string
		for _, name := range names {
			if row := slices.IndexFunc(rows, func(row []string) bool { return slices.Contains(row, name) }); row >= 0 {
				rows[row][year] = name
			} else {
				others = append(others, name)
			}
		}
		before := rows
		for _, name := range others {
			like := func(other string) bool { return sameName(other, name) }
			var fit []int
			for i, row := range before {
				if row[year] == "" && slices.ContainsFunc(row, like) {
					fit = append(fit, i)
				}
			}
			i := slices.IndexFunc(others, like)
			if len(fit) == 1 && i >= 0 && !slices.ContainsFunc(others[i+1:], like) {
				rows[fit[0]][year] = name
				continue
			}
			row := make([]string, len(years))
			row[year] = name
			rows = append(rows, row)
		}
	}
	return rows
}

// of is the row of a name of a year, which must be there.
func (o overYears) of(year int, name string) []string {
	return o[slices.IndexFunc(o, func(row []string) bool { return row[year] == name })]
}

// category finds a category, nil for an empty name.
func (e *Earlier) category(name string) *EarlierCategory {
	if i := slices.IndexFunc(e.Categories, func(c EarlierCategory) bool { return c.Name == name }); i >= 0 {
		return &e.Categories[i]
	}
	return nil
}

// standing finds a tool, nil when it did not take part.
func (c *EarlierCategory) standing(tool string) *standing {
	if i := slices.IndexFunc(c.standings, func(st standing) bool { return st.Tool == tool }); i >= 0 {
		return &c.standings[i]
	}
	return nil
}

// years are this contest and the earlier ones, in the order of columns; nil without any
// earlier one.
func (s *site) years() []Earlier {
	if len(s.c.Earlier) == 0 {
		return nil
	}
	s.yearsOnce.Do(func() {
		s.allYears = append([]Earlier{s.c.year(len(s.tools), len(s.insts), len(s.c.runs))}, s.c.Earlier...)
		tools, categories := make([][]string, len(s.allYears)), make([][]string, len(s.allYears))
		for _, t := range s.tools {
			tools[0] = append(tools[0], t.Name)
		}
		for i, year := range s.allYears {
			for _, cat := range year.Categories {
				categories[i] = append(categories[i], cat.Name)
				for _, st := range cat.standings {
					if !slices.Contains(tools[i], st.Tool) {
						tools[i] = append(tools[i], st.Tool)
					}
				}
			}
		}
		s.toolYears, s.categoryYears = joined(tools), joined(categories)
	})
	return s.allYears
}

// yearTable compares editions: a column for each.
type yearTable struct {
	Caption string
	Head    string // of the first column
	Years   []Earlier
	Rows    []yearRow
}

type yearRow struct {
	Name, Path string // no path: this year has no such page
	Cells      []yearCell
}

// yearCell is what became of a tool in a category, or the podium of a category.
type yearCell struct {
	Places []yearPlace
	None   string // why there is nothing
}

type yearPlace struct {
	Place        string // as in the style sheet; empty beside the podium
	Tool, Path   string // empty where the row names the tool
	Rank, Of     int    // 0: no rank
	Points       string
	Exact        string
	Right, Wrong int
	Values       int
	Dash         bool // no points are given, and values are not counted
}

func (s *site) yearPlace(c *EarlierCategory, st *standing) yearPlace {
	p := yearPlace{Place: placeWords[st.Place], Rank: st.Rank, Points: decimal(st.Points), Exact: exact(st.Points), Right: st.Right, Wrong: st.Wrong, Values: c.Values}
	if st.Dash {
		p.Points, p.Exact, p.Dash = "\u2013", "nothing", true
	}
	for i := range c.standings {
		if c.standings[i].Rank > 0 {
			p.Of++
		}
	}
	return p
}

// categoryRow begins the row of a category, which may be one of earlier years alone.
func (s *site) categoryRow(names []string) yearRow {
	return yearRow{Name: clean(cmp.Or(names...)), Path: s.categoryLink(names[0]).Path}
}

// podiumsOfYears are the podiums of each category in each edition.
func (s *site) podiumsOfYears() yearTable {
	t := yearTable{Caption: "The podium of each category in this edition and in earlier ones, each judged by its own rules; points of different years cannot be compared",
		Head: "Category", Years: s.years()}
	for _, names := range s.categoryYears {
		row := s.categoryRow(names)
		for i, name := range names {
			row.Cells = append(row.Cells, s.podiumOf(i, t.Years[i].category(name)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (s *site) podiumOf(year int, cat *EarlierCategory) yearCell {
	if cat == nil {
		return yearCell{None: "not asked"}
	}
	var cell yearCell
	for place := 1; place <= 3; place++ {
		for i := range cat.standings {
			if st := &cat.standings[i]; st.Place == place {
				p := s.yearPlace(cat, st)
				p.Tool, p.Path = clean(st.Tool), s.toolRow(s.toolYears.of(year, st.Tool)).Path
				cell.Places = append(cell.Places, p)
			}
		}
	}
	if len(cell.Places) == 0 {
		cell.None = "nobody"
	}
	return cell
}

// toolRow begins the row of a tool. It leads to the tool if it takes part in this year.
func (s *site) toolRow(names []string) yearRow {
	row := yearRow{Name: clean(cmp.Or(names...))}
	if names[0] != "" {
		row.Path = s.toolPath(names[0])
	}
	return row
}

// toolOverYears is what became of a tool in each category and edition.
func (s *site) toolOverYears(tool string) yearTable {
	t := yearTable{Caption: "Rank, points and values of this tool in each category, in this edition and in earlier ones, each judged by its own rules", Head: "Category", Years: s.years()}
	tools := s.toolYears.of(0, tool)
	for _, names := range s.categoryYears {
		row, any := s.categoryRow(names), false
		for i, name := range names {
			cell := s.toolInYear(t.Years[i].category(name), tools[i])
			any = any || len(cell.Places) > 0
			row.Cells = append(row.Cells, cell)
		}
		if any {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func (s *site) toolInYear(cat *EarlierCategory, tool string) yearCell {
	if cat == nil {
		return yearCell{None: "not asked"}
	}
	st := cat.standing(tool)
	if st == nil {
		return yearCell{None: "took no part"}
	}
	return yearCell{Places: []yearPlace{s.yearPlace(cat, st)}}
}

// categoryOverYears is what became of every tool of any edition in a category.
func (s *site) categoryOverYears(category string) yearTable {
	t := yearTable{Caption: "Rank, points and values of each tool in this category, in this edition and in earlier ones, each judged by its own rules", Head: "Tool", Years: s.years()}
	names := s.categoryYears.of(0, category)
	for _, tools := range s.toolYears {
		row, any := s.toolRow(tools), false
		for i := range t.Years {
			cell := s.toolInYear(t.Years[i].category(names[i]), tools[i])
			any = any || len(cell.Places) > 0
			row.Cells = append(row.Cells, cell)
		}
		if any {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
