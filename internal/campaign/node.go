package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
)

// Node is where the processes of a worker are seen: a computer, since it was
// booted, in one PID namespace. The name of a host is no part of it: computers
// and containers may have equal ones.
type Node struct {
	Machine string `json:"machine,omitempty"`       // digest of machine-id(5); "" when the host has none
	Boot    string `json:"boot_id,omitempty"`       // of the kernel
	PIDs    string `json:"pid_namespace,omitempty"` // as readlink /proc/self/ns/pid says it
}

// thisNode is where this process runs. What cannot be found out is left empty.
func thisNode() Node {
	n := Node{Boot: firstWord("/proc/sys/kernel/random/boot_id")}
	n.PIDs, _ = os.Readlink("/proc/self/ns/pid")
	if id := firstWord("/etc/machine-id"); id != "" {
		// machine-id(5) asks not to show the id itself to others.
		sum := sha256.Sum256([]byte("podium node " + id))
		n.Machine = hex.EncodeToString(sum[:8])
	}
	return n
}

func firstWord(path string) string {
	text, err := os.ReadFile(path)
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 0 {
		return fields[0]
	}
	return ""
}

// IsZero reports whether the node is unknown, as in journals of imported runs.
func (n Node) IsZero() bool { return n == Node{} }

// sameComputer reports whether two nodes are on one computer (E-5.1): boot ids are
// drawn by lot, so equal ones are enough.
func (n Node) sameComputer(o Node) bool {
	return n.Boot != "" && n.Boot == o.Boot || n.Machine != "" && n.Machine == o.Machine
}

// sees reports whether processes of the other node can be looked at from this one.
func (n Node) sees(o Node) bool {
	return n.Boot != "" && n.Boot == o.Boot && n.PIDs != "" && n.PIDs == o.PIDs
}

// sight is what can be known of a process.
type sight uint8

const (
	unseen sight = iota // nothing: its files are hidden, or /proc is that of another namespace
	gone
	living
)

// look reports whether the process with a start time lives. The node is this one.
func look(pid int, start string) sight {
	if pid <= 0 {
		return unseen
	}
	if noProcess(pid) {
		return gone
	}
	if start == "" || !ownProc() {
		return unseen
	}
	state, begun := processState(strconv.Itoa(pid))
	switch {
	case begun == "":
		return unseen // hidden from other users
	case begun != start || state == "Z" || state == "X":
		return gone
	}
	return living
}

// ownProc reports whether /proc shows the PID namespace that this process is in: a
// process that stands deeper has several ids there.
func ownProc() bool {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if ids, ok := strings.CutPrefix(line, "NSpid:"); ok {
			return len(strings.Fields(ids)) == 1
		}
	}
	return false
}

// processState returns fields 3 and 22 of /proc/PID/stat, the state and the start in
// clock ticks since the boot; "" when there is no such process. PID is a number or
// "self".
func processState(pid string) (state, start string) {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return "", ""
	}
	rest := string(text[strings.LastIndexByte(string(text), ')')+1:])
	if fields := strings.Fields(rest); len(fields) > 19 {
		return fields[0], fields[19]
	}
	return "", ""
}
