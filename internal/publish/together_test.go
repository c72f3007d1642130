package publish

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/scoring"
)

// TestTogetherCountsTheMasks compares the counts of tools with those that the masks give
// one by one.
func TestTogetherCountsTheMasks(t *testing.T) {
	v := newView(fixture(2, 4, 8))
	got := v.compareTools()
	alone, wrong, found, values := 0, 0, 0, 0
	for i := range v.cells {
		c := &v.cells[i]
		for k := range c.refs {
			right, both := 0, 0
			for n, r := range c.runs {
				if r.Void == "" && c.masks[n][k] == scoring.Right {
					right++
				}
				if r.Void == "" && c.masks[n][k] == scoring.Wrong && (r.toolName() == "explicit" || r.toolName() == "symbolic") {
					both++
				}
			}
			values++
			if right == 1 {
				alone++
			}
			if right > 0 {
				found++
			}
			if both == 2 {
				wrong++
			}
		}
	}
	sumAlone, sumReached := 0, 0
	for tool := range v.tools {
		sumAlone += total(got.Alone[tool])
	}
	list, sumSets, _ := got.Upset()
	for _, set := range list {
		if len(set.Tools) == 0 || len(set.Tools) > len(v.tools) {
			t.Errorf("there is a set %d", set.Tools)
		}
		sumSets += set.Count
	}
	for e := range v.c.Examinations {
		sumReached += total(got.Reached[e])
	}
	if sumAlone != alone || sumSets != found || sumReached != values || alone == 0 {
		t.Errorf("alone %d of %d, found %d of %d, values %d of %d", sumAlone, alone, sumSets, found, sumReached, values)
	}
	a, b := v.toolAt["explicit"], v.toolAt["symbolic"]
	if p, q := got.Pairs[a*4+b], got.Pairs[b*4+a]; p != q || p.Wrong != wrong || p.Agree > p.Both || p.Both == 0 {
		t.Errorf("pairs %+v and %+v, %d wrong together", p, q, wrong)
	}
}

// TestTogetherOfManyTools: a contest of more tools than a word has bits is compared, too,
// and the names of its plot do not overlap.
func TestTogetherOfManyTools(t *testing.T) {
	const tools = 130
	c := fixture(1, tools, 1)
	v := newView(c)
	last := 0
	sets, _, _ := v.compareTools().Upset()
	for _, set := range sets {
		last = max(last, set.Tools[len(set.Tools)-1])
	}
	if last < 64 {
		t.Errorf("the last tool that is right is number %d", last)
	}
	s := newSite(v, nil)
	if len(s.pairs) != mostPaired*(mostPaired-1)/2 {
		t.Errorf("%d plots of a tool against another", len(s.pairs))
	}
	if text := string(s.upset()); !strings.Contains(text, "upset wide") || strings.Count(text, "rotate(-90)") != tools {
		t.Error("the plot does not show all tools")
	}
}

func TestShellWords(t *testing.T) {
	for word, want := range map[string]string{"Kanban-PT-5": "Kanban-PT-5", "a b": "'a b'", "it's": `'it'\''s'`, "": "''", "$(rm)": "'$(rm)'", "-x": "'-x'", "a;b": "'a;b'"} {
		if got := shellWord(word); got != want {
			t.Errorf("%q gives %s", word, got)
		}
	}
}

func TestNamesBreakWhereReadersWould(t *testing.T) {
	for name, want := range map[string]string{"ARMCacheCoherence-PT-none": "ARMCache<wbr/>Coherence-<wbr/>PT-<wbr/>none", "<b>a_c": "&lt;b&gt;a_<wbr/>c"} {
		if got := string(breakable(name)); got != want {
			t.Errorf("%q gives %s", name, got)
		}
	}
}

// TestTechniquesThatToolsInvent: techniques are text, and there is a bound of them.
func TestTechniquesThatToolsInvent(t *testing.T) {
	m := newMaker(1, 4, 3)
	for _, r := range m.runs {
		for k := range r.said {
			r.said[k].Techniques = "<script>alert(1)</script> " + strings.Repeat("X", 101) + " X X"
		}
	}
	page, err := os.ReadFile(filepath.Join(publishedSite(t, m.contest()), "together.html"))
	if err != nil {
		t.Fatal(err)
	}
	if text := string(page); strings.Contains(text, "<script>alert") || !strings.Contains(text, "&lt;script&gt;alert") || strings.Contains(text, strings.Repeat("X", 101)) || strings.Contains(text, " style=") {
		t.Error("the page does not show the techniques as text")
	}
}
