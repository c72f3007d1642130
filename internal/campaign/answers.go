package campaign

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Answer is one value that a tool gave.
type Answer struct {
	Item       string
	Text       string // canonical
	Techniques string // separated by blanks
	Offset     int64  // of its line in the standard output, bytes
	Line       int
	At         int64 // microseconds since the start of the tool
}

// Answers are the values of a run. There are millions of them in a journal, so
// they stand there as one text: "item value line offset at techniques...", with
// two blanks between answers and one between words, which hold none.
//
// In memory they are some ten bytes each: the number of answers, and then of each the
// numbers of its words, and how far its line, offset and time are from those of the
// answer before it.
type Answers struct {
	words  *wordList
	packed string
}

// wordList are the words of several runs.
type wordList struct{ words []string }

// AnswersOf returns the answers of a list.
func AnswersOf(list ...Answer) Answers {
	in := newInterner(true)
	p := answerPacker{in: in}
	for i := range list {
		a := &list[i]
		p.add(in.numberOf(a.Item), in.numberOf(a.Text), in.numberOf(a.Techniques), int64(a.Line), a.Offset, a.At)
	}
	return p.answers()
}

// IsZero reports whether there is no answer.
func (list Answers) IsZero() bool { return list.packed == "" }

// Len is the number of answers.
func (list Answers) Len() int {
	n, _ := varint(list.packed)
	return int(n)
}

// All returns the answers in their order.
func (list Answers) All() iter.Seq[Answer] {
	return func(yield func(Answer) bool) {
		rest := list.packed
		next := func() (n int64) {
			n, rest = varint(rest)
			return n
		}
		var item, line, offset, at int64
		for range next() {
			item += next()
			text, techniques := next(), next()
			line, offset, at = line+next(), offset+next(), at+next()
			words := list.words.words
			if !yield(Answer{Item: words[item], Text: words[text], Techniques: words[techniques], Line: int(line), Offset: offset, At: at}) {
				return
			}
		}
	}
}

// List returns the answers as a list of their own.
func (list Answers) List() []Answer { return slices.Collect(list.All()) }

// First returns the first answer, the zero one where there is none.
func (list Answers) First() (first Answer) {
	for first = range list.All() {
		break
	}
	return first
}

// varint takes a number from the start of a text, and returns the rest.
func varint(text string) (n int64, rest string) {
	var u uint64
	for shift := 0; len(text) > 0; shift += 7 {
		b := text[0]
		text = text[1:]
		u |= uint64(b&0x7f) << shift
		if b < 0x80 {
			break
		}
	}
	return int64(u>>1) ^ -int64(u&1), text
}

// answerPacker packs the answers of a run.
type answerPacker struct {
	in                     *interner
	bytes                  []byte
	n                      int64
	item, line, offset, at int64 // of the answer before
}

func (p *answerPacker) add(item, text, techniques, line, offset, at int64) {
	b := p.bytes
	for _, n := range [...]int64{item - p.item, text, techniques, line - p.line, offset - p.offset, at - p.at} {
		b = binary.AppendVarint(b, n)
	}
	p.bytes, p.n = b, p.n+1
	p.item, p.line, p.offset, p.at = item, line, offset, at
}

func (p *answerPacker) answers() Answers {
	if p.n == 0 {
		return Answers{}
	}
	return Answers{p.in.list, string(binary.AppendVarint(nil, p.n)) + string(p.bytes)}
}

// MarshalText returns the form of the journal.
func (list Answers) MarshalText() ([]byte, error) {
	var text []byte
	for a := range list.All() {
		for _, word := range []string{a.Item, a.Text} {
			if word == "" || strings.ContainsAny(word, " \n") {
				return nil, fmt.Errorf("%q is not one word", word)
			}
		}
		if len(text) > 0 {
			text = append(text, "  "...)
		}
		text = fmt.Appendf(text, "%s %s %d %d %d", a.Item, a.Text, a.Line, a.Offset, a.At)
		for word := range strings.FieldsSeq(a.Techniques) {
			text = append(append(text, ' '), word...)
		}
	}
	return text, nil
}

