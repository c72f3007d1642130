package publish

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strconv"

	"podium/internal/publish/paths"
	"podium/scoring"
	"podium/scoring/explain"
)

// What else makes a reference value doubtful, beside what package explain finds.
const (
	refutedDoubt explain.Doubt = "refuted"
	juryDoubt    explain.Doubt = "jury"
)

// doubtKind is a reason to look at a reference value again.
type doubtKind struct {
	doubt       explain.Doubt
	word, about string
	// Of the warning about the contest, "3 reference values MANY SAID"; empty where there is none.
	one, many, said string
}

// doubtKinds are all of them, the gravest first.
var doubtKinds = []doubtKind{
	{refutedDoubt, "refuted by a proof", "The referee has proved another value than the elected one.", "", "", ""},
	{explain.Break, "cannot be true together", "It contradicts another reference value.", "cannot", "cannot", "be true together with another one"},
	{explain.SelfContradiction, "one tool, two answers", "A tool gave two answers to one question: one of them is wrong.",
		"has", "have", "two answers of one tool to one question, of which one is wrong"},
	{explain.NearMargin, "near tie", "It is ahead of the next value by less than the error of the confidences.",
		"was", "were", "elected by less than the error of the confidences"},
	{explain.SingleTool, "one tool alone", "Nobody else answered.", "was", "were", "decided by one tool alone"},
	{explain.OneFamily, "variants of one tool", "All who voted for it are variants of one tool.", "was", "were", "decided by the variants of one tool"},
	{explain.GivenAway, "stated in the input", "What runs are given states it: tools may have read it.",
		"is", "are", "stated by what runs are given, so that tools may have read it"},
	{explain.Copy, "asked twice", "Another value of the same file asks the same.",
		"asks", "ask", "the same as another one of the file, so that one answer earns points twice"},
	{juryDoubt, "decided by the jury", "A decision of the jury sets it, or strikes it.", "", "", ""},
}

// doubtView is a doubt as pages show it: what kind it is of, and a sentence without final stop.
type doubtView struct{ Word, Text string }

// doubtfulRow is a value in the list of doubtful ones.
type doubtfulRow struct {
	Inst, Exam, Value link
	Question          string
	Shown             template.HTML
	Doubts            []doubtView
	grave             int // number of its gravest kind
}

// Words are what the row is filtered by.
func (r doubtfulRow) Words() (words []string) {
	for _, d := range r.Doubts {
		words = append(words, d.Word)
	}
	return slices.Compact(words)
}

// doubtCount is how many values a doubt is about.
type doubtCount struct {
	Word, About, Path string
	Values            int
}

type referencesBody struct {
	Kinds  []doubtCount
	States []doubtCount
	Rows   []doubtfulRow
	Values int // that were asked
	All    int // doubtful ones
	Most   int // rows of each kind
}

// More is how many doubtful values are not listed.
func (b referencesBody) More() int { return b.All - len(b.Rows) }

// maxDoubtful bounds the rows of each kind; references.csv has all values.
const maxDoubtful = 1000

// doubtPath leads to the values with a doubt.
func doubtPath(word string) string { return "references.html#doubt=" + url.QueryEscape(word) }

// findDoubtful finds the doubtful values, with the kinds of their doubts in the order of doubtKinds.
func (c *Contest) findDoubtful() {
	c.doubtful = map[int][]int{}
	result := c.Judged.Result
	for sheet, s := range c.scored().Sheets {
		for value := int(s.First); value < int(s.First+s.Values); value++ {
			state := states[result.References[value].Clause]
			for k, kind := range doubtKinds {
				found := slices.ContainsFunc(c.doubts[value], func(w explain.Warning) bool { return w.Doubt == kind.doubt })
				switch kind.doubt {
				case refutedDoubt:
					found = c.Refereed() && result.Certainty(sheet, value) == scoring.Refuted
				case juryDoubt:
					found = state == Jury || state == Struck
				}
				if found {
					c.doubtful[value] = append(c.doubtful[value], k)
				}
			}
		}
	}
}

// doubtViews are the doubts of some kinds about a value, as pages show them.
func (r *ref) doubtViews(kinds []int) (list []doubtView) {
	for _, k := range kinds {
		switch doubtKinds[k].doubt {
		case refutedDoubt:
			evidence, _ := r.evidence()
			list = append(list, doubtView{doubtKinds[k].word, "elected was " + cmp.Or(r.Voted().Text, "none") + ", proved is " + r.Proved().Text + ": " + evidence})
		case juryDoubt:
			_, text := r.clause()
			list = append(list, doubtView{doubtKinds[k].word, text})
		}
		for _, w := range r.of.doubts[r.value] {
			if w.Doubt == doubtKinds[k].doubt {
				list = append(list, doubtView{doubtKinds[k].word, w.Text})
			}
		}
	}
	return list
}

// valueAnchor is the name of a doubtful value on the page of its instance.
func (v *view) valueAnchor(c *cell, item int) string {
	return paths.Name(string(v.c.Examinations[c.exam].ID)) + ":" + strconv.Itoa(item+1)
}

// writeReferences writes the page of the doubtful reference values of the whole contest. The
// others are counted.
func (s *site) writeReferences() error {
	if s.c.team != nil {
		return nil // doubts name the tools that voted
	}
	return s.render("references", "references.html", page{Here: "references", Title: "References", Body: s.references(),
		About: "Reference values to look at again, and why."})
}

// doubtfulValues is how many of the values that are shown are doubtful.
func (v *view) doubtfulValues() (n int) {
	for i := range v.cells {
		for _, r := range v.cells[i].refs {
			n += btoi(v.c.doubtful[r.value] != nil)
		}
	}
	return n
}

func (s *site) references() *referencesBody {
	body := &referencesBody{Most: maxDoubtful, All: s.doubtfulValues()}
	kinds, listed, found := make([]int, len(doubtKinds)), make([]int, len(doubtKinds)), map[State]int{}
	for i := range s.cells {
		c := &s.cells[i]
		for item := range c.refs {
			r := &c.refs[item]
			body.Values++
			found[r.State()]++
			of := s.c.doubtful[r.value]
			if len(of) == 0 {
				continue
			}
			for _, k := range of {
				kinds[k]++
			}
			if listed[of[0]]++; listed[of[0]] <= maxDoubtful {
				body.Rows = append(body.Rows, s.doubtfulRow(c, item, of))
			}
		}
	}
	slices.SortStableFunc(body.Rows, func(a, b doubtfulRow) int { return cmp.Compare(a.grave, b.grave) })
	for k, kind := range doubtKinds {
		if kinds[k] > 0 {
			body.Kinds = append(body.Kinds, doubtCount{kind.word, s.say(kind.about), doubtPath(kind.word), kinds[k]})
		}
	}
	for _, of := range stateMeanings {
		if n := found[of.state]; n > 0 {
			body.States = append(body.States, doubtCount{Word: of.state.Word(), About: of.about, Values: n})
		}
	}
	return body
}

func (s *site) doubtfulRow(c *cell, item int, kinds []int) doubtfulRow {
	r := &c.refs[item]
	inst := r.key().Instance.String()
	var shown markup
	s.writeReference(&shown, c, item, "")
	return doubtfulRow{Inst: link{s.instPath(c.inst), inst}, Exam: s.examLink(c.exam), Value: link{s.instPath(c.inst) + "#" + s.valueAnchor(c, item), itemWithin(inst, r.item())},
		Question: clean(r.question().text), Shown: shown.html(), Doubts: r.doubtViews(kinds), grave: kinds[0]}
}
