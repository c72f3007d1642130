package publish

import (
	"strings"
	"unicode"
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
	Standings []EarlierStanding
}

// EarlierStanding is the standing of a tool in an earlier edition, and its values.
type EarlierStanding struct {
	Standing
	Right, Wrong int
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

// category finds a category of an earlier edition, nil when it has none of the name.
func (e *Earlier) category(name string) *EarlierCategory {
	for i := range e.Categories {
		if sameName(e.Categories[i].Name, name) {
			return &e.Categories[i]
		}
	}
	return nil
}

// standing finds a tool, nil when it did not take part.
func (c *EarlierCategory) standing(tool string) *EarlierStanding {
	for i := range c.Standings {
		if sameName(c.Standings[i].Tool, tool) {
			return &c.Standings[i]
		}
	}
	return nil
}

// thisYear is the contest itself in the form of earlier editions.
func (s *site) thisYear() Earlier {
	now := Earlier{ID: s.c.Edition.ID, Title: s.c.Edition.Title, Tools: len(s.tools), Instances: len(s.insts), Runs: len(s.c.Runs)}
	for i := range s.c.Categories {
		cat := &s.c.Categories[i]
		of := EarlierCategory{Name: cat.Name}
		for _, e := range s.examsOf(cat.Name) {
			for i := range s.insts {
				of.Values += len(s.cells[i*len(s.c.Examinations)+e].refs)
			}
		}
		for _, st := range cat.Standings {
			n := s.sum(s.toolAt[st.Tool], cat.Name)
			of.Standings = append(of.Standings, EarlierStanding{st, n.right, n.wrong})
		}
		now.Categories = append(now.Categories, of)
	}
	return now
}

// years are this contest and the earlier ones, in the order of columns; nil without any
// earlier one.
func (s *site) years() []Earlier {
	if len(s.c.Earlier) == 0 {
		return nil
	}
	s.yearsOnce.Do(func() { s.allYears = append([]Earlier{s.thisYear()}, s.c.Earlier...) })
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
}

func (s *site) yearPlace(c *EarlierCategory, st *EarlierStanding) yearPlace {
	p := yearPlace{Place: placeWords[st.Place], Rank: st.Rank, Points: decimal(st.Points), Exact: exact(st.Points), Right: st.Right, Wrong: st.Wrong, Values: c.Values}
	if st.Dash {
		p.Points, p.Exact = "\u2013", "nothing"
	}
	for i := range c.Standings {
		if c.Standings[i].Rank > 0 {
			p.Of++
		}
	}
	return p
}

// categoriesOfYears names the categories of this contest, and then those that only earlier
// ones had.
func (s *site) categoriesOfYears() (names []string) {
	for _, year := range s.years() {
		for _, cat := range year.Categories {
			known := false
			for _, name := range names {
				known = known || sameName(name, cat.Name)
			}
			if !known {
				names = append(names, cat.Name)
			}
		}
	}
	return names
}

// podiumsOfYears are the podiums of each category in each edition.
func (s *site) podiumsOfYears() yearTable {
	t := yearTable{Caption: "The podium of each category in this edition and in earlier ones, each judged by its own rules; points of different years cannot be compared",
		Head: "Category", Years: s.years()}
	for _, name := range s.categoriesOfYears() {
		row := yearRow{Name: clean(name), Path: s.categoryLink(name).Path}
		for i := range t.Years {
			row.Cells = append(row.Cells, s.podiumOf(&t.Years[i], name))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (s *site) podiumOf(year *Earlier, name string) yearCell {
	cat := year.category(name)
	if cat == nil {
		return yearCell{None: "not asked"}
	}
	var cell yearCell
	for place := 1; place <= 3; place++ {
		for i := range cat.Standings {
			if st := &cat.Standings[i]; st.Place == place {
				p := s.yearPlace(cat, st)
				p.Tool, p.Path = clean(st.Tool), s.pathOfTool(st.Tool)
				cell.Places = append(cell.Places, p)
			}
		}
	}
	if len(cell.Places) == 0 {
		cell.None = "nobody"
	}
	return cell
}

// pathOfTool leads to a tool of an earlier edition, if it takes part in this one, too.
func (s *site) pathOfTool(name string) string {
	for _, t := range s.tools {
		if sameName(t.Name, name) {
			return s.toolPath(t.Name)
		}
	}
	return ""
}

// toolOverYears is what became of a tool in each category and edition.
func (s *site) toolOverYears(tool string) yearTable {
	t := yearTable{Caption: "Rank, points and values of this tool in each category, in this edition and in earlier ones, each judged by its own rules", Head: "Category", Years: s.years()}
	for _, name := range s.categoriesOfYears() {
		row, any := yearRow{Name: clean(name), Path: s.categoryLink(name).Path}, false
		for i := range t.Years {
			cell := s.toolInYear(&t.Years[i], name, tool)
			any = any || len(cell.Places) > 0
			row.Cells = append(row.Cells, cell)
		}
		if any {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func (s *site) toolInYear(year *Earlier, category, tool string) yearCell {
	cat := year.category(category)
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
	var tools []string
	for i := range t.Years {
		cat := t.Years[i].category(category)
		if cat == nil {
			continue
		}
		for _, st := range cat.Standings {
			known := false
			for _, name := range tools {
				known = known || sameName(name, st.Tool)
			}
			if !known {
				tools = append(tools, st.Tool)
			}
		}
	}
	for _, tool := range tools {
		row := yearRow{Name: clean(tool), Path: s.pathOfTool(tool)}
		for i := range t.Years {
			row.Cells = append(row.Cells, s.toolInYear(&t.Years[i], category, tool))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
