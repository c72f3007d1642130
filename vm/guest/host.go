package guest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"podium/vm"
)

// Host is the host's end of the wire of one guest. Its methods are called in
// the order Hello, Setup, Run.
type Host struct {
	// Silence is how long a guest may say nothing while a job runs.
	Silence time.Duration
	// Grace is how late a guest may report that a limit of wall time, or the
	// end of the context, ended a job.
	Grace time.Duration

	conn net.Conn
	in   reader
	out  *writer
}

// NewHost begins the conversation on a connection, which the caller closes.
func NewHost(conn net.Conn) *Host {
	return &Host{Silence: time.Minute, Grace: 15 * time.Second, conn: conn, in: reader{from: conn}, out: newWriter(conn)}
}

// LostError says that a guest no longer answers: its kernel or its agent died.
type LostError struct{ Err error }

func (e *LostError) Error() string { return "the guest is lost: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *LostError) Unwrap() error { return e.Err }

// Hello waits for the guest's first frame.
func (h *Host) Hello(ctx context.Context) (Hello, error) {
	var m Hello
	err := h.expect(ctx, kindHello, &m)
	return m, err
}

// Setup makes the guest the machine of one run.
func (h *Host) Setup(ctx context.Context, s Setup) (Ready, error) {
	var m Ready
	if err := h.say(kindSetup, s); err != nil {
		return m, err
	}
	return m, h.expect(ctx, kindReady, &m)
}

// say sends a message; a guest that does not read is lost.
func (h *Host) say(k kind, message any) error {
	if err := h.conn.SetWriteDeadline(time.Now().Add(h.Silence)); err != nil {
		return &LostError{err}
	}
	if err := h.out.say(k, message); err != nil {
		return &LostError{err}
	}
	return nil
}

// expect reads one message of a kind.
func (h *Host) expect(ctx context.Context, want kind, into any) error {
	if err := h.conn.SetReadDeadline(time.Time{}); err != nil {
		return &LostError{err}
	}
	stop := context.AfterFunc(ctx, func() { h.conn.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	f, err := h.in.next()
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &LostError{err}
	}
	if f.kind == want {
		return f.decode(into)
	}
	return f.unexpected()
}

// unexpected makes an error of a frame that should not be here.
func (f frame) unexpected() error {
	var m failedMessage
	if f.kind == kindFailed && f.decode(&m) == nil {
		return errors.New("in the guest: " + m.Error)
	}
	return fmt.Errorf("the guest sent a frame of kind %d", f.kind)
}

// Export lets a guest send the file system of a disk as a tar archive, instead
// of running a job.
func (h *Host) Export(ctx context.Context, disk Disk, to io.Writer) error {
	if err := h.say(kindSetup, Setup{Export: true, Disks: []Disk{disk}}); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { h.conn.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	for {
		f, err := h.in.next()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return &LostError{err}
		case f.kind == kindEnded:
			return nil
		case f.kind != kindResults:
			return f.unexpected()
		}
		if _, err := to.Write(f.body); err != nil {
			return err
		}
	}
}

// Control is the host's own view of a running job.
type Control interface {
	// Check is called every second. It may name a limit that the host sees
	// exceeded, which ends the conversation: the guest has to be killed then.
	Check() vm.Termination
	// Left is how much of its CPU time the job may still use by the host's clock,
	// 0 for none. A guest whose own clock says none is told: it takes the time
	// that others have its cores for its own.
	Left() time.Duration
}

// Run runs the job while control watches it. When the guest is lost, the
// outcome holds what is known and the error is a *LostError.
func (h *Host) Run(ctx context.Context, job vm.Job, control Control) (vm.Outcome, error) {
	r := &hostRun{Host: h, job: job, control: control}
	if job.SideOut != "" {
		r.results = newUnpacker(&job)
	}
	out, err := r.run(ctx)
	if r.results != nil {
		if failure := r.results.finish(); err == nil {
			err = failure
		}
	}
	return out, err
}

// hostRun is one job as the host sees it.
type hostRun struct {
	*Host
	job     vm.Job
	control Control
	results *unpacker
	started time.Time
	over    time.Time // when the first frame came that says that the job has ended
	beat    Beat
	curve   vm.Sampler // of the beats, for a job whose end the guest does not report
	asked   int        // how often whether the limit of CPU time is reached
	bytes   int64
	stopped bool
	failure error // of a writer of the job
}

func (r *hostRun) run(ctx context.Context) (vm.Outcome, error) {
	message := jobMessage{r.job.Command, r.job.Env, r.job.Limits, r.job.SideOut != "", r.job.SideLimit}
	if err := r.say(kindJob, message); err != nil {
		return vm.Outcome{}, err
	}
	var deadline time.Time // of the whole run, once it is known
	wake := context.AfterFunc(ctx, func() { r.conn.SetReadDeadline(time.Unix(1, 0)) })
	defer wake()
	for {
		if (ctx.Err() != nil || r.failure != nil) && !r.stopped {
			r.stopped = true
			if err := r.say(kindStop, struct{}{}); err != nil {
				return r.sofar(""), err
			}
			deadline = earliest(deadline, time.Now().Add(r.Grace))
		}
		if err := r.conn.SetReadDeadline(earliest(deadline, time.Now().Add(r.Silence))); err != nil {
			return r.lost(ctx, err, deadline)
		}
		if ctx.Err() != nil && !r.stopped {
			continue // it ended in between
		}
		f, err := r.in.next()
		if err != nil {
			if ctx.Err() != nil && !r.stopped {
				continue
			}
			return r.lost(ctx, err, deadline)
		}
		if (f.kind == kindStarted) != r.started.IsZero() {
			return r.sofar(""), f.unexpected()
		}
		switch f.kind {
		case kindStarted:
			r.started = time.Now()
			if limit := r.job.Limits.WallTime; limit > 0 {
				deadline = earliest(deadline, r.started.Add(limit+r.Grace))
			}
		case kindStdout, kindStderr:
			if !r.over.IsZero() {
				return r.sofar(""), f.unexpected()
			}
			to := r.job.Stdout
			if f.kind == kindStderr {
				to = r.job.Stderr
			}
			if !r.pass(to, f.body) {
				return r.sofar(vm.TooMuchOut), nil
			}
		case kindResults:
			r.end()
			if r.results != nil && r.failure == nil {
				_, r.failure = r.results.Write(f.body)
			}
		case kindBeat:
			if err := f.decode(&r.beat); err != nil {
				return r.sofar(""), err
			}
			if r.beat.CPUTime < 0 || r.beat.Memory < 0 {
				r.beat = Beat{}
				return r.sofar(""), errors.New("the guest reports negative figures while the job runs")
			}
			r.curve.Add(vm.Sample{At: vm.Took(time.Since(r.started)), CPU: vm.Took(r.beat.CPUTime), Memory: r.beat.Memory})
			if why := r.control.Check(); why != "" {
				return r.sofar(why), nil
			}
		case kindAtLimit:
			if err := r.say(kindMore, moreMessage{r.left()}); err != nil {
				return r.sofar(""), err
			}
		case kindEnded:
			r.end()
			return r.ended(ctx, f)
		default:
			return r.sofar(""), f.unexpected()
		}
	}
}

// end notes when the host heard that the job has ended.
func (r *hostRun) end() {
	if r.over.IsZero() {
		r.over = time.Now()
	}
}

// maxAsked is how often a guest may ask at its limit. Where its clock is ten times
// as fast as the host's it asks fifty times.
const maxAsked = 1000

// left is what a guest is told that asks whether the limit of CPU time is reached.
func (r *hostRun) left() time.Duration {
	if r.asked++; r.asked > maxAsked {
		return 0
	}
	return max(r.control.Left(), 0)
}

// earliest takes the zero time for never.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// pass returns output to a writer, and no more of it than allowed: it reports whether all of
// it was.
func (r *hostRun) pass(to io.Writer, b []byte) bool {
	all := int64(len(b))
	if limit := r.job.Limits.Output; limit > 0 {
		b = b[:min(all, limit-r.bytes)]
	}
	r.bytes += int64(len(b))
	if to != nil && len(b) > 0 && r.failure == nil {
		if _, err := to.Write(b); err != nil {
			r.failure = fmt.Errorf("pass on what the job prints: %w", err)
		}
	}
	return int64(len(b)) == all
}

// lost says what a guest's silence means: past the deadline of wall time the
// job is out of time, whatever the guest does.
func (r *hostRun) lost(ctx context.Context, err error, deadline time.Time) (vm.Outcome, error) {
	switch {
	case r.failure != nil:
		return r.sofar(""), r.failure
	case ctx.Err() != nil:
		return r.sofar(""), ctx.Err()
	case isTimeout(err) && !deadline.IsZero() && !time.Now().Before(deadline):
		out := r.sofar(vm.OutOfTime)
		out.Warnings = append(out.Warnings, "The guest did not end the job at its limit of wall time, so the host did.")
		return out, nil
	}
	return r.sofar(""), &LostError{err}
}

func isTimeout(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}

// sofar is what is known of a job whose end the guest does not report.
func (r *hostRun) sofar(why vm.Termination) vm.Outcome {
	out := vm.Outcome{Termination: why, Started: r.started, CPUTime: vm.Took(r.beat.CPUTime), UserTime: vm.Took(r.beat.CPUTime), MemoryPeak: r.beat.Memory,
		OutputBytes: r.bytes, Measured: "guest:cgroup2"}
	if !r.started.IsZero() {
		out.WallTime = vm.Took(time.Since(r.started))
		out.Curve = r.curve.End(vm.Sample{At: out.WallTime, CPU: out.CPUTime})
	}
	const lastSign = "The guest did not report the end of the job, so what is said of %s is that of its last sign of life."
	out.Distrust(vm.Times, fmt.Sprintf(lastSign, "CPU time"))
	out.Distrust(vm.Memory, fmt.Sprintf(lastSign, "memory"))
	return out
}

// terminations that a guest can report.
var terminations = map[vm.Termination]bool{vm.Exited: true, vm.Signalled: true, vm.OutOfCPU: true, vm.OutOfTime: true, vm.OutOfMem: true,
	vm.TooMuchOut: true, vm.DiskFull: true}

// Limits of what a guest may say about a job.
const (
	maxWarnings = 20
	maxWarning  = 2000 // bytes
	maxWord     = 20   // bytes
)

// ended takes the guest's report.
func (r *hostRun) ended(ctx context.Context, f frame) (vm.Outcome, error) {
	var m endedMessage
	if err := f.decode(&m); err != nil {
		return r.sofar(""), err
	}
	if !terminations[m.Outcome.Termination] && !m.Cancelled {
		return r.sofar(""), fmt.Errorf("the guest reports the end %q", m.Outcome.Termination)
	}
	out, err := r.figures(m)
	if err != nil {
		return r.sofar(""), err
	}
	switch {
	case r.failure != nil:
		return out, r.failure
	case m.Cancelled && ctx.Err() == nil:
		return out, errors.New("the guest says that we stopped the job, which we did not")
	}
	return out, ctx.Err()
}

// wallSlack is by how much the times at which a host hears of a start and of an end may be
// late: a hundredth of the time between them and 100 ms.
func wallSlack(t time.Duration) time.Duration { return t/100 + 100*time.Millisecond }

// wallTime returns the wall time of a job by the host's clock. Within the bounds of that the
// guest's own clock is more exact.
func (r *hostRun) wallTime(said time.Duration) time.Duration {
	seen := r.over.Sub(r.started)
	return min(max(said, seen-wallSlack(seen)), seen+wallSlack(seen))
}

// figures takes from a report what a guest is asked for, and no more of it than
// fits into a record.
func (r *hostRun) figures(m endedMessage) (vm.Outcome, error) {
	said := m.Outcome
	if min(int64(said.CPUTime), int64(said.WallTime), int64(said.UserTime), int64(said.SystemTime), said.MemoryPeak) < 0 {
		return vm.Outcome{}, fmt.Errorf("the guest reports negative figures: %+v", said)
	}
	for _, text := range append([]string{said.Measured}, said.Warnings...) {
		if strings.ContainsFunc(text, unicode.IsControl) || !utf8.ValidString(text) {
			return vm.Outcome{}, fmt.Errorf("the guest reports a text that cannot be shown: %q", cut(text, maxWarning))
		}
	}
	out := vm.Outcome{Termination: said.Termination, ExitCode: said.ExitCode, Signal: said.Signal,
		Started: r.started.Add(min(max(m.Delay, 0), time.Since(r.started))),
		CPUTime: said.CPUTime, UserTime: said.UserTime, SystemTime: said.SystemTime, WallTime: vm.Took(r.wallTime(said.WallTime.Duration())),
		MemoryPeak: said.MemoryPeak, OutputBytes: r.bytes, Measured: "guest:" + cut(said.Measured, maxWord)}
	if t := out.WallTime.Duration(); said.Curve.Length() <= t+wallSlack(t) { // else it goes on after the end
		out.Curve = said.Curve
	}
	for _, f := range []vm.Figure{vm.Times, vm.Memory} {
		if !said.Measures(f) {
			out.Unmeasured = append(out.Unmeasured, f)
		}
	}
	for _, w := range said.Warnings[:min(len(said.Warnings), maxWarnings)] {
		out.Warnings = append(out.Warnings, cut(w, maxWarning))
	}
	return out, nil
}

// cut returns the beginning of a text, whole characters of it.
func cut(text string, most int) string { return strings.ToValidUTF8(text[:min(len(text), most)], "") }
