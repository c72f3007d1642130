package publish

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"podium/examinations/formula"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/netpicture"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml"
	"podium/scoring"
	"podium/scoring/whatif"
)

// Bounds of what is read to describe models and formulas: pages shall not take longer
// than the contest that they show.
const (
	mostNet      = 1 << 20  // bytes of a net
	mostNets     = 48 << 20 // bytes of all nets together
	mostFormulas = 4 << 20  // bytes of a file of formulas
	mostQuestion = 4000     // bytes of a formula that is shown
)

// Describe adds what pages tell of models, tools and disputed formulas, from the inputs
// of the campaign, and what nearly turned a podium. Inputs that cannot be read any more
// are left out: the results do not need them.
func (c *Contest) Describe(j *judged.Campaign) {
	c.describeTools(j)
	c.describeNets(j)
	c.describeQuestions(j)
	c.describeMargins()
}

// DescribeFiles adds what nearly turned a podium and, of nets that are given, sizes, structure
// and pictures. The error is that of a net that cannot be read.
func (c *Contest) DescribeFiles(nets []models.Instance) error {
	c.describeMargins()
	at, list := instancesOf(c), []input(nil)
	for _, i := range nets {
		in := input{i, fileSize(i)}
		if _, shown := at[i.ID]; shown && in.size <= mostNet {
			list = append(list, in)
		}
	}
	return describeInputs(c, list)
}

// describeTools says what the manifests of the tools say.
func (c *Contest) describeTools(j *judged.Campaign) {
	for i := range c.Tools {
		t := &c.Tools[i]
		m, err := j.Campaign.Manifest(j.Planned(t.Name))
		if err != nil {
			continue
		}
		t.Authors, t.Home, t.Licence, t.Archive, t.Techniques = m.Authors, m.Home, m.Licence, m.Archive, m.Techniques
	}
}

// input is an instance of the campaign with the size of its net.
type input struct {
	models.Instance
	size int64
}

// inputOf finds an instance among the inputs.
func inputOf(j *judged.Campaign, p campaign.PlannedInstance) (input, bool) {
	id, err := models.ParseID(p.ID)
	if err != nil {
		return input{}, false
	}
	opened, _ := models.Open(j.Campaign.Path(p.Path)) // findings were shown when it was planned
	found, ok := opened.Find(id)
	if !ok {
		return input{}, false
	}
	return input{found, fileSize(found)}, true
}

// fileSize is the size of the file of a net, in bytes.
func fileSize(i models.Instance) int64 {
	at := slices.IndexFunc(i.Files, func(f models.File) bool { return f.Name == models.ModelFile })
	return i.Files[at].Size
}

// describeNets says the sizes of nets, as the plan has them, and the structure of those
// that are read, the smallest first until enough was read.
func (c *Contest) describeNets(j *judged.Campaign) {
	at, list := instancesOf(c), []input(nil)
	for _, p := range j.Campaign.Plan.Instances {
		if i, shown := at[models.ParseAnyID(p.ID)]; shown && p.Size != nil {
			describeSize(&c.Instances[i], p.Size)
		}
		if filepath.Ext(p.Path) == ".tgz" {
			continue // to read an archive takes long
		}
		if in, ok := inputOf(j, p); ok && in.size <= mostNet {
			list = append(list, in)
		}
	}
	_ = describeInputs(c, list) // the results do not need them
}

// instancesOf gives each instance its place.
func instancesOf(v *Contest) map[models.ID]int {
	at := map[models.ID]int{}
	for i := range v.Instances {
		at[v.Instances[i].ID] = i
	}
	return at
}

// describeInputs reads nets, the smallest first until enough was read. What cannot be read
// is left out.
func describeInputs(v *Contest, list []input) (err error) {
	at := instancesOf(v)
	slices.SortStableFunc(list, func(a, b input) int { return cmp.Or(cmp.Compare(a.size, b.size), a.ID.Compare(b.ID)) })
	left := int64(mostNets)
	for _, in := range list {
		i, shown := at[in.ID]
		if left -= in.size; left < 0 {
			break
		}
		if shown {
			err = cmp.Or(err, describeNet(&v.Instances[i], in.Instance))
		}
	}
	return err
}

// describeSize says how large the net of an instance is.
func describeSize(shown *Instance, s *campaign.NetSize) {
	fact := func(name, text string) { shown.Facts = append(shown.Facts, Named{Name: name, Text: text}) }
	fact("places", fmt.Sprint(s.Places))
	fact("transitions", fmt.Sprint(s.Transitions))
	fact("arcs", fmt.Sprint(s.Arcs))
	if s.Tokens != "" {
		fact("tokens", s.Tokens)
	}
	if s.Units > 0 {
		fact("units", fmt.Sprint(s.Units))
	}
	if s.Colours != "" {
		fact("colours of all places", s.Colours)
	}
}

// describeNet says the structure of a net, draws it, and says its size where the plan does
// not.
func describeNet(shown *Instance, in models.Instance) error {
	doc, err := in.Document()
	if err != nil {
		return err
	}
	if len(shown.Facts) == 0 {
		describeSize(shown, judged.SizeOf(doc))
	}
	if doc.Symmetric != nil {
		shown.Net = netpicture.Symmetric(doc.Symmetric)
		describeForm(shown, doc.Symmetric.Properties())
		return nil
	}
	shown.Net = netpicture.Plain(doc.Net)
	describeForm(shown, doc.Net.Properties())
	return nil
}

