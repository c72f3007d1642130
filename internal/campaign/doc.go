// Package campaign runs a contest: a plan that is written once, a journal of
// what was done, and workers that do what the journal does not have yet.
//
// A run is one tool on one examination of one instance; an attempt is one try
// of it in a fresh machine. What happens to the tool ends the run. What happens
// to us (boot, host, agent) makes the attempt void and is tried again, at most
// three times, then the run is void and counts against nobody. A run that was
// started and has no end in the journal is in doubt, as after a crash: its
// attempt is forgotten and the run is done again.
//
// Where the plan asks for witnesses, runs of the net that prove values (see
// docs/witnesses.md), what a tool leaves is replayed after its run, at nobody's
// cost, and the journal says of each answer whether it is confirmed.
//
// On disk a campaign is plain files that only grow (see docs/architecture.md,
// "On disk"), so that the files of several machines merge by being copied
// together:
//
//	campaign.json           the plan
//	inputs/<digest>/<name>  copies of tools and instances that runs are made from
//	claims/<model>@<n>      leases of workers on a model (E-5.1)
//	pins/<model>@<n>        the computer that the model is run on (E-5.1)
//	journal/<worker>.jsonl  "crc32 SP json LF", fsynced, one file per worker
//	packs/<worker>.zst      outputs of the tools, compressed members
//	published/              derived from the above
package campaign
