// Package host checks what a computer can do for a contest before one is run on
// it: how exactly it measures, whether it can run virtual machines, whether
// times can be compared (E-5.x).
//
// Each probe of the table looks at one thing and gives a [Check]: what was
// found, what it means by the rules, and what to do about it. Where a report of
// the system can be wrong, the thing is tried: control groups by making one,
// KVM by booting a guest, the disk by writing. A probe changes nothing and
// always ends.
//
// [Try] boots machines and records when each step was done.
//
// Files are looked up below a root, so that tests can use the trees of other
// hosts.
package host
