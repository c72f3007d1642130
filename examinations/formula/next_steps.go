package formula

import (
	"podium/examinations"
	"podium/pnml/diagnostic"
)

// nextSteps are those of findings that have none of their own, by code.
var nextSteps = map[string]string{
	"formula-duplicate-id":       "give each property an id of its own",
	"formula-element":            "remove it",
	"formula-limit":              "write smaller formulas",
	"formula-name":               "write the id of a node into it",
	"formula-number":             "write a whole number in digits",
	"formula-old-schema":         "it is read as before; new files are better written in today's schema",
	"formula-open":               "name a file that you may read",
	"formula-operands":           "add or remove operands",
	"formula-property":           "give each <property> one <id> without blanks, and one <formula>",
	"formula-read":               "check that you may read the file, or copy it again",
	"formula-single-operand":     "leave the operator out",
	"formula-syntax":             "`podium model formulas` writes files of this form to compare with",
	"formula-text":               "remove the text",
	"formula-unknown-place":      "write the id of a place of the net, not its name",
	"formula-unsupported":        "write operators of the contest's schema, such as <conjunction>, <negation> or <is-fireable>",
	"formula-unknown-transition": "write the id of a transition of the net, not its name",
}

// advise gives findings without a next step that of their code.
func advise(list diagnostic.List) {
	for i := range list {
		if list[i].Hint == "" {
			list[i].Hint = nextSteps[list[i].Code]
		}
	}
}

// shapes say what a formula of an examination looks like.
var shapes = map[examinations.ID]string{
	examinations.UpperBounds:             "write <formula><place-bound>",
	examinations.ReachabilityDeadlock:    "write <formula><exists-path><finally>, or <all-paths><globally>",
	examinations.ReachabilityCardinality: "write <formula><exists-path><finally>, or <all-paths><globally>",
	examinations.ReachabilityFireability: "write <formula><exists-path><finally>, or <all-paths><globally>",
	examinations.CTLCardinality:          "write <next>, <globally>, <finally> or <until> directly in each <all-paths> and <exists-path>, and nowhere else",
	examinations.CTLFireability:          "write <next>, <globally>, <finally> or <until> directly in each <all-paths> and <exists-path>, and nowhere else",
	examinations.LTLCardinality:          "write <formula><all-paths>, and no other <all-paths> or <exists-path>",
	examinations.LTLFireability:          "write <formula><all-paths>, and no other <all-paths> or <exists-path>",
}
