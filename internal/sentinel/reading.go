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
