package publish

import (
	"math/big"
	"slices"
	"sync"

	"podium/scoring"
)

// accounts lists the items of runs. Equal numbers of points share memory, so they must not be
// changed.
type accounts struct {
	books sync.Pool // of *book, one for each goroutine that asks
}

// ratios keeps one copy of each number.
type ratios map[[2]int64]*big.Rat

// book accounts for runs, each number once.
type book struct {
	ratios     ratios
	accountant *scoring.Accountant
}

func newAccounts(r *scoring.Result) *accounts {
	return &accounts{books: sync.Pool{New: func() any { return &book{ratios{}, r.Accountant()} }}}
}

// shared returns the one copy of a number.
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
	worth := b.accountant.Worth(sheet, tool)
	return b.ratios.list(worth.Addends), b.ratios.list(worth.Factors)
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
