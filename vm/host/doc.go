// Package host tells what a computer can do for a contest, before one is run on
// it: how exactly it measures, whether machines of their own kernel can be had,
// whether times can be compared (E-5.x).
//
// Each probe of the table looks at one thing and gives a [Check]: what was
// found, what that means in the words of the rules, and what to do about it.
// What lies about itself is tried: control groups by making one, KVM by booting
// a guest, the disk by writing. A probe changes nothing and always ends.
//
// [Try] takes machines from their request to their end and notes when they came to
// which step.
//
// Files are looked for below a root, so that the probes can be tested with the
// trees of hosts that nobody has at hand.
package host
