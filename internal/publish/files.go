package publish

import (
	"slices"
	"strings"

	"podium/internal/judged"
)

// OfFiles makes the pages of a contest that was read from files, with what the files say: no
// outputs and no machines.
func OfFiles(f *judged.Files) *Contest {
	c := bare(&f.Contest)
	c.Title, c.Edition = f.Edition.Title, editionOf(f.Edition)
	c.Digests = append([]Named{{Name: "edition", Text: f.Edition.Digest}}, f.Sources...)
	c.judge()
	c.warn(unmeasuredRuns(c.runs, f.Edition.HasBonuses())...)
	if f.Edition.Scheme.Ranking.BestVariant && !slices.ContainsFunc(c.Tools, func(t Tool) bool { return t.Family != "" }) {
		c.warn("The files do not say which tools are variants of one submission, so each is ranked for itself (E-4.5): name them with --families.")
	}
	return c
}

// bare is a judged contest with its tools, instances and the examinations that are asked.
func bare(j *judged.Contest) *Contest {
	c, scored := &Contest{Judged: j}, j.Result.Contest
	_, c.FromFiles = j.Facts.(*judged.Files)
	for _, t := range scored.Tools {
		c.Tools = append(c.Tools, Tool{Tool: t})
	}
	for _, i := range scored.Instances {
		_, property, _ := strings.Cut(i.Name, "#") // as campaigns name tasks
		c.Instances = append(c.Instances, Instance{ID: i.ID, Class: i.Class, Property: property})
	}
	asked := make([]bool, len(scored.Exams))
	for _, s := range scored.Sheets {
		asked[s.Exam] = true
	}
	for i, e := range scored.Exams {
		if asked[i] {
			c.Examinations = append(c.Examinations, e)
		}
	}
	return c
}
