package output

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"podium/examinations"
	"podium/pnml/diagnostic"
)

// answerLine is a line of output from its keyword on, without its line feed.
type answerLine struct {
	text        []byte
	number, col int
	terminated  bool // its line feed was seen
	whole       bool // nothing was dropped at its end
	late        bool
}

// statement is what one well-formed line says.
type statement struct {
	whole      string // CANNOT_COMPUTE or DO_NOT_COMPETE of the whole examination, else ""
	item       string
	value      examinations.Value // zero: the tool says that it has none
	techniques []string
}

// parser reads one line word by word.
type parser struct {
	answerLine
	rest []byte
	f    *findings
}

// at is the column of the next word.
func (p *parser) at() int {
	blanks := 0
	for blanks < len(p.rest) && isBlank(p.rest[blanks]) {
		blanks++
	}
	return p.col + len(p.text) - len(p.rest) + blanks
}

func (p *parser) next() (word string, col int) {
	col = p.at()
	var b []byte
	b, p.rest = nextWord(p.rest)
	return string(b), col
}

func (p *parser) find(code string, col int, message ...string) {
	p.f.add(code, p.number, col, message...)
}

// maybeCut reports whether the last word read is the last of a line whose end is not
// known.
func (p *parser) maybeCut() bool { return len(p.rest) == 0 && !(p.terminated && p.whole) }

// parse reads one line. It returns false when the line says nothing that counts.
func (j *judge) parse(l answerLine, f *findings) (statement, bool) {
	word, ok := keywordAt(l.text)
	if !ok {
		return statement{}, false
	}
	p := &parser{answerLine: l, rest: l.text[len(word.text):], f: f}
	switch loud := string(l.text[:len(word.text)]) == word.text; {
	case !loud:
		if !word.misspelt && j.wouldCount(word, p.rest) {
			before := len(f.list)
			p.find("answer-keyword-case", p.col)
			j.note(f, before, word, p.rest)
		}
		return statement{}, false
	case word.misspelt && (word.meant == wordDoNotCompete || word.meant == wordCannotCompute) && len(bytes.TrimSpace(p.rest)) == 0:
		p.find("answer-refusal-blanks", p.col, word.text, " is taken as ", word.meant)
		return statement{whole: word.meant}, true
	case word.misspelt:
		p.find("answer-misspelt-keyword", p.col, word.text, " must read ", word.meant)
		return statement{}, false
	}
	if at := bytes.IndexByte(l.text, 0); at >= 0 {
		p.find("answer-nul", p.col+at)
		return statement{}, false
	}
	p.looks()
	j.cutBehind(p)
	switch word.text {
	case wordFormula, wordStateSpace:
		if (word.text == wordStateSpace) != (j.exam == examinations.StateSpace) {
			p.find("answer-wrong-keyword", p.col)
			return statement{}, false
		}
		return j.parseItem(p)
	}
	if extra, col := p.next(); extra != "" {
		p.find("answer-extra-text", col, word.text, " must be alone on its line")
	}
	return statement{whole: word.text}, true
}

// looks notes what is odd about the bytes of a line that is read.
func (p *parser) looks() {
	if p.col > 1 {
		p.find("answer-indented", p.col)
	}
	if bytes.HasSuffix(p.text, []byte{'\r'}) {
		p.find("answer-crlf", p.col+len(p.text)-1)
	}
	if !p.whole {
		p.find("answer-long-line", p.col)
	}
	if !utf8.Valid(p.text) {
		p.find("answer-invalid-utf8", p.col)
	}
}

// cutBehind ends the line where a second answer begins, as when two threads print
// without their line feeds: only the first is read, and every other one is said.
func (j *judge) cutBehind(p *parser) {
	line, end := p.text, -1
	from := len(line) - len(p.rest)
	for at := findKeyword(line, from); at >= 0; at = findKeyword(line, at+1) {
		word, ok := keywordAt(line[at:])
		if !ok || word.text != wordFormula && word.text != wordStateSpace || string(line[at:at+len(word.text)]) != word.text {
			continue
		}
		rest := line[at+len(word.text):]
		if len(rest) == 0 || !isBlank(rest[0]) {
			continue // nor is a line of such words read over and over
		}
		if _, counts := j.answers(word, rest); !counts {
			continue
		}
		before := len(p.f.list)
		p.find("answer-not-at-head", p.col+at, "another answer stands on the same line and is not read: ", diagnostic.Excerpt(string(line[at:min(len(line), at+100)])))
		j.note(p.f, before, word, rest)
		if end < 0 {
			end = at
		}
	}
	if end >= 0 {
		p.rest = line[from:end]
		p.text = line[:end]
		p.terminated = isBlank(line[end-1])
	}
}

