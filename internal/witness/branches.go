package witness

// Branches are markings of a net and what holds in them: they show the value of a CTL formula
// that is decided near the initial marking. Package enumeration checks them.
type Branches struct {
	Ways   []Way
	Claims []Held
	Line   int // of its first line, 0 when it was not read
}

// Way is some firings, one after the other, from a marking on. The initial marking has number
// 0; each firing that leads to a new one gives it the next number.
type Way struct {
	From int
	Fire []uint32
}

// Held says of some markings that a part of the formula holds in them, or that it does not.
// Parts are those that begin with a path quantifier, from 0 in the order in which they stand
// in the formula. A marking that shows its claim by markings on the way to one that is to be
// reached stands behind them.
type Held struct {
	Part     int
	Holds    bool
	Markings []int
}
