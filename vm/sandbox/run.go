//go:build linux

package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"podium/vm"
	"podium/vm/sandbox/maker"
)

// killPatience is how long processes may take to die.
const killPatience = 10 * time.Second

// run is one job in a machine.
type run struct {
	*machine
	job        vm.Job
	meter      meter
	oomEvent   *os.File
	warnings   []string
	output     *output
	overlocked bool           // it held too many locks on files
	reason     vm.Termination // the limit that we ended the job for, "" for none
}

// limit sets the limits that the kernel enforces.
func (r *run) limit() error {
	l, g := r.job.Limits, r.group
	r.meter = r.newMeter()
	if l.Memory > 0 && g.memory.known() {
		swap, err := g.limitMemory(l.Memory)
		if err != nil {
			return fmt.Errorf("limit memory to %d bytes: %w", l.Memory, err)
		}
		r.warn(swap)
	}
	if l.Processes > 0 && g.processes.known() {
		if err := g.limitProcesses(l.Processes); err != nil {
			return fmt.Errorf("limit processes to %d: %w", l.Processes, err)
		}
	}
	if len(r.spec.CPUs) > 0 && g.cores.known() {
		if err := g.pin(r.spec.CPUs, r.spec.Nodes); err != nil {
			return fmt.Errorf("pin to cores %v and memory of nodes %v: %w", r.spec.CPUs, r.spec.Nodes, err)
		}
	}
	return r.describeJob()
}

// limitDisk allows what the job may write beyond what is there.
func (r *run) limitDisk() error {
	if r.job.Limits.Disk == 0 {
		return nil
	}
	var st unix.Statfs_t
	if err := unix.Statfs(r.path("/"), &st); err != nil {
		return fmt.Errorf("limit the private file system: %w", err)
	}
	r.order.Disk = int(st.Blocks-st.Bfree)*int(st.Bsize) + int(r.job.Limits.Disk)
	return nil
}

// warn keeps a sentence for the outcome.
func (r *run) warn(sentence string) {
	if sentence != "" {
		r.warnings = append(r.warnings, sentence)
	}
}

// do runs the job and returns what became of it.
func (r *run) do(ctx context.Context) (vm.Outcome, error) {
	var err error
	if r.oomEvent, err = r.group.watchMemory(); err != nil {
		return vm.Outcome{}, fmt.Errorf("watch memory: %w", err)
	}
	if r.oomEvent != nil {
		defer r.oomEvent.Close()
	}
	r.output = newOutput(r.job)
	var readers sync.WaitGroup
	readers.Go(func() { r.output.copy(r.job.Stdout, r.stdout) })
	readers.Go(func() { r.output.copy(r.job.Stderr, r.stderr) })

	started := time.Now()
	if err := maker.Send(r.orders, &r.order); err != nil {
		return vm.Outcome{}, r.abandon(&readers, fmt.Errorf("start the job: %w", err))
	}
	end, err := r.await(ctx)
	if err != nil {
		return vm.Outcome{}, r.abandon(&readers, err)
	}
	// Every process is dead, so that the pipes end.
	readers.Wait()
	if err := r.output.err; err != nil {
		return vm.Outcome{}, fmt.Errorf("pass on what the job prints: %w", err)
	}
	out, err := r.outcome(started, end)
	if err == nil && r.job.SideOut != "" {
		err = r.copyResults()
	}
	out.Warnings = append(out.Warnings, r.warnings...)
	if err == nil {
		err = ctx.Err()
	}
	// The rest of the machine dies while the outcome is looked at.
	r.kill()
	return out, err
}

// abandon ends a machine whose run failed by our fault.
func (r *run) abandon(readers *sync.WaitGroup, err error) error {
	r.kill()
	deadline := time.Now().Add(killPatience)
	err = errors.Join(err, r.stdout.SetReadDeadline(deadline), r.stderr.SetReadDeadline(deadline))
	readers.Wait()
	return err
}

// ending is what the maker reported.
type ending struct {
	maker.End
	command error // why the command could not be executed
}

