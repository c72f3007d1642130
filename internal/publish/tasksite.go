package publish

import (
	"regexp"
	"slices"
	"strings"
)

// Nets reports whether the contest has examinations of nets; without them its pages speak of
// tasks and categories.
func (s *site) Nets() bool { return s.hasNets() }

// Votes reports whether references are elected, so that tools have a confidence.
func (s *site) Votes() bool { return s.votes() }

func (v *view) votes() bool {
	return v.c.Judged != nil && v.c.Judged.Result.Scheme.Elect != nil && len(v.tools) > 0
}

// BestVariant reports whether only the best variant of a tool takes a place.
func (s *site) BestVariant() bool { return s.c.Edition.Scheme.Ranking.BestVariant }

// hasNets reports whether the contest is one on nets, perhaps with tasks besides.
func (v *view) hasNets() bool {
	return len(v.c.Examinations) == 0 || slices.ContainsFunc(v.c.Examinations, func(e Examination) bool { return !e.Task })
}

// ofNets are the words of contests on nets, with the article before them.
var ofNets = regexp.MustCompile(`\b(?:([Aa]n?) )?(instance|examination|model|net|Instance|Examination|Model|Net)(s?)\b`)

// ofTasks are the words that stand for them in a competition on tasks.
var ofTasks = map[string][2]string{"instance": {"task", "tasks"}, "model": {"task", "tasks"}, "net": {"task", "tasks"}, "examination": {"category", "categories"},
	"Instance": {"Task", "Tasks"}, "Model": {"Task", "Tasks"}, "Net": {"Task", "Tasks"}, "Examination": {"Category", "Categories"}}

// TaskWords says a text of podium about nets for tasks. It is no function for texts of people
// and tools.
func TaskWords(text string) string {
	return ofNets.ReplaceAllStringFunc(text, func(found string) string {
		m := ofNets.FindStringSubmatch(found)
		word := ofTasks[m[2]][len(m[3])]
		if m[1] != "" {
			word = m[1][:1] + " " + word
		}
		return word
	})
}

// say returns a text of podium in the words of the contest.
func (v *view) say(text string) string {
	if v.hasNets() {
		return text
	}
	return TaskWords(text)
}

var (
	templatePart = regexp.MustCompile(`(?s)\{\{.*?\}\}|<(?:[^<>{}]|\{\{.*?\}\})*>|[^<{]+|[<{]`)
	shownValue   = regexp.MustCompile(`\b(?:aria-label|title|alt|data-filter)="[^"{}]*"`)
)

// TaskTemplate changes the words of a template that readers see: text between elements, and
// the attributes that are read out or shown.
func TaskTemplate(source string) string {
	return templatePart.ReplaceAllStringFunc(source, func(part string) string {
		switch {
		case strings.HasPrefix(part, "{"):
			return part
		case strings.HasPrefix(part, "<"):
			return shownValue.ReplaceAllStringFunc(part, TaskWords)
		}
		return TaskWords(part)
	})
}

// taskMeanings are those of words that mean something else where there are tasks.
var taskMeanings = map[string]string{
	"run":                   "One tool on one task, in one category.",
	"value":                 "The verdict on a task: the property holds, or which part of it is violated.",
	"reference value":       "The verdict that answers are judged by: the one that is expected of the task.",
	"raw points":            "What a rule states for one item, before the factors of the edition.",
	"outcome":               "How a run ended: by itself, by a limit, by a signal, or with an exit code; or that the verdict is unknown, or that the run is set aside or void.",
	"lost against the best": "The points of the best run on the same task, of whatever tool, less those of this run.",
	"set aside":             "A flag or a decision of the jury takes points and bonus from the whole run: its answers are neither right nor wrong. The page of the run names which. Answers to a value that the jury struck are set aside, too.",
	"disagreement":          "A value to which runs gave different answers. Each is counted once, however many tools differ; a wrong answer that nobody contradicts is none.",
	"answered otherwise":    "Tools whose answer is not the reference value, in one disagreement.",
	"out of competition":    "The tool is scored, and has no rank and no place.",
}

// meanings returns the glossary of the contest. It lacks the words of votes where nobody votes, and
// those of nets where there are none.
func (s *site) meanings() (list []meaning) {
	for _, m := range glossary {
		if !s.hasNets() {
			if own, changed := taskMeanings[m.Word]; changed {
				m.Text = own
			}
		}
		if (s.Votes() || !slices.Contains(wordsOfVotes, m.Word)) && (s.hasNets() || !slices.Contains(wordsOfNets, m.Word)) &&
			(s.hasTasks() || !slices.Contains(wordsOfTasks, m.Word)) {
			list = append(list, m)
		}
	}
	return list
}

var (
	wordsOfVotes = []string{"vote", "consistent value", "agree", "differ", "confidence"}
	wordsOfNets  = []string{"kind of net", "class"}
	wordsOfTasks = []string{"maximal score", "false alarm", "wrong proof", "new"}
)
