package models

import (
	"fmt"
	"strconv"

	"podium/pnml"
)

// Family is a built-in parametric net. Build gives the net of one parameter,
// written as in an instance name (leading zeros are fine: a ladder sorts).
type Family struct {
	Name   string   `json:"name"`       // as in instance names; none is the name of a contest model
	Title  string   `json:"title"`      // one line for people
	Source string   `json:"source"`     // where the net comes from: author, title, year
	Params string   `json:"parameter"`  // what the parameter means
	Ladder []string `json:"parameters"` // parameters from tiny to hard
	// Unbounded families have infinitely many markings; their instances carry
	// the marker unfinite.
	Unbounded bool                                  `json:"unbounded"`
	Build     func(param string) (*pnml.Net, error) `json:"-"`
}

// ID names the instance of the family for a parameter.
func (f Family) ID(param string) ID { return ID{f.Name, PT, param} }

// Families lists the built-in families by name. They are written from the
// literature; where a published count of states exists, a test repeats it.
func Families() []Family {
	return []Family{
		alternatingBit, binaryCounter, boundedBuffer, diningPhilosophers, enzymeKinetics, flexibleManufacturing, kanbanCells,
		milnerScheduler, orderWorkflow, petersonFilter, primeSieve, readersWriters, sampleRateConverter, swimmingBaths,
		tokenRingMutex, towersOfHanoi, unboundedChannels,
	}
}

// FindFamily returns the built-in family of a name, and false when there is none.
func FindFamily(name string) (Family, bool) {
	for _, f := range Families() {
		if f.Name == name {
			return f, true
		}
	}
	return Family{}, false
}

// family completes a family whose parameter is a number from least to most.
func family(f Family, least, most uint64, build func(n int, b *net)) Family {
	f.Build = func(param string) (*pnml.Net, error) {
		n, err := strconv.ParseUint(param, 10, 63)
		if err != nil || n < least || n > most {
			return nil, fmt.Errorf("%q is no parameter of %s: it is a number from %d to %d, %s", param, f.Name, least, most, f.Params)
		}
		b := &net{}
		b.ID = f.ID(param).String()
		build(int(n), b)
		return b.Build()
	}
	return f
}

// net is a builder that speaks in rules: a transition is what it takes and what
// it gives.
type net struct{ pnml.Builder }

// place declares a place; its name is a format.
func (b *net) place(tokens int, format string, args ...any) int {
	return b.Place(fmt.Sprintf(format, args...), uint64(tokens))
}

// places declares n places, numbered in the format from 1.
func (b *net) places(n, tokens int, format string) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = b.place(tokens, format, i+1)
	}
	return out
}

// rule declares a transition that takes one token of each place of take and
// puts one on each of give. A place named k times counts k times.
func (b *net) rule(name string, take, give []int) int {
	t := b.Transition(name)
	for _, p := range take {
		b.In(p, t, 1)
	}
	for _, p := range give {
		b.Out(t, p, 1)
	}
	return t
}

// of numbers a name from 1.
func of(name string, i int) string { return fmt.Sprintf("%s_%d", name, i+1) }
