package topology

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Holders lists who holds threads now, this process too. Processes of other PID namespaces
// have the number 0 (proc_locks(5)).
func (l Locks) Holders() (list []Holder) {
	text, err := os.ReadFile("/proc/locks")
	if l == NoLocks || err != nil {
		return nil
	}
	entries, _ := os.ReadDir(string(l))
	threads := map[string]int{}
	for _, e := range entries {
		t, err := strconv.Atoi(strings.TrimPrefix(e.Name(), "cpu"))
		var st syscall.Stat_t
		if err != nil || syscall.Stat(l.file(t), &st) != nil {
			continue
		}
		dev := uint64(st.Dev)
		major, minor := dev>>8&0xfff|dev>>32&^0xfff, dev&0xff|dev>>12&^0xff
		threads[fmt.Sprintf("%02x:%02x:%d", major, minor, st.Ino)] = t
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 6 || f[1] != "FLOCK" {
			continue
		}
		t, ours := threads[f[5]]
		pid, err := strconv.Atoi(f[4])
		if !ours || err != nil {
			continue
		}
		at, known := slices.BinarySearchFunc(list, pid, func(h Holder, pid int) int { return h.PID - pid })
		if !known {
			list = slices.Insert(list, at, Holder{PID: pid, Command: command(pid)})
		}
		list[at].Threads = set(append(list[at].Threads, t))
	}
	return list
}
