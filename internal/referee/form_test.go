package referee

import (
	"context"
	"encoding/xml"
	"path/filepath"
	"slices"
	"testing"

	"podium/internal/clock/clocktest"
	"podium/internal/realdata"
	"podium/models"
	"podium/pnml"
)

// formLooks is how often the clock is looked at for each behavioural property of each
// real instance: what is decided by then does not depend on how busy the computer is.
const formLooks = 300

// explainedVerdicts are the disagreements with the contest's tables;
// docs/models.md explains them.
var explainedVerdicts = map[string][]string{
	"STRONGLY_CONNECTED": {"Peterson-COL-2", "PolyORBNT-COL-S10J40"},
	"SOURCE_PLACE":       {"Peterson-COL-2", "PolyORBNT-COL-S10J40"},
	"SAFE":               {"PermAdmissibility-COL-01"},
	"DEADLOCK":           {"HexagonalGrid-PT-110"},
	"LIVE":               {"HexagonalGrid-PT-110"},
	"REVERSIBLE":         {"HexagonalGrid-PT-110", "Peterson-PT-2", "Peterson-COL-2"},
}

// TestFormOfRealInstances compares the model form with the contest's tables
// wherever both decide.
func TestFormOfRealInstances(t *testing.T) {
	opened, err := models.Open(filepath.Join(realdata.Contest(t), "instances"))
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		t.Skip("the real instances are skipped in short mode")
	}
	compared := map[string]int{}
	for _, i := range opened.Instances {
		const file = "GenericPropertiesVerdict.xml"
		if !i.Has(file) {
			continue
		}
		var table struct {
			Verdicts []struct {
				Reference string `xml:"reference,attr"`
				Value     string `xml:"value,attr"`
				Text      string `xml:"explanation"`
			} `xml:"verdict"`
		}
		text, err := i.ReadFile(file, 1<<20)
		if err == nil {
			err = xml.Unmarshal(text, &table)
		}
		if err != nil {
			t.Fatal(err)
		}
		form, err := formOf(t.Context(), i, Options{Memory: 1 << 30}, func() (context.Context, context.CancelFunc) { return clocktest.Looks(formLooks), func() {} })
		if err != nil {
			t.Fatal(err)
		}
		if n := decidedVerdicts(form); i.ID.String() == "BART-COL-002" && n < len(pnml.StructuralProperties)-1 {
			t.Errorf("%s, whose exact unfolding is too large: %d verdicts are decided", i.ID, n)
		}
		for _, ours := range form.Verdicts {
			for _, theirs := range table.Verdicts {
				if theirs.Reference != ours.Property || theirs.Value == "unknown" || ours.Value == models.Unknown {
					continue
				}
				compared[ours.Property]++
				if ours.Value.String() != theirs.Value && !slices.Contains(explainedVerdicts[ours.Property], i.ID.String()) {
					t.Errorf("%s %s: %s (%s), the table says %s (%s)", i.ID, ours.Property, ours.Value, ours.Why, theirs.Value, theirs.Text)
				}
			}
		}
	}
	t.Log(compared)
	if all := len(pnml.StructuralProperties) + len(pnml.BehaviouralProperties); len(compared) < all {
		t.Errorf("only %d of %d properties were compared", len(compared), all)
	}
}

func decidedVerdicts(form *models.Form) (n int) {
	for _, v := range form.Verdicts {
		if v.Value != models.Unknown {
			n++
		}
	}
	return n
}
