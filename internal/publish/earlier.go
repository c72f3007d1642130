package publish

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"podium/internal/judged"
)

// Earlier is an earlier edition of the contest, judged by its own rules.
type Earlier struct {
	ID         string // of its edition
	Tools      int
	Instances  int
	Categories []rankedCategory
}

// rankedCategory is a category with its ranking, of an edition or under a question.
type rankedCategory struct {
	Name      string
	Values    int // that were asked
	standings []standing
}

// EarlierOf makes of an earlier edition what pages show beside a later one: places, points and
// values by category, as its own rules judge them.
func EarlierOf(f *judged.Files) Earlier {
	scored := f.Result.Contest
	c := &Contest{Judged: &f.Contest}
	c.rank()
	return c.year(len(scored.Tools), len(scored.Instances))
}

// year is the contest in the form of an earlier edition.
func (c *Contest) year(tools, instances int) Earlier {
	e := Earlier{ID: c.Judged.Edition.ID, Tools: tools, Instances: instances}
	for i := range c.Categories {
		cat := &c.Categories[i]
		e.Categories = append(e.Categories, rankedCategory{cat.Name, cat.Values, c.standings(cat)})
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
func (e *Earlier) category(name string) *rankedCategory {
	if i := slices.IndexFunc(e.Categories, func(c rankedCategory) bool { return c.Name == name }); i >= 0 {
		return &e.Categories[i]
	}
	return nil
}

// standing finds a tool, nil when it did not take part.
func (c *rankedCategory) standing(tool string) *standing {
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
		s.allYears = append([]Earlier{s.c.year(len(s.tools), len(s.insts))}, s.c.Earlier...)
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

// yearColumns are the heads of a table with a column for each edition.
func yearColumns(years []Earlier) (columns []boardColumn) {
	for i, y := range years {
		name := y.ID
		if i == 0 {
			name = "this contest"
		}
		columns = append(columns, boardColumn{Name: name, Note: things(y.Tools, "tool") + ", " + things(y.Instances, "instance")})
	}
	return columns
}

// categoryRow begins the row of a category, which may be one of earlier years alone.
func (s *site) categoryRow(names []string) boardRow {
	return boardRow{Name: clean(cmp.Or(names...)), Path: s.categoryLink(names[0]).Path}
}

// podiumsOfYears are the podiums of each category in each edition.
func (s *site) podiumsOfYears() boardTable {
	years := s.years()
	t := boardTable{Caption: "The podium of each category in this edition and in earlier ones, each judged by its own rules; points of different years cannot be compared",
		Head: "Category", Columns: yearColumns(years)}
	for _, names := range s.categoryYears {
		row := s.categoryRow(names)
		for i, name := range names {
			row.Cells = append(row.Cells, podiumOf(years[i].category(name), func(tool string) string { return s.toolRow(s.toolYears.of(i, tool)).Path }))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// toolRow begins the row of a tool. It leads to the tool if it takes part in this year.
func (s *site) toolRow(names []string) boardRow {
	row := boardRow{Name: clean(cmp.Or(names...))}
	if names[0] != "" {
		row.Path = s.toolPath(names[0])
	}
	return row
}

// toolOverYears is what became of a tool in each category and edition.
func (s *site) toolOverYears(tool string) boardTable {
	years := s.years()
	t := boardTable{Caption: "Rank, points and values of this tool in each category, in this edition and in earlier ones, each judged by its own rules", Head: "Category", Columns: yearColumns(years)}
	tools := s.toolYears.of(0, tool)
	for _, names := range s.categoryYears {
		row := s.categoryRow(names)
		for i, name := range names {
			row.Cells = append(row.Cells, s.toolInYear(years[i].category(name), tools[i]))
		}
		t.add(row)
	}
	return t
}

func (s *site) toolInYear(cat *rankedCategory, tool string) boardCell {
	if cat == nil {
		return boardCell{None: "not asked"}
	}
	st := cat.standing(tool)
	if st == nil {
		return boardCell{None: "took no part"}
	}
	return boardCell{Places: []boardPlace{placeOf(cat, st)}}
}

// categoryOverYears is what became of every tool of any edition in a category.
func (s *site) categoryOverYears(category string) boardTable {
	years := s.years()
	t := boardTable{Caption: "Rank, points and values of each tool in this category, in this edition and in earlier ones, each judged by its own rules", Head: "Tool", Columns: yearColumns(years)}
	names := s.categoryYears.of(0, category)
	for _, tools := range s.toolYears {
		row := s.toolRow(tools)
		for i := range years {
			row.Cells = append(row.Cells, s.toolInYear(years[i].category(names[i]), tools[i]))
		}
		t.add(row)
	}
	return t
}
