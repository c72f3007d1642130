// Package guest is what runs inside a virtual machine, and how the host talks
// to it (E-5.1).
//
// # Vocabulary
//
// The agent is the guest's first process: a static program that makes the
// guest usable (file systems, kernel modules), runs one job under the same
// measuring code as on a host, package sandbox, and reports. The host drives
// it. Between them is the wire: a serial port that carries frames in both
// directions.
//
// # The conversation
//
//	guest            host
//	hello      ->            the kernel is up and nothing of a run is there yet
//	           <-  setup     disks, time, entropy, memory
//	ready      ->            the machine of the job stands
//	           <-  job       or stop, at any time from here on
//	started    ->
//	stdout, stderr, beat, results -> as it happens
//	at limit   ->            the job has had its CPU time by the guest's clock
//	           <-  more      how much is left by the host's, which decides
//	ended      ->            what became of the job
//	failed     ->            instead of any of these: our fault, in words
//
// Between hello and setup a guest knows nothing of its run, so that it can be
// saved there and be restored for many runs; what makes each of them its own
// comes with the setup. A guest whose host is gone switches itself off.
//
// The host believes nothing: every frame has a limit, results are written
// below one directory, and a guest that falls silent is killed.
package guest
