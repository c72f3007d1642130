package space

// Options bound a search and say what it keeps. The zero value searches on one
// core within 1 GiB.
type Options struct {
	// Memory is the number of bytes for the tables of the search and of the
	// evaluation after it; 0 means DefaultMemory. What the Go runtime and the net
	// need comes on top.
	Memory int64
	// Edges keeps the successors of every marking.
	Edges bool
	// MaxStates ends the search with TooManyStates; 0 means no such limit.
	MaxStates uint64
	// Cores is how many to search on; 0 means 1. It changes no result.
	Cores int
	Tuning
}

// Tuning says when a search changes the way it works, in markings. No result depends
// on it; tests make it small. 0 means what has been found best.
type Tuning struct {
	LearnAfter  uint32 // markings that are expanded before firings are left out
	LeastWindow uint32 // markings that are worth the work of several cores
}

// DefaultMemory is the limit of a search that is given none, in bytes.
const DefaultMemory = 1 << 30

// Stop says why a search ended.
type Stop uint8

// The reasons. Only Complete says that all reachable markings are known.
const (
	Complete      Stop = iota // every reachable marking is expanded
	Enough                    // everything asked for was decided
	Unbounded                 // a covering was found and nothing else was asked
	OutOfMemory               // Options.Memory
	TooManyStates             // Options.MaxStates, or 2^32-2 markings
	TooManyTokens             // a place would hold more than 2^64-1 tokens
	Interrupted               // the context ended
)

// String returns the reason in words.
func (s Stop) String() string {
	return [...]string{"complete", "everything asked for is decided", "unbounded", "out of memory", "too many states", "too many tokens", "interrupted"}[s]
}
