package publish

import (
	"math/big"

	"podium/scoring"
)

// Accounts makes the items that pages show from the accounts of runs. Equal
// numbers of points share memory, so they must not be changed.
type Accounts struct {
	result *scoring.Result
	rats   map[[2]int64]*big.Rat
	sheet  int
	items  [][]scoring.Item // of the sheet, by tool
}

// NewAccounts gives the accounts of a result.
func NewAccounts(r *scoring.Result) *Accounts {
	return &Accounts{result: r, rats: map[[2]int64]*big.Rat{}, sheet: -1}
}

// Points turns units into points, exactly.
func (a *Accounts) Points(units int64) *big.Rat { return a.shared(a.result.Scheme.Points(units)) }

// shared gives the one copy of a number.
func (a *Accounts) shared(x *big.Rat) *big.Rat {
	if x == nil || !x.Num().IsInt64() || !x.Denom().IsInt64() {
		return x
	}
	key := [2]int64{x.Num().Int64(), x.Denom().Int64()}
	if a.rats[key] == nil {
		a.rats[key] = x
	}
	return a.rats[key]
}

// Fill sets the points of a run with their items, its flags, and the reason
// when it has no score.
func (a *Accounts) Fill(r *Run, sheet, tool int) {
	if sheet != a.sheet {
		a.sheet, a.items = sheet, a.result.SheetItems(sheet)
	}
	units := a.result.RunPoints(sheet, tool)
	r.Points, r.Flags = a.Points(units), a.result.FlagTexts(sheet, tool)
	r.NoScore, r.SetAside = a.result.NoScore(sheet, tool), a.result.SetAside(sheet, tool)
	worth := a.result.Scheme.Worth(a.items[tool], units)
	r.Items, r.Factors = a.list(sheet, worth.Addends), a.list(sheet, worth.Factors)
}

func (a *Accounts) list(sheet int, addends []scoring.Addend) []Item {
	if len(addends) == 0 {
		return nil
	}
	c := a.result.Contest
	list := make([]Item, len(addends))
	for i, x := range addends {
		list[i] = Item{Rule: x.Item.Rule, Reason: x.Item.Text(), Points: a.shared(x.Points), Raw: a.shared(x.Raw)}
		if x.Item.Value >= 0 {
			list[i].Item = c.Items[c.Sheets[sheet].First+x.Item.Value]
		}
	}
	return list
}
