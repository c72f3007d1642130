package vm

import "time"

// Step is a moment in the life of a machine.
type Step struct {
	What string        `json:"what"`
	At   time.Duration `json:"at"` // since the machine was asked for
}

// Timed is implemented by machines that know how they came about: the steps of
// Boot, in order.
type Timed interface{ Timeline() []Step }
