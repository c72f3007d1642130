package publish

import (
	"fmt"
	"html"
	"html/template"

	"podium/internal/publish/paths"
)

// A meaning is what a word says wherever it stands on the site: in the glossary and
// in the titles of columns and marks.
type meaning struct{ Word, Text string }

// glossary has one meaning of each word, in the order in which they are read.
var glossary = []meaning{
	{"run", "The work of one tool on one examination of one instance."},
	{"value", "One thing that an examination asks of an instance: a formula, a number, a truth value."},
	{"answer", "A value that a run gave. A value that was asked and not given is no answer."},
	{"no answer", "The value was asked of the tool, and the run gave none."},
	{"vote", "An answer that helps to elect the reference value, with the confidence of its tool as weight. Answers of runs that are set aside are no votes. Where variants of a tool share one vote, only one of them votes."},
	{"reference value", "The value that answers are judged by: elected by the votes, given, or proved, as the edition says. A value that only one tool of low confidence gave is weak: it is shown, and nobody is judged by it."},
	{"right", "The answer equals the reference value, in a run that is not set aside."},
	{"wrong", "The answer differs from the reference value, or a flag makes all answers of its run wrong; in a run that is not set aside."},
	{"not judged", "An answer to a value that has no reference value, or that the edition does not judge."},
	{"set aside", "A flag or a decision of the jury takes points, bonus and votes from the whole run: its answers are neither right nor wrong. The page of the run says which. Answers to a value that the jury struck are set aside, too."},
	{"void", "No machine could do the run, which is not the tool's fault: it counts for nobody."},
	{"stopped", "A limit or a signal ended the run. Its earlier answers count."},
	{"timeout", "A limit of CPU time or of wall time ended the run."},
	{"memory-out", "The limit of memory ended the run."},
	{"outcome", "How a run ended: by itself, by a limit, by a signal, or with an exit code; or that it does not compete, cannot compute, is set aside or void."},
	{"CPU time", "Time that all processes of a run spent on all cores together."},
	{"wall time", "Time from the start of a run to its end, by the clock."},
	{"memory", "The most memory that the processes of a run held together at any time."},
	{"time of an answer", "Wall time from the start of the run to the moment when the answer was printed. It is not known for every run."},
	{"host", "The computer that did the run."},
	{"kind of net", "PT for place/transition nets, COL for symmetric (coloured) nets."},
	{"class", "Whether tools could know a model before the contest: known ones are published, stripped ones are known ones under other names, surprise ones are new."},
	{"flag", "A check of a run against itself or against the reference values. Each has an effect: shown only, all answers wrong, or set aside."},
	{"consistent value", "A value on which a majority of the tools agrees, as the edition demands (E-2.2). Confidence is measured by these, before any reference value is known."},
	{"agree", "Consistent values that the tool answered as the majority did. Answers of runs that a flag sets aside count here, too; those that a decision strikes do not."},
	{"differ", "Consistent values that the tool answered differently from the majority. This is not its number of wrong answers: many values with a reference are not consistent, and answers of runs that are set aside count only here."},
	{"confidence", "Of the consistent values that a tool answered, the share on which it agrees (E-2.2): the weight of its votes."},
	{"disagreement", "A value to which runs gave different answers, those of runs without a vote included. Each is counted once, however many tools differ; a wrong answer that nobody contradicts is not counted."},
	{"answered otherwise", "Tools whose answer is not the reference value, in one disagreement. In brackets: answers that are no votes."},
	{"points", "What an item, a run or a tool is worth in the ranking. The items of a run add up to its points as they are printed."},
	{"raw points", "What a rule states for one item, before the factors of the edition: the weight of the family, the class of the model."},
	{"lost against the best", "The points of the best run of the same instance and examination, of whatever tool, less those of this run."},
	{"rounding", "Where an edition rounds the sum of a run, and not each item, the difference is an item of its own."},
	{"rank", "Place among all tools that are ranked; equal tools share it."},
	{"place", "First, second or third on the podium. It needs points above 0. No tool out of competition has one; where the edition ranks only the best variant of a tool, the others have none."},
	{"maximal score", "The score of a tool that answers all tasks of a category right, each with a confirmed witness."},
	{"false alarm", "A wrong answer FALSE to a task: the property holds."},
	{"wrong proof", "A wrong answer TRUE to a task: the property is violated."},
	{"new", "The tool takes part for the first time, as the edition says."},
	{"out of competition", "The tool is scored, and has no rank and no place. It votes, unless the edition says `votes: competitors`."},
	{"emulated", "Software imitated the processor of the virtual machine: answers count, but times are not for the record."},
}

// meanings finds a meaning by its word.
var meanings = func() map[string]string {
	m := make(map[string]string, len(glossary))
	for _, x := range glossary {
		m[x.Word] = x.Text
	}
	return m
}()

// about is the title of an element that shows a word.
func (s *site) about(word string) (template.HTMLAttr, error) {
	text, known := meanings[word]
	if own := taskMeanings[word]; own != "" && !s.hasNets() {
		text = own
	}
	if !known {
		return "", fmt.Errorf("the glossary lacks %q", word)
	}
	return template.HTMLAttr(`title="` + html.EscapeString(text) + `"`), nil
}

func (s *site) writeGlossary() error {
	type entry struct{ Anchor, Word, Text string }
	var list []entry
	for _, x := range s.meanings() {
		list = append(list, entry{"word-" + paths.Name(x.Word), x.Word, x.Text})
	}
	return s.render("glossary", "glossary.html", page{Here: "rules", Title: "Glossary", Body: list, About: "What the words of this site mean."})
}
