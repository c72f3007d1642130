//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sys/unix"

	"podium/vm"
	"podium/vm/guest"
)

const (
	lookPause     = 100 * time.Millisecond // between looks at the figures
	statePause    = time.Second            // and at the machine
	drainQuiet    = time.Second            // how long nothing comes of what was printed before the end
	drainPatience = 5 * time.Second        // and how long it may come at all
	loginPatience = 30 * time.Second       // for a machine that broke its connection
	fetchPatience = time.Minute            // for what the job left
)

// sshJob is one job in a machine that boots its own system.
type sshJob struct {
	*machine
	job     vm.Job
	control *control
	out     vm.Outcome
	curve   vm.Sampler // of the machine's process, as the host sees it
	sink    sink
	channel ssh.Channel
	ended   chan ending // closed without an ending when the connection broke
	copied  chan struct{}
}

// ending is how a system says that a command ended.
type ending struct {
	code   int
	signal string // without SIG, "" for none
}

// runBySSH runs the job. The machine does not live longer than it, so that
// nothing is left of what it started.
func (m *machine) runBySSH(ctx context.Context, job vm.Job, c *control) (vm.Outcome, error) {
	r := newSSHJob(m, job, c)
	err := r.run(ctx)
	if lost := (*guest.LostError)(nil); errors.As(err, &lost) {
		switch {
		case errors.Is(err, errOff):
			r.warn("The disk's system switched its machine off, or restarted it.")
			r.out.Termination, err = vm.Panicked, nil
		case m.panicked() || errors.Is(err, errPanic):
			r.out.Termination, err = vm.Panicked, nil
		default:
			err = fmt.Errorf("machine %s: %w; console: %s", m.spec.Name, err, m.screen())
		}
	}
	if err == nil && r.out.Termination != vm.Panicked && job.SideOut != "" {
		err = r.fetch(ctx)
	}
	m.kill()
	return r.out, err
}

func newSSHJob(m *machine, job vm.Job, c *control) *sshJob {
	return &sshJob{machine: m, job: job, control: c, out: vm.Outcome{Measured: vm.ByHost, Started: m.system.given},
		sink:  sink{limit: job.Limits.Output, full: make(chan struct{}), failed: make(chan struct{})},
		ended: make(chan ending, 1), copied: make(chan struct{})}
}

// measure takes the figures of the machine's process.
func (r *sshJob) measure() {
	r.control.read()
	cpu := vm.Took(r.control.used.cpu)
	r.out.CPUTime, r.out.HostCPUTime, r.out.UserTime = cpu, cpu, cpu
	r.out.MemoryPeak, r.out.HostMemoryPeak = r.control.memory, r.control.memory
}

// run runs the job to its end or to its first exceeded limit.
func (r *sshJob) run(ctx context.Context) error {
	command := shellCommand(r.job)
	if len(command) > maxCommand {
		return fmt.Errorf("the command with its environment has %d bytes, of which %d can be sent by ssh", len(command), maxCommand)
	}
	channel, requests, err := r.system.client.OpenChannel("session", nil)
	if err != nil {
		return r.broken(ctx)
	}
	defer channel.Close()
	r.channel = channel
	go r.listen(requests)
	go r.copy()
	stop := context.AfterFunc(ctx, func() { r.system.client.Close() })
	if taken, err := channel.SendRequest("exec", true, ssh.Marshal(struct{ Command string }{command})); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return r.broken(ctx)
	} else if !taken {
		r.out.Termination, r.out.ExitCode = vm.Exited, 126
		r.warn("The disk's system does not run commands by ssh.")
		return nil
	}
	stop()
	err = r.await(ctx)
	over := time.Now()
	if err == nil {
		r.drain()
	}
	// What is printed is not over before its last byte, whatever the system says.
	if last := r.sink.heard(); last.After(over) {
		over = last
	}
	r.out.WallTime = vm.Took(over.Sub(r.out.Started))
	r.measure()
	r.out.Curve = r.curve.End(vm.Sample{At: r.out.WallTime, CPU: r.out.CPUTime, Memory: r.out.MemoryPeak})
	r.sink.mu.Lock()
	defer r.sink.mu.Unlock()
	r.sink.shut = true
	r.out.OutputBytes = r.sink.bytes
	if r.sink.failure != nil {
		return fmt.Errorf("pass on what the job prints: %w", r.sink.failure)
	}
	return err
}