// wouldCount reports whether a line would be an answer if its keyword were in
// upper case; "formula" begins many other lines.
func (j *judge) wouldCount(k keyword, rest []byte) bool {
	if k.text != wordFormula {
		return true
	}
	item, rest := nextWord(rest)
	value, _ := nextWord(rest)
	_, readable := examinations.ParseValue(string(value), j.exam.Kind())
	_, known := j.match(string(item))
	return known && (readable || string(value) == wordCannotCompute)
}

// parseItem reads "item value TECHNIQUES word...".
func (j *judge) parseItem(p *parser) (statement, bool) {
	printed, col := p.next()
	if printed == "" || printed == wordTechniques {
		p.find("answer-missing-item", col)
		return statement{}, false
	}
	item, known := j.match(printed)
	if !known {
		before := len(p.f.list)
		p.find("answer-unknown-item", col, diagnostic.Excerpt(printed), " is none of the items asked for", j.suggest(printed))
		if len(p.f.list) > before && !j.exam.HasFormulas() {
			p.f.list[before].Hint = "the items of " + string(j.exam) + " are: " + strings.Join(j.order, ", ")
			if len(j.order) == 1 {
				p.f.list[before].Hint = "the item is " + j.order[0]
			}
		}
		return statement{}, false
	}
	s := statement{item: item}
	text, col := p.next()
	if text == "" || text == wordTechniques {
		p.find("answer-missing-value", col)
		return statement{}, false
	}
	if j.intervals && text[0] == '[' {
		text = p.bracket(text)
	}
	value, ok := j.parseValue(p, item, text, col)
	if !ok {
		return statement{}, false
	}
	s.value = value
	if !j.parseRemark(p, value) {
		return statement{}, false
	}
	s.techniques = j.parseTechniques(p, value.IsZero())
	return s, true
}

// parseRemark reads what stands between the value and TECHNIQUES. It returns false
// where that may be another value, or the rest of a number: then nobody can tell what
// is meant.
func (j *judge) parseRemark(p *parser, value examinations.Value) bool {
	col := p.at()
	start := len(p.rest)
	line, unclear := p.rest, false
	for number := 0; ; number++ {
		before := p.rest
		word, _ := p.next()
		if word == "" || word == wordTechniques {
			p.rest = before
			break
		}
		other, readable := examinations.ParseValue(word, j.exam.Kind())
		switch {
		case j.exam.Kind() == examinations.Bool:
			unclear = unclear || readable && other != value
		case number == 0:
			unclear = readable || strings.Trim(word, letters) != ""
		}
	}
	remark := strings.TrimSpace(string(line[:start-len(p.rest)]))
	switch {
	case remark == "":
		return true
	case unclear:
		p.find("answer-two-values", col, "the item has the value ", said(value), ", and then ", diagnostic.Excerpt(remark), ": none of it is read")
		return false
	}
	meant := ""
	for word := range strings.FieldsSeq(remark) {
		if _, near := diagnostic.Nearest(word, slices.Values([]string{wordTechniques})); near {
			meant = "; did you mean " + wordTechniques + "?"
		}
	}
	p.find("answer-extra-text", col, "the words ", diagnostic.Excerpt(remark), " behind the value are not read", meant)
	return true
}

// letters are what words of a remark behind a number are made of; anything else may
// belong to the number.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func said(v examinations.Value) string {
	if v.IsZero() {
		return wordCannotCompute
	}
	return diagnostic.Cut(v.Text)
}

