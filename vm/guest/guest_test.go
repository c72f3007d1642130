//go:build linux

package guest

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"podium/vm"
	"podium/vm/sandbox"
	"podium/vm/vmtest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// pipeDriver makes machines of an agent in this process, a wire, and a host: all
// of a virtual machine but the machine.
type pipeDriver struct{}

func (pipeDriver) Probe(ctx context.Context) (vm.Capabilities, error) {
	opening.Lock()
	defer opening.Unlock()
	d, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		return vm.Capabilities{}, err
	}
	defer d.Close()
	return d.Probe(ctx)
}

func (pipeDriver) Close() error { return nil }

var opening sync.Mutex

func (pipeDriver) Boot(ctx context.Context, spec vm.Spec) (vm.Machine, error) {
	ours, theirs := net.Pipe()
	m := &pipeMachine{conn: ours, host: NewHost(ours), control: &scriptedControl{}}
	m.agent.Go(func() {
		defer theirs.Close()
		m.failure = serve(theirs, Hello{}, func() time.Duration { return 0 }, func(s Setup, host toHost) (*place, error) {
			// A guest has one driver; here they must not look around at the same
			// time.
			opening.Lock()
			defer opening.Unlock()
			d, err := sandbox.Open(sandbox.Options{Results: host.result, AtLimit: host.atLimit})
			return &place{driver: d, spec: spec}, err
		})
	})
	_, err := m.host.Hello(ctx)
	if err == nil {
		_, err = m.host.Setup(ctx, Setup{Name: spec.Name})
	}
	if err != nil {
		return nil, &vm.BootError{Err: errors.Join(err, m.Close())}
	}
	return m, nil
}

type pipeMachine struct {
	conn    net.Conn
	host    *Host
	agent   sync.WaitGroup
	failure error
	used    bool
	control Control
}

func (m *pipeMachine) Exec(ctx context.Context, job vm.Job) (vm.Outcome, error) {
	if m.used || len(job.Command) == 0 {
		return vm.Outcome{}, errors.New("no job, or no machine for it")
	}
	m.used = true
	return m.host.Run(ctx, job, m.control)
}

func (m *pipeMachine) Close() error {
	err := m.conn.Close()
	m.agent.Wait()
	return err
}

// TestConformance runs the suite over the wire.
func TestConformance(t *testing.T) {
	c, err := pipeDriver{}.Probe(t.Context())
	if err != nil {
		t.Skip(err)
	}
	// Agents of real guests have a kernel each; here they share one, and its users.
	o := vmtest.Options{Lacks: []vmtest.Need{vmtest.OwnUser}}
	if c.Measured == "rlimit" {
		o.Lacks = append(o.Lacks, vmtest.ExactMemory)
	}
	vmtest.TestDriver(t, func(*testing.T) vm.Driver { return pipeDriver{} }, o)
}

// deafPort is a port whose host leaves without a word while the guest writes to it:
// reads end, and a write waits until the port is closed.
type deafPort struct {
	writing, closed chan struct{}
	once            sync.Once
}

func (p *deafPort) Read([]byte) (int, error) { <-p.writing; return 0, io.EOF }

func (p *deafPort) Write([]byte) (int, error) {
	p.once.Do(func() { close(p.writing) })
	<-p.closed
	return 0, os.ErrClosed
}

func (p *deafPort) Close() error { close(p.closed); return nil }

// TestHostLeavesDuringWrite: a guest that waits to write ends when its host is gone.
func TestHostLeavesDuringWrite(t *testing.T) {
	port := &deafPort{writing: make(chan struct{}), closed: make(chan struct{})}
	if err := serve(port, Hello{}, func() time.Duration { return 0 }, nil); !errors.Is(err, os.ErrClosed) {
		t.Fatalf("the agent ended with %v", err)
	}
}

// brief is what a host waits for a guest that is silent on purpose: long enough for
// one that a busy computer lets wait.
const brief = 3 * time.Second

// scripted is a host with a guest that sends given frames, then stays silent or
// leaves.
func scripted(t *testing.T, leave bool, frames ...func(*writer) error) *Host {
	ours, theirs := net.Pipe()
	t.Cleanup(func() { ours.Close(); theirs.Close() })
	go io.Copy(io.Discard, theirs)
	go func() {
		w := newWriter(theirs)
		for _, send := range frames {
			if send(w) != nil {
				return
			}
		}
		if leave {
			theirs.Close()
		}
	}()
	return NewHost(ours)
}