// listen hears how the command ended.
func (r *sshJob) listen(requests <-chan *ssh.Request) {
	defer close(r.ended)
	said := false
	for q := range requests {
		var e ending
		var err error
		switch q.Type {
		case "exit-status":
			var m struct{ Status uint32 }
			err = ssh.Unmarshal(q.Payload, &m)
			e.code = int(m.Status & 0xff)
		case "exit-signal":
			var m struct {
				Signal     string
				CoreDumped bool
				Error      string
				Lang       string
			}
			err = ssh.Unmarshal(q.Payload, &m)
			e.signal = m.Signal
		default:
			err = errors.New("no end")
		}
		if err == nil && !said {
			said = true
			r.ended <- e
		}
		if q.WantReply {
			// A reply that does not get through is for a connection that is gone.
			_ = q.Reply(err == nil, nil)
		}
	}
}

// copy passes on what is printed.
func (r *sshJob) copy() {
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(&stream{&r.sink, r.job.Stdout}, r.channel) })
	both.Go(func() { _, _ = io.Copy(&stream{&r.sink, r.job.Stderr}, r.channel.Stderr()) })
	both.Wait()
	close(r.copied)
}

// await waits for the end of the command or a limit, and says which in the
// outcome.
func (r *sshJob) await(ctx context.Context) error {
	var timeUp <-chan time.Time
	if limit := r.job.Limits.WallTime; limit > 0 {
		timeUp = time.After(time.Until(r.out.Started.Add(limit)))
	}
	before := diskUse(r.system.overlay())
	look, state := time.NewTicker(lookPause), time.NewTicker(statePause)
	defer look.Stop()
	defer state.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-r.sink.failed:
			return nil // the sink knows why
		case <-r.sink.full:
			return r.end(vm.TooMuchOut)
		case <-timeUp:
			return r.end(vm.OutOfTime)
		case e, said := <-r.ended:
			if said {
				return r.exited(e)
			}
			return r.broken(ctx)
		case <-look.C:
			r.control.read()
			r.curve.Add(vm.Sample{At: vm.Took(time.Since(r.out.Started)), CPU: vm.Took(r.control.used.cpu), Memory: r.control.memory})
			if limit := r.job.Limits.CPUTime; limit > 0 && r.control.used.cpu >= limit {
				return r.end(vm.OutOfCPU)
			}
		case <-state.C:
			if limit := r.job.Limits.Disk; limit > 0 && diskUse(r.system.overlay())-before > limit {
				return r.end(vm.DiskFull)
			}
			if why := r.hopeless(); errors.Is(why, syscall.ENOSPC) {
				return why
			} else if why != nil {
				return &guest.LostError{Err: why}
			}
		}
	}
}

// end ends the command for a reason.
func (r *sshJob) end(why vm.Termination) error {
	r.out.Termination = why
	// A system that does not know the request is ended with its machine.
	_, _ = r.channel.SendRequest("signal", false, ssh.Marshal(struct{ Signal string }{"KILL"}))
	return nil
}

// exited takes the end that the system reports.
func (r *sshJob) exited(e ending) error {
	r.out.Termination, r.out.ExitCode = vm.Exited, e.code
	switch {
	case e.signal != "":
		r.out.Termination, r.out.ExitCode, r.out.Signal = vm.Signalled, 0, int(unix.SignalNum("SIG"+e.signal))
	case e.code == 126 || e.code == 127:
		r.warn(fmt.Sprintf("The exit code is %d, as of a command that cannot be started: %s.", e.code, r.job.Command[0]))
	}
	// The machine has the memory of the run; its kernel ends what needs more.
	if r.out.Termination == vm.Signalled || e.code != 0 {
		if strings.Contains(r.screen(), "Out of memory: Kill") {
			r.out.Termination, r.out.ExitCode, r.out.Signal = vm.OutOfMem, 0, 0
		}
	}
	return nil
}

// broken finds out why there is no connection any more. Who lets us in again
// lives, and the tool has killed whom it spoke through: all processes of its user
// are its to kill. So are those of a system of its own that lives and no longer
// answers; it gets no other try for that.
func (r *sshJob) broken(ctx context.Context) error {
	lost := &guest.LostError{Err: errors.New("its ssh connection broke")}
	if r.panicked() {
		return lost
	}
	timed, cancel := context.WithTimeout(ctx, loginPatience)
	defer cancel()
	client, err := r.login(timed)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if gone := r.hopeless(); gone != nil {
			return &guest.LostError{Err: errors.Join(lost.Err, gone)}
		}
		r.warn(fmt.Sprintf("The disk's system no longer answers by ssh: %s.", oneLine(err)))
	} else {
		r.system.client.Close()
		r.system.client = client
		r.warn("The tool killed the ssh that it ran in.")
	}
	r.out.Termination, r.out.Signal = vm.Signalled, int(unix.SIGKILL)
	return nil
}