// parseValue judges the word after the item. A zero Value is "none".
func (j *judge) parseValue(p *parser, item, text string, col int) (examinations.Value, bool) {
	kind := j.exam.Kind()
	value, ok := examinations.ParseValue(text, kind)
	if interval, is := examinations.ParseInterval(text); is && j.intervals {
		return interval, true
	}
	switch {
	case ok && p.maybeCut() && kind == examinations.Nat && value != examinations.Infinite:
		p.find("answer-cut", col)
		return examinations.Value{}, false
	case ok:
		p.form(text, value, col)
		return value, true
	case text == wordCannotCompute:
		return examinations.Value{}, true
	case text == "CANNOT" && bytes.HasPrefix(bytes.TrimLeft(p.rest, " "), []byte("COMPUTE")):
		p.next()
		p.find("answer-refusal-blanks", col, "CANNOT COMPUTE is taken as ", wordCannotCompute)
		return examinations.Value{}, true
	case text == wordDoNotCompete:
		p.find("answer-refused-formula", col)
		return examinations.Value{}, false
	case text == "?":
		p.find("answer-unknown", col)
		return examinations.Value{}, true
	case text == "-1" && kind == examinations.Nat:
		if item == examinations.StateSpaceItems[0] || j.exam != examinations.StateSpace {
			p.find("answer-negative", col)
		}
		return examinations.Value{}, true
	}
	code := "answer-unreadable"
	if _, other := examinations.ParseValue(text, 1-kind); other || text == "-1" {
		code = "answer-wrong-kind"
	} else if p.maybeCut() {
		code = "answer-cut"
	}
	p.find(code, col, explanation(code), ": ", diagnostic.Excerpt(text), meantValue(text))
	return examinations.Value{}, false
}

// meantValue names the word that was probably meant instead of a value.
func meantValue(text string) string {
	if near, ok := diagnostic.Nearest(text, slices.Values([]string{"TRUE", "FALSE", wordCannotCompute})); ok {
		return "; did you mean " + near + "?"
	}
	return ""
}

// bracket reads the rest of an interval, which blanks may divide.
func (p *parser) bracket(text string) string {
	for range 4 {
		if strings.HasSuffix(text, "]") {
			break
		}
		before := p.rest
		word, _ := p.next()
		if word == "" || word == wordTechniques {
			p.rest = before
			break
		}
		text += word
	}
	return text
}

// form notes how a value differs from its canonical text.
func (p *parser) form(text string, value examinations.Value, col int) {
	switch {
	case text == value.Text || text == "inf":
	case value.Kind == examinations.Bool:
		p.find("answer-value-case", col)
	case value != examinations.Infinite && bytes.ContainsAny([]byte(text), "eE"):
		p.find("answer-rounded", col)
	default:
		p.find("answer-number-form", col)
	}
}

const (
	maxTechniques    = 1000 // kept of one line
	manualTechniques = 6    // allowed by the manual of 2015
)

// parseTechniques reads the list of techniques; it may be missing where the
// tool says that it has no value.
func (j *judge) parseTechniques(p *parser, optional bool) []string {
	word, col := p.next()
	if word == "" {
		if !optional {
			p.find("answer-no-techniques", col)
		}
		return nil
	}
	var list []string
	for len(list) < maxTechniques {
		technique, at := p.next()
		if technique == "" {
			break
		}
		list = append(list, j.technique(p, technique, at))
	}
	switch {
	case len(list) == 0 && !optional:
		p.find("answer-empty-techniques", col)
	case len(list) > manualTechniques:
		p.find(manyTechniques, col)
	}
	return list
}

// nearTechnique names the known technique that was probably meant.
func nearTechnique(word string) string {
	if near, ok := diagnostic.Nearest(word, slices.Values(knownTechniques)); ok {
		return "; the nearest is " + near
	}
	return ""
}

// technique notes an unknown technique when it is seen first.
func (j *judge) technique(p *parser, word string, col int) string {
	if known, ok := j.words[word]; ok {
		return known
	}
	if !utf8.ValidString(word) {
		word = string(bytes.ToValidUTF8([]byte(word), []byte("\uFFFD")))
	}
	if len(j.words) >= maxTechniques {
		return word
	}
	j.words[word] = word
	if !KnownTechnique(word) {
		p.find("answer-technique", col, diagnostic.Excerpt(word), " is no technique that the contest has seen", nearTechnique(word))
	}
	return word
}

func explanation(code string) string {
	rule, _ := FindLintRule(code)
	return rule.Explanation
}
