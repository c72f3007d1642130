package campaign

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// Lease says which worker works on a model. All runs of a model are done on
// one physical machine (E-5.1), so the model is the unit.
//
// A lease is a file, claims/MODEL@NUMBER, that is made once, by link(2), and never
// changed: of several workers that want the next number one gets it, and the
// highest number holds the model. The holder shows that it lives by the time of
// the file; giving the lease back leaves MODEL@NUMBER.released beside it. Nothing
// is locked, so a worker that is stopped at any point stops nobody.
type Lease struct {
	Format string    `json:"format"`
	Model  string    `json:"model"`
	Number int64     `json:"number"` // the fencing number
	Worker string    `json:"worker"`
	Host   string    `json:"host"` // its name, for people
	Node   Node      `json:"node"`
	PID    int       `json:"pid"`       // in the node's namespace
	Start  string    `json:"pid_start"` // start time of the process in clock ticks: pids are used again
	Expiry int64     `json:"expiry_us"` // how long the lease is believed without a sign of life
	At     time.Time `json:"at"`
}

// LeaseFormat is the format key of a lease.
const LeaseFormat = "podium-lease/1"

// DefaultLease is how long a worker that cannot be seen is believed without a sign
// of life; it gives one every quarter of that. MinLease and MaxLease bound what may
// be asked for.
const (
	DefaultLease = 5 * time.Minute
	MinLease     = 100 * time.Millisecond
	MaxLease     = 24 * time.Hour
)

// maxSmallFile bounds what is read of a lease, a pin or a shard, in bytes.
const maxSmallFile = 1 << 22

// identity is this process as a holder of leases.
func identity(now time.Time, node Node, expiry time.Duration) (Lease, error) {
	host, err := os.Hostname()
	if err != nil {
		return Lease{}, err
	}
	var salt [4]byte
	if _, err := rand.Read(salt[:]); err != nil {
		return Lease{}, err
	}
	pid := os.Getpid()
	word := fileWord(host)
	worker := fmt.Sprintf("%s-%s-%d-%s", word[:min(len(word), maxHostWord)], now.UTC().Format("20060102T150405"), pid, hex.EncodeToString(salt[:]))
	_, start := processState("self")
	return Lease{Format: LeaseFormat, Worker: worker, Host: host, Node: node, PID: pid, Start: start,
		Expiry: expiry.Microseconds(), At: now.UTC()}, nil
}

// maxHostWord is how much of the name of a host stands in the name of a worker, after
// which machines are named.
const maxHostWord = 40

// identity is this process as a holder of leases of the campaign. In a shard the name of a
// worker says of which shard it is.
func (c *Campaign) identity(now time.Time, node Node, expiry time.Duration) (Lease, error) {
	l, err := identity(now, node, expiry)
	if err != nil {
		return l, err
	}
	shard, err := c.Shard()
	if err == nil && shard != nil {
		l.Worker += shard.mark()
	}
	return l, err
}

func fileWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, s)
}

// expiry is how long the lease is believed without a sign of life.
func (l Lease) expiry() time.Duration {
	d := time.Duration(l.Expiry) * time.Microsecond
	if d < MinLease || d > MaxLease {
		return DefaultLease
	}
	return d
}

func (c *Campaign) leasePath(l Lease) string {
	return filepath.Join(c.Dir, "claims", numbered(l.Model, l.Number))
}

// numbered names one of the files of a model that are written once; no name of a
// model holds an '@'. What no name of a file may hold, such as the slashes of tasks, is
// escaped.
func numbered(model string, n int64) string {
	return url.PathEscape(model) + "@" + strconv.FormatInt(n, 10)
}

// claim takes the next lease of a model, whose number is above floor. It returns
// false when another worker holds the model, and that worker's lease.
func (c *Campaign) claim(model string, floor int64, me Lease) (Lease, bool, error) {
	for {
		holder, n, err := c.holder(model, me.Node)
		if err != nil || holder != nil {
			if holder == nil {
				holder = &Lease{}
			}
			return *holder, false, err
		}
		next := me
		next.Model, next.Number, next.At = model, max(n, floor)+1, time.Now().UTC()
		switch err := c.writeLease(next); {
		case errors.Is(err, fs.ErrExist): // somebody was faster
		default:
			return next, err == nil, err
		}
	}
}

// writeLease takes a lease; somebody else's of its number is [fs.ErrExist].
func (c *Campaign) writeLease(l Lease) error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return WriteOnce(c.leasePath(l), append(text, '\n'))
}

// holder returns the living holder of a model, nil when there is none, and the
// highest number that was taken.
func (c *Campaign) holder(model string, here Node) (*Lease, int64, error) {
	n, err := c.lastNumber("claims", model)
	if err != nil || n == 0 {
		return nil, 0, err
	}
	l := Lease{Model: model, Number: n}
	path := c.leasePath(l)
	if err := readSmall(path, LeaseFormat, &l); err != nil {
		return nil, n, err
	}
	l.Model, l.Number = model, n
	if c.released(l) {
		return nil, n, nil
	}
	alive, err := c.alive(l, path, here)
	if err != nil || !alive {
		return nil, n, err
	}
	return &l, n, nil
}

