package guest

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"podium/vm"
)

// errHostGone ends a conversation that the host left.
var errHostGone = errors.New("the host is gone")

// place is where a job runs: a driver for its machine, and what to ask it for.
type place struct {
	driver vm.Driver
	spec   vm.Spec
	usage  func() Beat // of the running job, nil where it is not known
	steps  []Event     // of its making
}

// toHost is what the place of a run needs of its host.
type toHost struct {
	result  func(name string, size int64, from io.Reader) error // takes a file that the job leaves
	atLimit func(used time.Duration) time.Duration              // as sandbox.Options.AtLimit
}

// agent is the guest's side of the conversation.
type agent struct {
	out     *writer
	orders  chan order
	prepare func(Setup, toHost) (*place, error)
	clock   func() time.Duration // since the guest's kernel started
	steps   []Event
	results *tar.Writer
	asking  sync.Mutex
	more    chan time.Duration // answers of the host
	job     context.Context    // of the running job
}

// order is a frame of the host.
type order struct {
	kind  kind
	setup Setup
	job   jobMessage
	more  moreMessage
	err   error
}

// serve talks to a host until the job has ended or the host is gone. Prepare
// makes the place of the run.
func serve(port io.ReadWriteCloser, hello Hello, clock func() time.Duration, prepare func(Setup, toHost) (*place, error)) error {
	a := &agent{out: newWriter(port), orders: make(chan order, 8), more: make(chan time.Duration, 1), prepare: prepare, clock: clock}
	go a.listen(port)
	err := a.out.say(kindHello, hello)
	if err == nil {
		err = a.converse()
	}
	if err != nil && !errors.Is(err, errHostGone) {
		err = errors.Join(err, a.out.say(kindFailed, failedMessage{err.Error()}))
	}
	// The host ends the guest; a guest that ended by itself could take the last
	// frames with it.
	for o := range a.orders {
		if o.err != nil {
			break
		}
	}
	return err
}

// step notes what has just been done.
func (a *agent) step(what string) { a.steps = append(a.steps, Event{what, a.clock()}) }

// listen decodes the orders of the host. A host that sends no frame is none. When the
// host is gone the port is closed: a guest's kernel lets whoever writes to a port
// without a host wait for ever.
func (a *agent) listen(port io.ReadCloser) {
	in := reader{from: port}
	for {
		f, err := in.next()
		o := order{kind: f.kind, err: err}
		if err == nil {
			switch f.kind {
			case kindSetup:
				o.err = f.decode(&o.setup)
			case kindJob:
				o.err = f.decode(&o.job)
			case kindMore:
				o.err = f.decode(&o.more)
			case kindStop:
			default:
				o.err = fmt.Errorf("the host sent a frame of kind %d", f.kind)
			}
		} else {
			o.err = fmt.Errorf("%w: %w", errHostGone, errors.Join(err, port.Close()))
		}
		a.orders <- o
		if o.err != nil {
			close(a.orders)
			return
		}
	}
}

// await takes the next order, which must be of a kind.
func (a *agent) await(want kind) (order, error) {
	o, ok := <-a.orders
	switch {
	case !ok:
		return o, errHostGone
	case o.err != nil:
		return o, o.err
	case o.kind == kindStop:
		return o, errHostGone
	case o.kind != want:
		return o, fmt.Errorf("the host sent a frame of kind %d, not %d", o.kind, want)
	}
	return o, nil
}

func (a *agent) converse() error {
	o, err := a.await(kindSetup)
	if err != nil {
		return err
	}
	a.step("setup received")
	if o.setup.Export {
		if err := exportDisk(o.setup, stream{a.out, kindResults}); err != nil {
			return err
		}
		return a.out.say(kindEnded, endedMessage{})
	}
	p, err := a.prepare(o.setup, toHost{a.takeResult, a.atLimit})
	if err != nil {
		return err
	}
	defer p.driver.Close()
	a.steps = append(a.steps, p.steps...)
	machine, err := p.driver.Boot(context.Background(), p.spec)
	if err != nil {
		return err
	}
	defer machine.Close()
	a.step("ready")
	if err := a.out.say(kindReady, Ready{a.steps}); err != nil {
		return err
	}
	if o, err = a.await(kindJob); err != nil {
		return err
	}
	return a.run(machine, p, o.job)
}

// run does the job and reports.
func (a *agent) run(machine vm.Machine, p *place, message jobMessage) error {
	job := vm.Job{Command: message.Command, Env: message.Env, Limits: message.Limits,
		Stdout: stream{a.out, kindStdout}, Stderr: stream{a.out, kindStderr}}
	if message.Results {
		job.SideOut, job.SideLimit = "the host", message.Bound
		a.results = tar.NewWriter(stream{a.out, kindResults})
	}
	if err := a.out.send(kindStarted, nil); err != nil {
		return err
	}
	announced := time.Now()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	a.job = ctx
	go a.obey(cancel)
	go a.beat(ctx, p.usage)
	out, err := machine.Exec(ctx, job)
	cancelled := ctx.Err() != nil
	if cause := context.Cause(ctx); cancelled && cause != context.Canceled {
		return cause
	}
	if err != nil && !cancelled {
		return err
	}
	cancel(nil)
	if a.results != nil {
		if err := a.results.Close(); err != nil {
			return err
		}
	}
	return a.out.say(kindEnded, endedMessage{out, out.Started.Sub(announced), cancelled})
}

// obey takes what the host says while the job runs: how it goes on at its limit of
// CPU time, or that it is to stop. A host that is gone stops it, too.
func (a *agent) obey(cancel context.CancelCauseFunc) {
	for {
		select {
		case <-a.job.Done():
			return
		case o := <-a.orders:
			switch {
			case o.err != nil:
				cancel(o.err)
			case o.kind != kindMore:
				cancel(context.Canceled)
			default:
				select {
				case a.more <- o.more.CPUTime:
				case <-a.job.Done():
				}
			}
		}
	}
}

// atLimit asks the host how much longer the job may go on.
func (a *agent) atLimit(used time.Duration) time.Duration {
	a.asking.Lock()
	defer a.asking.Unlock()
	if a.out.say(kindAtLimit, Beat{CPUTime: used}) != nil {
		return 0
	}
	select {
	case left := <-a.more:
		return left
	case <-a.job.Done():
		return 0
	}
}

// beatPause is the time between two signs of life.
const beatPause = time.Second

// beat tells the host that the guest lives.
func (a *agent) beat(ctx context.Context, usage func() Beat) {
	tick := time.NewTicker(beatPause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			var b Beat
			if usage != nil {
				b = usage()
			}
			if a.out.say(kindBeat, b) != nil {
				return
			}
		}
	}
}

// takeResult sends a file that the job left.
func (a *agent) takeResult(name string, size int64, from io.Reader) error {
	if err := a.results.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644}); err != nil {
		return err
	}
	_, err := io.CopyN(a.results, from, size)
	return err
}
