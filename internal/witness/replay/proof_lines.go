package replay

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"podium/internal/witness"
	"podium/pnml"
)

// Limits of proofs.
const (
	maxFacts  = 1 << 16
	maxSteps  = 1 << 20
	maxTerms  = 1 << 22 // of a witness
	maxDigits = 1000    // of a number, its sign and stroke included
)

// Words that begin the lines of a proof, by what they say.
var (
	factWords = []string{witness.Invariant: "invariant", witness.Trap: "trap", witness.Siphon: "siphon"}
	stepWords = map[string]witness.StepKind{"split": witness.Split, "cut": witness.Cut, "leaf": witness.Leaf, "outside": witness.Outside}
	headWords = []string{witness.Bad: "bad", witness.Keep: "keep", witness.Always: "always", witness.Never: "never", witness.Dead: "dead", witness.Constant: "constant", witness.Apart: "apart", witness.Return: "return", witness.Home: "home"}
	backWords = []string{"rank", "move"} // behind the head of a way back
	drawWords = []string{"diagram", "node"}
)

// ofProof reports whether a word begins a line of a proof.
func ofProof(word string) bool {
	_, step := stepWords[word]
	return step || word == "proof" || word == "more" || word == "clause" || slices.Contains(backWords, word) || slices.Contains(drawWords, word) || slices.Contains(factWords, word) || slices.Contains(headWords, word)
}

// proofLine reads a line of a proof.
func (r *Reader) proofLine(text []byte, word string, rest []byte) {
	w := r.witness
	p := w.Proof
	at := len(text) - len(rest) + 1
	head := slices.Index(headWords, word)
	switch {
	case word != "more" && r.half:
		r.incomplete(text)
	case word == "proof" && (w.Instance == "" || w.Exam == "" || len(w.Claims) == 0):
		r.complain(text, 1, "witness-order", "a proof begins before the lines instance, examination and value", "")
	case word != "more" && w.Branches != nil:
		r.complain(text, 1, "witness-order", "a line of a proof stands behind branches", "write the proof before the branches")
	case w.Enumerate:
		r.complain(text, 1, "witness-order", "a proof stands beside the line enumerate", "write a witness of its own for each")
	case word == "proof" && (p != nil || len(rest) > 0):
		r.complain(text, 1, "witness-order", "a proof begins twice, or something follows the word proof", "")
	case word == "proof":
		w.Proof = &witness.Proof{Line: r.line}
	case p == nil && (word != "more" || w.Branches == nil):
		r.complain(text, 1, "witness-order", fmt.Sprintf("the line %q stands outside of a proof", word), "write the line proof before it")
	case word == "clause" || word == "diagram" || slices.Contains(factWords, word):
		r.fact(text, word, at)
	case word == "node":
		r.node(text, at)
	case slices.Contains(backWords, word):
		r.back(text, word, at)
	case head >= 0:
		r.head(text, witness.HeadKind(head), rest, at)
	case word == "more":
		if r.more == nil {
			r.complain(text, 1, "witness-order", "there is nothing that this line goes on with", "it stands behind invariant, trap, siphon, clause, diagram, node, rank, move, cut, leaf, from, holds or fails")
			return
		}
		r.words(text, at, r.more)
	default:
		r.proofStep(text, word, rest, at)
	}
}

// incomplete complains of a line that ends in the middle of a pair.
func (r *Reader) incomplete(text []byte) {
	r.complain(text, 1, "witness-proof", "the line before this one ends behind a factor, behind the name of an inequality, or in the middle of one", "factors and places, or names and factors, stand in pairs; an inequality ends with <= and a bound")
}

// fact reads a fact, a clause or the places of a diagram.
func (r *Reader) fact(text []byte, word string, at int) {
	p := r.witness.Proof
	if len(p.Trees) > 0 || len(p.Facts)+len(p.Clauses)+len(p.Diagrams) == maxFacts {
		r.complain(text, 1, "witness-order", fmt.Sprintf("facts, clauses and diagrams stand before the cases, and there are %d at most", maxFacts), "")
		return
	}
	switch word {
	case "diagram":
		d := &witness.Diagram{}
		p.Diagrams = append(p.Diagrams, d)
		r.more = func(word string) error {
			place, err := r.place(word)
			d.Places = append(d.Places, place)
			return err
		}
		r.words(text, at, r.more)
		return
	case "clause":
		p.Clauses = append(p.Clauses, nil)
		r.more = r.clause(&p.Clauses[len(p.Clauses)-1])
		r.words(text, at, r.more)
		return
	}
	p.Facts = append(p.Facts, witness.Fact{Kind: witness.FactKind(slices.Index(factWords, word))})
	f := &p.Facts[len(p.Facts)-1]
	if word == "invariant" {
		r.more = r.terms(&f.Terms)
	} else {
		r.more = func(word string) error {
			place, err := r.place(word)
			f.Terms = append(f.Terms, witness.Term{Factor: big.NewRat(1, 1), Place: place})
			return err
		}
	}
	r.words(text, at, r.more)
}