func TestHostBelievesNothing(t *testing.T) {
	frame := func(k kind, body string) func(*writer) error {
		return func(w *writer) error { return w.send(k, []byte(body)) }
	}
	started, beat := frame(kindStarted, ""), frame(kindBeat, `{"CPUTime":5,"Memory":7}`)
	out := frame(kindStdout, "answer\n")
	for _, c := range []struct {
		name   string
		leave  bool
		frames []func(*writer) error
		limits vm.Limits
		end    vm.Termination
		err    string
	}{
		{"silence", false, []func(*writer) error{started, out}, vm.Limits{}, "", "lost"},
		{"leaves", true, []func(*writer) error{started, out, beat}, vm.Limits{}, "", "lost"},
		{"late", false, []func(*writer) error{started, out, beat}, vm.Limits{WallTime: brief}, vm.OutOfTime, ""},
		{"failure", false, []func(*writer) error{started, out, frame(kindFailed, `{"Error":"no disk"}`)}, vm.Limits{}, "", "no disk"},
		{"unknown end", false, []func(*writer) error{started, out, frame(kindEnded, `{"Outcome":{"termination":"won"}}`)}, vm.Limits{}, "", `"won"`},
		{"negative figures", false, []func(*writer) error{started, out, frame(kindEnded, `{"Outcome":{"termination":"exited","cpu_us":-1}}`)}, vm.Limits{}, "", "negative"},
		{"negative figures of a running job", false, []func(*writer) error{started, out, frame(kindBeat, `{"CPUTime":-1}`)}, vm.Limits{}, "", "negative"},
		{"cancelled by nobody", false, []func(*writer) error{started, out, frame(kindEnded, `{"Cancelled":true}`)}, vm.Limits{}, "", "did not"},
		{"no message", false, []func(*writer) error{started, out, frame(kindEnded, `{`)}, vm.Limits{}, "", "kind"},
		{"asks for ever", false, slices.Concat([]func(*writer) error{started, out}, slices.Repeat([]func(*writer) error{frame(kindAtLimit, "{}")}, 2*maxAsked), []func(*writer) error{frame(kindEnded, `{"Outcome":{"termination":"cputime","measured_by":"cgroup2"}}`)}), vm.Limits{}, vm.OutOfCPU, ""},
		{"asks with rubbish", false, []func(*writer) error{started, out, frame(kindMore, "")}, vm.Limits{}, "", "kind"},
		{"wrong order", false, []func(*writer) error{started, out, frame(kindHello, `{}`)}, vm.Limits{}, "", "kind"},
		{"starts again", false, []func(*writer) error{started, out, started}, vm.Limits{}, "", "kind"},
		{"output after results", false, []func(*writer) error{started, out, frame(kindResults, ""), out}, vm.Limits{}, "", "kind"},
		{"control characters", false, []func(*writer) error{started, out, frame(kindEnded, `{"Outcome":{"termination":"exited","warnings":["\u001b[2J"]}}`)}, vm.Limits{}, "", "cannot be shown"},
		{"control characters in a word", false, []func(*writer) error{started, out, frame(kindEnded, `{"Outcome":{"termination":"exited","measured_by":"a\r\nb"}}`)}, vm.Limits{}, "", "cannot be shown"},
		{"half a character", false, []func(*writer) error{started, out, frame(kindEnded, `{"Outcome":{"termination":"exited","measured_by":"cgroup2","warnings":["`+strings.Repeat("a", maxWarning-1)+`ä"]}}`)}, vm.Limits{}, vm.Exited, ""},
		{"a curve that is none", false, []func(*writer) error{started, out, frame(kindEnded, `{"Outcome":{"termination":"exited","curve":"AQIA"}}`)}, vm.Limits{}, "", "curve of a run"},
		{"endless output", false, slices.Concat([]func(*writer) error{started}, slices.Repeat([]func(*writer) error{out}, 1000)), vm.Limits{Output: 7}, vm.TooMuchOut, ""},
		{"too much output", false, []func(*writer) error{started, out, out, frame(kindEnded, `{"Outcome":{"termination":"exited","measured_by":"cgroup2"}}`)}, vm.Limits{Output: 7}, vm.TooMuchOut, ""},
		{"a good end", false, []func(*writer) error{started, beat, out, frame(kindEnded, `{"Outcome":{"termination":"exited","exit_code":3,"measured_by":"cgroup2"}}`)}, vm.Limits{}, vm.Exited, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			host := scripted(t, c.leave, c.frames...)
			switch c.name {
			case "silence":
				host.Silence = brief
			case "late":
				host.Grace = 100 * time.Millisecond
			}
			var stdout bytes.Buffer
			got, err := host.Run(t.Context(), vm.Job{Command: []string{"x"}, Limits: c.limits, Stdout: &stdout}, &scriptedControl{})
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("err = %v", err)
			}
			if err == nil && (got.Termination != c.end || got.Measured != "guest:cgroup2") {
				t.Errorf("%+v", got)
			}
			for _, text := range append(got.Warnings, got.Measured) {
				if !utf8.ValidString(text) {
					t.Errorf("a text is cut within a character: %q", text)
				}
			}
			if stdout.String() != "answer\n" || got.OutputBytes != 7 {
				t.Errorf("printed %q, %d bytes", &stdout, got.OutputBytes)
			}
		})
	}
}

