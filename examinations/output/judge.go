package output

import (
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"podium/examinations"
	"podium/pnml/diagnostic"
)

// judge decides what each line means, given the lines before it.
type judge struct {
	exam      examinations.ID
	intervals bool // are answers
	instance  string
	repeats   Repeats
	strict    bool
	items     map[string]*itemState
	order     []string // the items asked for
	open      bool     // nothing was said of what is asked: any formula id is taken
	words     map[string]string
	unread    []unread

	values     int // items with a value
	wellFormed bool
	cannot     bool
	refused    bool
}

// itemState is what was said of one item so far.
type itemState struct {
	value    examinations.Value // long texts are replaced by a digest
	line     int
	declined bool
	void     bool // contradictory, under NoneCounts
}

func newJudge(exam examinations.ID, o ReaderOptions) judge {
	j := judge{exam: exam, intervals: o.Intervals && exam == examinations.UpperBounds, repeats: o.Repeats, strict: o.Strict, items: map[string]*itemState{}, words: map[string]string{}}
	if o.Instance.Family != "" {
		j.instance = o.Instance.String()
	}
	j.order = o.Items
	if o.Items == nil && !exam.HasFormulas() {
		j.order = exam.Items(nil)
	}
	for _, item := range j.order {
		j.items[item] = &itemState{}
	}
	j.open = o.Items == nil && exam.HasFormulas()
	return j
}

// match returns the item that a printed name means.
func (j *judge) match(printed string) (string, bool) {
	if _, ok := j.items[printed]; ok {
		return printed, true
	}
	switch {
	case j.open:
		return printed, len(printed) <= maxItem && utf8.ValidString(printed)
	case j.exam.HasFormulas() || j.exam == examinations.StateSpace:
		return "", false
	}
	return string(j.exam), j.isGlobal(printed)
}

// isGlobal reports whether a name means the one value of a global property:
// the examination's name, with or without the instance before it and a number
// after it. The deadlock examination had two names.
func (j *judge) isGlobal(printed string) bool {
	if i := strings.LastIndexByte(printed, '-'); i >= 0 && i+1 < len(printed) && strings.Trim(printed[i+1:], "0") == "" {
		printed = printed[:i]
	}
	names := []examinations.ID{j.exam}
	if j.exam == examinations.ReachabilityDeadlock || j.exam == examinations.GlobalProperties {
		names = []examinations.ID{examinations.ReachabilityDeadlock, examinations.GlobalProperties}
	}
	for _, name := range names {
		before, ok := strings.CutSuffix(printed, string(name))
		if ok && (before == "" || before == j.instance+"-" || j.instance == "" && strings.HasSuffix(before, "-")) {
			return true
		}
	}
	return false
}

// suggest names the item that a printed name may mean: the one that ends like it,
// where the instance or the year was left out, or the nearest.
func (j *judge) suggest(printed string) string {
	if exam, number, ok := strings.Cut(printed, "-"); ok && exam == string(j.exam) {
		for _, item := range j.order {
			if strings.HasPrefix(item, j.instance+"-"+exam+"-") && strings.HasSuffix(item, "-"+number) {
				return "; did you mean " + strconv.Quote(item) + "?"
			}
		}
	}
	if near, ok := diagnostic.Nearest(printed, slices.Values(j.order)); ok {
		return "; did you mean " + strconv.Quote(near) + "?"
	}
	return ""
}

