// Package placement says which host runs what of a contest.
//
// A unit is what one host runs as a whole: a model, with all runs of all tools on
// all its instances (E-5.1), or a single instance where an edition says so. A slot
// is room for one run on a host. A class is hosts of the same hardware.
//
// [Place] gives every unit a host. [Bound] is a time that no placement can beat.
// [Placement.Play] lets the runs take place on a simulated clock. It hands out
// slots as a worker of a campaign does: the units of a host come one after the
// other, and a run begins as soon as a slot is free, also when runs of the unit
// before are still under way.
//
// Nothing here reads or writes anything, and no result depends on the order of the
// hosts and units that are given. Times are whole microseconds.
package placement
