package contest

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/campaign"
	"podium/internal/netpicture"
	"podium/internal/publish"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml"
	"podium/scoring"
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
func (j *Judged) Describe(v *publish.Contest) {
	j.describeTools(v)
	j.describeNets(v)
	j.describeQuestions(v)
	j.describeMargins(v)
}

// Describe adds what nearly turned a podium and, of nets that are given, sizes, structure
// and pictures. The error is that of a net that cannot be read.
func (f *Files) Describe(v *publish.Contest, nets []models.Instance) error {
	f.describeMargins(v)
	at, list := instancesOf(v), []input(nil)
	for _, i := range nets {
		in := input{i, sizeOf(i)}
		if _, shown := at[i.ID]; shown && in.size <= mostNet {
			list = append(list, in)
		}
	}
	return describeInputs(v, list)
}

// describeTools says what the manifests of the tools say.
func (j *Judged) describeTools(v *publish.Contest) {
	for i := range v.Tools {
		t := &v.Tools[i]
		m, err := j.Campaign.Manifest(j.planned(t.Name))
		if err != nil {
			continue
		}
		t.Authors, t.Home, t.Licence, t.Techniques = m.Authors, m.Home, m.Licence, m.Techniques
	}
}

// input is an instance of the campaign with the size of its net.
type input struct {
	models.Instance
	size int64
}

// input finds an instance among the inputs.
func (j *Judged) input(p campaign.PlannedInstance) (input, bool) {
	id, err := models.ParseID(p.ID)
	if err != nil {
		return input{}, false
	}
	opened, _ := models.Open(j.Campaign.Path(p.Path)) // findings were shown when it was planned
	found, ok := opened.Find(id)
	if !ok {
		return input{}, false
	}
	return input{found, sizeOf(found)}, true
}

// sizeOf is the size of the file of a net, in bytes.
func sizeOf(i models.Instance) int64 {
	at := slices.IndexFunc(i.Files, func(f models.File) bool { return f.Name == models.ModelFile })
	return i.Files[at].Size
}

// describeNets says the sizes of nets, as the plan has them, and the structure of those
// that are read, the smallest first until enough was read.
func (j *Judged) describeNets(v *publish.Contest) {
	at, list := instancesOf(v), []input(nil)
	for _, p := range j.Campaign.Plan.Instances {
		if i, shown := at[models.ParseAnyID(p.ID)]; shown && p.Size != nil {
			describeSize(&v.Instances[i], p.Size)
		}
		if filepath.Ext(p.Path) == ".tgz" {
			continue // to read an archive takes long
		}
		if in, ok := j.input(p); ok && in.size <= mostNet {
			list = append(list, in)
		}
	}
	_ = describeInputs(v, list) // the results do not need them
}

// instancesOf gives each instance its place.
func instancesOf(v *publish.Contest) map[models.ID]int {
	at := map[models.ID]int{}
	for i := range v.Instances {
		at[v.Instances[i].ID] = i
	}
	return at
}

