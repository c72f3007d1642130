package publish

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"podium/edition"
	"podium/internal/judged"
	"podium/internal/wording"
	"podium/scoring"
	"podium/scoring/explain"
)

// judge shows what was judged: runs, rankings, and what is doubtful.
func (c *Contest) judge() {
	c.makeRuns()
	c.rank()
	c.doubt()
	c.referee()
	if c.Judged.Result.Scheme.Elect != nil {
		c.warn(confidenceWarning(c.Judged.Result)...)
	}
}

// doubt lets the warnings about reference values travel with them.
func (c *Contest) doubt() {
	c.doubts = map[int][]explain.Warning{}
	count := map[explain.Doubt]int{}
	for _, w := range explain.Warnings(c.Judged.Result, c.Judged.Edition.Twinning()) {
		c.doubts[w.Value] = append(c.doubts[w.Value], w)
		count[w.Doubt]++
	}
	for _, k := range doubtKinds {
		if n := count[k.doubt]; n > 0 {
			c.warn(fmt.Sprintf("%s %s; the table of references has the names.", wording.Count(n, "reference value "+k.one, "reference values "+k.many), k.said))
		}
	}
	c.findDoubtful()
}

// referee says what was certified, and warns of refuted references.
func (c *Contest) referee() {
	proofs := c.Judged.Proofs
	if proofs == nil {
		return
	}
	if proofs.Digest != "" {
		c.certificate(proofs)
	}
	if n := proofs.ByTools(); n > 0 {
		c.RefereeFacts = append(c.RefereeFacts, Named{Name: "shown by witnesses of tools alone", Text: wording.Count(n, "value", "values")})
	}
	refuted := 0
	for _, kinds := range c.doubtful {
		refuted += btoi(doubtKinds[kinds[0]].doubt == refutedDoubt) // the gravest
	}
	if refuted > 0 {
		c.warn(wording.Count(refuted, "elected value is", "elected values are") + " refuted by proof; the page of the referee names them.")
	}
}

// certificate says what the referee has decided itself.
func (c *Contest) certificate(proofs *judged.Certificate) {
	c.Digests = append(c.Digests, Named{Name: "certificate", Text: proofs.Digest})
	budget, memory, decided, asked := int64(0), int64(0), 0, 0
	for _, p := range proofs.Proofs() {
		budget, memory = max(budget, p.Budget), max(memory, p.Memory)
		decided, asked = decided+len(p.Values), asked+p.Asked
	}
	c.RefereeFacts = []Named{
		{Name: "decided", Text: fmt.Sprintf("%d of %d values", decided, asked)},
		{Name: "budget", Text: fmt.Sprintf("%s and %d MB for each examination of an instance", time.Duration(budget)*time.Microsecond, memory/1e6)},
		{Name: "certificate", Text: "sha256 " + proofs.Digest},
	}
}

// editionOf shows the rules of an edition.
func editionOf(e *edition.Edition) Edition {
	shown := Edition{Edition: *e, Rules: e.Words()}
	for _, x := range e.Examinations {
		if x.ID == scoring.AnyExamination {
			continue // the categories are those of the tasks
		}
		shown.Asked = append(shown.Asked, Named{Name: string(x.ID), Text: askedOf(e, &x)})
	}
	if e.Limits.Sequential == e.Limits.Concurrent {
		shown.Limits = limits("every tool", e.Limits.Sequential)
	} else {
		shown.Limits = append(limits("sequential tools", e.Limits.Sequential), limits("concurrent tools", e.Limits.Concurrent)...)
	}
	for _, v := range []struct {
		who string
		of  *edition.Confinement
	}{{"validators of a violation", e.Limits.Violation}, {"validators of correctness", e.Limits.Correctness}} {
		if v.of != nil {
			shown.Limits = append(shown.Limits, limits(v.who, *v.of)...)
		}
	}
	return shown
}

// askedOf says what an examination asks, and what it returns.
func askedOf(e *edition.Edition, x *scoring.Examination) string {
	text := fmt.Sprintf("category %s, %s", x.Category, wording.Count(x.Required, "value", "values"))
	if len(x.Points) == 1 {
		points := e.PointsText(x.Points[0])
		text += " of " + points + map[bool]string{true: " point", false: " points"}[points == "1"]
		if x.Required > 1 {
			text += " each"
		}
		return text
	}
	var each []string
	for _, p := range x.Points {
		each = append(each, e.PointsText(p))
	}
	return text + " of " + strings.Join(each, ", ") + " points"
}

// limits says what a run may use, nothing where there is no limit.
func limits(who string, c edition.Confinement) []Named {
	var parts []string
	if c.CPU > 0 {
		parts = append(parts, wording.Brief(c.CPU)+" of CPU time")
	}
	if c.Wall > 0 {
		parts = append(parts, wording.Brief(c.Wall)+" of wall time")
	}
	if c.Memory > 0 {
		parts = append(parts, wording.Memory(c.Memory)+" of memory")
	}
	if c.Cores > 0 {
		parts = append(parts, wording.Count(c.Cores, "core", "cores"))
	}
	if c.Share > 0 {
		parts = append(parts, fmt.Sprintf("%d %% of the verifiers' CPU time where that is not the edition's", c.Share))
	}
	if len(parts) == 0 {
		return nil
	}
	return []Named{{Name: who, Text: strings.Join(parts, ", ")}}
}

// confidenceWarning says where the confidences say nothing about the tools.
func confidenceWarning(r *scoring.Result) []string {
	if r.ConfidenceTells() || !slices.ContainsFunc(r.Contest.Runs, func(run scoring.Run) bool { return run.Participation != scoring.Absent }) {
		return nil
	}
	return []string{"With " + wording.Count(len(r.Contest.Tools), "tool", "tools") + " confidences say nothing: " +
		"they are shares of the values that enough tools agree on (E-2.2), and here these are values that all agree on. A wrong answer may cost nothing."}
}

// rank shows the rankings of categories and meta categories.
func (c *Contest) rank() {
	r := c.Judged.Result
	scores := r.MaxScores()
	for i, b := range r.Boards() {
		if b.Values == 0 {
			continue // a meta category without any of its parts
		}
		cat := Category{Board: b, Most: scores[i], Efforts: r.Efforts(b.Name)}
		if meta := i - len(r.Categories); meta >= 0 {
			cat.Of, cat.Weights = r.Scheme.Metas[meta].Of, r.Weights(b.Name)
		}
		c.Categories = append(c.Categories, cat)
	}
}
