package edition

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"podium/confidence"
	"podium/models"
	"podium/scoring"
)

// Words are what an edition says of one matter, in sentences: the reading that it has
// chosen, and no other.
type Words struct {
	Rule  string // E-4.2; empty where the edition gives a function no number
	Title string // Points, Bonuses, ...
	Text  string // one sentence or more; lines are of functions that follow each other
}

// titles are the matters in the order in which they are read.
var titles = []string{"Points", "Bonuses", "Penalties", "Flags", "Values that are not judged", "Weights of models", "Classes of models", "Ranking",
	"Consistent values", "Confidence of tools", "References", "Proofs"}

// HasBonuses reports whether runs may have a bonus, one that is only displayed included.
func (e *Edition) HasBonuses() bool {
	return slices.ContainsFunc(e.uses, func(u use) bool { return u.function.Name == "bonus-least" })
}

// numbers of sections whose functions have no number of their own, by the rules of 2016.
var numbers = map[string]string{"consistent": "E-2.2", "confidence": "E-2.2", "elect": "E-3.1"}

// Words returns the rules of the edition in the order of reading: points first, then how
// references come about. A rule of one number may stand under several titles.
func (e *Edition) Words() (list []Words) {
	add := func(rule, title, text string) {
		n := slices.IndexFunc(list, func(w Words) bool { return w.Rule == rule && w.Title == title })
		if n < 0 {
			n, list = len(list), append(list, Words{Rule: rule, Title: title})
		} else {
			list[n].Text += "\n"
		}
		list[n].Text += text
	}
	flags := 0
	for _, u := range e.uses {
		s := sentences[u.function.Name]
		args, _ := u.function.check(u.given) // read has checked them
		text := u.scope() + s.say(e.Scheme, args)
		if u.section == "flags" {
			f := e.Scheme.Flags[flags]
			flags++
			text = f.Name + ": " + text
			if u.function.Name != "never" {
				text += " " + effectSentences[f.Effect]
			}
		}
		rule := cmp.Or(u.rule, numbers[u.section])
		if u.function.Name == "oracle" { // the rules of 2016 have no such references
			rule = u.rule
			text += " What an answer counts as is the reading of " + e.Verdicts.Versions + "."
		}
		add(rule, s.title, text)
	}
	for _, n := range e.Scheme.NotJudged {
		nets := map[models.Kind]string{models.PT: "P/T nets", models.COL: "coloured nets"}[n.Kind]
		add("", "Values that are not judged", fmt.Sprintf("%s of %s is not judged on %s: it earns no points and loses none.", n.Item, n.Exam, nets))
	}
	for _, m := range e.Scheme.Metas {
		how := "the sum of those of"
		if m.Normalised {
			how = "normalised, so that every part weighs alike however many tasks it has:"
		}
		add(e.rankingRule(), "Ranking", fmt.Sprintf("The points of %s are %s %s.", m.Name, how, strings.Join(m.Of, ", ")))
	}
	if len(e.Scheme.Demo) > 0 {
		add(e.rankingRule(), "Ranking", strings.Join(e.Scheme.Demo, ", ")+": a demonstration, which is shown and not scored: no points, no ranks and no part in other categories.")
	}
	if e.Scheme.Elect != nil {
		add(numbers["elect"], "References", e.voters())
	}
	if e.Scheme.Display != nil {
		add(numbers["elect"], "References", "Numbers are compared as they are displayed, with five significant digits.")
	}
	slices.SortStableFunc(list, func(a, b Words) int {
		return cmp.Compare(slices.Index(titles, a.Title), slices.Index(titles, b.Title))
	})
	return list
}

// PointsText returns points of the table of examinations as a reader of the rules counts them:
// where models are weighed, as they are before.
func (e *Edition) PointsText(points int64) string {
	if slices.ContainsFunc(e.uses, func(u use) bool { return u.function.Name == "family-weight" }) {
		return fmt.Sprint(points)
	}
	return e.Scheme.PointsText(points)
}

// voters says who votes.
func (e *Edition) voters() string {
	text := "Every tool has a vote"
	if e.Scheme.OnePerFamily {
		text = "The tools of a family have one vote together"
	}
	out := strings.Join(e.OutOfCompetition, ", ")
	switch {
	case e.Scheme.CompetitorsVote:
		text += "; tools out of competition have none"
	case out != "":
		text += ", also one that is out of competition and is not ranked (" + out + ")"
	}
	return text + "."
}

