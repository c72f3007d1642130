package cmd

import (
	"podium/edition"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/witness"
	"podium/scoring"
	"podium/scoring/explain"
)

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
	f, ok := o.of.Log.Finished[judged.RunOf(r.Contest, sheet, tool)]
	if !ok {
		return run
	}
	out := f.Outcome
	if e := out.Energy; e != nil {
		run.Energy = &usedEnergy{e.State(), e.Package, e.Core, e.Uncore, e.DRAM, e.Why}
	}
	run.Ended = &endedRun{Termination: string(out.Termination), CPU: out.CPUTime.Microseconds(), Wall: out.WallTime.Microseconds(), Memory: out.MemoryPeak,
		Measured: out.Measured, Binding: f.Binding.Text()}
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
	v.Witnesses = witnessedBy(o.of, judged.RunOf(r.Contest, sheet, 0), a.Item)
	return v
}

// witnessedBy returns what the witnesses of each tool for a value are worth; a file of results has none.
func witnessedBy(of *judged.Campaign, run campaign.Run, item string) (list []witnessOfTool) {
	if of == nil {
		return nil
	}
	for _, t := range of.Campaign.Plan.Tools {
		run.Tool = t.Name
		f := of.Log.Finished[run]
		switch w := f.Witness(item); {
		case w.Item == "":
		case w.State == witness.NotAsked:
			list = append(list, witnessOfTool{t.Name, "proved", w.Detail, w.Proved + " is proved"})
		default:
			list = append(list, witnessOfTool{t.Name, string(w.State), w.Detail, string(w.State)})
		}
	}
	return list
}
