package campaign

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Lease says which worker works on a model. All runs of a model are done on
// one physical machine (E-5.1), so the model is the unit.
type Lease struct {
	Format string    `json:"format"`
	Worker string    `json:"worker"`
	Host   string    `json:"host"`
	Boot   string    `json:"boot_id"` // of the host's kernel, so that a pid of an earlier boot is dead
	PID    int       `json:"pid"`
	Start  string    `json:"pid_start"` // start time of the process in clock ticks: pids are used again
	At     time.Time `json:"at"`
}

// LeaseFormat is the format key of a lease.
const LeaseFormat = "podium-lease/1"

// leaseExpiry is how long a lease of another host is believed without a sign
// of life; a worker renews its leases every quarter of that.
const leaseExpiry = 5 * time.Minute

// identity is this process as a holder of leases.
func identity(now time.Time) (Lease, error) {
	host, err := os.Hostname()
	if err != nil {
		return Lease{}, err
	}
	var salt [3]byte
	if _, err := rand.Read(salt[:]); err != nil {
		return Lease{}, err
	}
	pid := os.Getpid()
	worker := fmt.Sprintf("%s-%s-%d-%s", fileWord(host), now.UTC().Format("20060102T150405"), pid, hex.EncodeToString(salt[:]))
	return Lease{LeaseFormat, worker, host, bootID(), pid, processStart(pid), now.UTC()}, nil
}

func fileWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, s)
}

func bootID() string {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// processStart is field 22 of /proc/PID/stat, "" when there is no such process.
func processStart(pid int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	rest := string(text[strings.LastIndexByte(string(text), ')')+1:])
	if fields := strings.Fields(rest); len(fields) > 19 {
		return fields[19]
	}
	return ""
}

// alive tells whether the holder still works, as far as this host can know.
func (l Lease) alive(now, renewed time.Time) bool {
	host, err := os.Hostname()
	if err == nil && host == l.Host {
		return bootID() == l.Boot && l.Start != "" && processStart(l.PID) == l.Start
	}
	return now.Sub(renewed) < leaseExpiry
}

// claim takes the lease of a model. It gives false when another living worker
// holds it, and that worker's lease.
func (c *Campaign) claim(family string, me Lease) (bool, Lease, error) {
	unlock, err := c.lockClaims()
	if err != nil {
		return false, Lease{}, err
	}
	defer unlock()
	path := filepath.Join(c.Dir, "claims", family)
	if held, renewed, err := readLease(path); err == nil {
		if held.Worker == me.Worker {
			return true, me, nil
		}
		if held.alive(time.Now(), renewed) {
			return false, held, nil
		}
		if err := os.Remove(path); err != nil {
			return false, Lease{}, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, Lease{}, err
	}
	text, err := json.Marshal(me)
	if err != nil {
		return false, Lease{}, err
	}
	return true, me, writeOnce(path, append(text, '\n'))
}

// release gives a lease back; one that is no longer ours is left alone.
func (c *Campaign) release(family string, me Lease) error {
	unlock, err := c.lockClaims()
	if err != nil {
		return err
	}
	defer unlock()
	path := filepath.Join(c.Dir, "claims", family)
	if held, _, err := readLease(path); err != nil || held.Worker != me.Worker {
		return nil
	}
	return os.Remove(path)
}

// renew shows other hosts that the holder lives. It gives false when the lease
// has been taken over.
func (c *Campaign) renew(family string, me Lease) bool {
	path := filepath.Join(c.Dir, "claims", family)
	held, _, err := readLease(path)
	if err != nil || held.Worker != me.Worker {
		return false
	}
	now := time.Now()
	return os.Chtimes(path, now, now) == nil
}

// lockClaims makes the steps of claim and release one. The lock goes with its
// process, so a killed worker leaves none.
func (c *Campaign) lockClaims() (func(), error) {
	f, err := os.OpenFile(filepath.Join(c.Dir, "claims", ".lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

func readLease(path string) (Lease, time.Time, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Lease{}, time.Time{}, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return Lease{}, time.Time{}, err
	}
	var l Lease
	if err := json.Unmarshal(text, &l); err != nil {
		return Lease{}, time.Time{}, fmt.Errorf("lease %s: %w; remove the file when no worker runs", path, err)
	}
	return l, info.ModTime(), nil
}