// rankingRule is the number of the rule of the ranking.
func (e *Edition) rankingRule() string {
	n := slices.IndexFunc(e.uses, func(u use) bool { return u.section == "ranking" })
	return e.uses[n].rule
}

// scope says what a rule is limited to.
func (u use) scope() string {
	if u.only == "" {
		return ""
	}
	return "For " + u.only + " only: "
}

// effectSentences say what a flag does.
var effectSentences = map[scoring.Effect]string{
	scoring.ShowOnly: "This is shown and changes no points.",
	scoring.SetAside: "Such a run is set aside: it has no points, no bonus and no votes.",
	scoring.AllWrong: "All answers of such a run count as wrong.",
}

// sentence says what a function does, by its arguments.
type sentence struct {
	title string
	say   func(s *scoring.Scheme, a arguments) string
}

// always is a sentence of a function without parameters.
func always(title, text string) sentence {
	return sentence{title, func(*scoring.Scheme, arguments) string { return text }}
}

// by has a text for each word of a parameter.
func (a arguments) by(name string, texts map[string]string) string { return texts[a[name]] }

// sentences are those of all functions, by their names.
var sentences = map[string]sentence{
	"points-per-value":     always("Points", "A right value earns the points that its examination gives it."),
	"points-per-confirmed": always("Points", "A right value earns its points where a witness of the tool confirms it, and nothing otherwise."),
	"points-by-verdict":    {"Points", sayVerdicts},
	"bonus-least":          {"Bonuses", sayBonus},
	"penalty-per-wrong": {"Penalties", func(_ *scoring.Scheme, a arguments) string {
		return fmt.Sprintf("A wrong value loses %s the points that it would have earned.", times(a.Int("factor")))
	}},
	"need-right-value": always("Penalties", "A run without a right value has 0 points: it loses nothing for wrong values either."),
	"family-weight": {"Weights of models", func(s *scoring.Scheme, a arguments) string {
		return fmt.Sprintf("The instances of a model share %s points, and each adds %s: on one of N instances, %d points become %s / N + %s, and fewer in proportion, penalties too.",
			s.PointsText(a.Int("base")), s.PointsText(a.Int("floor")), a.Int("whole"), s.PointsText(a.Int("base")), s.PointsText(a.Int("floor")))
	}},
	"multiply-by-class":   {"Classes of models", sayClasses},
	"any-wrong":           always("Flags", "a value of the run differs from its reference."),
	"live-and-deadlocked": always("Flags", "the tool says that the net is live and that a deadlock is reachable."),
	"never":               always("Flags", "no run carries this flag: what it means is not known."),
	"twins-disagree": {"Flags", func(_ *scoring.Scheme, a arguments) string {
		text := fmt.Sprintf("the tool answers a coloured net and its P/T net differently on one of the first %d formulas, which the two share", a.Int("first"))
		if except := a.List("except"); len(except) > 0 {
			text += "; not looked for in " + strings.Join(except, ", ")
		}
		return text + "."
	}},
	"sum-by-category": {"Ranking", sayRanking},
	"majority": {"Consistent values", func(_ *scoring.Scheme, a arguments) string {
		return fmt.Sprintf("A value is consistent when at least %d tools agree on an answer, %s.", a.Int("min_agree"), a.by("of", map[string]string{
			string(confidence.OfAnswering): "and they are more than half of those that answered it",
			string(confidence.OfAll):       "and they are more than half of all tools of the contest",
			string(confidence.OfMode):      "and they are more than agree on any other answer",
		}))
	}},
	"share-of-consistent": {"Confidence of tools", func(_ *scoring.Scheme, a arguments) string {
		return a.by("over", map[string]string{
			"answered":   "A tool agrees with some of the consistent values that it answered: that part of them is its confidence, 1 at most.",
			"consistent": "A tool agrees with some of all consistent values: that part of them is its confidence, 1 at most. A value that it did not answer counts against it.",
		})
	}},
	"equal":             always("Confidence of tools", "Every tool has confidence 1."),
	"weighted-majority": {"References", sayElection},
	"oracle":            always("References", "What is right is given with the tasks: their expected verdicts."),
	"shown":             always("Proofs", "What the referee has proved is shown beside the value that the vote elected, which decides."),
	"overrides":         always("Proofs", "What the referee has proved is right, whatever the vote elected, and so is what a witness of a tool shows that a replay confirmed."),
}

// times is a factor as an adverb: "twice".
func times(n int64) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