// describeInputs reads nets, the smallest first until enough was read. What cannot be read
// is left out.
func describeInputs(v *publish.Contest, list []input) (err error) {
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
func describeSize(shown *publish.Instance, s *campaign.NetSize) {
	fact := func(name, text string) { shown.Facts = append(shown.Facts, publish.Named{Name: name, Text: text}) }
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
func describeNet(shown *publish.Instance, in models.Instance) error {
	doc, err := in.Document()
	if err != nil {
		return err
	}
	if len(shown.Facts) == 0 {
		describeSize(shown, SizeOf(doc))
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

// SizeOf is how large the net of a document is, for a plan.
func SizeOf(doc *pnml.Document) *campaign.NetSize {
	if doc.Symmetric != nil {
		s := doc.Symmetric.Statistics()
		return &campaign.NetSize{Places: s.Places, Transitions: s.Transitions, Arcs: s.Arcs, Colours: s.Colours.String()}
	}
	s := doc.Net.Statistics()
	return &campaign.NetSize{Places: s.Places, Transitions: s.Transitions, Arcs: s.Arcs, Tokens: s.Tokens.String(), Units: s.Units}
}

// describeForm says which structural properties hold, and which are not known: some of a
// coloured net are seen on its unfolding alone.
func describeForm(shown *publish.Instance, decided []pnml.Property) {
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

// describeQuestions writes the formulas on which tools disagree.
func (j *Judged) describeQuestions(v *publish.Contest) {
	type file struct {
		instance models.ID
		exam     examinations.ID
	}
	disputed := map[file][]*publish.Reference{}
	for i := range v.References {
		if r := &v.References[i]; r.Key.Exam.HasFormulas() && r.Disputed() {
			of := file{r.Key.Instance, r.Key.Exam}
			disputed[of] = append(disputed[of], r)
		}
	}
	for _, p := range j.Campaign.Plan.Instances {
		id, err := models.ParseID(p.ID)
		if err != nil {
			continue
		}
		for _, exam := range j.Campaign.Plan.Examinations {
			refs := disputed[file{id, exam}]
			if len(refs) == 0 {
				continue
			}
			in, ok := j.input(p)
			if !ok {
				break
			}
			text, err := in.ReadFile(exam.FormulaFile(), mostFormulas)
			if err != nil {
				continue
			}
			properties, _ := formula.Read(bytes.NewReader(text), exam.FormulaFile(), exam)
			for _, r := range refs {
				describeQuestion(r, properties)
			}
		}
	}
}

func describeQuestion(r *publish.Reference, properties []formula.Property) {
	at := slices.IndexFunc(properties, func(p formula.Property) bool { return p.ID == r.Key.Item })
	if at < 0 || properties[at].Formula == nil {
		return
	}
	if text := formula.Print(properties[at].Formula); len(text) <= mostQuestion {
		r.Question = text
	} else {
		r.Question = wording.Cut(text, mostQuestion)
	}
	var xml strings.Builder
	if err := formula.Write(&xml, properties[at:at+1]); err == nil && xml.Len() <= 4*mostQuestion {
		r.QuestionXML = xml.String()
	}
}

// describeMargins says what would have changed the podium of a category: the closest
// neighbours with the decisions that part them, and what each tool's answers did to the
// others.
func (j *Scored) describeMargins(v *publish.Contest) {
	if j.Result.Scheme.Elect == nil {
		return // nobody votes: no tool changes what another earns
	}
	at := map[string]int{}
	for i := range v.Categories {
		at[v.Categories[i].Name] = i
	}
	ids := map[string]models.ID{}
	for i := range j.Result.Contest.Instances {
		ids[j.Result.Contest.Instances[i].Name] = j.Result.Contest.Instances[i].ID
	}
	category := map[string]string{}
	for _, e := range j.Result.Contest.Exams {
		category[string(e.ID)] = e.Category
	}
	s := j.Result.Sense()
	for _, m := range s.Margins {
		i, ok := at[m.Category]
		if !ok {
			continue
		}
		shown := publish.Margin{Ahead: m.Ahead, Behind: m.Behind, Points: m.Points, Needed: m.Needed}
		for _, d := range m.Decisions[:min(3, len(m.Decisions))] {
			shown.Decisions = append(shown.Decisions, publish.Decisive{Key: examinations.Key{Instance: ids[d.Instance], Exam: examinations.ID(d.Exam), Item: d.Item},
				Reference: d.Reference, Otherwise: d.Otherwise, Refuted: d.Refuted, Points: d.Swing})
		}
		v.Categories[i].Margins = append(v.Categories[i].Margins, shown)
	}
	for _, removal := range s.Removals {
		for _, m := range removal.Changes.Moves {
			if i, ok := at[m.Category]; ok && overtakes(&v.Categories[i], m, removal.Tool) {
				w := publish.Without{Tool: removal.Tool, Other: m.Tool, Before: m.RankBefore, After: m.RankAfter}
				countChanges(&w, removal.Changes.References, func(exam string) bool { return category[exam] == m.Category })
				v.Categories[i].Without = append(v.Categories[i].Without, w)
			}
		}
	}
}

// countChanges counts the reference values of some examinations that would differ.
func countChanges(w *publish.Without, list []scoring.ReferenceChange, of func(exam string) bool) {
	for _, x := range list {
		switch {
		case !of(x.Exam):
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

// overtakes tells that a tool on a podium stands otherwise without another one, and not
// only because that one's own place is free.
func overtakes(c *publish.Category, m scoring.Move, without string) bool {
	if m.Tool == without || m.RankBefore == 0 || m.RankAfter == 0 || min(m.RankBefore, m.RankAfter) > 3 {
		return false
	}
	expected := m.RankBefore
	for _, s := range c.Standings {
		if s.Tool == without && s.Rank > 0 && s.Rank < m.RankBefore {
			expected--
		}
	}
	return m.RankAfter < expected
}