// line takes in one line and returns the answer that counts, if it holds one.
func (j *judge) line(l answerLine, f *findings) (Answer, bool) {
	before := f.grave
	s, ok := j.parse(l, f)
	switch {
	case !ok || j.strict && f.grave > before:
		return Answer{}, false
	case l.late:
		f.add("answer-late", l.number, l.col)
		return Answer{}, false
	case s.whole != "":
		j.takeWhole(s.whole, l, f)
		return Answer{}, false
	}
	state, ok := j.items[s.item]
	if !ok {
		if len(j.items) >= maxItems {
			f.add("answer-too-many-items", l.number, l.col)
			return Answer{}, false
		}
		state = &itemState{}
		j.items[s.item] = state
	}
	j.wellFormed = true
	if s.value.IsZero() {
		state.declined = true
		if !state.value.IsZero() {
			f.add("answer-refused-yet-answered", l.number, l.col, s.item, " has the value of line ", strconv.Itoa(state.line), ", which counts")
		}
		return Answer{}, false
	}
	return j.takeValue(s, state, l, f)
}

func (j *judge) takeWhole(word string, l answerLine, f *findings) {
	j.wellFormed = true
	if word == wordDoNotCompete {
		j.refused = true
	} else {
		j.cannot = true
	}
	if j.values > 0 {
		f.add("answer-refused-yet-answered", l.number, l.col)
	}
}

func (j *judge) takeValue(s statement, state *itemState, l answerLine, f *findings) (Answer, bool) {
	known := short(s.value)
	a := Answer{Item: s.item, Value: s.value, Techniques: s.techniques}
	switch {
	case state.void:
		return Answer{}, false
	case state.value.IsZero():
		if j.refused || j.cannot || state.declined {
			f.add("answer-refused-yet-answered", l.number, l.col)
		}
		state.value, state.line = known, l.number
		j.values++
		return a, true
	case state.value == known:
		f.add("answer-repeated", l.number, l.col, s.item, " has the same value in line ", strconv.Itoa(state.line))
		return Answer{}, false
	}
	f.add("answer-contradiction", l.number, l.col, s.item, " is ", diagnostic.Excerpt(s.value.Text), " here and has another value in line ", strconv.Itoa(state.line))
	switch j.repeats {
	case FirstCounts:
		return Answer{}, false
	case NoneCounts:
		state.void = true
		j.values--
		a.Value = examinations.Value{}
		return a, true
	}
	state.value, state.line = known, l.number
	return a, true
}

// short replaces a long number by a digest, so that what is remembered of an
// output is small.
func short(v examinations.Value) examinations.Value {
	const most = 64
	if len(v.Text) <= most {
		return v
	}
	digest := sha256.Sum256([]byte(v.Text))
	return examinations.Value{Kind: v.Kind, Text: string(digest[:])}
}

func (j *judge) participation() Participation {
	switch {
	case j.values > 0:
		return Answered
	case j.refused:
		return DoesNotCompete
	case j.wellFormed:
		return CannotCompute
	}
	return Silent
}

// close notes what is missing at the end of the output. Of the numbers of
// StateSpace only STATES is mandatory. A line that is not read is an error where its
// value is missed.
func (j *judge) close(f *findings) {
	j.closeUnread(f)
	switch {
	case !j.wellFormed:
		f.add("answer-none", 0, 0)
	case j.cannot || j.refused:
	case j.exam == examinations.StateSpace:
		if s, asked := j.items[examinations.StateSpaceItems[0]]; asked && s.value.IsZero() && !s.declined {
			f.add("answer-unanswered", 0, 0, examinations.StateSpaceItems[0], " is mandatory")
		}
	default:
		j.closeFormulas(f)
	}
}

// closeFormulas notes once which items no line concerns.
func (j *judge) closeFormulas(f *findings) {
	var open []string
	for _, item := range j.order {
		if s := j.items[item]; s.value.IsZero() && !s.declined {
			open = append(open, item)
		}
	}
	const named = 3
	switch n := len(open); {
	case n == 0:
	case n <= named:
		f.add("answer-unanswered", 0, 0, "no line of the output is an answer to ", strings.Join(open, ", "))
	default:
		f.add("answer-unanswered", 0, 0, "no line of the output is an answer to ", strconv.Itoa(n), " of ", strconv.Itoa(len(j.order)), " items: ",
			strings.Join(open[:named], ", "), ", ...")
	}
}