// UnmarshalText reads it.
func (list *Answers) UnmarshalText(text []byte) (err error) {
	*list, err = parseAnswers(text, newInterner(true))
	return err
}

func parseAnswers(text []byte, words *interner) (Answers, error) {
	if len(text) == 0 {
		return Answers{}, nil
	}
	p := answerPacker{in: words, bytes: words.room[:0]}
	for one := range bytes.SplitSeq(text, []byte("  ")) {
		if err := p.parse(one); err != nil {
			return Answers{}, err
		}
	}
	words.room = p.bytes
	return p.answers(), nil
}

func (p *answerPacker) parse(text []byte) (err error) {
	item, rest, _ := bytes.Cut(text, []byte(" "))
	value, rest, _ := bytes.Cut(rest, []byte(" "))
	var numbers [3]int64
	for i := range numbers {
		var word []byte
		word, rest, _ = bytes.Cut(rest, []byte(" "))
		if numbers[i], err = strconv.ParseInt(string(word), 10, 64); err != nil {
			return fmt.Errorf("%q is no answer: %w", text, err)
		}
	}
	p.add(p.in.number(item), p.in.number(value), p.in.number(rest), numbers[0], numbers[1], numbers[2])
	return nil
}

// interner keeps one copy of equal words: the runs of all tools on an examination
// speak of the same items. It numbers the words of answers in a list. One goroutine at a
// time may use it.
type interner struct {
	known map[string]*internedWord
	list  *wordList
	room  []byte // for packing
	text  []byte // of the answers that are read
	// options are for the parser of JSON: it packs answers with these words, or leaves them out.
	options json.Options
}

// internedWord is a word, with its number in the list that was the last to get it.
type internedWord struct {
	text   string
	list   *wordList
	number int64
}

func newInterner(answers bool) *interner {
	in := &interner{known: map[string]*internedWord{}, list: &wordList{}}
	in.options = json.WithUnmarshalers(json.UnmarshalFromFunc(func(from *jsontext.Decoder, list *Answers) error {
		if !answers {
			return from.SkipValue()
		}
		value, err := from.ReadValue()
		if err != nil {
			return err
		}
		if value.Kind() != '"' {
			return errors.New("the answers are no text")
		}
		if in.text, err = jsontext.AppendUnquote(in.text[:0], value); err == nil {
			*list, err = parseAnswers(in.text, in)
		}
		return err
	}))
	return in
}

// word returns the one copy of a word.
func (in *interner) word(text []byte) string { return in.find(text).text }

func (in *interner) find(text []byte) *internedWord {
	w, ok := in.known[string(text)]
	if !ok {
		w = &internedWord{text: string(text)}
		in.known[w.text] = w
	}
	return w
}

// number is the number of a word in the list.
func (in *interner) number(text []byte) int64 {
	w := in.find(text)
	if w.list != in.list {
		w.list, w.number = in.list, int64(len(in.list.words))
		in.list.words = append(in.list.words, w.text)
	}
	return w.number
}

func (in *interner) numberOf(text string) int64 { return in.number([]byte(text)) }

// begin starts a list of its own, so that nobody changes one that others read.
func (in *interner) begin() { in.list = &wordList{} }

// share replaces texts of a record by their one copy.
func (in *interner) share(f *Finished) {
	for _, s := range []*string{&f.Run.Tool, &f.Run.Instance, &f.Worker, &f.Outcome.Measured, (*string)(&f.Outcome.Termination), (*string)(&f.Run.Exam)} {
		*s = in.word([]byte(*s))
	}
	for _, ref := range f.outputs() {
		if ref.Pack != "" {
			ref.Pack = in.word([]byte(ref.Pack))
		}
	}
}
