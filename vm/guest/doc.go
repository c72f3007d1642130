// Package guest is the program inside a virtual machine, and the host's end of
// its connection to it (E-5.1).
//
// # Vocabulary
//
// The agent is the guest's first process: a static program that makes the guest
// usable (file systems, kernel modules), runs one job under the same measuring
// code as on a host (package sandbox), and reports. The wire is a serial port
// between host and agent that carries frames in both directions.
//
// # The conversation
//
//	guest            host
//	hello      ->            the kernel is up; the guest has nothing of a run yet
//	           <-  setup     disks, time, entropy, memory
//	ready      ->            the machine of the job is ready
//	           <-  job       or stop, at any time from here on
//	started    ->
//	stdout, stderr, beat, results -> as they come
//	at limit   ->            the job has used its CPU time by the guest's clock
//	           <-  more      how much is left by the host's clock, which decides
//	ended      ->            the outcome of the job
//	failed     ->            instead of any of these: a failure of the host's side, in words
//
// Between hello and setup a guest knows nothing of its run. So it can be saved
// in this state and be restored for many runs; the setup brings all that
// differs between them. A guest whose host is gone switches itself off.
//
// The host trusts no guest: every frame has a limit, results are written below
// one directory, and a guest that sends nothing for too long is killed.
package guest
