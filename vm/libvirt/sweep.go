//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"podium/vm/proc"
)

// owner is the process that a domain or a directory belongs to.
type owner struct{ proc.Process }

func self() (owner, error) {
	me, err := proc.Self()
	return owner{me}, err
}

func (o owner) String() string { return fmt.Sprintf("%d-%d", o.PID, o.Start) }

var ownedName = regexp.MustCompile(`^(?:podium-)?([0-9]{1,9})-([0-9]{1,19})-`)

// ownerOf reads the owner from the name of a domain or a directory.
func ownerOf(name string) (owner, bool) {
	m := ownedName.FindStringSubmatch(name)
	if m == nil {
		return owner{}, false
	}
	pid, err1 := strconv.Atoi(m[1])
	start, err2 := strconv.ParseUint(m[2], 10, 64)
	return owner{proc.Process{PID: pid, Start: start}}, errors.Join(err1, err2) == nil && pid > 0
}

// stateDir is where drivers of this user keep their directories.
func stateDir(dir string) string {
	if dir != "" {
		return dir
	}
	if os.Geteuid() == 0 {
		return "/run/podium"
	}
	if run := os.Getenv("XDG_RUNTIME_DIR"); run != "" {
		return filepath.Join(run, "podium")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("podium-%d", os.Geteuid()))
}

// sweep removes what drivers of dead processes left: first their virtual
// machines, then their directories below dir. What it cannot remove it leaves to
// the next one.
func sweep(dir string) error {
	killStrays()
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for _, e := range entries {
		if o, ok := ownerOf(e.Name()); ok && o.Dead() {
			if err := removeDir(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeDir removes a directory of a driver, and kills QEMU where it was started
// with files of it: to tell libvirt what it can do, which libvirt forgets about
// when it loses patience.
func removeDir(dir string) error {
	var found []int
	for pid, args := range qemuProcesses() {
		if slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, dir+"/") }) {
			found = append(found, pid)
		}
	}
	kill(found)
	return os.RemoveAll(dir)
}

// killStrays kills the virtual machines of dead processes and waits until they
// are gone.
func killStrays() { kill(strays()) }

// kill kills processes and waits until they are gone.
func kill(pids []int) {
	var killed []int
	for _, pid := range pids {
		if unix.Kill(pid, unix.SIGKILL) == nil {
			killed = append(killed, pid)
		}
	}
	for deadline := time.Now().Add(5 * time.Second); len(killed) > 0 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if _, err := proc.Find(killed[0]); errors.Is(err, fs.ErrNotExist) {
			killed = killed[1:]
		}
	}
}

// strays lists the processes of virtual machines whose owners are dead.
func strays() []int {
	var list []int
	for pid, name := range guestProcesses() {
		if o, ok := ownerOf(name); ok && o.Dead() {
			list = append(list, pid)
		}
	}
	return list
}

// guestProcesses lists the virtual machines of podium on this host, by process,
// with the names of their domains.
func guestProcesses() map[int]string {
	all := map[int]string{}
	for pid, args := range qemuProcesses() {
		for i, a := range args {
			if name, ok := strings.CutPrefix(a, "guest=podium-"); ok && args[max(i, 1)-1] == "-name" {
				name, _, _ = strings.Cut(name, ",")
				all[pid] = "podium-" + name
			}
		}
	}
	return all
}

// qemuProcesses lists the processes of QEMU on this host with their arguments.
func qemuProcesses() map[int][]string {
	all := map[int][]string{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return all
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		line, err := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if err != nil {
			continue
		}
		if args := strings.Split(string(line), "\x00"); strings.Contains(filepath.Base(args[0]), "qemu") {
			all[pid] = args
		}
	}
	return all
}
