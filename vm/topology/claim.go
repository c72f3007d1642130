package topology

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"podium/internal/files"
	"podium/internal/wording"
)

// Locks is the directory in which threads are locked: that of thread 3 is cpu3. Where it is
// the kernel's, it is the same for all users. Nothing is written.
type Locks string

// KernelLocks are the locks of this computer.
const KernelLocks Locks = "/" + cpuDir

// NoLocks leaves the cores unlocked.
const NoLocks Locks = ""

// Holder is a process that holds threads for its runs.
type Holder struct {
	PID     int    `json:"pid"`
	Command string `json:"command"` // "" where it is not shown
	Threads []int  `json:"threads"`
}

// Text names the process.
func (h Holder) Text() string {
	if h.Command == "" {
		return fmt.Sprintf("process %d", h.PID)
	}
	return fmt.Sprintf("process %d (%s)", h.PID, wording.Cut(h.Command, 50))
}

// pause is the time between two looks at cores that others hold.
const pause = 500 * time.Millisecond

// Claim chooses cores as [Machine.Pool] does, and holds locks on all of their threads, until
// the pool is closed or this process ends. Where others hold so many that the largest run
// has no room, it says who they are, and waits. Where there are no locks it says that, and
// takes the cores without.
func (m *Machine) Claim(ctx context.Context, locks Locks, w Wish, say func(sentence string)) (*Pool, error) {
	pool := m.Pool(w, nil)
	if why := pool.Refuses(w.Run, w.Memory); why != "" {
		return nil, fmt.Errorf("a run needs %s", why)
	}
	if locks == NoLocks {
		return pool, nil
	}
	wanted, all, said := pool.Cores(), m.Pool(Wish{Threads: w.Threads}, nil).Cores(), false
	for {
		pool, err := m.claim(locks, w)
		if err != nil {
			say(fmt.Sprintf("cores are not locked, so that another podium on this computer may use the same ones: %v", err))
			return m.Pool(w, nil), nil
		}
		enough := pool.Refuses(w.Run, w.Memory) == ""
		if n := pool.Cores(); n < wanted && !said {
			said = true
			next := fmt.Sprintf("this process uses the other %d", n)
			if !enough {
				next = "this process waits for them; Ctrl-C ends that"
			}
			say(fmt.Sprintf("of %s, %d in use by %s: %s", wording.Count(all, "core", "cores"), all-n, locks.who(), next))
		}
		if enough {
			return pool, nil
		}
		pool.Close()
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// who names the processes that hold threads.
func (l Locks) who() string {
	var names []string
	for _, h := range l.Holders() {
		if h.PID != os.Getpid() {
			names = append(names, h.Text())
		}
	}
	if names == nil {
		return "another process"
	}
	return wording.And(names)
}

// claim locks what is free of what would be chosen.
func (m *Machine) claim(locks Locks, w Wish) (*Pool, error) {
	held, mine := heldBy(locks.Holders()), map[int]*os.File{}
	for {
		pool := m.Pool(w, func(t int) bool { return held[t] })
		missed, wanted := false, map[int]bool{}
		for _, i := range pool.own(nil) {
			for _, t := range pool.units[i].threads {
				if wanted[t] = true; mine[t] != nil {
					continue
				}
				f, err := locks.try(t)
				switch {
				case errors.Is(err, files.ErrLocked):
					held[t], missed = true, true
				case err != nil:
					release(mine)
					return nil, err
				default:
					mine[t] = f
				}
			}
		}
		if missed {
			continue
		}
		for t, f := range mine {
			if !wanted[t] {
				f.Close()
				delete(mine, t)
			}
		}
		pool.locks = mine
		return pool, nil
	}
}

// heldBy returns the threads of holders.
func heldBy(holders []Holder) map[int]bool {
	held := map[int]bool{}
	for _, h := range holders {
		for _, t := range h.Threads {
			held[t] = true
		}
	}
	return held
}

// try locks a thread.
func (l Locks) try(thread int) (*os.File, error) {
	name := l.file(thread)
	if l != KernelLocks {
		if err := os.MkdirAll(name, 0o755); err != nil {
			return nil, err
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if err := files.TryLock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

func (l Locks) file(thread int) string { return filepath.Join(string(l), fmt.Sprintf("cpu%d", thread)) }

func release(locks map[int]*os.File) {
	for _, f := range locks {
		f.Close()
	}
}

// Close gives the cores back.
func (p *Pool) Close() error {
	release(p.locks)
	return nil
}

// command is what a process was started as.
func command(pid int) string {
	text, err := files.Read(fmt.Sprintf("/proc/%d", pid), "cmdline", maxFile)
	if err != nil {
		return ""
	}
	words := strings.Split(strings.TrimRight(string(text), "\x00"), "\x00")
	words[0] = filepath.Base(words[0])
	return strings.Join(words, " ")
}