func sayVerdicts(s *scoring.Scheme, a arguments) string {
	points := func(name string) string {
		n := a.Int(name)
		if n < 0 {
			return "loses " + counted(s.PointsText(-n))
		}
		return "earns " + counted(s.PointsText(n))
	}
	text := fmt.Sprintf("A right answer TRUE %s, a right answer FALSE %s, where its witness is confirmed or none is needed.", points("correct_true"), points("correct_false"))
	unconfirmed := fmt.Sprintf("%s (TRUE) or %s (FALSE)", points("unconfirmed_true"), points("unconfirmed_false"))
	if a.Int("unconfirmed_true") == 0 && a.Int("unconfirmed_false") == 0 {
		unconfirmed = "earns nothing"
	}
	text += " A right answer whose witness is not confirmed " + unconfirmed + "."
	return text + fmt.Sprintf(" A wrong answer TRUE %s, a wrong answer FALSE %s.", points("wrong_true"), points("wrong_false"))
}

// counted is a number of points with its noun.
func counted(points string) string {
	if points == "1" {
		return "1 point"
	}
	return points + " points"
}

func sayBonus(s *scoring.Scheme, a arguments) string {
	metric := a.by("metric", map[string]string{"cpu": "CPU time", "wall": "wall-clock time", "memory": "memory"})
	text := fmt.Sprintf("Of the runs of an instance and examination, the one with the least %s earns %s.", metric, counted(s.PointsText(a.Int("points"))))
	if a.Int("points") == 0 {
		text = fmt.Sprintf("Of the runs of an instance and examination, the one with the least %s is named; that earns no points.", metric)
	}
	switch share := a.Fraction("min_share"); {
	case share.Cmp(confidence.NewRatio(1, 1)) == 0:
		text += " It must have answered all values that are asked"
	case share.Cmp(confidence.NewRatio(1, 2)) == 0:
		text += " It must have answered half of the values that are asked, at least"
	default:
		text += fmt.Sprintf(" It must have answered %s of the values that are asked, at least", share)
	}
	if a.Flag("first_item_suffices") {
		text += " (the number of states suffices in StateSpace)"
	}
	if a.Flag("needs_right") {
		text += ", one of them right"
	}
	text += ", and none of them wrong."
	within := a.Fraction("within")
	switch {
	case within.Num() > 0:
		text += fmt.Sprintf(" Runs that need no more than %s of that beyond it count as equal to it, too.", within)
	case a.Word("equals") == "all":
		text += " Of equally good runs each counts."
	default:
		text += " Of equally good runs the first in the file of results counts."
	}
	return text
}

func sayClasses(_ *scoring.Scheme, a arguments) string {
	var parts []string
	for _, class := range []string{"known", "stripped", "surprise"} {
		if n := a.Int(class); n != 1 {
			parts = append(parts, times(n)+" on "+class+" models")
		}
	}
	if len(parts) == 0 {
		return "Points count alike on models of all classes."
	}
	return "Points, bonuses and penalties count " + strings.Join(parts, " and ") + ", and once on other models."
}

func sayRanking(_ *scoring.Scheme, a arguments) string {
	return strings.Join([]string{"The points of a tool in a category are the sum of all its points there.",
		a.by("podium", map[string]string{"best-variant": "Of the variants of a tool only the best takes a place.", "every-tool": "Every variant of a tool takes a place."}),
		a.by("ties", map[string]string{"shared": "Tools with equal points share a place.", "success-cpu": "Of tools with equal points, the one that used less CPU time on its right answers is ahead."}),
		a.by("who", map[string]string{"answering": "A tool without any answer is not ranked.", "participants": "Tools that took part without any answer are ranked too."}),
		a.by("negative", map[string]string{"counts": "A sum may be below zero.", "dash": "A sum below zero counts as zero and is shown as a dash."}),
	}, " ")
}

func sayElection(_ *scoring.Scheme, a arguments) string {
	text := "The weight of an answer is the sum of the confidences of the tools that gave it. The reference is the answer of the greatest weight"
	switch {
	case a.Word("missing") == "against":
		text += ", where that is more than half of the weight of all tools of the contest"
	case a.Word("majority") == "absolute":
		text += ", where that is more than half of the weight of all tools that answered"
	}
	text += a.by("tie", map[string]string{"unknown": ". Where two answers have the same greatest weight, there is no reference.", "supporters": ". Of two answers with the same greatest weight, it is the one that more tools gave."})
	return text + fmt.Sprintf(" Where one tool alone answered, its answer is the reference if its confidence is above %s.", a.Fraction("single_above"))
}
