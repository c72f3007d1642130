// Package energy measures what the processor packages of this host use during a run.
//
// The counters are those of powercap, the kernel's view of RAPL on Intel and AMD: a zone
// for each package, with zones below it for cores, uncore (the graphics) and memory
// (dram). They count microjoules since some moment and begin again at their range, so
// that they are read before, during and after a run.
//
// A counter knows packages, not processes. Its figure belongs to a run only where the
// run was pinned to all processors of the packages. Otherwise the run is given a share by
// CPU time, which is an estimate and named so; and where a counter is missing, may not be
// read, or vanishes, nothing is given but the reason. Nothing is ever 0: a run uses
// energy.
//
// Where the counters cannot be read and cpu-energy-meter is installed, that program measures
// instead, by package in the same way.
//
// Counters are read on the host, also for virtual machines. Files are looked up below a
// root, so that tests can use the trees of other hosts. Sources: Documentation/power/
// powercap/powercap.rst and Documentation/ABI/testing/sysfs-class-powercap of Linux.
package energy
