package publish

import "slices"

// boardTable compares rankings: a column for each edition, or a row for each way to rank.
type boardTable struct {
	Caption string
	Head    string // of the first column
	Columns []boardColumn
	Rows    []boardRow
}

// add adds a row, unless no tool is in it.
func (t *boardTable) add(row boardRow) {
	if slices.ContainsFunc(row.Cells, func(c boardCell) bool { return len(c.Places) > 0 }) {
		t.Rows = append(t.Rows, row)
	}
}

type boardColumn struct {
	Name, Note string
	Path       string // may be empty
}

type boardRow struct {
	Name, Note string
	Path       string // no path: this contest has no such page
	Question   string // under which the row ranks; empty: none
	Cells      []boardCell
}

// boardCell is what became of a tool in a category, or the podium of a category.
type boardCell struct {
	Places []boardPlace
	None   string // why there is nothing
}

type boardPlace struct {
	Place        string // as in the style sheet; empty beside the podium
	Tool, Path   string // empty where the row names the tool
	Says         string // in the place of what follows, where it is set
	Rank, Of     int    // 0: no rank
	Points       string
	Exact        string
	Right, Wrong int
	Values       int
	Dash         bool // no points are given, and values are not counted
}

// placeOf is the place of a tool in a category.
func placeOf(c *rankedCategory, st *standing) boardPlace {
	p := boardPlace{Place: placeWords[st.Place], Rank: st.Rank, Points: decimal(st.Points), Exact: exact(st.Points), Right: st.Right, Wrong: st.Wrong, Values: c.Values, Of: ranked(c.standings)}
	if st.Dash {
		p.Points, p.Exact, p.Dash = "\u2013", "nothing", true
	}
	return p
}

// ranked is how many tools have a rank.
func ranked(list []standing) (n int) {
	for i := range list {
		n += btoi(list[i].Rank > 0)
	}
	return n
}

// podiumOf is the podium of a category, nil where it was not asked. Path returns the page of a tool.
func podiumOf(cat *rankedCategory, path func(tool string) string) boardCell {
	if cat == nil {
		return boardCell{None: "not asked"}
	}
	var cell boardCell
	for _, st := range places(cat.standings) {
		p := placeOf(cat, &st)
		p.Tool, p.Path = clean(st.Tool), path(st.Tool)
		cell.Places = append(cell.Places, p)
	}
	if len(cell.Places) == 0 {
		cell.None = "nobody"
	}
	return cell
}
