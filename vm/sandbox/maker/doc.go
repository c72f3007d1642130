// Package maker makes the machines of package sandbox, from inside.
//
// A machine has two processes beside those of the tool. The maker is this
// program itself, started again in new namespaces: the engine executes
// /proc/self/exe under the name [Name], and the init function of this package
// does the maker's work and never returns to the program. It makes the world of
// the machine ([World]), starts the first process and the job ([Job]), and tells
// the engine what becomes of them ([Report]).
//
// The first process is process 1 of the pid namespace that the tool sees, and its
// child, the command, is process 2. Both are forks: a program of Go has threads,
// which would take numbers of processes. See first.go for what follows from that.
//
// The packages of a program are initialised in the order of their names, each
// after those that it imports. So this package comes early, and costs each machine
// little, as long as it imports little: neither fmt nor strings, whose tables of
// Unicode and types many others wait for.
package maker

// PrivateDir is closed to the tool: the layers of overlays.
const PrivateDir = ".machine"
