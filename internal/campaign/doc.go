// Package campaign runs a contest: a plan that is written once, a journal of
// what was done, and workers that do the runs that are not in the journal yet.
//
// A run is one tool on one examination of one instance; an attempt is one try
// of it in a fresh machine. A failure of the tool ends the run. A failure of
// the host (boot, disk, agent) makes the attempt void; the run is tried again,
// three times at most, and is then void and counts for no tool. A run that was
// started and has no end in the journal, as after a crash, is in doubt and is
// done again.
//
// Where the plan asks for witnesses, runs of the net that prove values (see
// docs/witnesses.md), the files that a tool leaves are replayed after its run.
// The time for it is charged to no tool. The journal says of each answer
// whether it is confirmed.
//
// On disk a campaign is plain files that only grow (see docs/architecture.md,
// "On disk"), so that the files of several computers are merged by copying them
// together:
//
//	campaign.json           the plan
//	inputs/<digest>/<name>  copies of tools and instances that runs are made from
//	claims/<model>@<n>      leases of workers on a model (E-5.1)
//	pins/<model>@<n>        the computer that the model is run on (E-5.1)
//	journal/<worker>.jsonl  "crc32 SP json LF", fsynced, one file per worker
//	packs/<worker>.zst      outputs of the tools and runs over time, compressed members
//	published/              derived from the above
package campaign
