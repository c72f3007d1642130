package guest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"podium/vm"
)

// PortName is the name of the serial port of the wire.
const PortName = "org.podium.agent"

// kind is what a frame says.
type kind uint8

const (
	kindHello kind = iota + 1
	kindSetup
	kindReady
	kindJob
	kindStop
	kindStarted
	kindStdout
	kindStderr
	kindBeat
	kindResults
	kindEnded
	kindFailed
	kindAtLimit
	kindMore
	kindEnd // the first number that is no kind
)

// A frame on the wire is a header and so many bytes:
//
//	0   kind
//	1   three bytes "pod": a frame without them is an error
//	4   number of bytes that follow, little endian
//	8   nanoseconds since the sender began, little endian
const headerSize = 16

var headerMark = [3]byte{'p', 'o', 'd'}

// Limits of frames in bytes.
const (
	maxData    = 64 << 10 // output and results
	maxMessage = 4 << 20  // everything else: commands and environments may be long
)

// frame is one piece of the conversation.
type frame struct {
	kind kind
	at   time.Duration // since the sender began
	body []byte        // valid until the next frame is read
}

// limit is the size that a kind may have.
func (k kind) limit() uint32 {
	switch k {
	case kindStdout, kindStderr, kindResults:
		return maxData
	}
	return maxMessage
}

// reader reads frames.
type reader struct {
	from io.Reader
	body []byte
}

// next reads a frame; io.EOF is the end between two frames.
func (r *reader) next() (frame, error) {
	var h [headerSize]byte
	if _, err := io.ReadFull(r.from, h[:]); err != nil {
		return frame{}, err
	}
	f := frame{kind: kind(h[0]), at: time.Duration(binary.LittleEndian.Uint64(h[8:]))}
	size := binary.LittleEndian.Uint32(h[4:])
	if [3]byte(h[1:4]) != headerMark || f.kind == 0 || f.kind >= kindEnd {
		return frame{}, fmt.Errorf("the wire carries %x, which is no frame", h)
	}
	if size > f.kind.limit() {
		return frame{}, fmt.Errorf("a frame of kind %d has %d bytes, more than %d", f.kind, size, f.kind.limit())
	}
	if uint32(cap(r.body)) < size {
		r.body = make([]byte, size)
	}
	f.body = r.body[:size]
	if _, err := io.ReadFull(r.from, f.body); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return frame{}, err
	}
	return f, nil
}

// writer writes frames; it may be used by several goroutines.
type writer struct {
	mu    sync.Mutex
	to    io.Writer
	began time.Time
	buf   []byte
}

func newWriter(to io.Writer) *writer { return &writer{to: to, began: time.Now()} }

// send writes one frame at once.
func (w *writer) send(k kind, body []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(body) > int(k.limit()) {
		return fmt.Errorf("a message of kind %d has %d bytes, more than %d", k, len(body), k.limit())
	}
	w.buf = append(w.buf[:0], byte(k), headerMark[0], headerMark[1], headerMark[2])
	w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(len(body)))
	w.buf = binary.LittleEndian.AppendUint64(w.buf, uint64(time.Since(w.began)))
	w.buf = append(w.buf, body...)
	_, err := w.to.Write(w.buf)
	return err
}

// say sends a message.
func (w *writer) say(k kind, message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return w.send(k, body)
}

// stream is a kind of data as an io.Writer.
type stream struct {
	w    *writer
	kind kind
}

func (s stream) Write(p []byte) (int, error) {
	for done := 0; ; {
		n := min(len(p)-done, maxData)
		if n == 0 {
			return done, nil
		}
		if err := s.w.send(s.kind, p[done:done+n]); err != nil {
			return done, err
		}
		done += n
	}
}

// decode reads the message of a frame.
func (f frame) decode(into any) error {
	if err := json.Unmarshal(f.body, into); err != nil {
		return fmt.Errorf("message of kind %d: %w", f.kind, err)
	}
	return nil
}

// Hello is the first frame of the agent.
type Hello struct {
	Uptime   time.Duration // of the guest's kernel
	Timeline []Event
}

// On returns the steps of the boot on the host's clock; now is the host's time at
// the hello.
func (h Hello) On(now time.Duration) []vm.Step { return onClock(h.Timeline, now-h.Uptime) }

func onClock(events []Event, start time.Duration) []vm.Step {
	steps := make([]vm.Step, len(events))
	for i, e := range events {
		steps[i] = vm.Step{What: e.What, At: start + e.At}
	}
	return steps
}

// Event is a step of the boot, in the guest's time since its kernel started.
type Event struct {
	What string
	At   time.Duration
}

// Setup makes a guest the machine of one run.
type Setup struct {
	Name     string
	Memory   int64     // as in vm.Spec
	Writable []string  `json:",omitempty"` // as in vm.Spec
	Time     time.Time // of the host, as the guest's clock may stand still in between
	Entropy  []byte    // seed of the guest's random numbers
	Disks    []Disk
	Export   bool // do not run a job, but send the file system of the one disk
}

// Disk is a read-only disk, by its serial number.
type Disk struct {
	Serial string
	Role   string // RoleTool, RoleInput or RoleBase
	Type   string // of its file system
}

// The roles of disks.
const (
	RoleTool  = "tool"  // holds vm.Spec.Tool
	RoleInput = "input" // holds vm.Spec.Input
	RoleBase  = "base"  // holds the programs that tools see, and perhaps the tool at its usual place
)

// Ready says that the machine of the job is ready.
type Ready struct{ Timeline []Event }

// On returns the steps since hello on the host's clock; now is the host's time at
// the last step, ready.
func (r Ready) On(now time.Duration) []vm.Step {
	if len(r.Timeline) == 0 {
		return nil
	}
	return onClock(r.Timeline, now-r.Timeline[len(r.Timeline)-1].At)
}

// jobMessage is a vm.Job without the host's own part.
type jobMessage struct {
	Command []string
	Env     []string
	Limits  vm.Limits
	Results bool // send what the job leaves
	Bound   vm.SideLimit
}

// Beat is the CPU time and the memory that a running job has used so far.
type Beat struct {
	CPUTime time.Duration
	Memory  int64
}

// moreMessage is the answer to an agent that asks whether the limit of CPU time is
// reached.
type moreMessage struct{ CPUTime time.Duration } // that is left, 0 for none

// endedMessage is what became of a job.
type endedMessage struct {
	Outcome   vm.Outcome
	Delay     time.Duration // from the frame that announced the start to the start
	Cancelled bool          // by a stop of the host
}

// failedMessage is our failure in the guest.
type failedMessage struct{ Error string }
