package confidence

// ConsistentFunctions are the functions that an edition may name to decide
// which values belong to V (E-2.2).
var ConsistentFunctions = []struct {
	Function
	Make func(Args) ConsistentFunc
}{
	{Function{"majority", "a value belongs to V when a majority of tools agree on it (E-2.2)", []Param{
		{"min_agree", Int, nil, "3", "least number of tools that agree"},
		{"of", Word, []string{string(OfAnswering), string(OfAll), string(OfMode)}, string(OfAnswering), "what the majority is counted of"},
	}}, func(a Args) ConsistentFunc { return Majority(int(a.Int("min_agree")), MajorityOf(a.Word("of"))) }},
}

// ShareFunctions are the functions that an edition may name to compute the
// confidence of a tool (E-2.2, C).
var ShareFunctions = []struct {
	Function
	Make func(Args) ShareFunc
}{
	{Function{"share-of-consistent", "share of V on which the tool agrees (E-2.2)", []Param{
		{"over", Word, []string{"answered", "consistent"}, "answered", "the denominator: the values of V that the tool answered, or all of V"},
	}}, func(a Args) ShareFunc {
		if a.Word("over") == "consistent" {
			return OverConsistent
		}
		return OverAnswered
	}},
	{Function{"equal", "every tool has confidence 1", nil},
		func(Args) ShareFunc { return func(Share) Ratio { return NewRatio(1, 1) } }},
}

// ElectFunctions are the functions that an edition may name to elect reference
// values (E-3.1). A nil ElectFunc means that all references come from an
// oracle.
var ElectFunctions = []struct {
	Function
	Make func(Args) ElectFunc
}{
	{Function{"weighted-majority", "the answer with the greatest sum of confidences (E-3.1)", []Param{
		{"single_above", Fraction, nil, "93/100", "confidence that the only answering tool must exceed"},
		{"majority", Word, []string{"plurality", "absolute"}, "plurality", "greatest weight, or more than half of the weight that answered"},
		{"tie", Word, []string{"unknown", "supporters"}, "unknown", "what equal greatest weights give: no reference, or the answer of more tools"},
		{"missing", Word, []string{"ignored", "against"}, "ignored", "whether the weight of tools that did not answer counts against the elected answer"},
	}}, func(a Args) ElectFunc {
		return WeightedMajorityPolicy{
			SingleAbove:     a.Fraction("single_above"),
			Absolute:        a.Word("majority") == "absolute",
			TieBySupporters: a.Word("tie") == "supporters",
			MissingAgainst:  a.Word("missing") == "against",
		}.Elect
	}},
	{Function{"oracle", "references are given from outside the vote", nil},
		func(Args) ElectFunc { return nil }},
}

// CertifiedFunctions are the functions that an edition may name to say what the
// proofs of the referee change. A nil CertifiedFunc leaves the elected value as
// it is.
var CertifiedFunctions = []struct {
	Function
	Make func(Args) CertifiedFunc
}{
	{Function{"shown", "what the referee has proved is shown beside the elected value, which decides", nil},
		func(Args) CertifiedFunc { return nil }},
	{Function{"overrides", "what the referee has proved is the reference, whatever was elected", nil},
		func(Args) CertifiedFunc { return Overrides }},
}
