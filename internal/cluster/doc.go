// Package cluster hands a campaign to the hosts of a Slurm cluster. Slurm only gives
// whole hosts away: a job is one host and some models, and does `podium run`
// with these models. Which host has which model is decided here, is written down in
// the campaign before anything is submitted, and stays (E-5.1).
//
// A Slurm controller that is killed may forget jobs that it has accepted, give their
// numbers to others, and run a job twice. So no number of a job is ever kept. A job
// carries a key, as its name and its comment, that follows from the campaign, the
// host and the models. What is in the queue under a key is submitted; what is not, and
// has runs left, is submitted again. Jobs that are there twice do no harm: a model is
// worked on under one lease (internal/campaign).
//
//	<campaign>/cluster.yaml             what a person says of the hosts: [Config]
//	<campaign>/cluster/placed/MODEL@n   the host of a model; written once, the last one counts
//	<campaign>/cluster/jobs/KEY.json    what a job works on
//	<campaign>/cluster/logs/KEY-ID.log  what a job said
package cluster
