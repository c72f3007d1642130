package scoring

import "encoding/binary"

// Accountant accounts for the points of runs, in any order, by applying the rules to their sheet again.
// What it returns stands until its next call, and one goroutine at a time may use it.
type Accountant struct {
	w      *scorer
	sheet  int
	items  [][]Item // of the sheet, by tool
	worths map[string]Worth
	key    []byte
}

// Accountant returns a new accountant.
func (r *Result) Accountant() *Accountant {
	if r.whole != nil {
		return r.whole.Accountant()
	}
	return &Accountant{w: newAccountant(r), sheet: -1, items: make([][]Item, len(r.Contest.Tools)), worths: map[string]Worth{}}
}

// Items returns the account of a run; the points of the items add up to its points.
func (a *Accountant) Items(sheet, tool int) []Item {
	if sheet != a.sheet {
		a.sheet = sheet
		a.w.gather(sheet)
		a.w.Scheme.apply(&a.w.peers)
		clear(a.items)
		for i := range a.w.peers.Scores {
			a.items[a.w.peers.Scores[i].Tool] = a.w.peers.Scores[i].Items
		}
	}
	return a.items[tool]
}

// mostWorths bounds what an accountant remembers.
const mostWorths = 4096

// Worth splits the points of a run into addends. This takes long, and most runs have the same
// points as some other one, for other values: what they are worth is remembered.
func (a *Accountant) Worth(sheet, tool int) Worth {
	items, total := a.Items(sheet, tool), a.w.RunPoints(sheet, tool)
	key := binary.AppendVarint(a.key[:0], total)
	for i := range items {
		x := &items[i]
		key = binary.AppendVarint(binary.AppendVarint(binary.AppendVarint(key, x.Points), x.Num), x.Den)
		key = append(append(key, byte(x.Reason), byte(len(x.Rule))), x.Rule...)
	}
	a.key = key
	worth, known := a.worths[string(key)]
	if !known {
		if len(a.worths) == mostWorths {
			clear(a.worths)
		}
		worth = a.w.Scheme.worth(items, total)
		a.worths[string(key)] = worth
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
