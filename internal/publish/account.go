package publish

import (
	"encoding/binary"
	"math/big"
	"slices"
	"sync"

	"podium/scoring"
)

// accounts lists the items of runs. Equal numbers of points share memory, so they must not be
// changed.
type accounts struct {
	result *scoring.Result
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

func newAccounts(r *scoring.Result) *accounts {
	return &accounts{result: r, books: sync.Pool{New: func() any {
		return &book{ratios: ratios{}, accountant: r.Accountant(), sheet: -1, worths: map[string]scoring.Worth{}}
	}}}
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

// items returns the items of a run and their factors. Several goroutines may ask.
func (a *accounts) items(sheet, tool int) (addends, factors []scoring.Addend) {
	b := a.books.Get().(*book)
	defer a.books.Put(b)
	if sheet != b.sheet {
		b.sheet, b.items = sheet, b.accountant.SheetItems(sheet)
	}
	worth := b.worth(a.result.Scheme, b.items[tool], a.result.RunPoints(sheet, tool))
	return b.ratios.list(worth.Addends), b.ratios.list(worth.Factors)
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

// list copies addends; their numbers are the shared ones.
func (s ratios) list(addends []scoring.Addend) []scoring.Addend {
	list := slices.Clone(addends)
	for i := range list {
		list[i].Points, list[i].Raw = s.shared(list[i].Points), s.shared(list[i].Raw)
	}
	return list
}

// items returns the items of a run and their factors. Several goroutines may ask.
func (v *view) items(r *run) (addends, factors []scoring.Addend) {
	return v.accounts.items(r.sheet, r.tool)
}
