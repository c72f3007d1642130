package edition

import "podium/confidence"

// consistentFunctions are the functions that an edition may name to decide
// which values belong to V (E-2.2).
var consistentFunctions = []struct {
	function
	Make func(arguments) confidence.ConsistentFunc
}{
	{function{Name: "majority", Doc: "a value belongs to V when a majority of tools agree on it (E-2.2)", Params: []param{
		{Name: "min_agree", Type: intParam, Default: "3", Doc: "least number of tools that agree"},
		{Name: "of", Type: wordParam, Words: []string{string(confidence.OfAnswering), string(confidence.OfAll), string(confidence.OfMode)}, Default: string(confidence.OfAnswering), Doc: "what the majority is counted of"},
	}}, func(a arguments) confidence.ConsistentFunc {
		return confidence.Majority(int(a.Int("min_agree")), confidence.MajorityOf(a.Word("of")))
	}},
}

// shareFunctions are the functions that an edition may name to compute the
// confidence of a tool (E-2.2, C).
var shareFunctions = []struct {
	function
	Make func(arguments) confidence.ShareFunc
}{
	{function{Name: "share-of-consistent", Doc: "share of V on which the tool agrees (E-2.2)", Params: []param{
		{Name: "over", Type: wordParam, Words: []string{"answered", "consistent"}, Default: "answered", Doc: "the denominator: the values of V that the tool answered, or all of V"},
	}}, func(a arguments) confidence.ShareFunc {
		if a.Word("over") == "consistent" {
			return confidence.OverConsistent
		}
		return confidence.OverAnswered
	}},
	{function{Name: "equal", Doc: "every tool has confidence 1"},
		func(arguments) confidence.ShareFunc {
			return func(confidence.Share) confidence.Ratio { return confidence.NewRatio(1, 1) }
		}},
}

// electFunctions are the functions that an edition may name to elect reference
// values (E-3.1). A nil ElectFunc means that all references come from an
// oracle.
var electFunctions = []struct {
	function
	Make func(arguments) confidence.ElectFunc
}{
	{function{Name: "weighted-majority", Doc: "the answer with the greatest sum of confidences (E-3.1)", Params: []param{
		{Name: "single_above", Type: fractionParam, Default: "93/100", Doc: "confidence that the only answering tool must exceed"},
		{Name: "majority", Type: wordParam, Words: []string{"plurality", "absolute"}, Default: "plurality", Doc: "greatest weight, or more than half of the weight that answered"},
		{Name: "tie", Type: wordParam, Words: []string{"unknown", "supporters"}, Default: "unknown", Doc: "what equal greatest weights give: no reference, or the answer of more tools"},
		{Name: "missing", Type: wordParam, Words: []string{"ignored", "against"}, Default: "ignored", Doc: "whether the weight of tools that did not answer counts against the elected answer"},
	}}, func(a arguments) confidence.ElectFunc {
		return confidence.WeightedMajorityPolicy{
			SingleAbove:     a.Fraction("single_above"),
			Absolute:        a.Word("majority") == "absolute",
			TieBySupporters: a.Word("tie") == "supporters",
			MissingAgainst:  a.Word("missing") == "against",
		}.Elect
	}},
	{function{Name: "oracle", Doc: "references are given, and not found from the answers of tools"},
		func(arguments) confidence.ElectFunc { return nil }},
}

// certifiedFunctions are the functions that an edition may name to say what the
// proofs of the referee change. A nil CertifiedFunc leaves the elected value as
// it is.
var certifiedFunctions = []struct {
	function
	Make func(arguments) confidence.CertifiedFunc
}{
	{function{Name: "shown", Doc: "what the referee has proved is shown beside the elected value, which decides"},
		func(arguments) confidence.CertifiedFunc { return nil }},
	{function{Name: "overrides", Doc: "what the referee has proved, or a witness of a tool that a replay confirmed, is the reference, whatever was elected"},
		func(arguments) confidence.CertifiedFunc { return confidence.Overrides }},
}
