package replay

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"podium/examinations"
	"podium/internal/witness"
	"podium/pnml"
	"podium/pnml/diagnostic"
)

// Options say how witnesses are read. The zero value reads a file of witnesses.
type Options struct {
	File     string // name in diagnostics
	Embedded bool   // pass over lines between witnesses, as in the output of a tool
	Instance string // what a witness must be about, "" for anything
	Exam     examinations.ID
	Firings  int // of all witnesses together, 0 for 2^26
}

// Limits of what is read, against hostile files.
const (
	maxLine    = 1 << 20 // bytes
	maxClaims  = 64      // of a witness
	maxPaths   = 1 << 20
	maxInner   = 1 << 12
	maxFirings = 1 << 26
	maxWords   = 1 << 20 // different firings that are remembered
)

// Reader reads witnesses one after the other. A fault makes the witness that it
// is in worthless; reading goes on after it.
//
//	for r.Scan() {
//		use(r.Witness())
//	}
//	err := r.Err()
type Reader struct {
	in      *bufio.Reader
	given   *Net
	net     *Net // that the witness under way is about
	o       Options
	line    int
	left    int // firings
	known   map[string]uint32
	witness *witness.Witness
	found   diagnostic.List
	err     error
	end     bool // of the input

	run     *witness.Path // of the witness under way, nil before the first
	faulty  bool          // the rest of the witness is passed over
	pending []byte        // a format line that begins the next witness
	bad     string        // why the present line cannot be read
	settled bool          // net is what the witness is about
	colours int           // looked at for lines about merged ones

	more  func(string) error // takes the words of a line that goes on with the one before
	taken int                // words of the proof
	steps int                // of the proof
	half  bool               // the last word is the first of a pair
}

// NewReader reads witnesses of a net.
func NewReader(in io.Reader, net *Net, o Options) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, 1<<16), given: net, net: net, o: o, left: cmp.Or(o.Firings, maxFirings), known: map[string]uint32{}}
}

// Witness returns the witness that Scan found.
func (r *Reader) Witness() *witness.Witness { return r.witness }

// Err is the first error of the input itself.
func (r *Reader) Err() error { return r.err }

// Found returns what is wrong outside of witnesses; such a fault ends the
// reading.
func (r *Reader) Found() diagnostic.List { return r.found }

// Scan goes to the next witness, with or without faults. It returns false at
// the end.
func (r *Reader) Scan() bool {
	r.witness = nil
	for {
		text, ok := r.next()
		if !ok {
			return false
		}
		word, rest := cut(text)
		switch {
		case r.bad != "" && !r.o.Embedded:
			r.found.Add(r.fault(nil, 0, "witness-line", r.bad, ""))
			return false
		case string(word) == "format" && (!r.o.Embedded || string(rest) == witness.Format):
			r.read(rest)
			return true
		case r.o.Embedded || len(word) == 0 || word[0] == '#':
		default:
			r.found.Add(r.fault(text, 1, "witness-outside", "this line stands outside of any witness", "a witness begins with: format "+witness.Format))
			return false
		}
	}
}

// read reads a witness behind its format line.
func (r *Reader) read(version []byte) {
	r.witness = &witness.Witness{Line: r.line}
	r.settled = false
	r.run, r.faulty, r.more, r.taken, r.steps, r.half = nil, false, nil, 0, 0, false
	if string(version) != witness.Format {
		r.complain(version, len("format ")+1, "witness-format", fmt.Sprintf("the format is %s", excerpt(string(version))), "this program reads "+witness.Format)
	}
	for {
		text, ok := r.next()
		if !ok {
			r.complain(nil, 0, "witness-cut", "the file ends inside a witness", "its last line must be: end")
			break
		}
		if r.bad != "" {
			r.complain(nil, 0, "witness-line", r.bad, "")
			continue
		}
		word, rest := cut(text)
		if string(word) == "format" {
			r.complain(text, 1, "witness-cut", "another witness begins before this one has ended", "the last line of a witness is: end")
			r.pending = append([]byte{}, text...)
			r.line--
			break
		}
		if string(word) == "end" && len(rest) == 0 {
			r.complete(text)
			break
		}
		if !r.faulty {
			r.statement(text, word, rest)
		}
	}
}

