package publish

import (
	"bufio"
	"encoding/json"

	"podium/internal/publish/paths"
)

// jsonView is a file with what pages of one kind show, for programs. docs/site.md describes it.
type jsonView struct {
	name string // the kind: the file is json/name.json, and its list has this name
	row  string // what an element is
	list func(*site) any
}

var jsonViews = []jsonView{
	{"categories", "one category: the standing of every tool", (*site).jsonCategories},
	{"tools", "one tool: its confidence, and what became of its values in each examination", (*site).jsonTools},
	{"examinations", "one examination: points of every tool", (*site).jsonExaminations},
	{"models", "one model: points of every tool in each examination", (*site).jsonModels},
	{"instances", "one instance: points of every tool", (*site).jsonInstances},
	{"disagreements", "one value on which tools differ", (*site).jsonDisagreements},
}

// writeJSON writes the views that programs read.
func (s *site) writeJSON() error {
	return s.tree.inParallel("JSON", len(jsonViews), func(i int) error {
		of := jsonViews[i]
		return s.tree.write("json/"+of.name+".json", func(w *bufio.Writer) error {
			return json.NewEncoder(w).Encode(map[string]any{"format": "podium-site-" + of.name + "/1", of.name: of.list(s)})
		})
	})
}

// jsonPoints are exact ratios by tool; a tool without a run has none.
type jsonPoints map[string]string

func (s *site) jsonPoints(sums pointSums) jsonPoints {
	points := jsonPoints{}
	for tool, sum := range sums {
		if sum != nil {
			points[s.tools[tool].Name] = exact(sum)
		}
	}
	return points
}

type jsonStanding struct {
	Tool   string `json:"tool"`
	Points string `json:"points"`
	Rank   int    `json:"rank"`
	Place  int    `json:"place"`
	Right  int    `json:"right"`
	Wrong  int    `json:"wrong"`
}

type jsonCategory struct {
	Category  string         `json:"category"`
	Page      string         `json:"page"`
	Of        []string       `json:"of"`
	Exams     []string       `json:"examinations"`
	Standings []jsonStanding `json:"standings"`
}

func (s *site) jsonCategories() any {
	list := []jsonCategory{}
	for i := range s.c.Categories {
		cat := &s.c.Categories[i]
		c := jsonCategory{cat.Name, paths.Category(cat.Name), append([]string{}, cat.Of...), []string{}, []jsonStanding{}}
		for _, e := range s.examsOf(cat.Name) {
			c.Exams = append(c.Exams, string(s.c.Examinations[e].ID))
		}
		for _, st := range s.c.standings(cat) {
			n := s.sum(s.toolAt[st.Tool], cat.Name)
			c.Standings = append(c.Standings, jsonStanding{st.Tool, exact(st.Points), st.Rank, st.Place, n.right, n.wrong})
		}
		list = append(list, c)
	}
	return list
}

type jsonToolExam struct {
	Exam      string `json:"examination"`
	Points    string `json:"points"`
	Right     int    `json:"right"`
	Wrong     int    `json:"wrong"`
	NotJudged int    `json:"not_judged"`
	SetAside  int    `json:"set_aside"`
	NoAnswer  int    `json:"no_answer"`
	Runs      int    `json:"runs"`
	Stopped   int    `json:"stopped"`
	Void      int    `json:"void"`
	CPU       int64  `json:"cpu_us"`
}

type jsonTool struct {
	Tool       string         `json:"tool"`
	Page       string         `json:"page"`
	Family     string         `json:"family"`
	Version    string         `json:"version"`
	Confidence string         `json:"confidence,omitempty"`
	Agree      int            `json:"agree"`
	Answered   int            `json:"answered"`
	Exams      []jsonToolExam `json:"examinations"`
}

