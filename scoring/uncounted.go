package scoring

import (
	"strings"

	"podium/confidence"
)

// Uncounted is an answer that is no vote, with the reason.
type Uncounted struct {
	confidence.Vote
	Why string // a clause
}

// Disagree reports whether two answers to a value differ, with a vote or without.
func (r *Result) Disagree(value int) bool {
	first := confidence.None
	for _, answer := range r.answers.Row(value) {
		if first == confidence.None {
			first = answer
		}
		if answer != confidence.None && answer != first {
			return true
		}
	}
	return false
}

// Uncounted lists the answers to a value that are no votes.
func (r *Result) Uncounted(sheet, value int) []Uncounted {
	counted := r.Votes(sheet, value)
	answers := 0
	for _, a := range r.answers.Row(value) {
		if a != confidence.None {
			answers++
		}
	}
	var list []Uncounted
	for _, v := range r.intervals(value) {
		list = append(list, Uncounted{v, "an interval is no vote and is not judged"})
	}
	if answers == len(counted) {
		return list // each of the others is a vote
	}
	for _, v := range r.answers.Votes(value, nil) {
		switch {
		case hasVote(counted, v.Tool):
		case r.SetAside(sheet, v.Tool):
			list = append(list, Uncounted{v, r.NoScore(sheet, v.Tool)})
		case r.Contest.struckVote(value, v.Tool) != "":
			list = append(list, Uncounted{v, r.Contest.struckVote(value, v.Tool)})
		case !r.elects(sheet):
			list = append(list, Uncounted{v, "the verdict of a task is given, and no tool votes on it"})
		default:
			list = append(list, Uncounted{v, "the variants of a tool have one vote together"})
		}
	}
	return list
}

// ClauseText says how a reference was decided, and what intervals among the answers tell. It says that all tools agree
// only where no answer differs, with a vote or without.
func (r *Result) ClauseText(sheet, value int) string {
	ref := r.References[value]
	text, set := ref.Clause.String(), r.setText(sheet, value)
	if why := r.Contest.ruledValue(value); why != "" {
		return text + ": " + why + set
	}
	if ref.Clause != confidence.GlobalAgreement {
		return text + set
	}
	for _, u := range r.Uncounted(sheet, value) {
		if u.Answer != ref.Answer {
			return strings.ReplaceAll(text, "all tools agree", "all tools whose answers count agree") + set
		}
	}
	return text + set
}

func hasVote(votes []confidence.Vote, tool int) bool {
	for _, v := range votes {
		if v.Tool == tool {
			return true
		}
	}
	return false
}
