package edition

import (
	"podium/examinations"
	"podium/scoring"
)

// ruleFunctions are the functions that an edition may name in its list of rules.
// Points are whole numbers of the edition's unit.
var ruleFunctions = []struct {
	function
	Make func(arguments) func(*scoring.Peers, string)
}{
	{function{Name: "points-per-value", Doc: "a right value gets the points that the table of examinations states (E-4.2)"},
		func(arguments) func(*scoring.Peers, string) { return scoring.PointsPerValue }},
	{function{Name: "points-per-confirmed", Doc: "a right value that a witness confirms gets the points that the table of examinations states; others get none"},
		func(arguments) func(*scoring.Peers, string) { return scoring.PointsPerConfirmed }},
	{function{Name: "penalty-per-wrong", Doc: "a wrong value loses a multiple of the points of the value (E-4.3)", Params: []param{
		{Name: "factor", Type: intParam, Default: "2", Doc: "how many times the points of the value are lost"},
	}}, func(a arguments) func(*scoring.Peers, string) { return scoring.PenaltyPerWrong(a.Int("factor")) }},
	{function{Name: "need-right-value", Doc: "a run without a right value has 0 points, penalties included (E-4.3, the other reading)"},
		func(arguments) func(*scoring.Peers, string) { return scoring.NeedRight }},
	{function{Name: "bonus-least", Doc: "a bonus for the run with the least of a metric (E-4.1)", Params: []param{
		{Name: "metric", Type: wordParam, Words: []string{"cpu", "wall", "memory"}, Doc: "cpu, wall or memory"},
		{Name: "points", Type: intParam, Default: "0", Doc: "points of the bonus; 0 where it is only displayed"},
		{Name: "min_share", Type: fractionParam, Default: "1", Doc: "share of the required values that must be answered"},
		{Name: "first_item_suffices", Type: flagParam, Default: "false", Doc: "whether the first named value of an examination stands for all of them"},
		{Name: "needs_right", Type: flagParam, Default: "false", Doc: "whether one right value at least is needed"},
		{Name: "equals", Type: wordParam, Words: []string{"all", "first"}, Default: "all", Doc: "who gets the bonus among equals"},
		{Name: "within", Type: fractionParam, Default: "0", Doc: "runs no farther from the best than this part of the best get the bonus too"},
	}}, makeBonus},
	{function{Name: "multiply-by-class", Doc: "points count several times by the class of the model (E-4.4)", Params: []param{
		{Name: "known", Type: intParam, Default: "1", Doc: "factor of known models"},
		{Name: "stripped", Type: intParam, Default: "1", Doc: "factor of stripped models"},
		{Name: "surprise", Type: intParam, Default: "1", Doc: "factor of surprise models"},
	}}, func(a arguments) func(*scoring.Peers, string) {
		return scoring.ClassFactors([3]int64{a.Int("known"), a.Int("stripped"), a.Int("surprise")})
	}},
	{function{Name: "family-weight", Doc: "p points become p/whole x (base/N + floor), N instances in the family, rounded half away from zero", Params: []param{
		{Name: "whole", Type: intParam, Default: "16", Doc: "points of a complete examination"},
		{Name: "base", Type: intParam, Doc: "points that the instances of a family share"},
		{Name: "floor", Type: intParam, Doc: "points that every instance adds"},
	}}, func(a arguments) func(*scoring.Peers, string) {
		return scoring.FamilyWeight(max(1, a.Int("whole")), a.Int("base"), a.Int("floor"))
	}},
	{function{Name: "points-by-verdict", Doc: "points by truth value, correctness and witness (SV-COMP)", Params: []param{
		{Name: "correct_true", Type: intParam, Doc: "TRUE is correct and confirmed, or needs no confirmation"},
		{Name: "correct_false", Type: intParam, Doc: "FALSE is correct and confirmed, or needs no confirmation"},
		{Name: "unconfirmed_true", Type: intParam, Default: "0", Doc: "TRUE is correct but not confirmed"},
		{Name: "unconfirmed_false", Type: intParam, Default: "0", Doc: "FALSE is correct but not confirmed"},
		{Name: "wrong_true", Type: intParam, Doc: "TRUE is wrong"},
		{Name: "wrong_false", Type: intParam, Doc: "FALSE is wrong"},
	}}, func(a arguments) func(*scoring.Peers, string) {
		return scoring.PointsByVerdict([...]int64{
			scoring.CorrectTrue: a.Int("correct_true"), scoring.CorrectFalse: a.Int("correct_false"),
			scoring.UnconfirmedTrue: a.Int("unconfirmed_true"), scoring.UnconfirmedFalse: a.Int("unconfirmed_false"),
			scoring.WrongTrue: a.Int("wrong_true"), scoring.WrongFalse: a.Int("wrong_false"),
		})
	}},
}

