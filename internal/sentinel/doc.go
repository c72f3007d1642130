// Package sentinel notices when a computer becomes slower or faster during a
// contest, so that tools are compared under equal conditions (E-5.1).
//
// A sentinel is work that is always the same: computing, streaming through memory,
// and jumping in it. A worker does it on the cores of its runs before the first run,
// after the last, and every few minutes between. The times are kept in the journal.
// Runs next to a reading that is far from the usual one of its core are marked;
// no time is ever corrected.
package sentinel