func (r *sshJob) warn(sentence string) { r.out.Warnings = append(r.out.Warnings, sentence) }

// drain waits for what was printed before the end and is still under way.
func (r *sshJob) drain() {
	for began := time.Now(); time.Since(began) < drainPatience; time.Sleep(10 * time.Millisecond) {
		select {
		case <-r.copied:
			return
		case <-r.sink.full:
			return
		default:
		}
		if quiet := time.Since(r.sink.heard()); quiet > drainQuiet && time.Since(began) > drainQuiet {
			return
		}
	}
}

// fetch copies what the job left for its SideOut.
func (r *sshJob) fetch(ctx context.Context) error {
	timed, cancel := context.WithTimeout(ctx, fetchPatience)
	defer cancel()
	results, err := vm.OpenResults(&r.job)
	if err != nil {
		return err
	}
	defer results.Close()
	from, to := io.Pipe()
	go func() { to.CloseWithError(r.system.command(timed, findResults(results.Limit()), nil, to)) }()
	err = results.AddTar(from)
	from.Close()
	r.out.Warnings = append(r.out.Warnings, results.Warnings()...)
	return errors.Join(ctx.Err(), err)
}

// findResults asks for an archive of what a bound allows, at most; large files
// would take their time. A directory that the tool made a link is not followed.
func findResults(bound vm.SideLimit) string {
	where := fmt.Sprintf("cd %s && test ! -h %s && cd %[2]s && find . -type f", vm.Home, path.Base(vm.ResultDir))
	if bound.Suffix != "" {
		where += " -name " + quoted("*"+bound.Suffix)
	}
	if bound.Bytes > 0 {
		where += fmt.Sprintf(" ! -size +%dc", bound.Bytes)
	}
	return where + " -exec tar -cf - {} +"
}

// sink is where both streams of a job go, one write at a time.
type sink struct {
	mu      sync.Mutex
	limit   int64 // 0 for none
	bytes   int64
	over    sync.Once
	last    time.Time
	full    chan struct{} // closed when there is more
	failed  chan struct{} // closed at the failure
	failure error         // of a writer of the job
	shut    bool          // the job has ended
}

// heard is when something was printed last.
func (s *sink) heard() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// stream is one of the streams.
type stream struct {
	*sink
	to io.Writer
}

// errFull ends the copying of what is not wanted any more.
var errFull = errors.New("no more output is wanted")

func (s *stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shut || s.failure != nil {
		return 0, errFull
	}
	n := len(b)
	if s.limit > 0 && int64(n) > s.limit-s.bytes {
		b = b[:s.limit-s.bytes]
		s.over.Do(func() { close(s.full) })
	}
	s.last = time.Now()
	s.bytes += int64(len(b))
	if s.to != nil && len(b) > 0 {
		if _, s.failure = s.to.Write(b); s.failure != nil {
			close(s.failed)
		}
	}
	return n, nil
}

// diskUse is what a file takes of its disk, in bytes.
func diskUse(file string) int64 {
	var st unix.Stat_t
	if unix.Stat(file, &st) != nil {
		return 0
	}
	return st.Blocks * 512
}

// maxCommand is how long a command may be that ssh servers take in one packet:
// 32768 bytes are what all of them must (RFC 4253, 6.1).
const maxCommand = 32_000

// shellCommand is what the user's shell is asked for. Systems have their own
// search path.
func shellCommand(job vm.Job) string {
	program := job.Command[0]
	if !path.IsAbs(program) {
		program = path.Join(vm.ToolDir, program)
	}
	own := false
	for _, e := range job.Env {
		own = own || strings.HasPrefix(e, "PATH=")
	}
	words := []string{"cd", vm.InstanceDir, "&&", "exec", "env"}
	for _, e := range vm.Environment(job.Env) {
		if own || !strings.HasPrefix(e, "PATH=") {
			words = append(words, quoted(e))
		}
	}
	// Where the ssh server made the pipe as root, or it is a socket, the user cannot open it.
	words = append(words, `"BK_LOG_FILE=$([ -w /dev/stderr ] && [ ! -S /dev/stderr ] && echo /dev/stderr || echo `+vm.ResultDir+`/log)"`)
	if !own {
		words = append(words, `PATH="`+vm.ToolPath+`:$PATH"`)
	}
	// A shell gives a script without #! to itself.
	words = append(words, `"$(command -v bash || echo sh)"`, "-c", `'exec "$0" "$@"'`, quoted(program))
	for _, a := range job.Command[1:] {
		words = append(words, quoted(a))
	}
	return strings.Join(append(words, "<", "/dev/null"), " ")
}

// quoted is a word as every shell takes it.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
