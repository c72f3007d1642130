package publish

import (
	"cmp"
	"math/big"
	"slices"

	"podium/scoring"
)

// ruleGain is what an item of a rule is worth. Equal numbers mostly share memory, so that
// counting them is cheap, and adding them up is left to the end.
type ruleGain struct {
	rule   string
	points *big.Rat
}

// noteItem counts an item for its tool.
func (v *view) noteItem(tool int, item *scoring.Addend) {
	if item.Points.Sign() == 0 {
		return
	}
	if v.gains == nil {
		v.gains = make([]map[ruleGain]int64, len(v.tools))
	}
	if v.gains[tool] == nil {
		v.gains[tool] = map[ruleGain]int64{}
	}
	v.gains[tool][ruleGain{item.Item.Rule, item.Points}]++
}

// countItems counts the items of all runs, unless the table of scores has done so, which
// is written before the pages of tools; where it failed, they would say less than all.
func (v *view) countItems() {
	if v.counted {
		return
	}
	for range v.ofItems {
	}
}

// ruleRow is what a tool earned and lost by a rule.
type ruleRow struct {
	Rule, Path, Text  string
	Gained, Lost, Sum *big.Rat
	Items             int
	Key               string
}

// byRule sums up the points of a tool by the rules that gave or took them, the greatest
// sum first.
func (s *site) byRule(tool int) []ruleRow {
	if s.gains == nil {
		return nil
	}
	rows := map[string]*ruleRow{}
	for gain, n := range s.gains[tool] {
		row := rows[gain.rule]
		if row == nil {
			row = &ruleRow{Rule: clean(gain.rule), Path: s.RulePath(gain.rule), Text: s.RuleText(gain.rule), Gained: new(big.Rat), Lost: new(big.Rat)}
			rows[gain.rule] = row
		}
		points := new(big.Rat).Mul(gain.points, new(big.Rat).SetInt64(n))
		row.Items += int(n)
		if points.Sign() > 0 {
			row.Gained.Add(row.Gained, points)
		} else {
			row.Lost.Add(row.Lost, points)
		}
	}
	var list []ruleRow
	for _, row := range rows {
		row.Sum = new(big.Rat).Add(row.Gained, row.Lost)
		row.Key = sortKey(row.Sum)
		list = append(list, *row)
	}
	slices.SortFunc(list, func(a, b ruleRow) int { return cmp.Or(b.Sum.Cmp(a.Sum), cmp.Compare(a.Rule, b.Rule)) })
	return list
}
