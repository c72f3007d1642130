package scoring

import (
	"podium/confidence"
	"podium/examinations"
)

// RuleFunctions are the functions that an edition may name in its list of rules.
// Points are whole numbers of the edition's unit.
var RuleFunctions = []struct {
	confidence.Function
	Make func(confidence.Args) func(*Peers, string)
}{
	{confidence.Function{Name: "points-per-value", Doc: "a right value gets the points that the table of examinations states (E-4.2)"},
		func(confidence.Args) func(*Peers, string) { return PointsPerValue }},
	{confidence.Function{Name: "penalty-per-wrong", Doc: "a wrong value loses a multiple of the points of the value (E-4.3)", Params: []confidence.Param{
		{Name: "factor", Type: confidence.Int, Default: "2", Doc: "how many times the points of the value are lost"},
	}}, func(a confidence.Args) func(*Peers, string) { return PenaltyPerWrong(a.Int("factor")) }},
	{confidence.Function{Name: "need-right-value", Doc: "a run without a right value has 0 points, penalties included (E-4.3, the other reading)"},
		func(confidence.Args) func(*Peers, string) { return NeedRight }},
	{confidence.Function{Name: "bonus-least", Doc: "a bonus for the run with the least of a metric (E-4.1)", Params: []confidence.Param{
		{Name: "metric", Type: confidence.Word, Words: []string{"cpu", "wall", "memory"}, Doc: "cpu, wall or memory"},
		{Name: "points", Type: confidence.Int, Default: "0", Doc: "points of the bonus; 0 where it is only displayed"},
		{Name: "min_share", Type: confidence.Fraction, Default: "1", Doc: "share of the required values that must be answered"},
		{Name: "first_item_suffices", Type: confidence.Flag, Default: "false", Doc: "whether the first named value of an examination stands for all of them"},
		{Name: "needs_right", Type: confidence.Flag, Default: "false", Doc: "whether one right value at least is needed"},
		{Name: "equals", Type: confidence.Word, Words: []string{"all", "first"}, Default: "all", Doc: "who gets the bonus among equals"},
		{Name: "within", Type: confidence.Fraction, Default: "0", Doc: "runs no farther from the best than this part of the best get the bonus too"},
	}}, makeBonus},
	{confidence.Function{Name: "multiply-by-class", Doc: "points count several times by the class of the model (E-4.4)", Params: []confidence.Param{
		{Name: "known", Type: confidence.Int, Default: "1", Doc: "factor of known models"},
		{Name: "stripped", Type: confidence.Int, Default: "1", Doc: "factor of stripped models"},
		{Name: "surprise", Type: confidence.Int, Default: "1", Doc: "factor of surprise models"},
	}}, func(a confidence.Args) func(*Peers, string) {
		return ClassFactors([3]int64{a.Int("known"), a.Int("stripped"), a.Int("surprise")})
	}},
	{confidence.Function{Name: "family-weight", Doc: "p points become p/whole x (base/N + floor), N instances in the family, rounded half away from zero", Params: []confidence.Param{
		{Name: "whole", Type: confidence.Int, Default: "16", Doc: "points of a complete examination"},
		{Name: "base", Type: confidence.Int, Doc: "points that the instances of a family share"},
		{Name: "floor", Type: confidence.Int, Doc: "points that every instance adds"},
	}}, func(a confidence.Args) func(*Peers, string) {
		return FamilyWeight(max(1, a.Int("whole")), a.Int("base"), a.Int("floor"))
	}},
	{confidence.Function{Name: "points-by-verdict", Doc: "points by truth value, correctness and witness (SV-COMP)", Params: []confidence.Param{
		{Name: "correct_true", Type: confidence.Int, Doc: "TRUE is correct and confirmed, or needs no confirmation"},
		{Name: "correct_false", Type: confidence.Int, Doc: "FALSE is correct and confirmed, or needs no confirmation"},
		{Name: "unconfirmed_true", Type: confidence.Int, Default: "0", Doc: "TRUE is correct but not confirmed"},
		{Name: "unconfirmed_false", Type: confidence.Int, Default: "0", Doc: "FALSE is correct but not confirmed"},
		{Name: "wrong_true", Type: confidence.Int, Doc: "TRUE is wrong"},
		{Name: "wrong_false", Type: confidence.Int, Doc: "FALSE is wrong"},
	}}, func(a confidence.Args) func(*Peers, string) {
		return PointsByVerdict([...]int64{
			CorrectTrue: a.Int("correct_true"), CorrectFalse: a.Int("correct_false"),
			UnconfirmedTrue: a.Int("unconfirmed_true"), UnconfirmedFalse: a.Int("unconfirmed_false"),
			WrongTrue: a.Int("wrong_true"), WrongFalse: a.Int("wrong_false"),
		})
	}},
}