// describeForm says which structural properties hold, and which are not known: some of a
// coloured net are seen on its unfolding alone.
func describeForm(shown *Instance, decided []pnml.Property) {
	for _, name := range pnml.StructuralProperties {
		word := strings.ReplaceAll(strings.ToLower(name), "_", " ")
		switch at := slices.IndexFunc(decided, func(p pnml.Property) bool { return p.Name == name }); {
		case at < 0:
			shown.FormUnknown = append(shown.FormUnknown, word)
		case decided[at].Holds:
			shown.Form = append(shown.Form, word)
		}
	}
	shown.FormKnown = true
}

// describeQuestions writes the formulas on which tools disagree, and those of doubtful values.
func (c *Contest) describeQuestions(j *judged.Campaign) {
	c.questions = map[int]question{}
	scored := c.scored()
	for _, s := range scored.Sheets {
		exam := scored.Exams[s.Exam].ID
		var values []int
		for value := int(s.First); value < int(s.First+s.Values); value++ {
			if exam.HasFormulas() && (c.Judged.Result.Disagree(value) || c.doubtful[value] != nil) {
				values = append(values, value)
			}
		}
		p, _ := j.Campaign.Plan.Instance(scored.Instances[s.Instance].Name)
		if len(values) == 0 {
			continue
		}
		in, ok := inputOf(j, p)
		if !ok {
			continue
		}
		text, err := in.ReadFile(exam.FormulaFile(), mostFormulas)
		if err != nil {
			continue
		}
		properties, _ := formula.Read(bytes.NewReader(text), exam.FormulaFile(), exam)
		for _, value := range values {
			if at := slices.IndexFunc(properties, func(p formula.Property) bool { return p.ID == scored.Items[value] }); at >= 0 && properties[at].Formula != nil {
				c.questions[value] = questionOf(properties[at : at+1])
			}
		}
	}
}

// questionOf is the formula of one property.
func questionOf(one []formula.Property) (q question) {
	if q.text = formula.Print(one[0].Formula); len(q.text) > mostQuestion {
		q.text = wording.Cut(q.text, mostQuestion)
	}
	var xml strings.Builder
	if err := formula.Write(&xml, one); err == nil && xml.Len() <= 4*mostQuestion {
		q.xml = xml.String()
	}
	return q
}

// describeMargins finds what would have changed the podiums: neighbours with the decisions that
// part them, and what each tool's answers did to the others.
func (c *Contest) describeMargins() {
	if c.Judged.Result.Scheme.Elect != nil { // else nobody votes: no tool changes what another earns
		c.sense = whatif.SensitivityOf(c.Judged.Result)
	}
}

// marginsOf are the margins of a category.
func (c *Contest) marginsOf(category string) (list []whatif.Margin) {
	if c.sense == nil {
		return nil
	}
	for _, m := range c.sense.Margins {
		if m.Category == category {
			list = append(list, m)
		}
	}
	return list
}

// without says that a tool would stand higher if another had not taken part, beyond
// the place that this one leaves free.
type without struct {
	Tool, Other   string
	Before, After int // ranks of Other
	// Reference values of the category that would differ: to a value that is refuted, to the
	// one that is proved, to one that is neither, and to none.
	Refuted, Proved, Open, Lost int
}

// withoutOthers lists who would stand higher in a category without another tool's answers.
func (c *Contest) withoutOthers(cat *Category) (list []without) {
	if c.sense == nil {
		return nil
	}
	in := map[string]bool{}
	for _, e := range c.scored().Exams {
		in[string(e.ID)] = e.Category == cat.Name
	}
	for _, removal := range c.sense.Removals {
		for _, m := range removal.Changes.Moves {
			if m.Category == cat.Name && overtakes(cat.rankOf(c.scored(), removal.Tool), m, removal.Tool) {
				w := without{Tool: removal.Tool, Other: m.Tool, Before: m.RankBefore, After: m.RankAfter}
				w.count(removal.Changes.References, in)
				list = append(list, w)
			}
		}
	}
	return list
}

// rankOf is the rank of a tool, 0 for none.
func (cat *Category) rankOf(c *scoring.Contest, tool string) int {
	if at := c.ToolNamed(tool); at >= 0 {
		return cat.Standings[at].Rank
	}
	return 0
}

// count counts the reference values of some examinations that would differ.
func (w *without) count(list []whatif.ReferenceChange, in map[string]bool) {
	for _, x := range list {
		switch {
		case !in[x.Exam]:
		case x.After == "?":
			w.Lost++
		case x.Refuted:
			w.Refuted++
		case x.Proved != "":
			w.Proved++
		default:
			w.Open++
		}
	}
}

// overtakes reports whether a tool on a podium stands otherwise without another one, of this
// rank, and not only because that one's own place is free.
func overtakes(rank int, m whatif.Move, without string) bool {
	if m.Tool == without || m.RankBefore == 0 || m.RankAfter == 0 || min(m.RankBefore, m.RankAfter) > 3 {
		return false
	}
	expected := m.RankBefore
	if rank > 0 && rank < m.RankBefore {
		expected--
	}
	return m.RankAfter < expected
}
