package results

import (
	"fmt"
	"testing"

	"podium/examinations"
	"podium/scoring/explain"
	"podium/scoring/whatif"
)

func TestFamiliesByName(t *testing.T) {
	got := familiesByName([]string{"ITS-Tools.M", "ITS-Tools", "TINA.tedd", "tedd-c", "tedd-s", "LoLA", "LoLa+red", "2018-Gold", "M4M.full", "M4M.struct", "smart", "2019-Gold"})
	want := map[string]string{"ITS-Tools": "ITS-Tools", "ITS-Tools.M": "ITS-Tools", "tedd-c": "tedd", "tedd-s": "tedd", "LoLA": "LoLA", "LoLa+red": "LoLA", "M4M.full": "M4M", "M4M.struct": "M4M"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\nwant %v", got, want)
	}
}

func TestWhatIf2019(t *testing.T) {
	table, _ := table2019(t)
	e := named(t, "mcc2019")
	var names []string
	for i := range table.Rows {
		names = append(names, table.Rows[i][ToolColumn])
	}
	c, _ := table.Contest(e, Participants{Families: familiesByName(names)})
	r := e.Score(c)
	s := whatif.SensitivityOf(r)
	changed := map[string]int{}
	for _, x := range s.Removals {
		tool := c.ToolNamed(x.Tool)
		for _, ref := range x.Changes.References {
			changed[x.Tool]++
			sheet := c.SheetOf(ref.Instance, examinations.ID(ref.Exam))
			if c.Answer(c.ValueOf(sheet, ref.Item), tool).IsZero() {
				t.Errorf("without %s: %+v, which it did not answer", x.Tool, ref)
			}
		}
	}
	if changed["LoLA"] <= changed["LTSMin"] || changed["enPAC"] == 0 {
		t.Errorf("references that hang on one tool: %v", changed)
	}
	neighbours := 0
	for _, k := range r.Categories {
		neighbours += min(3, len(k.Places)-1)
	}
	if len(s.Margins) != neighbours || len(s.OneVotePerFamily.References) == 0 {
		t.Errorf("%d margins, one vote per family %+v", len(s.Margins), s.OneVotePerFamily)
	}
	counts := map[explain.Doubt]int{}
	for _, w := range explain.Warnings(r, e.Twinning()) {
		counts[w.Doubt]++
	}
	if counts[explain.Break] != 0 || counts[explain.SingleTool] == 0 || counts[explain.OneFamily] == 0 || counts[explain.NearMargin] == 0 {
		t.Errorf("the references of twins agree in 2019, and some hang on few tools: %v", counts)
	}
}