func makeBonus(a confidence.Args) func(*Peers, string) {
	b := Bonus{Metric: CPUTime, Letter: Fastest, Points: a.Int("points"), MinShare: a.Fraction("min_share"),
		FirstItem: a.Flag("first_item_suffices"), NeedsRight: a.Flag("needs_right"),
		FirstOfEquals: a.Word("equals") == "first", Within: a.Fraction("within")}
	switch a.Word("metric") {
	case "wall":
		b.Metric = WallTime
	case "memory":
		b.Metric, b.Letter = Memory, Smallest
	}
	return b.Apply
}

// FlagFunctions are the functions that an edition may name for its flags.
var FlagFunctions = []struct {
	confidence.Function
	Make func(confidence.Args) Detect
}{
	{confidence.Function{Name: "any-wrong", Doc: "a value of the run differs from its reference"},
		func(confidence.Args) Detect { return nil }},
	{confidence.Function{Name: "twins-disagree", Doc: "the tool answers the COL and the PT twin differently on a formula that they share", Params: []confidence.Param{
		{Name: "first", Type: confidence.Int, Default: "8", Doc: "number of leading values that twins share"},
		{Name: "except", Type: confidence.List, Doc: "families whose twins share no formula"},
	}}, func(a confidence.Args) Detect { return Twins(int(a.Int("first")), a.List("except")) }},
	{confidence.Function{Name: "live-and-deadlocked", Doc: "the tool says that the net is live and that a deadlock is reachable"},
		func(confidence.Args) Detect {
			return Contradiction(examinations.Liveness, examinations.True, examinations.ReachabilityDeadlock, examinations.True)
		}},
	{confidence.Function{Name: "never", Doc: "a flag that is shown and never set"},
		func(confidence.Args) Detect { return Never }},
}

// Effects are the effects of flags, by the words that editions use.
var Effects = map[string]Effect{"shown": ShowOnly, "set-aside": SetAside, "all-wrong": AllWrong}

// RankingFunctions are the functions that an edition may name for its ranking.
var RankingFunctions = []struct {
	confidence.Function
	Make func(confidence.Args) Ranking
}{
	{confidence.Function{Name: "sum-by-category", Doc: "the sum of all points of a category (E-4.5)", Params: []confidence.Param{
		{Name: "podium", Type: confidence.Word, Words: []string{"best-variant", "every-tool"}, Default: "best-variant", Doc: "who is ranked among the variants of a tool"},
		{Name: "ties", Type: confidence.Word, Words: []string{"shared", "success-cpu"}, Default: "shared", Doc: "equal points share the rank, or the CPU time of successful runs decides"},
		{Name: "who", Type: confidence.Word, Words: []string{"answering", "participants"}, Default: "answering", Doc: "whether tools that competed without any answer are ranked too"},
		{Name: "negative", Type: confidence.Word, Words: []string{"counts", "dash"}, Default: "counts", Doc: "whether a total below zero counts as zero and is shown as a dash"},
	}}, func(a confidence.Args) Ranking {
		return Ranking{BestVariant: a.Word("podium") == "best-variant", TieBySuccessCPU: a.Word("ties") == "success-cpu",
			EveryParticipant: a.Word("who") == "participants", NegativeIsZero: a.Word("negative") == "dash"}
	}},
}

// Comparisons are the functions that give the text by which answers are
// compared; the keys are the words that editions use. Nil stands for the
// canonical text.
var Comparisons = map[string]func(examinations.Value) string{
	"exact":     nil,
	"displayed": Displayed,
}

// Displayed is examinations.Displayed, except that it gives a text that is no
// canonical number, as importers may keep one, unchanged.
func Displayed(v examinations.Value) string {
	if v.Kind == examinations.Nat && v != examinations.Infinite {
		for i := range len(v.Text) {
			if v.Text[i] < '0' || v.Text[i] > '9' {
				return v.Text
			}
		}
	}
	return examinations.Displayed(v)
}