// await watches the limits until the job has ended. It returns an error when
// the machine failed, but not when ctx ends: then the job is killed.
func (r *run) await(ctx context.Context) (ending, error) {
	limits := r.job.Limits
	type report struct {
		ending
		err error
	}
	reports, begun := make(chan report, 1), make(chan struct{})
	go func() {
		e, err := r.readEnding(begun)
		reports <- report{e, err}
	}()
	oom := make(chan struct{})
	if r.oomEvent != nil {
		go func() {
			var count [8]byte
			if _, err := r.oomEvent.Read(count[:]); err == nil {
				close(oom)
			}
		}()
	}
	locks := make(chan struct{})
	watching, enough := context.WithCancel(ctx)
	defer enough()
	go r.watchLocks(watching, locks)
	wall, sample := newTimer(), newTimer()
	defer wall.Stop()
	defer sample.Stop()
	patience := time.NewTimer(bootPatience)
	defer patience.Stop()

	stopped := false
	stop := func(why vm.Termination) {
		if r.reason == "" {
			r.reason = why
		}
		if !stopped {
			stopped = true
			// An error means that the maker is gone, and the job with it.
			_ = maker.Send(r.orders, &maker.Stop{})
			patience.Reset(killPatience)
		}
	}
	more := make(chan time.Duration, 1) // another limit of CPU time, 0 for none
	done, over, failed := ctx.Done(), r.output.over, r.output.failed
	for {
		select {
		case rep := <-reports:
			return rep.ending, rep.err
		case <-begun:
			begun, r.meter.began = nil, time.Now()
			if limits.WallTime > 0 {
				wall.Reset(limits.WallTime)
			}
			sample.Reset(0)
			if !stopped {
				patience.Stop()
			}
		case <-done:
			done = nil
			stop(canceled)
		case <-wall.C:
			stop(vm.OutOfTime)
		case <-oom:
			oom = nil
			stop(vm.OutOfMem)
		case <-locks:
			locks, r.overlocked = nil, true
			r.warn(fmt.Sprintf("The job held more than %d locks on files, which are memory of the kernel that nobody counts.", lockLimit))
			stop(vm.OutOfMem)
		case <-over:
			over = nil
			stop(vm.TooMuchOut)
		case <-failed:
			failed = nil
			stop(canceled)
		case <-sample.C:
			used, err := r.meter.read()
			if err != nil {
				return ending{}, err
			}
			switch why := r.meter.exceeds(limits, used); {
			case why == vm.OutOfCPU && !stopped:
				go func() { more <- r.moreTime(used.cpu) }()
			case why != "":
				stop(why)
			case !stopped:
				sample.Reset(r.meter.next(limits, used))
			}
		case limit := <-more:
			if limit == 0 {
				stop(vm.OutOfCPU)
			} else if limits.CPUTime = limit; !stopped {
				sample.Reset(0)
			}
		case <-patience.C:
			return ending{}, fmt.Errorf("machine %s: its maker %d did not start or end the job in time", r.spec.Name, r.pid)
		}
	}
}

// moreTime returns another limit of CPU time to a job that has reached its own, 0 if
// that is the end.
func (r *run) moreTime(used time.Duration) time.Duration {
	if ask := r.driver.options.AtLimit; ask != nil {
		if left := ask(used); left > 0 {
			return used + left
		}
	}
	return 0
}

// canceled is the reason of an end that is nobody's limit.
const canceled vm.Termination = "canceled"

// newTimer returns a timer that is not started.
func newTimer() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// readEnding reads the reports to the last: that the job starts, which closes
// begun; perhaps that the command cannot be executed; and the end.
func (r *run) readEnding(begun chan<- struct{}) (ending, error) {
	var e ending
	for {
		var report maker.Report
		if err := maker.Receive(r.status, &report); err != nil {
			return e, cmp.Or(e.command, fmt.Errorf("machine %s died under the job: %w", r.spec.Name, err))
		}
		switch report.Event {
		case maker.Started:
			close(begun)
		case maker.Ended:
			e.End = report.End
			return e, nil
		default:
			e.command = report.Err()
		}
	}
}

// output passes on what a job prints.
type output struct {
	limit  int64
	over   chan struct{} // closed when the limit is exceeded
	failed chan struct{} // closed when a writer failed

	mu    sync.Mutex
	bytes int64
	err   error
}

func newOutput(job vm.Job) *output {
	return &output{limit: job.Limits.Output, over: make(chan struct{}), failed: make(chan struct{})}
}

// copy reads to the end, but passes on no more than the limit.
func (o *output) copy(to io.Writer, from *os.File) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		o.pass(to, buffer[:n])
		if err != nil {
			return
		}
	}
}

func (o *output) pass(to io.Writer, b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.limit > 0 && o.bytes+int64(len(b)) > o.limit {
		b = b[:o.limit-o.bytes]
		closeOnce(o.over)
	}
	o.bytes += int64(len(b))
	if to == nil || len(b) == 0 || o.err != nil {
		return
	}
	if _, err := to.Write(b); err != nil {
		o.err = err
		closeOnce(o.failed)
	}
}

// closeOnce closes a channel that only holders of the lock close.
func closeOnce(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// commandFailed tells the errors of execve that are the tool's fault.
func commandFailed(err error) bool {
	var f *maker.Failure
	return errors.As(err, &f) && (f.Step == maker.StepExecute || f.Step == maker.StepShell) && f.Errno != syscall.ENOMEM
}
