//go:build !js

package clock

// breathe does nothing where the runtime interrupts loops.
func breathe() {}
