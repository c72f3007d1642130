// Package slurmtest is a private Slurm for tests: a controller and some nodes on
// this computer, on ports of their own and in a directory of their own, with
// neither munge nor accounting. Each node has a name, a boot id and a machine id of
// its own, so that Podium takes it for another computer.
package slurmtest

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"podium/internal/programs"
)

// marker is the variable by which the processes of a cluster are found again: all
// daemons have it, and the jobs of those who use Env.
const marker = "PODIUM_SLURMTEST"

// patience ends only what hangs.
const patience = 3 * time.Minute

// Cluster is a Slurm that runs.
type Cluster struct {
	Dir   string
	Nodes []string // their names

	t          testing.TB
	path       map[string]string // of the daemons
	ports      []int             // of the controller and of each node
	controller *exec.Cmd
	nodes      []*exec.Cmd
	// spaces are the UTS namespaces of the nodes by name, also of nodes that were killed. The
	// kernel gives a name to no other namespace while a file of the first one is open.
	spaces map[string]*os.File
}

// Start starts a cluster of so many nodes and waits until all are idle. The end of
// the test kills it and all of its jobs. The test is skipped where Slurm is not
// installed or the user is not root.
func Start(t testing.TB, nodes int) *Cluster {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("nodes that are computers of their own need root")
	}
	c := &Cluster{t: t, path: map[string]string{}, spaces: map[string]*os.File{}, nodes: make([]*exec.Cmd, nodes)}
	for _, daemon := range []string{"slurmctld", "slurmd"} {
		path, err := exec.LookPath(daemon)
		if err != nil {
			if path, err = exec.LookPath("/usr/sbin/" + daemon); err != nil {
				t.Skip("Slurm is not installed: make setup")
			}
		}
		c.path[daemon] = path
	}
	// The path of a socket is short, and that of a test's directory may be long.
	dir, err := os.MkdirTemp("", "slurm")
	if err != nil {
		t.Fatal(err)
	}
	c.Dir = dir
	c.configure(nodes)
	t.Cleanup(c.end)
	c.StartController()
	for i := range nodes {
		c.StartNode(i)
	}
	c.Await("idle", nil)
	return c
}

func (c *Cluster) conf() string { return filepath.Join(c.Dir, "slurm.conf") }

// Env is what a process needs that uses the cluster, besides its own environment.
func (c *Cluster) Env() []string { return []string{"SLURM_CONF=" + c.conf(), marker + "=" + c.Dir} }

func (c *Cluster) configure(nodes int) {
	c.ports = freePorts(c.t, nodes+1)
	var b strings.Builder
	fmt.Fprintf(&b, `ClusterName=podium
SlurmctldHost=localhost
SlurmctldPort=%d
AuthType=auth/none
CredType=cred/none
SlurmUser=root
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool-%%n
SlurmctldPidFile=%[2]s/controller.pid
SlurmdPidFile=%[2]s/%%n.pid
SlurmctldLogFile=%[2]s/controller.log
SlurmdLogFile=%[2]s/%%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=10
KillWait=1
MinJobAge=2
`, c.ports[0], c.Dir)
	for i := range nodes {
		name := "node" + strconv.Itoa(i+1)
		c.Nodes = append(c.Nodes, name)
		fmt.Fprintf(&b, "NodeName=%s NodeAddr=127.0.0.1 Port=%d CPUs=2 RealMemory=2000\n", name, c.ports[i+1])
		c.write(name+".boot", identity())
		c.write(name+".machine", identity())
	}
	fmt.Fprintf(&b, "PartitionName=contest Nodes=%s Default=YES MaxTime=INFINITE State=UP\n", strings.Join(c.Nodes, ","))
	c.write("slurm.conf", b.String())
}

func (c *Cluster) write(name, text string) {
	if err := os.WriteFile(filepath.Join(c.Dir, name), []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

func identity() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:]) + "\n"
}

func freePorts(t testing.TB, n int) (ports []int) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// StartController starts the controller that was killed, with the state that lies on
// disk.
func (c *Cluster) StartController() {
	if err := os.MkdirAll(filepath.Join(c.Dir, "state"), 0o700); err != nil {
		c.t.Fatal(err)
	}
	c.controller = c.daemon(exec.Command(c.path["slurmctld"], "-D", "-f", c.conf()), 0)
}