func makeBonus(a arguments) func(*scoring.Peers, string) {
	b := scoring.Bonus{Metric: scoring.CPUTime, Letter: scoring.Fastest, Points: a.Int("points"), MinShare: a.Fraction("min_share"),
		FirstItem: a.Flag("first_item_suffices"), NeedsRight: a.Flag("needs_right"),
		FirstOfEquals: a.Word("equals") == "first", Within: a.Fraction("within")}
	switch a.Word("metric") {
	case "wall":
		b.Metric = scoring.WallTime
	case "memory":
		b.Metric, b.Letter = scoring.Memory, scoring.Smallest
	}
	return b.Apply
}

// flagFunctions are the functions that an edition may name for its flags.
var flagFunctions = []struct {
	function
	Make func(arguments) scoring.Detect
}{
	{function{Name: "any-wrong", Doc: "a value of the run differs from its reference"},
		func(arguments) scoring.Detect { return nil }},
	{function{Name: "twins-disagree", Doc: "the tool answers the COL and the PT twin differently on a formula that they share", Params: []param{
		{Name: "first", Type: intParam, Default: "8", Doc: "number of leading values that twins share"},
		{Name: "except", Type: listParam, Doc: "families whose twins share no formula"},
	}}, func(a arguments) scoring.Detect { return scoring.Twins(int(a.Int("first")), a.List("except")) }},
	{function{Name: "live-and-deadlocked", Doc: "the tool says that the net is live and that a deadlock is reachable"},
		func(arguments) scoring.Detect {
			return scoring.Contradiction(examinations.Liveness, examinations.True, examinations.ReachabilityDeadlock, examinations.True)
		}},
	{function{Name: "never", Doc: "a flag that is shown and never set"},
		func(arguments) scoring.Detect { return scoring.Never }},
}

// effects are the effects of flags, by the words that editions use.
var effects = map[string]scoring.Effect{"shown": scoring.ShowOnly, "set-aside": scoring.SetAside, "all-wrong": scoring.AllWrong}

// rankingFunctions are the functions that an edition may name for its ranking.
var rankingFunctions = []struct {
	function
	Make func(arguments) scoring.Ranking
}{
	{function{Name: "sum-by-category", Doc: "the sum of all points of a category", Params: []param{
		{Name: "podium", Type: wordParam, Words: []string{"best-variant", "every-tool"}, Default: "best-variant", Doc: "who is ranked among the variants of a tool"},
		{Name: "ties", Type: wordParam, Words: []string{"shared", "success-cpu"}, Default: "shared", Doc: "equal points share the rank, or the CPU time of successful runs decides"},
		{Name: "who", Type: wordParam, Words: []string{"answering", "participants"}, Default: "answering", Doc: "whether tools that competed without any answer are ranked too"},
		{Name: "negative", Type: wordParam, Words: []string{"counts", "dash"}, Default: "counts", Doc: "whether a total below zero counts as zero and is shown as a dash"},
	}}, func(a arguments) scoring.Ranking {
		return scoring.Ranking{BestVariant: a.Word("podium") == "best-variant", TieBySuccessCPU: a.Word("ties") == "success-cpu",
			EveryParticipant: a.Word("who") == "participants", NegativeIsZero: a.Word("negative") == "dash"}
	}},
}

// comparisons are the functions that give the text by which answers are
// compared; the keys are the words that editions use. Nil stands for the
// canonical text.
var comparisons = map[string]func(examinations.Value) string{
	"exact":     nil,
	"displayed": scoring.Displayed,
}