// head reads the line that begins a tree.
func (r *Reader) head(text []byte, kind witness.HeadKind, rest []byte, at int) {
	p := r.witness.Proof
	if len(p.Trees) == maxSteps {
		r.complain(text, 1, "witness-limit", fmt.Sprintf("a proof has %d trees at most", maxSteps), "")
		return
	}
	h := witness.Head{Kind: kind}
	first := rest[:wordEnd(rest, 0)]
	second := bytes.TrimLeft(rest[len(first):], " \t")
	var err error
	switch kind {
	case witness.Keep, witness.Always, witness.Never, witness.Return:
		var number *big.Int
		if number, err = wholeNumber(string(first)); err == nil && number.IsInt64() {
			h.Number = int(number.Int64())
		} else if err == nil {
			err = errors.New("the number is too large")
		}
		if kind == witness.Keep && err == nil {
			h.At, err = r.net.find(second)
			second = nil
		}
	case witness.Dead:
		h.At, err = nameIn(r.net.view.Transitions(), "transition", first)
	case witness.Constant:
		h.At, err = nameIn(r.net.view.Places(), "place", first)
	case witness.Apart:
		h.States, err = r.literals(rest)
		second = nil
	default:
		second = rest
	}
	if err == nil && len(second) > 0 {
		err = fmt.Errorf("%s is too much on this line", excerpt(string(second)))
	}
	if err != nil {
		r.complain(text, at, "witness-head", err.Error(), "write: bad, keep CLAUSE TRANSITION, always NUMBER, never NUMBER, dead TRANSITION, constant PLACE, apart NUMBER !NUMBER ..., return NUMBER, or home")
		return
	}
	r.more = nil
	p.Trees = append(p.Trees, witness.Tree{Head: h})
}

// back reads the rank or a move of a tree about a way back.
func (r *Reader) back(text []byte, word string, at int) {
	p := r.witness.Proof
	var tree *witness.Tree
	if len(p.Trees) > 0 {
		tree = &p.Trees[len(p.Trees)-1]
	}
	if tree == nil || !tree.Head.Back() || len(tree.Steps) > 0 || word == "rank" && len(tree.Rank)+len(tree.Moves) > 0 {
		r.complain(text, 1, "witness-order", fmt.Sprintf("the line %q stands elsewhere", word), "behind the line return or home stands one line rank, then come the lines move, then the cases")
		return
	}
	if r.taken++; r.taken > maxTerms { // a line without words counts, too
		r.complain(text, 1, "witness-limit", fmt.Sprintf("a proof has %d words at most", maxTerms), "")
		return
	}
	if word == "rank" {
		r.more = r.terms(&tree.Rank)
	} else {
		tree.Moves = append(tree.Moves, nil)
		move := &tree.Moves[len(tree.Moves)-1]
		r.more = func(word string) error {
			t, err := r.net.find([]byte(word))
			*move = append(*move, t)
			return err
		}
	}
	r.words(text, at, r.more)
}

// literals reads numbers of state formulas, with ! before those that are negated.
func (r *Reader) literals(text []byte) (list []witness.Literal, err error) {
	for word := range strings.FieldsSeq(string(text)) {
		digits, not := strings.CutPrefix(word, "!")
		number, err := index(digits)
		if r.taken++; r.taken > maxTerms && err == nil {
			err = fmt.Errorf("a proof has %d words at most", maxTerms)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, witness.Literal{Number: number, Not: not})
	}
	return list, nil
}

// nameIn finds a name.
func nameIn(names *pnml.Names, what string, word []byte) (uint32, error) {
	name, err := oneName(word)
	if err != nil {
		return 0, err
	}
	i, ok := names.Find(name)
	if !ok {
		return 0, unknownName(what, name, allNames(names))
	}
	return uint32(i), nil
}

func (r *Reader) proofStep(text []byte, word string, rest []byte, at int) {
	p := r.witness.Proof
	if r.steps++; r.steps > maxSteps {
		r.complain(text, 1, "witness-limit", fmt.Sprintf("a proof has %d cases at most", maxSteps), "")
		return
	}
	s := witness.Step{Kind: stepWords[word]}
	r.more = nil
	first := rest[:wordEnd(rest, 0)]
	if word != "leaf" { // a number follows
		digits := string(first)
		if clause, ok := strings.CutPrefix(digits, "c"); ok && word == "split" {
			s.Kind, digits = witness.SplitClause, clause
		}
		number, err := wholeNumber(digits)
		if err == nil && word != "cut" && len(first) < len(rest) {
			err = errors.New("one number follows the word")
		}
		if err != nil || word != "cut" && !number.IsInt64() {
			r.complain(text, at, "witness-number", fmt.Sprintf("%s is no number here", excerpt(string(first))), "write: split NUMBER, split cNUMBER, outside NUMBER, or: cut BOUND FACTOR PLACE ...")
			return
		}
		s.Bound = number
		at += len(first)
		if word != "cut" {
			s.Split, s.Bound = int(number.Int64()), nil
		}
	}
	if len(p.Trees) == 0 {
		p.Trees = append(p.Trees, witness.Tree{}) // of bad markings, without a line
	}
	tree := &p.Trees[len(p.Trees)-1]
	tree.Steps = append(tree.Steps, s)
	last := &tree.Steps[len(tree.Steps)-1]
	switch word {
	case "cut":
		r.more = r.terms(&last.Terms)
	case "leaf":
		r.more = r.sum(&last.Sum)
	default:
		return
	}
	r.words(text, at, r.more)
}

