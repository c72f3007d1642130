package replay

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"podium/internal/witness"
)

// Limits of proofs.
const (
	maxFacts  = 1 << 16
	maxSteps  = 1 << 20
	maxTerms  = 1 << 22 // of a witness
	maxDigits = 1000    // of a number, its sign and stroke included
)

// proofWords begin the lines of a proof.
var proofWords = []string{"proof", "invariant", "trap", "siphon", "split", "cut", "leaf", "more"}

// proofLine reads a line of a proof.
func (r *Reader) proofLine(text []byte, word string, rest []byte) {
	w := r.witness
	p := w.Proof
	at := len(text) - len(rest) + 1
	switch {
	case word != "more" && r.half:
		r.incomplete(text)
	case !r.second:
		r.complain(text, 1, "witness-format", "proofs need the second format", "begin with: format "+witness.Format2)
	case word == "proof" && (w.Instance == "" || w.Exam == "" || len(w.Claims) == 0):
		r.complain(text, 1, "witness-order", "a proof begins before the lines instance, examination and value", "")
	case w.Enumerate:
		r.complain(text, 1, "witness-order", "a proof stands beside the line enumerate", "write a witness of its own for each")
	case word == "proof" && (p != nil || len(rest) > 0):
		r.complain(text, 1, "witness-order", "a proof begins twice, or something follows the word proof", "")
	case word == "proof":
		w.Proof = &witness.Proof{Line: r.line}
	case p == nil:
		r.complain(text, 1, "witness-order", fmt.Sprintf("the line %q stands outside of a proof", word), "write the line proof before it")
	case word == "invariant" || word == "trap" || word == "siphon":
		r.fact(text, word, at)
	case word == "more":
		if r.more == nil {
			r.complain(text, 1, "witness-order", "there is nothing that this line goes on with", "it stands behind invariant, trap, siphon, cut or leaf")
			return
		}
		r.words(text, at, r.more)
	default:
		r.proofStep(text, word, rest, at)
	}
}

// incomplete complains of a line that ends in the middle of a pair.
func (r *Reader) incomplete(text []byte) {
	r.complain(text, 1, "witness-proof", "the line before this one ends behind a factor, or behind the name of an inequality", "factors and places, or names and factors, stand in pairs")
}

func (r *Reader) fact(text []byte, word string, at int) {
	p := r.witness.Proof
	if len(p.Steps) > 0 || len(p.Facts) == maxFacts {
		r.complain(text, 1, "witness-order", fmt.Sprintf("facts stand before the cases, and there are %d at most", maxFacts), "")
		return
	}
	p.Facts = append(p.Facts, witness.Fact{Kind: map[string]witness.ProofKind{"invariant": witness.Invariant, "trap": witness.Trap, "siphon": witness.Siphon}[word]})
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

func (r *Reader) proofStep(text []byte, word string, rest []byte, at int) {
	p := r.witness.Proof
	if len(p.Steps) == maxSteps {
		r.complain(text, 1, "witness-limit", fmt.Sprintf("a proof has %d cases at most", maxSteps), "")
		return
	}
	s := witness.Step{Kind: map[string]witness.ProofKind{"split": witness.Split, "cut": witness.Cut, "leaf": witness.Leaf}[word]}
	r.more = nil
	first := rest[:wordEnd(rest, 0)]
	if word != "leaf" {
		number, err := wholeNumber(string(first))
		if err == nil && word == "split" && len(first) < len(rest) {
			err = errors.New("one number follows the word split")
		}
		if err != nil || word == "split" && !number.IsInt64() {
			r.complain(text, at, "witness-number", fmt.Sprintf("%s is no number here", excerpt(string(first))), "write: split NUMBER, or: cut BOUND FACTOR PLACE ...")
			return
		}
		s.Bound = number
		at += len(first)
		if word == "split" {
			s.Split, s.Bound = int(number.Int64()), nil
		}
	}
	p.Steps = append(p.Steps, s)
	last := &p.Steps[len(p.Steps)-1]
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

// decimal tells whether a word is a number of digits alone, without zeros in front.
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
