package topology

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
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
		digits, _ := strings.CutPrefix(e.Name(), "cpu")
		t, err := strconv.Atoi(digits)
		var st syscall.Stat_t
		if err != nil || syscall.Stat(l.file(t), &st) != nil {
			continue
		}
		dev := uint64(st.Dev)
		major, minor := dev>>8&0xfff|dev>>32&^0xfff, dev&0xff|dev>>12&^0xff
		threads[fmt.Sprintf("%02x:%02x:%d", major, minor, st.Ino)] = t
	}
	holders := map[int]*Holder{}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) < 6 || f[1] != "FLOCK" {
			continue
		}
		t, ours := threads[f[5]]
		pid, err := strconv.Atoi(f[4])
		if !ours || err != nil {
			continue
		}
		if holders[pid] == nil {
			holders[pid] = &Holder{PID: pid, Command: command(pid)}
		}
		holders[pid].Threads = append(holders[pid].Threads, t)
	}
	for _, pid := range slices.Sorted(maps.Keys(holders)) {
		slices.Sort(holders[pid].Threads)
		list = append(list, *holders[pid])
	}
	return list
}