// TestCurves: a curve comes from the guest, unless it goes on after the end; that of a job whose end
// no guest reports is made of its signs of life.
func TestCurves(t *testing.T) {
	start := func(w *writer) error { return w.send(kindStarted, nil) }
	good := vm.Curve{{Memory: 1 << 10}, {At: 1 << 8, CPU: 1 << 7, Memory: 1 << 12}}
	for _, c := range []vm.Curve{nil, good, {{}, {At: 1 << 59}}} {
		h := scripted(t, false, start, func(w *writer) error {
			return w.say(kindEnded, endedMessage{Outcome: vm.Outcome{Termination: vm.Exited, WallTime: 1 << 8, Curve: c}})
		})
		out, err := h.Run(t.Context(), vm.Job{Command: []string{"x"}}, &scriptedControl{})
		if want := slices.Equal(c, good); err != nil || slices.Equal(out.Curve, good) != want || !want && len(out.Curve) > 0 {
			t.Errorf("of %v came %v, %v", c, out.Curve, err)
		}
	}
	h := scripted(t, true, start, func(w *writer) error { return w.say(kindBeat, Beat{CPUTime: 5 * time.Microsecond, Memory: 7}) })
	out, _ := h.Run(t.Context(), vm.Job{Command: []string{"x"}}, &scriptedControl{})
	if n := len(out.Curve); n == 0 || out.Curve[n-1] != (vm.Sample{At: out.WallTime, CPU: 5, Memory: 7}) {
		t.Errorf("of a lost guest came %v", out.Curve)
	}
}

