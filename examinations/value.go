package examinations

import "podium/models"

// Key names one value asked of the tools (E-2.2). Item is the formula id for
// formula examinations, the examination's own name for global properties, and
// STATES, TRANSITIONS, MAX_TOKEN_IN_PLACE or MAX_TOKEN_PER_MARKING for
// StateSpace.
type Key struct {
	Instance models.ID
	Exam     ID
	Item     string
}

// Kind is the kind of a value: a truth value or a natural number.
type Kind uint8

// The kinds of values. Nat includes +inf.
const (
	Bool Kind = iota
	Nat
)

// String is the word used in editions.
func (k Kind) String() string {
	if k == Nat {
		return "nat"
	}
	return "bool"
}

// Value is one answer as canonical text: TRUE or FALSE; decimal digits without
// sign or leading zeros; or +inf. Two answers agree if and only if they are
// equal. The zero Value stands for no answer.
type Value struct {
	Kind Kind
	Text string
}

// The two truth values, and +inf, the number for an unbounded place or an
// infinite state space.
var (
	True     = Value{Bool, "TRUE"}
	False    = Value{Bool, "FALSE"}
	Infinite = Value{Nat, "+inf"}
)

// Truth is True or False.
func Truth(b bool) Value {
	if b {
		return True
	}
	return False
}

// IsZero reports whether the value stands for no answer.
func (v Value) IsZero() bool { return v.Text == "" }

// String is the canonical text.
func (v Value) String() string { return v.Text }
