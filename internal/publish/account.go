package publish

import (
	"encoding/binary"
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
	ratios     ratios
	accountant *scoring.Accountant
	sheet      int
	items      [][]scoring.Item // by tool
	worths     map[string]scoring.Worth
	key        []byte
}

// NewAccounts gives the accounts of a result.
func NewAccounts(r *scoring.Result) *Accounts {
	return &Accounts{result: r, points: ratios{}, books: sync.Pool{New: func() any {
		return &book{ratios: ratios{}, accountant: r.Accountant(), sheet: -1, worths: map[string]scoring.Worth{}}
	}}}
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

// Fill sets the points of a run, and the reason when it has no score. It is for one
// goroutine.
func (a *Accounts) Fill(r *Run, sheet, tool int) {
	r.Points = a.Points(a.result.RunPoints(sheet, tool))
	r.NoScore, r.SetAside = a.result.NoScore(sheet, tool), a.result.SetAside(sheet, tool)
}

// Items gives the items of a run and their factors. Several goroutines may ask.
func (a *Accounts) Items(sheet, tool int) (items, factors []Item) {
	b := a.books.Get().(*book)
	defer a.books.Put(b)
	if sheet != b.sheet {
		b.sheet, b.items = sheet, b.accountant.SheetItems(sheet)
	}
	worth := b.worth(a.result.Scheme, b.items[tool], a.result.RunPoints(sheet, tool))
	return a.list(b, worth.Addends), a.list(b, worth.Factors)
}

// mostWorths bounds the accounts that a book remembers.
const mostWorths = 4096

// worth is [scoring.Scheme.Worth], which takes long: most runs have the same points as
// some other one, for other values.
func (b *book) worth(scheme *scoring.Scheme, items []scoring.Item, total int64) scoring.Worth {
	key := binary.AppendVarint(b.key[:0], total)
	for i := range items {
		x := &items[i]
		key = binary.AppendVarint(binary.AppendVarint(binary.AppendVarint(key, x.Points), x.Num), x.Den)
		key = append(append(key, byte(x.Reason), byte(len(x.Rule))), x.Rule...)
	}
	b.key = key
	worth, known := b.worths[string(key)]
	if !known {
		if len(b.worths) == mostWorths {
			clear(b.worths)
		}
		worth = scheme.Worth(items, total)
		b.worths[string(key)] = worth
		return worth
	}
	addend, factor := 0, 0
	for _, x := range items {
		if x.Factor() {
			worth.Factors[factor].Item = x
			factor++
		} else {
			worth.Addends[addend].Item = x
			addend++
		}
	}
	return worth
}

func (a *Accounts) list(b *book, addends []scoring.Addend) []Item {
	if len(addends) == 0 {
		return nil
	}
	c := a.result.Contest
	list := make([]Item, len(addends))
	for i := range addends {
		x := &addends[i]
		list[i] = Item{Rule: x.Item.Rule, Reason: x.Item.Text(), Points: b.ratios.shared(x.Points), Raw: b.ratios.shared(x.Raw)}
		if x.Item.Value >= 0 {
			list[i].Item = c.Items[c.Sheets[b.sheet].First+x.Item.Value]
		}
	}
	return list
}
