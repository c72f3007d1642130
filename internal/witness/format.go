package witness

import (
	"podium/examinations"
	"podium/pnml"
	"podium/pnml/diagnostic"
)

// Format is the first line of every witness, after the word format.
const Format = "podium-witness/1"

// Suffix ends the names of files with witnesses.
const Suffix = ".witness"

// Witness is a set of paths and the values that they are to prove.
type Witness struct {
	Instance string
	Exam     examinations.ID
	Claims   []Claim
	Paths    []Path
	Proof    *Proof    // nil without one
	Branches *Branches // nil without them
	// Enumerate says that the values show when all reachable markings of the net, which
	// is small, are visited once more. There are no paths and no proof then.
	Enumerate bool
	// Skeleton says that the witness is about the net without its colours, see
	// [podium/pnml.Symmetric.Skeleton]. It has a proof, or shows the initial marking.
	Skeleton bool
	// Merging says that the witness is about the net with these colours merged, see
	// [podium/pnml/unfold.Merged]. Nil without; else Skeleton is false.
	Merging pnml.Merging
	Line    int             // of its first line, 0 when it was not read
	Faults  diagnostic.List // errors that were met while it was read: it proves nothing then
}

// Path is a sequence of transitions from the initial marking on. Those from
// Cycle on may be repeated for ever; a negative Cycle means that there is no
// cycle. Inner are cycles before it. Each adds tokens, and takes tokens only
// from places that an earlier one has filled; repeated often enough, it fills
// its places for all that follows.
type Path struct {
	Fire  []uint32
	Cycle int
	Inner []Span
	Lines []Line // of the file that it was read from, nil when it was not
}

// Span is a part of a path: the firings From to To-1.
type Span struct{ From, To int }

// Line says that the firings from Step on, counted from 0, stand on a line of a
// file, counted from 1.
type Line struct{ Step, Number int32 }

// LineOf returns the line of a step, 0 when the path was not read.
func (r *Path) LineOf(step int) int {
	line := int32(0)
	for _, m := range r.Lines {
		if int(m.Step) > step {
			break
		}
		line = m.Number
	}
	return int(line)
}

// Finite is a path without a cycle.
func Finite(fire []uint32) Path { return Path{Fire: fire, Cycle: -1} }

// Lasso is a stem and a cycle; an empty cycle is none.
func Lasso(stem, cycle []uint32) Path {
	if len(cycle) == 0 {
		return Finite(stem)
	}
	return Path{Fire: append(append(make([]uint32, 0, len(stem)+len(cycle)), stem...), cycle...), Cycle: len(stem)}
}
