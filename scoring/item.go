package scoring

import (
	"fmt"

	"podium/models"
)

// Item is one entry in the account of a run: points and the reason for them.
type Item struct {
	Rule   string // number in the rules of the contest
	Reason Reason
	Value  int32 // position of the value in the vector, or -1 for the run as a whole
	Points int64 // what the item adds when it is booked, in the units of the scheme
	A, B   int64 // what the reason speaks of
	// Num and Den are those of a factor: all that was booked before counts Num/Den
	// times. They are 0 for an addend.
	Num, Den int64
}

// Factor reports whether the item multiplies the points before it.
func (i Item) Factor() bool { return i.Den != 0 }

const wholeRun int32 = -1

// Reason says why an item was added to the account of a run.
type Reason uint8

// The reasons.
const (
	RightValue     Reason = iota // the value equals its reference
	WrongValue                   // it differs
	NoRightValue                 // no value of the run is right
	LeastOf                      // A: metric, B: what was measured
	ClassFactor                  // A: factor, B: class of the model
	WeightOfFamily               // A: raw points before, B: number of instances of the family
	ByVerdict                    // A: see Verdict
	Rounding                     // the sum of a run is rounded, not each of its addends
)

// Text returns the reason in words.
func (i Item) Text() string {
	switch i.Reason {
	case RightValue:
		return "the value equals the reference"
	case WrongValue:
		return "the value differs from the reference"
	case NoRightValue:
		return "no value of the run is right"
	case LeastOf:
		return leastText(Metric(i.A), i.B)
	case ClassFactor:
		return fmt.Sprintf("%s model: the points count %d times", models.Class(i.B), i.A)
	case WeightOfFamily:
		instances := "instances"
		if i.B == 1 {
			instances = "instance"
		}
		return fmt.Sprintf("weight of a family of %d %s; the sum of the run is rounded", i.B, instances)
	case Rounding:
		return "rounding: the sum of the run is rounded, not each of its items"
	}
	return Verdict(i.A).String()
}

func leastText(m Metric, x int64) string {
	switch m {
	case Memory:
		return fmt.Sprintf("smallest memory among the candidates: %d bytes", x)
	case WallTime:
		return fmt.Sprintf("fastest of the candidates: %s of wall-clock time", seconds(x))
	}
	return fmt.Sprintf("fastest of the candidates: %s of CPU time", seconds(x))
}

// seconds writes microseconds exactly.
func seconds(micros int64) string {
	if micros%1_000_000 == 0 {
		return fmt.Sprintf("%d s", micros/1_000_000)
	}
	if micros%1_000 == 0 {
		return fmt.Sprintf("%d.%03d s", micros/1_000_000, micros/1_000%1_000)
	}
	return fmt.Sprintf("%d.%06d s", micros/1_000_000, micros%1_000_000)
}
