package sentinel

import "time"

// Reading is what the sentinel found on one core.
type Reading struct {
	Core    int       `json:"core"`
	At      time.Time `json:"at"`         // when it ended
	Compute int64     `json:"compute_us"` // computing in registers, microseconds by the clock
	Stream  int64     `json:"stream_us"`  // reading and writing memory in order
	Jump    int64     `json:"jump_us"`    // reading memory at places that each depend on the one before
	Kernel  Kernel    `json:"kernel"`
}

// Kernel is what the kernel counts for a core since it was started. A figure that it
// does not show is -1.
type Kernel struct {
	Stolen    int64 `json:"stolen_us"`     // time that the machine below gave to others (proc(5))
	Throttled int64 `json:"throttled"`     // times that the core was slowed down because it was hot
	Waited    int64 `json:"waited_us"`     // time in which something of this host waited for a core (PSI, cpu, some)
	Frequency int64 `json:"frequency_khz"` // now
}

// A part of the work.
type part struct {
	what  string
	bound float64 // how far its time may be from the usual one, as a part of the shorter of the two
	of    func(Reading) int64
}

// The parts of the work. docs/lab/machines.md says how the bounds were chosen.
var (
	computing = part{"computed", 0.10, func(r Reading) int64 { return r.Compute }}
	streaming = part{"streamed through memory", 0.75, func(r Reading) int64 { return r.Stream }}
	jumping   = part{"jumped in memory", 0.10, func(r Reading) int64 { return r.Jump }}
	parts     = []part{computing, streaming, jumping}
)
