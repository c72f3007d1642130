package cluster

import (
	"strings"
	"testing"

	"podium/examinations"
	"podium/internal/campaign"
)

// planned is a campaign of three models with a run each, in a directory that is not
// there, on the hosts of the example.
func planned(t *testing.T) *Cluster {
	t.Helper()
	cfg, err := parseConfig("cluster.yaml", []byte(example+"driver: sandbox\n"))
	if err != nil {
		t.Fatal(err)
	}
	p := campaign.Plan{Driver: "sandbox", Tools: []campaign.PlannedTool{{Name: "ant"}}, Examinations: []examinations.ID{examinations.StateSpace}}
	for _, model := range []string{"A", "B", "C"} {
		p.Instances = append(p.Instances, campaign.PlannedInstance{ID: model + "-PT-1", Family: model})
	}
	return &Cluster{Campaign: &campaign.Campaign{Dir: t.TempDir(), Plan: p, Digest: "d"}, Config: cfg, Say: func(string) {}}
}

func texts(list []Problem) string {
	var b strings.Builder
	for _, p := range list {
		b.WriteString(p.What + "; next: " + p.Next + "\n")
	}
	return b.String()
}

// TestProblemsOfHosts: what the doctor says of hosts and of jobs that wait.
func TestProblemsOfHosts(t *testing.T) {
	for _, c := range []struct{ name, node, reason, driver, want string }{
		{"well", "node1|idle|4|16000|contest|none", "None", "sandbox", ""},
		{"driver", "node1|idle|4|16000|contest|none", "None", "libvirt", "cluster.yaml says driver sandbox, and the campaign was planned for libvirt"},
		{"unknown", "", "None", "sandbox", "Slurm has no host node1 in the partition"},
		{"drained", "node1|drained|4|16000|contest|Duplicate jobid", "None", "sandbox", "host node1 is drained (Duplicate jobid); next: when it is well again, an administrator says `scontrol update nodename=node1 state=resume`"},
		{"cores", "node1|idle|2|16000|contest|none", "None", "sandbox", "host node1 has 2 cores in Slurm, and cluster.yaml says 4"},
		{"memory", "node1|idle|4|1000|contest|none", "None", "sandbox", "bytes of memory in Slurm"},
		{"held", "node1|idle|4|16000|contest|none", "JobHeldUser", "sandbox", "waits for a person (JobHeldUser)"},
	} {
		cl := planned(t)
		cl.Campaign.Plan.Driver = c.driver
		host := parseHosts(c.node + "\n")["node1"]
		if host.Name = "node1"; host.State == "" {
			host.State = "unknown"
		}
		st := &Status{Hosts: []HostStatus{{Host: host, Jobs: []Queued{{ID: "1", Reason: c.reason, Key: "k"}}}}}
		if got := texts(cl.hostProblems(st)); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// TestProblemsOfWork: what the doctor says of models without a job, and what is
// submitted for them.
func TestProblemsOfWork(t *testing.T) {
	cl := planned(t)
	a, b := Placed{Model: "A", Number: 1, Host: "node1"}, Placed{Model: "B", Number: 2, Host: "node2"}
	job := cl.newJob("node1", []Placed{a})
	s := &survey{open: map[string]int{"A": 1, "B": 1, "C": 1}, homes: map[string]string{"A": "node1.example.org"},
		placed: map[string]Placed{"A": a, "B": b, "C": {Model: "C", Number: 1, Host: "gone"}},
		jobs:   []Queued{{ID: "1", State: "RUNNING", Key: job.Key}, {ID: "2", State: "PENDING", Key: cl.prefix() + "-other"}},
		known:  map[string]*Job{job.Key: job}}
	got := texts(cl.workProblems(s))
	for _, want := range []string{"model C is on host gone", "1 model has runs left and no job; next: `podium cluster submit`", "job 2 is not known to this campaign"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if strings.Contains(got, "model A") {
		t.Errorf("%q", got)
	}
	lacking := cl.lacking(s)
	if len(lacking) != 1 || lacking[0].Host != "node2" || len(lacking[0].Models) != 1 || lacking[0].Models[0] != b {
		t.Errorf("%+v", lacking)
	}

	s.inside = map[string]string{"node1": "old", "node2": "new"}
	if got := texts(cl.workProblems(s)); !strings.Contains(got, "hosts node1 (old) and node2 (new) have different processors") {
		t.Errorf("%q", got)
	}
	cl.Config.Classes = map[string]string{"node1": "a", "node2": "b"}
	if got := texts(cl.workProblems(s)); strings.Contains(got, "processors") {
		t.Errorf("%q", got)
	}

	s.homes["A"] = "elsewhere"
	if got := texts(cl.workProblems(s)); !strings.Contains(got, "model A is placed on host node1 and was begun on computer elsewhere") {
		t.Errorf("%q", got)
	}
	s.jobs[0].State = "COMPLETING" // it does nothing any more
	if lacking := cl.lacking(s); len(lacking) != 2 || lacking[0].Key != job.Key {
		t.Errorf("%+v", lacking)
	}
	delete(s.open, "A")
	if lacking := cl.lacking(s); len(lacking) != 1 {
		t.Errorf("what is done is submitted: %+v", lacking)
	}
}

// TestPlacedFiles: a model has the host of the last file, and a file that was changed
// is refused.
func TestPlacedFiles(t *testing.T) {
	cl := planned(t)
	for _, p := range []Placed{{Model: "A", Number: 1, Host: "node1"}, {Model: "A", Number: 2, Host: "node2"}, {Model: "A", Number: 2, Host: "late"}} {
		if err := cl.writePlaced(p); err != nil {
			t.Fatal(err)
		}
	}
	placed, err := cl.readPlaced()
	if err != nil || len(placed) != 1 || placed["A"].Host != "node2" {
		t.Errorf("%+v, %v", placed, err)
	}
	if err := cl.writeOnce(Placed{Model: "B", Number: 1, Host: "node1"}, "placed", "C@1"); err != nil {
		t.Fatal(err)
	}
	if _, err := cl.readPlaced(); err == nil || !strings.Contains(err.Error(), "C@1: it says something else than its name") {
		t.Error(err)
	}
}