// complete checks that nothing is missing.
func (r *Reader) complete(text []byte) {
	w := r.witness
	missing := ""
	switch {
	case r.faulty:
		return
	case r.half:
		r.incomplete(text)
		return
	case w.Instance == "":
		missing = "instance NAME"
	case w.Exam == "":
		missing = "examination NAME"
	case len(w.Claims) == 0:
		missing = "value ITEM VALUE"
	case r.run == nil && w.Proof == nil && w.Branches == nil && !w.Enumerate:
		missing = "run"
	case r.run != nil && r.run.Cycle == len(r.run.Fire):
		r.complain(text, 1, "witness-cycle", "the cycle has no firings", "")
		return
	default:
		return
	}
	r.complain(text, 1, "witness-incomplete", "the witness has no line: "+missing, "")
}

// statement reads one line of a witness.
func (r *Reader) statement(text, word, rest []byte) {
	w := r.witness
	at := len(text) - len(rest) + 1
	header := func(name string, done bool) bool {
		if done || r.run != nil || w.Proof != nil || w.Branches != nil || w.Enumerate {
			r.complain(text, 1, "witness-order", fmt.Sprintf("the line %q stands twice, or behind a run, a proof, branches or the line enumerate", name), "")
			return false
		}
		return true
	}
	if !slices.Contains(headerWords, string(word)) && text[0] != '#' && !r.settle(text) {
		return
	}
	switch string(word) {
	case "fire", "cycle", "then", "run":
		switch {
		case w.Proof != nil:
			r.complain(text, 1, "witness-order", "a run stands behind the line proof", "write the runs before the proof")
		case string(word) == "fire":
			r.firings(text, at)
		default:
			r.section(text, string(word), rest)
		}
	case "instance":
		if !header("instance", w.Instance != "") {
			return
		}
		name, err := oneName(rest)
		switch {
		case err != nil:
			r.complain(text, at, "witness-instance", err.Error(), "write: instance NAME")
		case r.o.Instance != "" && name != r.o.Instance:
			r.complain(text, at, "witness-instance", fmt.Sprintf("the witness is about instance %s, not %s", excerpt(name), r.o.Instance), "")
		}
		w.Instance = name
	case "examination":
		if !header("examination", w.Exam != "") {
			return
		}
		exam, err := examinations.ParseID(string(rest))
		switch {
		case err != nil:
			r.complain(text, at, "witness-examination", err.Error(), "")
		case r.o.Exam != "" && exam != r.o.Exam:
			r.complain(text, at, "witness-examination", fmt.Sprintf("the witness is about %s, not %s", exam, r.o.Exam), "")
		}
		w.Exam = exam
	case "value":
		if header("value", len(w.Claims) >= maxClaims) {
			r.claim(text, rest, at)
		}
	case "skeleton":
		r.skeleton(text, rest)
	case "merged":
		r.merged(text, rest)
	case "enumerate":
		r.enumerate(text, rest)
	case "":
	default:
		if slices.Contains(branchesWords, string(word)) {
			r.branchesLine(text, string(word), rest)
		} else if ofProof(string(word)) {
			r.proofLine(text, string(word), rest)
		} else if word[0] != '#' {
			hint := "lines begin with " + strings.Join(lineWords, ", ") + ", end or #; behind proof and branches with others"
			if near, ok := diagnostic.Nearest(string(word), slices.Values(r.possible())); ok {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			r.complain(text, 1, "witness-line", "no line of a witness begins with "+excerpt(string(word)), hint)
		}
	}
}

// headerWords begin the lines that name nothing of the net.
var headerWords = []string{"instance", "examination", "value", "skeleton", "merged", ""}

// lineWords begin the lines of a witness outside of its proof and its branches.
var lineWords = []string{"format", "instance", "examination", "value", "run", "fire", "cycle", "then", "proof", "branches", "enumerate", "skeleton", "merged"}

// possible are the words that the next line may begin with.
func (r *Reader) possible() []string {
	switch w := r.witness; {
	case w.Branches != nil:
		return slices.Concat(branchesWords, []string{"more", "end"})
	case w.Proof != nil:
		return slices.Concat(factWords, headWords, backWords, slices.Sorted(maps.Keys(stepWords)), []string{"clause", "more", "branches", "end"})
	}
	return append(slices.Clone(lineWords), "end")
}

// settle goes over to the net that the witness is about, or complains.
func (r *Reader) settle(text []byte) bool {
	if r.settled {
		return true
	}
	net, err := r.given.of(r.witness)
	if err != nil {
		r.complain(text, 1, "witness-net", err.Error(), "")
		return false
	}
	r.settled = true
	if r.net != net {
		r.net = net
		clear(r.known)
	}
	return true
}

// stands reads what begins a line about a net that stands for the coloured one.
func (r *Reader) stands(text []byte, word string, twice bool) bool {
	if w := r.witness; twice || r.run != nil || w.Proof != nil || w.Branches != nil || w.Enumerate {
		r.complain(text, 1, "witness-order", fmt.Sprintf("the line %s stands twice, beside one for another net, or after a run, a proof, branches or the line enumerate", word), "")
		return false
	}
	return true
}

// skeleton reads the line after which names are those of the net without its colours.
func (r *Reader) skeleton(text, rest []byte) {
	w := r.witness
	if len(rest) > 0 {
		r.complain(text, len(text)-len(rest)+1, "witness-line", "nothing follows the word skeleton on its line", "")
	} else if r.stands(text, "skeleton", w.Skeleton || w.Merging != nil) {
		w.Skeleton = true
		r.settle(text)
	}
}

// maxMerging bounds the colours looked at for lines about merged colours.
const maxMerging = 1 << 28

// merged reads a line about colours of a place that are merged.
func (r *Reader) merged(text, rest []byte) {
	if !r.stands(text, "merged", r.witness.Skeleton) {
		return
	}
	at := len(text) - len(rest) + 1
	var words [][]byte
	for len(rest) > 0 {
		end := wordEnd(rest, 0)
		words, rest = append(words, rest[:end]), bytes.TrimLeft(rest[end:], " \t")
	}
	if err := r.merge(words); err != nil {
		r.complain(text, at, "witness-merged", err.Error(), "write: merged PLACE COMPONENT FIRST LAST ...")
	}
}

// merge merges the colours of intervals, behind a place and the number of a component.
func (r *Reader) merge(words [][]byte) error {
	if r.given.coloured == nil || r.given.coloured.net == nil {
		return errNoColours
	}
	if len(words) < 4 || len(words)%2 != 0 {
		return errors.New("colours that are merged are written as intervals")
	}
	net := r.given.coloured.net
	place, err := nameIn(&net.Places, "place", words[0])
	if err != nil {
		return err
	}
	components := net.Components(int(place))
	k, err := strconv.Atoi(string(words[1]))
	if err != nil || k < 1 || k > len(components) || !net.CanMerge(components[k-1]) {
		return fmt.Errorf("place %s has no component %s whose colours can be merged", words[0], excerpt(string(words[1])))
	}
	w, sort := r.witness, components[k-1]
	if w.Merging == nil {
		w.Merging = make(pnml.Merging, net.Places.Len())
		for p := range w.Merging {
			w.Merging[p] = make([][]uint32, len(net.Components(p)))
		}
	}
	classes := w.Merging[place][k-1]
	if classes == nil {
		for v := range net.Sorts[sort].Size {
			classes = append(classes, uint32(v))
		}
		w.Merging[place][k-1] = classes
	}
	if r.colours += len(words) * len(classes); r.colours > maxMerging {
		return errors.New("there is too much about merged colours")
	}
	together, first := make([]bool, len(classes)), uint32(len(classes))
	for pair := range slices.Chunk(words[2:], 2) {
		var ends [2]uint64
		for e, word := range pair {
			c := &cursor{rest: word}
			if ends[e], err = colourIn(net, sort, c); err != nil {
				return err
			}
			if len(c.rest) > 0 {
				return fmt.Errorf("%q stands behind a colour", c.rest)
			}
		}
		if ends[0] > ends[1] {
			return fmt.Errorf("colour %s comes behind colour %s", pair[0], pair[1])
		}
		for _, class := range classes[ends[0] : ends[1]+1] {
			together[class], first = true, min(first, class)
		}
	}
	for v, class := range classes {
		if together[class] {
			classes[v] = first
		}
	}
	return nil
}

// enumerate reads the line that stands for runs and proof.
func (r *Reader) enumerate(text, rest []byte) {
	w := r.witness
	switch {
	case len(rest) > 0:
		r.complain(text, len(text)-len(rest)+1, "witness-line", "nothing follows the word enumerate on its line", "")
	case w.Instance == "" || w.Exam == "" || len(w.Claims) == 0:
		r.complain(text, 1, "witness-order", "the line enumerate stands before the lines instance, examination and value", "")
	case r.run != nil || w.Proof != nil || w.Branches != nil || w.Enumerate:
		r.complain(text, 1, "witness-order", "the line enumerate stands twice, or beside a run, a proof or branches", "write a witness of its own for each")
	}
	w.Enumerate = !r.faulty
}

// section begins a run or its cycle.
func (r *Reader) section(text []byte, word string, rest []byte) {
	w := r.witness
	switch {
	case w.Enumerate:
		r.complain(text, 1, "witness-order", "a run stands beside the line enumerate", "write a witness of its own for each")
	case w.Branches != nil:
		r.complain(text, 1, "witness-order", "a run stands beside branches", "write a witness of its own for each")
	case len(rest) > 0:
		r.complain(text, len(text)-len(rest)+1, "witness-line", "nothing follows the word "+word+" on its line", "transitions stand on lines that begin with fire")
	case r.run != nil && r.run.Cycle == len(r.run.Fire):
		r.complain(text, 1, "witness-cycle", "the cycle before this line has no firings", "")
	case word == "run" && (w.Instance == "" || w.Exam == "" || len(w.Claims) == 0):
		r.complain(text, 1, "witness-order", "a run begins before the lines instance, examination and value", "")
	case word == "run" && len(w.Paths) >= maxPaths:
		r.complain(text, 1, "witness-limit", fmt.Sprintf("a witness has %d paths at most", maxPaths), "")
	case word == "run":
		w.Paths = append(w.Paths, witness.Path{Cycle: -1})
		r.run = &w.Paths[len(w.Paths)-1]
	case r.run == nil:
		r.complain(text, 1, "witness-order", "a cycle begins outside of a run", "write the line run before it")
	case word == "then" && r.run.Cycle < 0:
		r.complain(text, 1, "witness-cycle", "no cycle ends here", "the line then stands behind the firings of a cycle")
	case word == "then" && len(r.run.Inner) == maxInner:
		r.complain(text, 1, "witness-limit", fmt.Sprintf("a run has %d cycles at most", maxInner), "")
	case word == "then":
		r.run.Inner = append(r.run.Inner, witness.Span{From: r.run.Cycle, To: len(r.run.Fire)})
		r.run.Cycle = -1
	case r.run.Cycle >= 0:
		r.complain(text, 1, "witness-cycle", "a cycle begins inside another one", "the line then ends a cycle")
	default:
		r.run.Cycle = len(r.run.Fire)
	}
}

// firings reads the transitions of a fire line.
func (r *Reader) firings(text []byte, at int) {
	if r.run == nil {
		r.complain(text, 1, "witness-order", "a firing stands outside of a run", "write the line run before it")
		return
	}
	r.run.Lines = append(r.run.Lines, witness.Line{Step: int32(len(r.run.Fire)), Number: int32(r.line)})
	for pos := at - 1; ; {
		for pos < len(text) && blank(text[pos]) {
			pos++
		}
		if pos >= len(text) {
			return
		}
		end := wordEnd(text, pos)
		t, err := r.firing(text[pos:end])
		if err != nil {
			code, hint := "witness-firing", ""
			if errors.Is(err, errFirings) {
				code, hint = "witness-limit", "leave a shorter run"
			}
			r.complain(text, pos+1, code, err.Error(), hint)
			return
		}
		r.run.Fire = append(r.run.Fire, t)
		pos = end
	}
}

// claim reads a value line.
func (r *Reader) claim(text, rest []byte, at int) {
	end := wordEnd(rest, 0)
	item, err := oneName(rest[:end])
	value := strings.TrimSpace(string(rest[end:]))
	switch {
	case err != nil:
		r.complain(text, at, "witness-value", err.Error(), "write: value ITEM VALUE")
		return
	case r.witness.Exam == "":
		r.complain(text, 1, "witness-order", "a value stands before the examination", "")
		return
	case value == "":
		r.complain(text, at, "witness-value", "the value of "+excerpt(item)+" is missing", "write: value ITEM VALUE")
		return
	}
	claim := witness.Claim{Item: item}
	kind := r.witness.Exam.Kind()
	number, atLeast := strings.CutPrefix(value, ">=")
	if claim.AtLeast = atLeast && kind == examinations.Nat; claim.AtLeast {
		value = number
	}
	var ok bool
	if claim.Value, ok = examinations.ParseValue(value, kind); !ok || claim.AtLeast && claim.Value == examinations.Infinite {
		words := "TRUE or FALSE"
		if kind == examinations.Nat {
			words = "a number, >= and a number, or +inf"
		}
		r.complain(text, at+end, "witness-value", excerpt(value)+" is no value of "+string(r.witness.Exam), "write "+words)
		return
	}
	r.witness.Claims = append(r.witness.Claims, claim)
}

// complain spoils the witness.
func (r *Reader) complain(text []byte, col int, code, message, hint string) {
	if !r.faulty {
		r.witness.Faults.Add(r.fault(text, col, code, message, hint))
	}
	r.faulty = true
	r.witness.Paths, r.witness.Proof, r.witness.Branches, r.witness.Enumerate = nil, nil, nil, false
}

func (r *Reader) fault(text []byte, col int, code, message, hint string) diagnostic.Diagnostic {
	return diagnostic.Diagnostic{File: r.o.File, Line: r.line, Col: min(col, len(text)+1), Code: code, Message: message, Hint: hint}
}

// next returns a line without its end, or false at the end of the input. Of a line
// that is too long, or no text, it returns nothing and sets bad.
func (r *Reader) next() ([]byte, bool) {
	r.bad = ""
	if r.pending != nil {
		text := r.pending
		r.pending = nil
		r.line++
		return text, true
	}
	if r.end {
		return nil, false
	}
	var long []byte
	length := 0
	for {
		part, err := r.in.ReadSlice('\n')
		length += len(part)
		if errors.Is(err, bufio.ErrBufferFull) {
			if length <= maxLine {
				long = append(long, part...)
			}
			continue
		}
		if err != nil {
			r.end = true
			if !errors.Is(err, io.EOF) {
				r.err = err
			}
			if length == 0 {
				return nil, false
			}
		}
		r.line++
		text := part
		if long != nil {
			text = append(long, part...)
		}
		switch text = bytes.TrimRight(text, "\r\n"); {
		case length > maxLine:
			r.bad = fmt.Sprintf("the line has %d bytes, and %d are allowed", length, maxLine)
			return nil, true
		case !utf8.Valid(text):
			r.bad = "the line is no UTF-8 text"
			return nil, true
		}
		return text, true
	}
}

func blank(b byte) bool { return b == ' ' || b == '\t' }

// cut returns the first word of a line and what follows.
func cut(text []byte) (word, rest []byte) {
	text = bytes.TrimRight(text, " \t")
	end := bytes.IndexAny(text, " \t")
	if end < 0 {
		return text, nil
	}
	return text[:end], bytes.TrimLeft(text[end:], " \t")
}

// wordEnd returns the end of the word that begins at pos; blanks inside quotation
// marks belong to it.
func wordEnd(text []byte, pos int) int {
	for pos < len(text) && !blank(text[pos]) {
		if text[pos] == '"' {
			end := quotedEnd(text[pos:])
			if end < 0 {
				return len(text)
			}
			pos += end
			continue
		}
		pos++
	}
	return pos
}

// oneName reads a line's argument that is a name: plain, quoted, or any word
// without blanks.
func oneName(text []byte) (string, error) {
	if len(text) == 0 {
		return "", errors.New("a name is missing")
	}
	if text[0] != '"' {
		if bytes.ContainsAny(text, " \t") {
			return "", fmt.Errorf("%s is more than one word", excerpt(string(text)))
		}
		return string(text), nil
	}
	c := &cursor{rest: text}
	name, err := c.name()
	if err == nil && len(c.rest) > 0 {
		err = fmt.Errorf("%s stands behind a name", excerpt(string(c.rest)))
	}
	return name, err
}
