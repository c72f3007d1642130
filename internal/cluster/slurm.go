package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"podium/internal/programs"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Limits of a program of Slurm.
const (
	callTime  = time.Minute
	maxOutput = 1 << 24
	maxRemark = 1 << 12
)

// SlurmError says that a program of Slurm failed or did not answer.
type SlurmError struct {
	Program string
	Said    string // on standard error
	Err     error
}

func (e *SlurmError) Error() string {
	text := fmt.Sprintf("%s failed: %v", e.Program, e.Err)
	if e.Said != "" {
		text += ": " + e.Said
	}
	if errors.Is(e.Err, exec.ErrNotFound) {
		return text + "; install the clients of Slurm here (on Debian: apt-get install slurm-client)"
	}
	return text + "; see whether `scontrol ping` finds the controller, then say the same again: nothing is done twice"
}

func (e *SlurmError) Unwrap() error { return e.Err }

// bounded keeps the first bytes of what is written, and fails when there are more.
type bounded struct {
	bytes.Buffer
	most int
	keep bool // what is beyond is dropped and is no error
}

func (b *bounded) Write(p []byte) (int, error) {
	if room := b.most - b.Len(); len(p) > room {
		b.Buffer.Write(p[:room])
		if !b.keep {
			return room, fmt.Errorf("it wrote more than %d bytes", b.most)
		}
		return len(p), nil
	}
	return b.Buffer.Write(p)
}

// ofSlurm are the variables by which users give options to the programs of Slurm.
var ofSlurm = regexp.MustCompile(`^(SLURM|SLURMD|SBATCH|SQUEUE|SINFO|SACCT|SCANCEL|SALLOC|SRUN|SCONTROL)_`)

// environment is what a program of Slurm sees: where Slurm is, and no option. What sbatch
// sees the job sees, too, which is Podium again: all that is not Slurm's.
func environment(program string) []string {
	keep := []string{"SLURM_CONF", "SLURM_JWT"}
	if program == "sbatch" {
		keep = []string{"*"}
	}
	return slices.DeleteFunc(programs.Environment(keep...), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return ofSlurm.MatchString(name) && name != "SLURM_CONF" && name != "SLURM_JWT"
	})
}

// call runs a program of Slurm and returns what it prints.
func call(ctx context.Context, stdin, program string, args ...string) (string, error) {
	inner, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	cmd := programs.Command(inner, program, args...)
	cmd.Env = environment(program)
	cmd.WaitDelay = time.Second
	out, talk := &bounded{most: maxOutput}, &bounded{most: maxRemark, keep: true}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), out, talk
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case inner.Err() != nil:
		err = fmt.Errorf("no answer within %s", callTime)
	}
	if err != nil {
		return "", &SlurmError{program, diagnostic.Printable(strings.TrimSpace(talk.String())), err}
	}
	return out.String(), nil
}

// Queued is a job in the queue.
type Queued struct {
	ID     string `json:"job"`    // for people only: Slurm may give it to another job
	State  string `json:"state"`  // as squeue names it, such as RUNNING
	Host   string `json:"-"`      // that it asks for
	Reason string `json:"reason"` // why it waits
	Key    string `json:"-"`
}

// ending reports whether a job does nothing any more.
func (j Queued) ending() bool { return j.State == "COMPLETING" || j.State == "STAGE_OUT" }

// queue lists the jobs whose key begins so.
func queue(ctx context.Context, prefix string) ([]Queued, error) {
	out, err := call(ctx, "", "squeue", "--noheader", "--all", "--array", "--format=%i|%T|%n|%r|%k")
	if err != nil {
		return nil, err
	}
	return parseQueue(out, prefix), nil
}

// parseQueue reads lines of squeue. Comments of others may hold any text; no line
// that could be ours is lost by it.
func parseQueue(out, prefix string) (list []Queued) {
	for line := range strings.Lines(out) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "|", 5)
		if len(f) != 5 || !strings.HasPrefix(f[4], prefix) {
			continue
		}
		if _, err := strconv.ParseUint(f[0], 10, 32); err == nil {
			list = append(list, Queued{f[0], f[1], f[2], f[3], f[4]})
		}
	}
	return list
}

// Host is a host as Slurm sees it.
type Host struct {
	Name      string `json:"host"`
	State     string `json:"state"`  // as sinfo names it, such as idle
	Reason    string `json:"reason"` // why it is not up
	Cores     int    `json:"cores"`
	Memory    int64  `json:"memory_bytes"`
	Partition string `json:"-"` // the default one is marked with *
}

// up reports whether Slurm would start a job on the host.
func (h Host) up() bool {
	switch strings.TrimRight(h.State, "*~#!%$@^-+") {
	case "idle", "allocated", "mixed", "completing", "planned", "reserved":
		return !strings.HasSuffix(h.State, "*") // * does not answer
	}
	return false
}

// hardware is what Slurm says of the host, equal for equal ones; empty where it does not
// know the host.
func (h Host) hardware() string {
	if h.Cores == 0 {
		return ""
	}
	return fmt.Sprintf("%s and %d GiB of memory in Slurm", wording.Count(h.Cores, "core", "cores"), (h.Memory+1<<29)>>30)
}

// hosts lists what Slurm knows of hosts in a partition, by name.
func hosts(ctx context.Context, partition string, names []string) (map[string]Host, error) {
	args := []string{"--noheader", "--Node", "--exact", "--format=%N|%T|%c|%m|%P|%E", "--nodes=" + strings.Join(names, ",")}
	if partition != "" {
		args = append(args, "--partition="+partition)
	}
	out, err := call(ctx, "", "sinfo", args...)
	if err != nil {
		return nil, err
	}
	return parseHosts(out), nil
}

func parseHosts(out string) map[string]Host {
	all := map[string]Host{}
	for line := range strings.Lines(out) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "|", 6)
		if len(f) != 6 || !isHost(f[0]) {
			continue
		}
		cores, _ := strconv.Atoi(strings.TrimSuffix(f[2], "+"))
		megabytes, _ := strconv.ParseInt(strings.TrimSuffix(f[3], "+"), 10, 40)
		all[f[0]] = Host{Name: f[0], State: f[1], Reason: f[5], Cores: cores, Memory: megabytes << 20, Partition: f[4]}
	}
	return all
}
