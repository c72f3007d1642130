package explorer

import (
	"context"
	"errors"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/space"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml/unfold"
)

// Witness is a run that proves an answer: transitions from the initial marking,
// then some that may be repeated for ever.
//
//	EF true, AG false         the stem ends in a marking with (without) the formula
//	deadlock, not live        the stem ends in a dead marking
//	not one-safe              the stem ends in a marking with two tokens in a place
//	bound n                   the stem ends in a marking with n tokens: no less, not no more
//	unbounded, bound +inf     the cycle adds tokens, and takes none away in sum; or parts of
//	                          the stem do, one after the other, see witness.Run
//	LTL: E true, A false      stem and cycle are a run with (without) the path;
//	                          with an empty cycle the marking is dead and stutters
//	quasi-live                on the stem, or on one of the further runs, every transition fires
//	not stable                on the stem, or on one of the further runs, every place changes
type Witness struct {
	Stem, Cycle []uint32
	Inner       []witness.Span // of the stem
	Further     [][]uint32
}

// Length is the number of firings, 0 of no witness.
func (w *Witness) Length() int {
	if w == nil {
		return 0
	}
	n := len(w.Stem) + len(w.Cycle)
	for _, run := range w.Further {
		n += len(run)
	}
	return n
}

// Runs are the runs as package internal/witness has them.
func (w *Witness) Runs() []witness.Path {
	runs := []witness.Path{witness.Lasso(w.Stem, w.Cycle)}
	runs[0].Inner = w.Inner
	for _, run := range w.Further {
		runs = append(runs, witness.Finite(run))
	}
	return runs
}

// Claim is what a witness of an answer can show: of a finite bound that it is no
// less.
func Claim(item string, value examinations.Value) witness.Claim {
	return witness.Claim{Item: item, Value: value, AtLeast: value.Kind == examinations.Nat && value != examinations.Infinite}
}

// Prove replays the witness, by code that shares nothing with the search, and
// tells what is missing to a proof that value is the answer. f is the formula of
// the item, nil where the examination has none. When ctx ends nothing is proved.
func (w *Witness) Prove(ctx context.Context, v unfold.View, exam examinations.ID, f formula.Formula, value examinations.Value) error {
	item := exam.Items([]string{""})[0]
	written := &witness.Witness{Exam: exam, Claims: []witness.Claim{Claim(item, value)}, Paths: w.Runs()}
	result := replay.NewNet(v).Check(ctx, written, func(string) (formula.Formula, bool) { return f, f != nil })[0]
	if result.State != witness.Confirmed {
		return errors.New(result.Detail)
	}
	return nil
}

// coveringWitness repeats the part of a covering that adds tokens.
func coveringWitness(c *space.Covering) *Witness {
	return &Witness{Stem: c.Run[:c.From], Cycle: c.Run[c.From:]}
}