// alive reports whether the holder still works, as far as this node can know: by its
// process where that can be seen, else by the age of its lease alone.
func (c *Campaign) alive(l Lease, path string, here Node) (bool, error) {
	if here.sees(l.Node) {
		switch look(l.PID, l.Start) {
		case living:
			return true, nil
		case gone:
			return false, nil
		}
	}
	age, err := c.age(path)
	return fresh(age, l.expiry()), err
}

// fresh reports whether a sign of life of that age counts for so long. One that lies in
// the future counts no longer than one in the past: the clock that dated it has jumped,
// and nobody knows when it was given.
func fresh(age, expiry time.Duration) bool { return -expiry < age && age < expiry }

// ahead returns how far in the future the lease before l is dated, where that is the reason
// why it did not count; 0 where it is not.
func (c *Campaign) ahead(l Lease) time.Duration {
	before := Lease{Model: l.Model, Number: l.Number - 1}
	path := c.leasePath(before)
	if readSmall(path, LeaseFormat, &before) != nil {
		return 0
	}
	if c.released(before) {
		return 0
	}
	age, err := c.age(path)
	if err != nil || -age < before.expiry() {
		return 0
	}
	return -age
}

// age is how long ago a file of the campaign was changed, by the clock that dates
// the files of its file system: those of two computers may differ. Who may not write
// there goes by the clock of this computer.
func (c *Campaign) age(path string) (time.Duration, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	probe, err := files.NewScratch(filepath.Join(c.Dir, "claims"), "now")
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) { // of somebody who only looks
		return time.Since(info.ModTime()), nil
	} else if err != nil {
		return 0, err
	}
	defer probe.Close()
	now, err := os.Stat(probe.Dir)
	if err != nil {
		return 0, err
	}
	return now.ModTime().Sub(info.ModTime()), nil
}

// lastNumber is the highest number of a model's files in a directory, 0 without any.
func (c *Campaign) lastNumber(dir, model string) (last int64, err error) {
	names, err := os.ReadDir(filepath.Join(c.Dir, dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	for _, e := range names {
		if m, n, ok := fileNumber(e.Name()); ok && m == model {
			last = max(last, n)
		}
	}
	return last, nil
}

// fileNumber undoes numbered.
func fileNumber(name string) (model string, n int64, ok bool) {
	model, digits, ok := strings.Cut(name, "@")
	n, err := strconv.ParseInt(digits, 10, 64)
	model, uerr := url.PathUnescape(model)
	return model, n, ok && err == nil && uerr == nil && n > 0
}

// release gives a lease back.
func (c *Campaign) release(l Lease) error {
	f, err := os.OpenFile(c.leasePath(l)+".released", os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return f.Close()
}

// released reports whether a lease was given back.
func (c *Campaign) released(l Lease) bool {
	_, err := os.Lstat(c.leasePath(l) + ".released")
	return err == nil
}

// holds reports whether nobody has taken a later lease of the model.
func (c *Campaign) holds(l Lease) bool {
	next := l
	next.Number++
	_, err := os.Lstat(c.leasePath(next))
	return errors.Is(err, fs.ErrNotExist)
}

// renew shows that the holder lives. It returns false when the lease was taken over.
func (c *Campaign) renew(l Lease) bool {
	return touch(c.leasePath(l)) == nil && c.holds(l)
}

// fences says how far the journals count of those who held the model before. The
// journals have been read since the lease was taken.
func (c *Campaign) fences(l Lease, log *Log) ([]Fence, error) {
	var list []Fence
	for n := max(1, log.claims.last(l.Model)); n < l.Number; n++ {
		workers := log.claims.holders(l.Model, n)
		var before Lease
		err := readSmall(c.leasePath(Lease{Model: l.Model, Number: n}), LeaseFormat, &before)
		switch {
		case errors.Is(err, fs.ErrNotExist): // claims/ was not copied with the journals
		case err != nil:
			return nil, err
		default:
			workers[before.Worker] = true
		}
		for worker := range workers {
			list = append(list, Fence{n, worker, log.readOf(c, worker)})
		}
	}
	return list, nil
}

// readSmall reads a file of JSON with a format key.
func readSmall(path, format string, into any) error {
	f, err := openRegular(path) // a pipe would block
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSmallFile))
	if err != nil {
		return err
	}
	var head struct {
		Format string `json:"format"`
	}
	if err = json.Unmarshal(text, &head); err == nil && head.Format != format {
		err = fmt.Errorf("format is %q, not %q", head.Format, format)
	}
	if err == nil {
		err = json.NewDecoder(bytes.NewReader(text)).Decode(into)
	}
	if err != nil {
		return diagnostic.List{{File: path, Code: "campaign-file", Message: err.Error(),
			Hint: "restore the file, or remove it when no worker runs"}}
	}
	return nil
}
