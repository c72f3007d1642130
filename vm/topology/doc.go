// Package topology knows the shape of a computer, and where in it runs are placed.
//
// [Read] reads from the kernel which logical processors (threads) form a core, which cores
// share a cache, a package and a node of memory, and what of it this process may use.
// A [Pool] holds the cores that a process gives to its runs. [Pool.Bind] chooses some of
// them: a pure function of the pool and of what is asked. [Claim] locks the cores of a pool,
// so that no other process on this computer gives them to its runs.
//
// A unit is a core, not a thread: runs on two threads of one core slow each other down. A
// run is bound to one thread of each of its cores, and the others stay idle. Cores of a
// slower kind are used where there are no others. A run stays on one node of memory where
// one suffices, and else in one package; it has its memory from there. Runs are spread over
// caches before two share one.
//
// Files are looked up below a root, so that tests can use the trees of other computers.
// Sources: Documentation/ABI/stable/sysfs-devices-node, Documentation/ABI/testing/
// sysfs-devices-system-cpu, Documentation/admin-guide/cputopology.rst and cgroup-v2.rst of
// Linux; proc_pid_status(5).
package topology
