package clock

import "runtime"

// breathe lets others run: a browser has one thread, which nobody takes from a
// loop, so that the timers of contexts would wait for its end.
func breathe() { runtime.Gosched() }
