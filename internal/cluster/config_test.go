package cluster

import (
	"strings"
	"testing"
)

const example = "format: podium-cluster/1\npartition: contest\nhosts: [node1, node2]\nslots: 2\ncores: 4\nmemory: 16GB\noptions: [--qos=contest]\n"

// TestConfig: what is wrong in cluster.yaml is said with its place.
func TestConfig(t *testing.T) {
	cfg, err := parseConfig("cluster.yaml", []byte(example))
	if err != nil || cfg.Lease != "5m0s" || cfg.settle != DefaultSettle || cfg.Podium != "podium" {
		t.Fatalf("%+v, %v", cfg, err)
	}
	if m, _ := cfg.memory(); m != 16e9 {
		t.Errorf("memory %d", m)
	}
	for _, c := range []struct{ old, with, want string }{
		{"format: podium-cluster/1", "format: x", `cluster.yaml:1:1: format is "x"`},
		{"contest\n", "'a b'\n", `cluster.yaml:2:1: partition is "a b"`},
		{"[node1, node2]", "[]", "cluster.yaml:3:1: 0 hosts are named"},
		{"node2]", "node1]", "cluster.yaml:3:1: host node1 stands twice"},
		{"node2]", "-w]", `cluster.yaml:3:1: "-w" is no name of a host`},
		{"node2]", strings.Repeat("n", longestHost+1) + "]", `nnn" is no name of a host`},
		{"slots: 2", "slots: -1", "cluster.yaml:4:1: slots is -1"},
		{"slots: 2", "slott: 2", "cluster.yaml:4:1: "},
		{"16GB", "much", `cluster.yaml:6:1: memory is "much"`},
		{"--qos=contest", "--requeue", `cluster.yaml:7:1: option "--requeue" is set by Podium`},
		{"--qos=contest", "rm", `cluster.yaml:7:1: option "rm" is not of the form`},
		{"--qos=contest", "--qos=" + strings.Repeat("x", longestOption), `cluster.yaml:7:1: option --qos has 518 characters; write up to 512`},
		{"slots: 2", "lease: 1ns", `cluster.yaml:4:1: lease is "1ns"`},
		{"slots: 2", "campaign: here", `cluster.yaml:4:1: campaign is "here"`},
		{"slots: 2", "classes: {node1: old}", "cluster.yaml:4:1: host node2 has no class"},
		{example, "", "cluster.yaml: the file is empty"},
	} {
		_, err := parseConfig("cluster.yaml", []byte(strings.Replace(example, c.old, c.with, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.want, err)
		}
	}
}

// FuzzConfig: whatever stands in the file, it is read or refused, and what is read
// asks Slurm for nothing but what may be asked for.
func FuzzConfig(f *testing.F) {
	f.Add(example)
	f.Add("format: podium-cluster/1\nhosts: !tag #\n")
	f.Add("format: podium-cluster/1\nhosts: [a]\nclasses: {a: b}\nsettle: 1s\nsentinel: 10m\n")
	f.Fuzz(func(t *testing.T, text string) {
		cfg, err := parseConfig("cluster.yaml", []byte(text))
		if err != nil {
			return
		}
		for _, arg := range cfg.sbatch(&Job{Host: cfg.Hosts[0], Key: "key"}, "logs") {
			if strings.ContainsAny(arg, "\x00\n") {
				t.Errorf("argument %q", arg)
			}
		}
	})
}
