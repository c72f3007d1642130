package vm

import "time"

// Step is one moment of the boot of a machine.
type Step struct {
	What string        `json:"what"`
	At   time.Duration `json:"at"` // since the machine was asked for
}

// Timed is implemented by machines that record the steps of their boot, in
// order.
type Timed interface{ Timeline() []Step }