// KillController kills the controller; forget also removes what it knew.
func (c *Cluster) KillController(forget bool) {
	kill(c.controller)
	if forget {
		_ = os.RemoveAll(filepath.Join(c.Dir, "state"))
	}
}

// StartNode starts a node that was killed.
func (c *Cluster) StartNode(i int) {
	name := c.Nodes[i]
	script := `mount --make-rprivate / && hostname "$1" && mount --bind "$2.boot" /proc/sys/kernel/random/boot_id &&
{ [ ! -s /etc/machine-id ] || mount --bind "$2.machine" /etc/machine-id; } && exec "$3" -D -N "$1" -f "$4"`
	cmd := exec.Command("sh", "-c", script, "sh", name, filepath.Join(c.Dir, name), c.path["slurmd"], c.conf())
	c.nodes[i] = c.daemon(cmd, syscall.CLONE_NEWNS|syscall.CLONE_NEWUTS)
	pid := c.nodes[i].Process.Pid
	file, err := os.Open(spacePath(pid))
	if err != nil {
		c.t.Fatal(err)
	}
	c.spaces[space(pid)] = file
}

func spacePath(pid int) string { return fmt.Sprintf("/proc/%d/ns/uts", pid) }

// space is the UTS namespace of a process, "" where it cannot be seen.
func space(pid int) string {
	name, _ := os.Readlink(spacePath(pid))
	return name
}

// KillNode kills the daemon of a node and nothing else: its jobs go on without it.
func (c *Cluster) KillNode(i int) { kill(c.nodes[i]) }

func (c *Cluster) daemon(cmd *exec.Cmd, namespaces uintptr) *exec.Cmd {
	cmd.Env = append(programs.Environment(), c.Env()...) // of tests that set variables of Slurm
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: namespaces, Pdeathsig: syscall.SIGKILL}
	out, err := os.OpenFile(filepath.Join(c.Dir, "daemons.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		c.t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	return cmd
}

func kill(cmd *exec.Cmd) {
	if cmd != nil && cmd.ProcessState == nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

// Run runs a program of Slurm, or another one that uses the cluster, and returns what
// it prints.
func (c *Cluster) Run(program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Env = append(programs.Environment(), c.Env()...) // of tests that set variables of Slurm
	cmd.Dir = c.Dir
	var talk bytes.Buffer
	cmd.Stderr = &talk
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", program, err, talk.String())
	}
	return string(out), err
}

// Await waits until all nodes are in a state, such as idle. Meanwhile, which may be nil,
// is called again and again.
func (c *Cluster) Await(state string, meanwhile func()) {
	c.t.Helper()
	last := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		out, err := c.Run("sinfo", "-h", "-N", "-o", "%T")
		last = out
		if err == nil && out == strings.Repeat(state+"\n", len(c.Nodes)) {
			return
		}
		if meanwhile != nil {
			meanwhile()
		}
	}
	log, _ := os.ReadFile(filepath.Join(c.Dir, "daemons.log"))
	c.t.Fatalf("the nodes are not %s: %s\n%s", state, last, log[max(0, len(log)-4000):])
}

// Processes lists the living processes of the cluster and its jobs: those that have its
// variable, and those on its nodes, which may have lost it.
func (c *Cluster) Processes() (pids []int) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		env, _ := os.ReadFile(filepath.Join(dir, "environ"))
		if err == nil && pid != os.Getpid() && (c.spaces[space(pid)] != nil || bytes.Contains(env, []byte(marker+"="+c.Dir+"\x00"))) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// OfJobs lists the living processes on the nodes that are not Slurm's own.
func (c *Cluster) OfJobs() (pids []int) {
	for _, pid := range c.Processes() {
		name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		if err == nil && c.spaces[space(pid)] != nil && !strings.HasPrefix(string(name), "slurm") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// end kills all that the cluster started.
func (c *Cluster) end() {
	kill(c.controller)
	for _, node := range c.nodes {
		kill(node)
	}
	end := time.Now().Add(patience)
	for pids := c.Processes(); len(pids) > 0; pids = c.Processes() {
		if time.Now().After(end) {
			c.t.Errorf("processes %v of the cluster cannot be killed", pids)
			break
		}
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(20 * time.Millisecond)
	}
	if !c.t.Failed() {
		_ = os.RemoveAll(c.Dir)
	}
}