func (s *site) jsonTools() any {
	list, sums := []jsonTool{}, make([]pointSums, len(s.c.Examinations))
	for e := range sums {
		sums[e] = s.examSums(e)
	}
	for i, t := range s.tools {
		trust := s.trust[i]
		of := jsonTool{Tool: t.Name, Page: s.toolPath(t.Name), Family: t.Family, Version: t.Version, Agree: trust.Agree, Answered: trust.Answered, Exams: []jsonToolExam{}}
		if r := ratioOf(trust); r != nil {
			of.Confidence = exact(r)
		}
		for e, exam := range s.c.Examinations {
			n := s.tally[i][e]
			if n.runs+n.void+n.declined == 0 {
				continue
			}
			of.Exams = append(of.Exams, jsonToolExam{string(exam.ID), exact(sums[e][i]), n.right, n.wrong, n.unjudged, n.aside, n.missed, n.runs, n.stopped, n.void, n.cpu})
		}
		list = append(list, of)
	}
	return list
}

// examSums sums up the points of an examination, by tool; nil where it has no run.
func (s *site) examSums(e int) pointSums {
	sums := make(pointSums, len(s.tools))
	for m := range s.families {
		sums.plus(s.modelSums(m)[e])
	}
	return sums
}

type jsonExam struct {
	Exam     string     `json:"examination"`
	Page     string     `json:"page,omitempty"`
	Category string     `json:"category,omitempty"`
	Points   jsonPoints `json:"points"`
}

func (s *site) jsonExaminations() any {
	list := []jsonExam{}
	for e, exam := range s.c.Examinations {
		list = append(list, jsonExam{string(exam.ID), s.examPath(e), exam.Category, s.jsonPoints(s.examSums(e))})
	}
	return list
}

type jsonModel struct {
	Model     string     `json:"model"`
	Page      string     `json:"page"`
	Instances []string   `json:"instances"`
	Exams     []jsonExam `json:"examinations"`
}

func (s *site) jsonModels() any {
	list := []jsonModel{}
	for m := range s.families {
		f := &s.families[m]
		of := jsonModel{f.name, f.path(), []string{}, []jsonExam{}}
		for _, i := range f.insts {
			of.Instances = append(of.Instances, s.insts[i].ID.String())
		}
		for e, sums := range s.modelSums(m) {
			if points := s.jsonPoints(sums); len(points) > 0 {
				of.Exams = append(of.Exams, jsonExam{Exam: string(s.c.Examinations[e].ID), Points: points})
			}
		}
		list = append(list, of)
	}
	return list
}

type jsonInstance struct {
	Instance string     `json:"instance"`
	Page     string     `json:"page"`
	Model    string     `json:"model"`
	Kind     string     `json:"kind"`
	Class    string     `json:"class"`
	Points   jsonPoints `json:"points"`
}

func (s *site) jsonInstances() any {
	list := []jsonInstance{}
	for i, inst := range s.insts {
		sums := make(pointSums, len(s.tools))
		for e := range s.c.Examinations {
			s.addPoints(sums, &s.cells[i*len(s.c.Examinations)+e])
		}
		list = append(list, jsonInstance{inst.ID.String(), s.instPath(i), s.families[s.familyOf[i]].name, netWord(inst.ID), inst.Class.String(), s.jsonPoints(sums)})
	}
	return list
}

type jsonSplit struct {
	Instance string       `json:"instance"`
	Exam     string       `json:"examination"`
	Item     string       `json:"item"`
	Value    string       `json:"value,omitempty"` // the reference value
	State    string       `json:"state"`
	Page     string       `json:"page"`
	Answers  []jsonAnswer `json:"answers"`
}

type jsonAnswer struct {
	Value string   `json:"value"`
	Tools []string `json:"tools"`
}

func (s *site) jsonDisagreements() any {
	list := []jsonSplit{}
	for n, sp := range s.splits {
		r := &sp.cell.refs[sp.item]
		of := jsonSplit{r.key().Instance.String(), string(r.key().Exam), r.item(), r.Value().Text, string(r.State()), s.splitPath(n), []jsonAnswer{}}
		for _, c := range r.camps() {
			answer := jsonAnswer{c.value.Text, []string{}}
			for _, a := range c.answers {
				answer.Tools = append(answer.Tools, a.Tool)
			}
			of.Answers = append(of.Answers, answer)
		}
		list = append(list, of)
	}
	return list
}
