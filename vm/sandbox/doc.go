// Package sandbox is the embedded default driver (E-5.x): a machine is a
// confined process tree on this host, made from nothing for each run and gone
// without a trace after it. It needs no daemon, no image and no other program,
// works for root and for an ordinary user, and costs a few milliseconds.
//
// # Vocabulary
//
// The maker is this program, started again in new namespaces: it makes the
// machine's world. The first process is its child, process 1 of the pid namespace
// that the tool sees: it starts the command as process 2, reaps orphans, waits,
// kills what is left and reports (package maker). The group is the machine's
// control group, which only the command and its descendants enter, so that neither
// the first process nor the making of the world is measured.
//
// # The world of a tool
//
//	/bin /etc /lib* /sbin /usr ...    named places of the host, read-only, where they exist (view.go)
//	/home/mcc/BenchKit                the tool directory, read-only
//	/home/mcc/execution               the current directory: a private copy of the instance directory
//	/home/mcc/results                 $BK_RESULT_DIR
//	/home/mcc, /tmp, /dev/shm         private, empty
//	/dev                              full null random tty urandom zero, and links to standard input and output
//	/dev/pts                          pseudo terminals of the machine's own
//	/proc                             of the machine's own processes
//	/sys/fs/cgroup                    the machine's own control group, read-only
//
// What belongs to the contest is covered there. Everything that is private lives
// in one memory file system, so it is bounded by the limits of disk space and, as
// for every program of the run, of memory: what a tool writes to files counts as
// memory that it uses, as in BenchExec.
//
// The tool runs as the user mcc, who has no capability, cannot get one, and
// owns the instance directory. There is no network device, not even a
// loopback. System calls that no tool needs are refused (refused.go), above all
// those by which memory can be held that no control group counts.
//
// # Measuring
//
// CPU time and peak memory are those of the control group, exact and without
// sampling. The CPU limit is checked at the earliest moment at which it could
// be exceeded: when all cores were busy since the last look. Without control
// groups the kernel's limits per process and the numbers of /proc must do, and
// the outcome says that CPU time and memory are not measured.
//
// # Death
//
// Every process of a machine is a descendant of its maker, which dies with the
// engine; all others die with it, by the rules of pid namespaces, and with the last
// of them go the mounts. Only empty control groups outlive a
// killed engine, until the next one is opened.
package sandbox