// words gives each word of a line from a column on to what takes it.
func (r *Reader) words(text []byte, at int, take func(string) error) {
	for pos := at - 1; ; {
		for pos < len(text) && blank(text[pos]) {
			pos++
		}
		if pos >= len(text) {
			return
		}
		end := wordEnd(text, pos)
		r.taken++
		err := take(string(text[pos:end]))
		if err == nil && r.taken > maxTerms {
			err = fmt.Errorf("a proof has %d words at most", maxTerms)
		}
		if err != nil {
			r.complain(text, pos+1, "witness-proof", err.Error(), "")
			return
		}
		pos = end
	}
}

// terms takes factors and places in turn.
func (r *Reader) terms(list *[]witness.Term) func(string) error {
	var factor *big.Rat
	return func(word string) (err error) {
		r.half = !r.half
		if factor == nil {
			factor, err = rational(word)
			return err
		}
		place, err := r.place(word)
		*list = append(*list, witness.Term{Factor: factor, Place: place})
		factor = nil
		return err
	}
}

// clause takes alternatives with "or" between them, each of inequalities with "and" between
// them; an inequality is factors and places, "<=" and a bound.
func (r *Reader) clause(c *witness.Clause) func(string) error {
	const terms, bound, between = 0, 1, 2
	*c = witness.Clause{nil}
	var x witness.AtMost
	var factor *big.Rat
	expected := terms
	r.half = true // until an inequality has its bound
	return func(word string) (err error) {
		switch {
		case expected == between:
			switch word {
			case "or":
				*c = append(*c, nil)
			case "and":
			default:
				return fmt.Errorf("%s stands behind an inequality, where the word and, the word or, or nothing stands", excerpt(word))
			}
			x, expected, r.half = witness.AtMost{}, terms, true
		case expected == bound:
			x.Bound, err = rational(word)
			last := &(*c)[len(*c)-1]
			*last = append(*last, x)
			expected, r.half = between, false
		case factor != nil:
			var place uint32
			place, err = r.place(word)
			x.Terms = append(x.Terms, witness.Term{Factor: factor, Place: place})
			factor = nil
		case word == "<=":
			expected = bound
		default:
			factor, err = rational(word)
		}
		return err
	}
}

// sum takes names of inequalities and factors in turn: a0 is the first that is assumed,
// f0 the first fact.
func (r *Reader) sum(list *[]witness.Part) func(string) error {
	var part *witness.Part
	return func(word string) (err error) {
		r.half = !r.half
		if part != nil {
			part.Factor, err = rational(word)
			*list = append(*list, *part)
			part = nil
			return err
		}
		number, err := strconv.Atoi(word[1:])
		if err != nil || number < 0 || word[0] != 'a' && word[0] != 'f' {
			return fmt.Errorf("%s is neither an inequality, such as a0, nor a fact, such as f0", excerpt(word))
		}
		part = &witness.Part{Fact: word[0] == 'f', Number: number}
		return nil
	}
}

// place finds a place of the net, or of the unfolded net.
func (r *Reader) place(word string) (uint32, error) {
	name, err := oneName([]byte(word))
	if err != nil {
		return 0, err
	}
	p, ok := r.net.net.Places.Find(name)
	if !ok {
		return 0, fmt.Errorf("the net has no place %s", excerpt(name))
	}
	return uint32(p), nil
}

// rational reads a fraction of decimal numbers. Numbers have no zeros in front: math/big
// would take those of a fraction for octal.
func rational(word string) (*big.Rat, error) {
	above, below, fraction := strings.Cut(strings.TrimPrefix(word, "-"), "/")
	if len(word) <= maxDigits && decimal(above) && (!fraction || decimal(below)) {
		if x, ok := new(big.Rat).SetString(word); ok {
			return x, nil
		}
	}
	return nil, fmt.Errorf("%s is no fraction, such as 2 or -3/4, of %d digits at most and without zeros in front", excerpt(word), maxDigits)
}

// decimal reports whether a word is a number of digits alone, without zeros in front.
func decimal(word string) bool {
	return word != "" && (word[0] != '0' || word == "0") && !strings.ContainsFunc(word, func(c rune) bool { return c < '0' || c > '9' })
}

func wholeNumber(word string) (*big.Int, error) {
	x, err := rational(word)
	if err == nil && !x.IsInt() {
		err = errors.New("no whole number")
	}
	if err != nil {
		return new(big.Int), err
	}
	return x.Num(), nil
}
