package sandbox

// Survey says which control groups a host has and which of them this process
// may use.
type Survey struct {
	Kind     string   // "version 1", "version 2", "hybrid" or "none": what is mounted
	Writable []string // of "cpu", "memory", "pids" and "cpuset": where this process can make groups
	Missing  []string // a sentence for each of the others
}
