package cluster

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestDocumentedConfig: the example of the document is read.
func TestDocumentedConfig(t *testing.T) {
	text, err := os.ReadFile("../../docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```yaml\n")
	example, _, ok := strings.Cut(rest, "```")
	cfg, err := parseConfig("docs/cluster.md", []byte(example))
	if !ok || err != nil || len(cfg.Hosts) != 3 {
		t.Errorf("%+v, %v", cfg, err)
	}
}

// TestQueue: lines of others are passed over, whatever their comments hold.
func TestQueue(t *testing.T) {
	out := "7|RUNNING|node1|None|podium-a-1\n8|PENDING|node2|Resources|other\n9|RUNNING|node1|None|x\n10|RUNNING|n|None|podium-a-2|more\n" +
		"broken\n-1|RUNNING|n|None|podium-a-3\n8_1|RUNNING|n|None|podium-a-4\n"
	got := parseQueue(out, "podium-a-")
	want := []Queued{{"7", "RUNNING", "node1", "None", "podium-a-1"}, {"10", "RUNNING", "n", "None", "podium-a-2|more"}}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// FuzzQueue: whatever Slurm prints, what is taken from it is a job with the prefix, or
// a host that could be asked for.
func FuzzQueue(f *testing.F) {
	f.Add("7|RUNNING|node1|None|podium-a-1\n", "n|idle|4|1000|p|none\n")
	f.Fuzz(func(t *testing.T, jobs, nodes string) {
		for _, j := range parseQueue(jobs, "podium-a-") {
			if !strings.HasPrefix(j.Key, "podium-a-") {
				t.Errorf("%+v", j)
			}
		}
		for name, h := range parseHosts(nodes) {
			if h.Name != name || !isHost(name) {
				t.Errorf("%q: %+v", name, h)
			}
		}
	})
}

// TestHosts: which states of Slurm let a job begin.
func TestHosts(t *testing.T) {
	all := parseHosts("a|idle|4|1000|p*|none\nb|idle*|4|1000|p|none\nc|down|4|1000|p|gone | for good\nd|mixed|4+|1000+|p|none\ne|drained|4|1|p|x\nf\n")
	up := map[string]bool{}
	for name, h := range all {
		up[name] = h.up()
	}
	if len(up) != 5 || !up["a"] || up["b"] || up["c"] || !up["d"] || up["e"] {
		t.Errorf("%v", up)
	}
	if a, e := all["a"].hardware(), all["e"].hardware(); a != "4 cores and 1 GiB of memory in Slurm" || a == e || a != all["d"].hardware() || (Host{}).hardware() != "" {
		t.Errorf("hardware %q and %q", a, e)
	}
	if h := all["d"]; h.Cores != 4 || h.Memory != 1000<<20 || all["c"].Reason != "gone | for good" {
		t.Errorf("%+v", all)
	}
}

// TestScript: the shell takes every word of a job's command as it was meant.
func TestScript(t *testing.T) {
	cfg, err := parseConfig("cluster.yaml", []byte(example+"campaign: \"/a b/it's\"\npodium: /bin/echo\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := &Job{Host: "node1", Models: []Placed{{Model: "A", Number: 1}, {Model: "B", Number: 2}}}
	cmd := exec.Command("sh")
	cmd.Stdin = strings.NewReader(cfg.script(b))
	out, err := cmd.Output()
	if want := "run --quiet --wait --lease 5m0s --models A,B --move B --cores-used 4 --memory-used 16000000000 -- /a b/it's\n"; err != nil || string(out) != want {
		t.Errorf("%q, %v", out, err)
	}
}
