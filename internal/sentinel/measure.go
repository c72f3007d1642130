package sentinel

import (
	"fmt"
	"runtime"
	"time"
)

// The amount of work. It takes some two seconds on a computer of today.
const (
	computeSteps = 250_000_000
	streamPasses = 40
	jumpSteps    = 5_000_000
	memoryWords  = 8 << 20 // 64 MiB, more than a core's caches hold
	lineWords    = 8       // of a line of the cache
)

// The results of the work, which are always the same.
const (
	computed = 15902874488474829404
	streamed = 8065668
	jumped   = 1399736
)

// WrongError says that a core computed something else than always: the processor or
// the memory is faulty.
type WrongError struct {
	Core int
	Part string
}

func (e *WrongError) Error() string {
	return fmt.Sprintf("core %d of this host %s wrongly: its processor or its memory is faulty; take the host out of the contest", e.Core, e.Part)
}

// Measure does the work on a core of this host. It takes some seconds and 64 MiB.
func Measure(core int) (Reading, error) {
	runtime.LockOSThread()
	back, err := pin(core)
	if err != nil {
		runtime.UnlockOSThread()
		return Reading{}, fmt.Errorf("run the sentinel on core %d: %w", core, err)
	}
	defer func() {
		if back() == nil {
			runtime.UnlockOSThread() // else the thread ends with its goroutine
		}
	}()
	r := Reading{Core: core}
	memory := make([]uint64, memoryWords)
	layOut(memory)
	for _, part := range []struct {
		what string
		into *int64
		do   func() uint64
		want uint64
	}{
		{"jumped in memory", &r.Jump, func() uint64 { return jump(memory, jumpSteps) }, jumped},
		{"streamed through memory", &r.Stream, func() uint64 { return stream(memory, streamPasses) }, streamed},
		{"computed", &r.Compute, func() uint64 { return compute(computeSteps) }, computed},
	} {
		began := time.Now()
		got := part.do()
		*part.into = time.Since(began).Microseconds()
		if got != part.want {
			return Reading{}, &WrongError{core, part.what}
		}
	}
	r.Kernel = kernel("/", core)
	r.At = time.Now().UTC()
	return r, nil
}

// compute is a chain of operations of which each needs the one before (xorshift,
// Marsaglia 2003).
func compute(steps int) uint64 {
	x := uint64(88172645463325252)
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// layOut makes the first words of all lines one circle in an order that is drawn, but
// always the same (Sattolo 1986).
func layOut(memory []uint64) {
	lines := len(memory) / lineWords
	order := make([]uint32, lines)
	for i := range order {
		order[i] = uint32(i)
	}
	x := uint64(2463534242)
	for i := lines - 1; i > 0; i-- {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		j := x % uint64(i)
		order[i], order[j] = order[j], order[i]
	}
	for i, line := range order {
		memory[i*lineWords] = uint64(line) * lineWords
	}
}

// jump follows the circle.
func jump(memory []uint64, steps int) uint64 {
	at := uint64(0)
	for range steps {
		at = memory[at]
	}
	return at
}

// stream changes every word, again and again.
func stream(memory []uint64, passes int) uint64 {
	for pass := range passes {
		for i := range memory {
			memory[i] += uint64(pass)
		}
	}
	return memory[0] ^ memory[len(memory)/2] ^ memory[len(memory)-1]
}