// TestHostLimit ends a job that the host sees exceed a limit.
func TestHostLimit(t *testing.T) {
	beat := func(w *writer) error { return w.say(kindBeat, Beat{CPUTime: 9 * time.Microsecond}) }
	h := scripted(t, false, func(w *writer) error { return w.send(kindStarted, nil) }, beat)
	got, err := h.Run(t.Context(), vm.Job{Command: []string{"x"}}, &scriptedControl{why: vm.OutOfCPU})
	if err != nil || got.Termination != vm.OutOfCPU || got.CPUTime != 9 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestHostDecidesLimit lets a job go on at its limit for as long as the host says
// that its CPU time is not used up; and a job that ends by itself beyond the limit.
func TestHostDecidesLimit(t *testing.T) {
	const limit, more = 200 * time.Millisecond, 100 * time.Millisecond
	tool := t.TempDir()
	if err := os.WriteFile(filepath.Join(tool, "BenchKit_head.sh"), []byte("#!/bin/sh\necho answer\nwhile :; do :; done\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, left := range [][]time.Duration{nil, {more}, {more, 2 * more}} {
		m, err := pipeDriver{}.Boot(t.Context(), vm.Spec{Name: "limit", Cores: 1, Tool: tool})
		if err != nil {
			t.Skip(err)
		}
		want := limit
		for _, l := range left {
			want += l
		}
		control := &scriptedControl{left: left}
		m.(*pipeMachine).control = control
		out, err := m.Exec(t.Context(), vm.Job{Command: []string{"BenchKit_head.sh"}, Limits: vm.Limits{CPUTime: limit, WallTime: 5 * time.Minute}})
		if err != nil || out.Termination != vm.OutOfCPU || out.CPUTime.Duration() < want || len(control.left) > 0 {
			t.Errorf("with %v left: %+v, %v", left, out, err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestStart: the job started when the guest says so, but not before it was
// announced, nor in the future.
func TestStart(t *testing.T) {
	for _, delay := range []time.Duration{-time.Hour, 0, time.Nanosecond, time.Hour} {
		end := func(w *writer) error {
			return w.say(kindEnded, endedMessage{Outcome: vm.Outcome{Termination: vm.Exited}, Delay: delay})
		}
		h := scripted(t, false, func(w *writer) error { return w.send(kindStarted, nil) }, end)
		began := time.Now()
		out, err := h.Run(t.Context(), vm.Job{Command: []string{"x"}}, &scriptedControl{})
		if err != nil || out.Started.Before(began) || out.Started.After(time.Now()) {
			t.Errorf("delay %v: between %v and %v it started at %v, %v", delay, began, time.Now(), out.Started, err)
		}
	}
}

// TestNothingBeforeTheStart: a guest that has not announced a start has nothing to say but that
// it failed. An end without a start would have figures of no time at all.
func TestNothingBeforeTheStart(t *testing.T) {
	for k := kindHello; k < kindEnd; k++ {
		if k == kindStarted {
			continue
		}
		h := scripted(t, false, func(w *writer) error {
			return w.send(k, []byte(`{"Outcome":{"termination":"exited"},"Delay":4611686018427387904}`))
		})
		if out, err := h.Run(t.Context(), vm.Job{Command: []string{"x"}}, &scriptedControl{}); err == nil || !out.Started.IsZero() || out.WallTime != 0 {
			t.Errorf("kind %d: %+v, %v", k, out, err)
		}
	}
}

// TestWallTime: the host's clock bounds what a guest says of the time that a job took, and a
// guest may take its time with the results.
func TestWallTime(t *testing.T) {
	for _, said := range []time.Duration{0, time.Microsecond, time.Hour, 1<<63 - 1} {
		const job = 300 * time.Millisecond
		ours, theirs := net.Pipe()
		var heard time.Time // when the host has certainly heard of the end
		go func() {
			w, r := newWriter(theirs), reader{from: theirs}
			_, _ = r.next() // the job
			_ = w.send(kindStarted, nil)
			time.Sleep(job)
			_ = errors.Join(w.send(kindResults, nil), w.say(kindAtLimit, Beat{}))
			_, _ = r.next() // the answer
			heard = time.Now()
			time.Sleep(2 * job)
			_ = w.say(kindEnded, endedMessage{Outcome: vm.Outcome{Termination: vm.Exited, WallTime: vm.Took(said)}})
		}()
		began := time.Now()
		out, err := NewHost(ours).Run(t.Context(), vm.Job{Command: []string{"x"}}, &scriptedControl{})
		most := heard.Sub(began)
		if err != nil || out.WallTime.Duration() < job-wallSlack(job) || out.WallTime.Duration() > most+wallSlack(most) {
			t.Errorf("said %v, seen %v: %v, %v", said, most, out.WallTime, err)
		}
		if err := errors.Join(ours.Close(), theirs.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestBootFails tells what the guest says.
func TestBootFails(t *testing.T) {
	h := scripted(t, false, func(w *writer) error { return w.say(kindFailed, failedMessage{"load kernel module virtio: no"}) })
	if _, err := h.Hello(t.Context()); err == nil || !strings.Contains(err.Error(), "in the guest: load kernel module") {
		t.Errorf("err = %v", err)
	}
	h = scripted(t, false, func(w *writer) error { return w.say(kindReady, Ready{}) })
	if _, err := h.Hello(t.Context()); err == nil || !strings.Contains(err.Error(), "kind") {
		t.Errorf("err = %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := scripted(t, false).Hello(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
}
