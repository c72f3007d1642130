//go:build linux

package vmtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"podium/vm"
)

// attack is something that a tool does in order to cheat or to do harm: a name
// in the table of docs/lab/machines.md and a case of the suite.
//
// The tool's part, try, is played by the actor inside of a machine. It gives the
// error that it met, nil where the kernel let it do what it wanted.
type attack struct {
	name   string // what is tried; letters, digits and spaces for the most part, no '|'
	driver string // whom it concerns: everyDriver, the sandbox, or machines
	needs  []Need
	try    func() error
	ends   ending
}

// The drivers of an attack, as the page says them.
const (
	everyDriver  = "all"
	sandboxOnly  = "sandbox" // where runs share the kernel of the host
	machinesOnly = "libvirt"
)

// ending is how an attack must end.
type ending interface {
	// String is what the page says.
	String() string
	// check plays the attack and looks at what became of it.
	check(b *bench, a attack)
}

// attacks are those of all groups, in the order of the page.
func attacks() []attack {
	return slices.Concat(callAttacks, boundAttacks, memoryAttacks, measureAttacks, viewAttacks, channelAttacks, resultAttacks)
}

// attackCases makes cases of them. Those that are refused share one machine for
// each driver, and those that are not to be noticed two: to boot one may take a
// second.
func attackCases() []testCase {
	var cases []testCase
	for _, a := range attacks() {
		if a.driver == sandboxOnly {
			a.needs = append(slices.Clone(a.needs), SharedKernel)
		}
		cases = append(cases, testCase{"attack/" + a.name, a.needs, func(b *bench) {
			if a.driver == machinesOnly && !slices.Contains(b.options.Lacks, SharedKernel) {
				b.Skip("not here: a kernel of the machine's own")
			}
			a.ends.check(b, a)
		}})
	}
	return cases
}

// playAttack is the role of the actor that does what an attack tries.
func playAttack(name string) error {
	all := attacks()
	i := slices.IndexFunc(all, func(a attack) bool { return a.name == name })
	if i < 0 {
		return fmt.Errorf("unknown attack %q", name)
	}
	fmt.Println(nameOf(all[i].try()))
	return nil
}

// nameOf says what a call met.
func nameOf(err error) string {
	var e syscall.Errno
	switch {
	case err == nil:
		return "done"
	case errors.As(err, &e):
		return unix.ErrnoName(e)
	}
	return err.Error()
}

// refused is the ending of a call that the machine does not allow: it fails with
// this error.
type refused syscall.Errno

func (e refused) String() string { return "refused: " + unix.ErrnoName(syscall.Errno(e)) }

func (e refused) check(b *bench, a attack) {
	got, want := b.refusals()[a.name], unix.ErrnoName(syscall.Errno(e))
	if got == want {
		return
	}
	if strings.Contains(a.name, "32-bit program") && !slices.Contains(b.options.Lacks, SharedKernel) && !takes32() {
		b.Skip("not here: the kernel takes no calls of 32-bit programs, from nobody")
	}
	b.Errorf("it met %q, not %s", got, want)
}

// takes32 reports whether the kernel of this host takes the calls of 32-bit programs: some
// kernels answer each of them with a fault.
func takes32() (takes bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			takes = false
		}
	}()
	const getpid = 20
	return call32(getpid, 0, 0, 0) == nil
}

// impossible is the ending of an attack that needs something that no machine has.
type impossible struct{}

// errNotThere is what such an attack finds.
var errNotThere = errors.New("what it needs is not there")

func (impossible) String() string { return "not possible: " + errNotThere.Error() }

func (impossible) check(b *bench, a attack) {
	r := b.do(limited(actor("attack", a.name), vm.Limits{WallTime: time.Minute}))
	b.wantOut(r, errNotThere.Error()+"\n")
}

// refusals are the answers to all attacks that are to be refused.
func (b *bench) refusals() map[string]string {
	b.answers.once.Do(func() {
		r := b.do(limited(actor("refusals"), vm.Limits{WallTime: 5 * time.Minute}))
		b.answers.of = answersIn(r.stdout)
		b.wantExit(r, 0)
	})
	return b.answers.of
}

// answers are what attacks met that share a machine, by name.
type answers struct {
	once sync.Once
	of   map[string]string // those that are to be refused

	hearing     sync.Once
	held, found map[string]string // those that are not to be heard, and what another run found
}

// answersIn reads what was met, a line an attack.
func answersIn(text string) map[string]string {
	of := map[string]string{}
	for line := range strings.Lines(text) {
		name, answer, _ := strings.Cut(strings.TrimSpace(line), ": ")
		of[name] = answer
	}
	return of
}

// playRefusals plays every attack that is to be refused, each in a process of
// its own, which may die of it.
func playRefusals() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, a := range attacks() {
		if _, ok := a.ends.(refused); !ok {
			continue
		}
		out, err := exec.Command(self, actorWord, "attack", a.name).CombinedOutput()
		fmt.Printf("%s: %s", a.name, out)
		if err != nil {
			fmt.Println(err)
		}
	}
	return nil
}

// The memory that attacks try to hold, and the limit that they do it under.
const (
	spoils     = 400 << 20
	spoilLimit = 48 << 20
)

// recorded is the ending of an attack that holds memory: either it ends by its
// limit, or the kernel gives no more, or what is recorded is at least what was
// held, within 5 %. A run whose memory is not measured says so.
type recorded struct{}

func (recorded) String() string { return "recorded as memory, ended at the limit" }

func (recorded) check(b *bench, a attack) {
	job := limited(actor("attack", a.name), vm.Limits{Memory: spoilLimit, Processes: 200, WallTime: 2 * time.Minute})
	r := b.do(job)
	var held int64
	for line := range strings.Lines(r.stdout) {
		fmt.Sscanf(line, "held %d\n", &held)
	}
	b.Logf("%d bytes were held, %d recorded (%v), ended by %s", held, r.MemoryPeak, r.Unmeasured, r.Termination)
	switch {
	case held == 0 && r.Termination == vm.Exited:
		b.Errorf("nothing was held: printed %q, stderr %q", r.stdout, r.stderr)
	case r.Measures(vm.Memory) && r.Termination != vm.OutOfMem && r.MemoryPeak < held-held/20:
		b.Errorf("%d bytes were held and %d recorded; %+v", held, r.MemoryPeak, r.Outcome)
	}
}

// hold repeats a step that takes memory, until it fails or has what attacks want,
// and says how much it has. A step gives the bytes that it took.
func hold(step func() (int, error)) error {
	lockProgram()
	held, said := 0, 0
	defer func() { fmt.Println("held", held) }()
	for held < spoils {
		n, err := step()
		held += n
		if held-said >= 1<<20 {
			said = held
			fmt.Println("held", held)
		}
		if err != nil {
			return err
		}
		if n == 0 {
			return nil
		}
	}
	// Long enough for those who have to look at it.
	time.Sleep(200 * time.Millisecond)
	return nil
}
