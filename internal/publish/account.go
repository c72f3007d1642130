package publish

import (
	"math/big"
	"sync"

	"podium/scoring"
)

// Accounts makes the items that pages show from the accounts of runs. Equal
// numbers of points share memory, so they must not be changed.
type Accounts struct {
	result *scoring.Result
	points ratios
	books  sync.Pool // of *book, one for each goroutine that asks
}

// ratios keeps one copy of each number.
type ratios map[[2]int64]*big.Rat

// book has the accounts of the runs of one sheet.
type book struct {
	ratios ratios
	sheet  int
	items  [][]scoring.Item // by tool
}

// NewAccounts gives the accounts of a result.
func NewAccounts(r *scoring.Result) *Accounts {
	return &Accounts{result: r, points: ratios{}, books: sync.Pool{New: func() any { return &book{ratios: ratios{}, sheet: -1} }}}
}

// Points turns units into points, exactly. It is for one goroutine.
func (a *Accounts) Points(units int64) *big.Rat {
	return a.points.shared(a.result.Scheme.Points(units))
}

// shared gives the one copy of a number.
func (s ratios) shared(x *big.Rat) *big.Rat {
	if x == nil || !x.Num().IsInt64() || !x.Denom().IsInt64() {
		return x
	}
	key := [2]int64{x.Num().Int64(), x.Denom().Int64()}
	if s[key] == nil {
		s[key] = x
	}
	return s[key]
}

// Fill sets the points of a run, its flags, and the reason when it has no score.
// It is for one goroutine.
func (a *Accounts) Fill(r *Run, sheet, tool int) {
	r.Points, r.Flags = a.Points(a.result.RunPoints(sheet, tool)), a.result.FlagTexts(sheet, tool)
	r.NoScore, r.SetAside = a.result.NoScore(sheet, tool), a.result.SetAside(sheet, tool)
}

// Items gives the items of a run and their factors. Several goroutines may ask.
func (a *Accounts) Items(sheet, tool int) (items, factors []Item) {
	b := a.books.Get().(*book)
	defer a.books.Put(b)
	if sheet != b.sheet {
		b.sheet, b.items = sheet, a.result.SheetItems(sheet)
	}
	worth := a.result.Scheme.Worth(b.items[tool], a.result.RunPoints(sheet, tool))
	return a.list(b, worth.Addends), a.list(b, worth.Factors)
}

func (a *Accounts) list(b *book, addends []scoring.Addend) []Item {
	if len(addends) == 0 {
		return nil
	}
	c := a.result.Contest
	list := make([]Item, len(addends))
	for i, x := range addends {
		list[i] = Item{Rule: x.Item.Rule, Reason: x.Item.Text(), Points: b.ratios.shared(x.Points), Raw: b.ratios.shared(x.Raw)}
		if x.Item.Value >= 0 {
			list[i].Item = c.Items[c.Sheets[b.sheet].First+x.Item.Value]
		}
	}
	return list
}
