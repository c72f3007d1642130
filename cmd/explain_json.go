package cmd

import (
	"podium/edition"
	"podium/internal/campaign"
	"podium/internal/witness"
	"podium/scoring"
	"podium/scoring/explain"
)

func runOf(r *scoring.Result, sheet, tool int) campaign.Run {
	c := r.Contest
	return campaign.Run{Tool: c.Tools[tool].Name, Instance: c.Instances[c.Sheets[sheet].Instance].Name, Exam: c.Exams[c.Sheets[sheet].Exam].ID}
}

// accountOf returns the account of a run and, for a campaign, how it ended.
func accountOf(o *source, r *scoring.Result, sheet, tool int) explainedRun {
	a := explain.Run(r, sheet, tool)
	run := explainedRun{RunAccount: a, Participation: a.Participation.String()}
	if whole, parts := r.Contest.Run(sheet, tool).Energies(); whole > 0 {
		run.Energy = &usedEnergy{State: "measured", Whole: whole, Core: parts.Core, Uncore: parts.Uncore, DRAM: parts.DRAM}
	}
	if o.of == nil {
		return run
	}
	f, ok := o.of.Log.Finished[runOf(r, sheet, tool)]
	if !ok {
		return run
	}
	out := f.Outcome
	if e := out.Energy; e != nil {
		run.Energy = &usedEnergy{e.State(), e.Package, e.Core, e.Uncore, e.DRAM, e.Why}
	}
	run.Ended = &endedRun{Termination: string(out.Termination), CPU: out.CPUTime.Microseconds(), Wall: out.WallTime.Microseconds(), Memory: out.MemoryPeak,
		Measured: out.Measured}
	for a := range f.Answers.All() {
		run.Ended.Answers = append(run.Ended.Answers, answerInOutput{a.Item, a.Text, a.Line, a.Offset, a.At})
	}
	return run
}

// valueAccount returns how a value was elected, and what witnesses say of it.
func valueAccount(o *source, r *scoring.Result, ed *edition.Edition, sheet, value int) valueReply {
	a := explain.Value(r, sheet, value)
	v := valueReply{ValueAccount: a, Certainty: a.Certainty.String()}
	for _, w := range explain.Warnings(r, ed.Twinning()) {
		if w.Sheet == sheet && w.Value == value {
			v.Warnings = append(v.Warnings, w)
		}
	}
	if o.of == nil {
		return v
	}
	for _, t := range o.of.Campaign.Plan.Tools {
		run := runOf(r, sheet, 0)
		run.Tool = t.Name
		f := o.of.Log.Finished[run]
		switch w := f.Witness(a.Item); {
		case w.Item == "":
		case w.State == witness.NotAsked:
			v.Witnesses = append(v.Witnesses, witnessOfTool{t.Name, "proved", w.Detail})
		default:
			v.Witnesses = append(v.Witnesses, witnessOfTool{t.Name, string(w.State), w.Detail})
		}
	}
	return v
}
