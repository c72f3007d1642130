package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"podium/internal/campaign"
	"podium/internal/cluster"
	"podium/internal/cluster/slurmtest"
)

// onCluster is a Slurm of three nodes, and the program that its jobs run.
type onCluster struct {
	*slurmtest.Cluster
	podium  string
	resumed int // nodes that Slurm took out of service and that were brought back
}

func newOnCluster(t *testing.T) *onCluster {
	if testing.Short() {
		t.Skip("a cluster takes its time")
	}
	c := &onCluster{Cluster: slurmtest.Start(t, 3), podium: filepath.Join(t.TempDir(), "podium")}
	for _, variable := range c.Env() {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	program, err := os.Executable()
	if err == nil {
		err = os.Symlink(program, c.podium)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// describe writes cluster.yaml.
func (c *onCluster) describe(t *testing.T, dir string) {
	text := fmt.Sprintf("format: podium-cluster/1\npartition: contest\nhosts: [%s]\ncores: 1\nmemory: 1500MB\npodium: %s\nlease: 3s\nsettle: 500ms\nmodels: 2\n",
		strings.Join(c.Nodes, ", "), c.podium)
	if err := os.WriteFile(filepath.Join(dir, "cluster.yaml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// finish submits until all runs are done, as cron would, and returns the number of
// calls. Calls may fail while the cluster is disturbed.
func (c *onCluster) finish(t *testing.T, dir string) (calls int) {
	t.Helper()
	camp, err := campaign.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var talk strings.Builder
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(300 * time.Millisecond) {
		log, err := camp.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(log.Open()) == 0 {
			return calls
		}
		calls++
		c.resume(t, dir)
		if code := Main(t.Context(), []string{"cluster", "submit", dir}, strings.NewReader(""), io.Discard, &talk); code != ExitDone && code != ExitHost && code != ExitIncomplete {
			t.Fatalf("exit code %d\n%s", code, talk.String())
		}
	}
	logs, _ := exec.Command("sh", "-c", `tail -n 5 "$0"/cluster/logs/*`, dir).Output()
	queue, _ := c.Run("squeue")
	nodes, _ := c.Run("sinfo", "-N", "-l")
	t.Fatalf("the campaign does not end\n%s\n%s%s%s", talk.String(), queue, nodes, logs)
	return calls
}

// resume does what an administrator does who reads the doctor's advice: a node that was
// told to run a job of a number that it runs already is taken out of service by Slurm.
func (c *onCluster) resume(t *testing.T, dir string) {
	var advice strings.Builder
	Main(t.Context(), []string{"cluster", "doctor", dir}, strings.NewReader(""), &advice, io.Discard)
	for line := range strings.Lines(advice.String()) {
		if _, rest, found := strings.Cut(line, "`scontrol update "); found && strings.Contains(line, "drain") {
			command, _, _ := strings.Cut(rest, "`")
			if _, err := c.Run("scontrol", append([]string{"update"}, strings.Fields(command)...)...); err == nil {
				c.resumed++
			}
		}
	}
}

// check wants every run to count once, every model on one computer, and no process.
func (c *onCluster) check(t *testing.T, dir string) {
	t.Helper()
	camp, err := campaign.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	log, err := camp.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(log.Finished) != camp.Plan.Count() || len(log.Void)+len(log.Damage) != 0 {
		t.Errorf("%d of %d runs finished, %d void, damage %v", len(log.Finished), camp.Plan.Count(), len(log.Void), log.Damage)
		for run, v := range log.Void {
			t.Logf("%v: %s", run, v.Reason)
		}
	}
	host, on := map[string]string{}, map[string]string{}
	for _, w := range log.Workers {
		host[w.Worker] = w.Host
	}
	for run, f := range log.Finished {
		inst, _ := camp.Plan.Instance(run.Instance)
		if was, known := on[inst.Family]; known && was != host[f.Worker] {
			t.Errorf("model %s was run on %s and on %s", inst.Family, was, host[f.Worker])
		}
		on[inst.Family] = host[f.Worker]
		for _, o := range log.Further[run] {
			if log.Standing(o) == campaign.Repeated {
				t.Errorf("%s has two ends that could count", run)
			}
		}
	}
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		tools, jobs := strays(camp), c.OfJobs()
		if len(tools)+len(jobs) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Errorf("processes are left: %v, of jobs %v", tools, jobs)
			return
		}
	}
}

// TestClusterScores: a campaign that was done by three nodes of a cluster has the
// scores of the same campaign on one computer, under an edition without bonuses for
// time.
func TestClusterScores(t *testing.T) {
	c := newOnCluster(t)
	dir := t.TempDir()
	models, edition := filepath.Join(dir, "models"), filepath.Join(dir, "nobonus.yaml")
	withoutBonuses(t, edition)
	for _, args := range [][]string{{"DiningPhilosophers", "002", "003"}, {"TokenRingMutex", "002"}, {"UnboundedChannels", "01"}, {"KanbanCells", "0001"}} {
		run(t, 0, append([]string{"model", "generate", "--out", models}, args...)...)
	}
	plan := func(name string) string {
		out := filepath.Join(dir, name)
		run(t, 0, "plan", "--models", models, "--edition", edition, "--out", out, "--cpu", "5s", "--wall", "300s", "--memory", "1GB",
			"--examination", "StateSpace,ReachabilityDeadlock,OneSafe")
		return out
	}
	alone, shared := plan("alone"), plan("shared")
	run(t, 0, "run", "--quiet", alone)
	c.describe(t, shared)
	if out := run(t, ExitIncomplete, "cluster", "doctor", shared); !strings.Contains(out, "no host yet; next: `podium cluster submit`") {
		t.Errorf("doctor: %s", out)
	}
	checkReply(t, "cluster doctor", []byte(run(t, ExitIncomplete, "cluster", "doctor", shared, "--json")))
	run(t, 0, "cluster", "submit", shared, "--history", alone)
	var st cluster.Status
	text := run(t, 0, "cluster", "status", shared, "--json")
	if err := json.Unmarshal([]byte(text), &st); err != nil || len(st.Hosts) != len(c.Nodes) {
		t.Errorf("status: %v, %s", err, text)
	}
	checkReply(t, "cluster status", []byte(text))
	calls := 1 + c.finish(t, shared)
	c.check(t, shared)
	if a, b := run(t, 0, "score", alone), run(t, 0, "score", shared); totals(a) != totals(b) {
		t.Errorf("on one computer:\n%s\non three:\n%s", a, b)
	}
	camp, err := campaign.Open(shared)
	if err != nil {
		t.Fatal(err)
	}
	log, err := camp.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, host := range log.Homes() {
		used[host] = true
	}
	if len(used) != len(c.Nodes) || len(camp.Plan.Tools) < 3 {
		t.Errorf("%d tools on the hosts %v", len(camp.Plan.Tools), used)
	}
	t.Logf("%d runs of %d tools on %d nodes after %d calls of submit", camp.Plan.Count(), len(camp.Plan.Tools), len(used), calls)

	home := log.Homes()["DiningPhilosophers"]
	to := c.Nodes[0]
	if to == home {
		to = c.Nodes[1]
	}
	run(t, 0, "cluster", "move", shared, "DiningPhilosophers", "--to", to)
	c.finish(t, shared)
	c.check(t, shared)
	if log, err = camp.Read(t.Context()); err != nil || log.Homes()["DiningPhilosophers"] != to {
		t.Errorf("moved to %s, and it is on %s, %v", to, log.Homes()["DiningPhilosophers"], err)
	}
	if out := run(t, 0, "cluster", "status", shared); strings.Count(out, "node") != len(c.Nodes) {
		t.Errorf("status: %s", out)
	}
	runs, left := 0, 0
	if err := json.Unmarshal([]byte(run(t, 0, "cluster", "status", shared, "--json")), &st); err != nil {
		t.Error(err)
	}
	for _, h := range st.Hosts {
		runs, left = runs+h.Runs, left+h.RunsLeft
	}
	if runs != camp.Plan.Count() || left != 0 {
		t.Errorf("status: %d runs of %d, %d left", runs, camp.Plan.Count(), left)
	}
	if a, b := run(t, 0, "score", alone), run(t, 0, "score", shared); totals(a) != totals(b) {
		t.Errorf("on one computer:\n%s\nafter the move:\n%s", a, b)
	}
}

// TestClusterEnvironment: variables by which users give options to Slurm change no call.
func TestClusterEnvironment(t *testing.T) {
	c := newOnCluster(t)
	dir := t.TempDir()
	tool := filepath.Join(dir, "sleeper")
	for name, text := range map[string]string{"tool.yaml": "format: podium-tool/1\nname: sleeper\n", "BenchKit_head.sh": "#!/bin/sh\nexec sleep 1000\n"} {
		if err := errors.Join(os.MkdirAll(tool, 0o755), os.WriteFile(filepath.Join(tool, name), []byte(text), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	run(t, 0, "model", "generate", "--out", filepath.Join(dir, "models"), "DiningPhilosophers", "002")
	planned := filepath.Join(dir, "planned")
	run(t, 0, "plan", "--models", filepath.Join(dir, "models"), "--tools", tool, "--out", planned, "--cpu", "900s", "--wall", "900s", "--memory", "1GB", "--examination", "StateSpace")
	c.describe(t, planned)
	for name, value := range map[string]string{"SQUEUE_STATES": "COMPLETED", "SQUEUE_FORMAT": "%N", "SQUEUE_USERS": "nobody", "SBATCH_ARRAY_INX": "1-3", "SBATCH_WAIT": "1", "SBATCH_PARTITION": "none", "SBATCH_HOLD": "1",
		"SBATCH_DEPENDENCY": "singleton", "SINFO_FORMAT": "%N", "SINFO_PARTITION": "none", "SCANCEL_STATE": "PENDING", "SCANCEL_NAME": "none", "SLURM_CLUSTERS": "none", "SLURM_BITSTR_LEN": "1"} {
		t.Setenv(name, value)
	}
	queue := func() (keys []string) {
		out, err := c.Run("squeue", "--noheader", "--array", "--format=%k")
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(out)
	}
	for range 3 {
		run(t, 0, "cluster", "submit", planned)
		if keys := queue(); len(keys) != 1 {
			t.Errorf("%d jobs are in the queue: %q", len(keys), keys)
		}
	}
	run(t, 0, "cluster", "cancel", planned)
	for end := time.Now().Add(time.Minute); len(queue()) > 0; time.Sleep(300 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after cancel the queue has %q", queue())
		}
	}
}

// TestClusterUnderFaults disturbs a small campaign at a moment drawn by lot within 3 s
// after its submission, in each of some rounds. PODIUM_FAULTS=long takes 200 rounds,
// a number so many.
func TestClusterUnderFaults(t *testing.T) {
	c := newOnCluster(t)
	rounds := 4
	if text := os.Getenv("PODIUM_FAULTS"); text == "long" {
		rounds = 200
	} else if n, err := strconv.Atoi(text); err == nil {
		rounds = n
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	lots := rand.New(rand.NewPCG(seed, 1))
	dir := t.TempDir()
	models, toolsDir := filepath.Join(dir, "models"), filepath.Join(dir, "tools")
	for _, family := range smallFamilies[:4] {
		run(t, 0, "model", "generate", "--out", models, family, "2")
	}
	for _, name := range []string{"toola", "toolb"} {
		writeTool(t, toolsDir, name, "sleep 0.2\necho CANNOT_COMPUTE\n")
	}
	faults := c.faults()
	count, order := map[string]int{}, lots.Perm(len(faults))
	for round := range rounds {
		out := filepath.Join(dir, "c"+strconv.Itoa(round))
		run(t, 0, "plan", "--models", models, "--tools", toolsDir, "--out", out, "--cpu", "20s", "--wall", "120s", "--memory", "200MB",
			"--examination", "StateSpace,ReachabilityDeadlock,OneSafe")
		c.describe(t, out)
		f := faults[order[round%len(order)]]
		count[f.name]++
		var submit sync.WaitGroup
		submit.Go(func() {
			// The fault may come while it submits; what it says then is looked at in finish.
			Main(context.Background(), []string{"cluster", "submit", out}, strings.NewReader(""), io.Discard, io.Discard)
		})
		time.Sleep(time.Duration(lots.Int64N(int64(3 * time.Second))))
		f.happen(lots, out)
		submit.Wait()
		c.finish(t, out)
		c.Await("idle", func() {
			c.resume(t, out)
			Main(context.Background(), []string{"cluster", "cancel", out}, strings.NewReader(""), io.Discard, io.Discard)
		})
		run(t, 0, "cluster", "cancel", out)
		c.check(t, out)
		if os.Getenv("PODIUM_FAULTS") != "" {
			fmt.Fprintf(os.Stderr, "round %d: %s\n", round, f.name)
		}
		if t.Failed() {
			t.Fatalf("round %d: %s", round, f.name)
		}
	}
	t.Logf("%d faults: %v; %d times Slurm had drained a node", rounds, count, c.resumed)
}

type mishap struct {
	name   string
	happen func(lots *rand.Rand, dir string)
}

func (c *onCluster) faults() []mishap {
	// one kills one of the processes with a word in the command line.
	one := func(lots *rand.Rand, words ...string) {
		var list []int
		for _, pid := range c.Processes() {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			matches := true
			for _, word := range words {
				matches = matches && strings.Contains(string(line), word)
			}
			if matches {
				list = append(list, pid)
			}
		}
		if len(list) > 0 {
			_ = syscall.Kill(list[lots.IntN(len(list))], syscall.SIGKILL)
		}
	}
	return []mishap{
		{"node lost for good, its models moved", func(lots *rand.Rand, dir string) {
			i := lots.IntN(len(c.Nodes))
			c.KillNode(i)
			one(lots, "--models", dir) // at most one job was there
			for _, model := range smallFamilies[:4] {
				if held, _ := filepath.Glob(filepath.Join(dir, "cluster", "placed", model+"@*")); len(held) == 0 {
					continue
				}
				Main(context.Background(), []string{"cluster", "move", dir, model, "--to", c.Nodes[(i+1)%len(c.Nodes)]}, strings.NewReader(""), io.Discard, io.Discard)
			}
			c.StartNode(i)
		}},
		{"controller killed, started with its state", func(*rand.Rand, string) { c.KillController(false); c.StartController() }},
		{"controller killed, started without its state", func(*rand.Rand, string) { c.KillController(true); c.StartController() }},
		{"slurmd killed", func(lots *rand.Rand, _ string) { i := lots.IntN(len(c.Nodes)); c.KillNode(i); c.StartNode(i) }},
		{"slurmstepd killed", func(lots *rand.Rand, _ string) { one(lots, "slurmstepd: [") }},
		{"scancel of all jobs", func(*rand.Rand, string) { _, _ = c.Run("scancel", "-u", "root") }},
		{"worker killed", func(lots *rand.Rand, dir string) { one(lots, "--models", dir) }},
		{"two submits at once", func(_ *rand.Rand, dir string) {
			var both sync.WaitGroup
			for range 2 {
				both.Go(func() {
					Main(context.Background(), []string{"cluster", "submit", dir}, strings.NewReader(""), io.Discard, io.Discard)
				})
			}
			both.Wait()
		}},
		{"model moved", func(lots *rand.Rand, dir string) {
			model, to := smallFamilies[lots.IntN(4)], c.Nodes[lots.IntN(len(c.Nodes))]
			Main(context.Background(), []string{"cluster", "move", dir, model, "--to", to}, strings.NewReader(""), io.Discard, io.Discard)
		}},
		{"node down and back", func(lots *rand.Rand, _ string) {
			node := c.Nodes[lots.IntN(len(c.Nodes))]
			_, _ = c.Run("scontrol", "update", "nodename="+node, "state=down", "reason=test")
			_, _ = c.Run("scontrol", "update", "nodename="+node, "state=resume")
		}},
	}
}

// TestClusterMachines: a job boots virtual machines of its own, whose answers are those
// on one computer, and none outlives the job.
func TestClusterMachines(t *testing.T) {
	built, err := filepath.Abs("../bin/podium")
	if err == nil {
		_, err = os.Stat(built)
	}
	if err != nil {
		t.Skip("virtual machines need bin/podium: make build")
	}
	c := newOnCluster(t)
	c.podium = built
	dir := t.TempDir()
	models := filepath.Join(dir, "models")
	run(t, 0, "model", "generate", "--out", models, "DiningPhilosophers", "002")
	do := func(args ...string) (int, string) {
		cmd := exec.Command(built, args...)
		out, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), string(out)
	}
	plan := func(name string) *campaign.Campaign {
		out := filepath.Join(dir, name)
		if code, said := do("plan", "--driver", "libvirt", "--models", models, "--out", out, "--tools", "explicit", "--tools", "walk", "--cpu", "60s", "--wall", "600s", "--memory", "300MB",
			"--examination", "StateSpace"); code != 0 {
			t.Fatalf("plan: exit code %d\n%s", code, said)
		}
		camp, err := campaign.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		return camp
	}
	alone, shared := plan("alone"), plan("shared")
	if code, said := do("run", "--quiet", "--cores-used", "1", alone.Dir); code == ExitHost {
		t.Skip("no virtual machine can be booted here: " + said)
	} else if code != 0 {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	c.describe(t, shared.Dir)
	c.finish(t, shared.Dir)
	c.check(t, shared.Dir)
	if a, b := answersOf(t, alone), answersOf(t, shared); !maps.Equal(a, b) || len(a) == 0 {
		t.Errorf("alone %q, on a node %q", a, b)
	}
}
