package replay

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"strconv"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/witness"
	"podium/internal/witness/enumeration"
)

// checkBranches checks what a witness says of the markings that it visits.
func (n *Net) checkBranches(clock *clock.Clock, w *witness.Witness, c witness.Claim, lookup func(string) (formula.Formula, bool)) witness.Result {
	r := witness.Result{Claim: c, State: witness.Unconfirmed}
	value, err := n.ofBranches(clock, w, c, lookup)
	if err != nil {
		r.Detail = fmt.Sprintf("line %d: the branches do not show it: %v", w.Branches.Line, err)
		return r
	}
	r.Proved = witness.Claim{Item: c.Item, Value: value}
	r.Detail = fmt.Sprintf("what is shown of some markings decides the formula: it is %s", value)
	if r.State = witness.Confirmed; value != c.Value {
		r.State = witness.Refuted
	}
	return r
}

func (n *Net) ofBranches(clock *clock.Clock, w *witness.Witness, c witness.Claim, lookup func(string) (formula.Formula, bool)) (examinations.Value, error) {
	if !w.Exam.HasFormulas() || w.Exam == examinations.UpperBounds || w.Exam == examinations.LTLCardinality || w.Exam == examinations.LTLFireability {
		return examinations.Value{}, fmt.Errorf("%s has no formulas of CTL", w.Exam)
	}
	f, ok := lookup(c.Item)
	if !ok {
		return examinations.Value{}, fmt.Errorf("%s has no formula %s", w.Exam, excerpt(c.Item))
	}
	holds, err := enumeration.Branches(clock, n.view, n.small, w.Branches, f)
	return examinations.Truth(holds), err
}

// branchesWords begin the lines about markings and what holds in them.
var branchesWords = []string{"branches", "from", "holds", "fails"}

// branchesLine reads such a line.
func (r *Reader) branchesLine(text []byte, word string, rest []byte) {
	w := r.witness
	at := len(text) - len(rest) + 1
	switch {
	case r.half:
		r.incomplete(text)
		return
	case word == "branches" && (w.Instance == "" || w.Exam == "" || len(w.Claims) == 0):
		r.complain(text, 1, "witness-order", "branches begin before the lines instance, examination and value", "")
		return
	case word == "branches" && (w.Branches != nil || w.Enumerate || r.run != nil || len(rest) > 0):
		r.complain(text, 1, "witness-order", "branches begin twice, or beside runs or the line enumerate, or something follows the word branches", "")
		return
	case word == "branches":
		w.Branches, r.more = &witness.Branches{Line: r.line}, nil
		return
	case w.Branches == nil:
		r.complain(text, 1, "witness-order", fmt.Sprintf("the line %q stands outside of branches", word), "write the line branches before it")
		return
	}
	first := rest[:wordEnd(rest, 0)]
	number, err := index(string(first))
	if r.taken++; r.taken > maxTerms && err == nil {
		err = fmt.Errorf("branches have %d words at most", maxTerms)
	}
	if err != nil {
		r.complain(text, at, "witness-number", err.Error(), "write: from MARKING TRANSITION ..., holds PART MARKING ..., or: fails PART MARKING ...")
		return
	}
	if word == "from" {
		w.Branches.Ways = append(w.Branches.Ways, witness.Way{From: number})
		way := &w.Branches.Ways[len(w.Branches.Ways)-1]
		r.more = func(word string) error {
			t, err := r.firing([]byte(word))
			way.Fire = append(way.Fire, t)
			return err
		}
	} else {
		w.Branches.Claims = append(w.Branches.Claims, witness.Held{Part: number, Holds: word == "holds"})
		claims := &w.Branches.Claims[len(w.Branches.Claims)-1]
		r.more = func(word string) error {
			marking, err := index(word)
			claims.Markings = append(claims.Markings, marking)
			return err
		}
	}
	r.words(text, at+len(first), r.more)
}

// index reads the number of a marking, or of a part of a formula.
func index(word string) (int, error) {
	n, err := wholeNumber(word)
	if err != nil || n.Sign() < 0 || !n.IsInt64() || n.Int64() > math.MaxInt32 {
		return 0, fmt.Errorf("%s is no number, from 0, of a marking or of a part of the formula", excerpt(word))
	}
	return int(n.Int64()), nil
}

var errFirings = errors.New("there are too many firings")

// firing finds the transition that a word names, and counts a firing.
func (r *Reader) firing(word []byte) (uint32, error) {
	t, ok := r.known[string(word)]
	if !ok {
		var err error
		if t, err = r.net.find(word); err != nil {
			return 0, err
		}
		if len(r.known) < maxWords {
			r.known[string(word)] = t
		}
	}
	if r.left--; r.left < 0 {
		return 0, errFirings
	}
	return t, nil
}

// writeBranches writes markings and what is said of them.
func (n *Net) writeBranches(b *bufio.Writer, w *witness.Branches) {
	b.WriteString("branches\n")
	write := func(first string, count int, word func(line []byte, k int) []byte) {
		line := []byte(first)
		for k := range count {
			if len(line) >= widest {
				b.Write(append(line, '\n'))
				line = append(line[:0], "more"...)
			}
			line = word(append(line, ' '), k)
		}
		b.Write(append(line, '\n'))
	}
	for _, way := range w.Ways {
		write("from "+strconv.Itoa(way.From), len(way.Fire), func(line []byte, k int) []byte { return n.appendFiring(line, way.Fire[k]) })
	}
	for _, claims := range w.Claims {
		word := "fails "
		if claims.Holds {
			word = "holds "
		}
		write(word+strconv.Itoa(claims.Part), len(claims.Markings), func(line []byte, k int) []byte {
			return strconv.AppendInt(line, int64(claims.Markings[k]), 10)
		})
	}
}
