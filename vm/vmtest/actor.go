//go:build linux

package vmtest

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// actorWord as first argument makes a program an actor.
const actorWord = "vmtest-actor"

// Act turns the process into an actor when its arguments ask for one, and does
// not return then.
func Act() {
	if len(os.Args) < 3 || os.Args[1] != actorWord {
		return
	}
	if err := act(os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "actor:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// act plays one role.
func act(role string, args []string) error {
	n := make([]int, len(args))
	for i, a := range args {
		n[i], _ = strconv.Atoi(a)
	}
	switch role {
	case "burn": // THREADS MILLISECONDS
		return reportCPU(func() error { return burn(n[0], time.Duration(n[1])*time.Millisecond) })
	case "fork": // CHILDREN MILLISECONDS, at the same time
		return reportCPU(func() error { return children(n[0], n[0], "burn", "1", args[1]) })
	case "short": // CHILDREN MILLISECONDS, one after the other
		return reportCPU(func() error { return children(n[0], 1, "burn", "1", args[1]) })
	case "sampled": // ROLE ARGUMENTS
		return sampled(args...)
	case "touch": // MEGABYTES
		// Long enough for those who have to look at it.
		defer time.Sleep(200 * time.Millisecond)
		return touch(n[0] << 20)
	case "hold": // MEGABYTES, until standard input ends
		if err := touch(n[0] << 20); err != nil {
			return err
		}
		fmt.Println("holding")
		_, err := io.Copy(io.Discard, os.Stdin)
		return err
	case "touchfork": // CHILDREN MEGABYTES, all at the same time
		return holders(n[0], args[1])
	case "hog":
		return hog()
	case "spawn": // CHILDREN
		return spawn(n[0])
	case "dial": // NETWORK ADDRESS
		return dial(args[0], args[1])
	case "terminal":
		return terminals()
	case "keep": // NAME
		return keep(args[0])
	case "recall": // NAME
		return recall(args[0])
	case "attack": // NAME
		return playAttack(args[0])
	case "hold-attacks":
		return playHold()
	case "burn-word":
		return burnWord()
	case "burn-orphan":
		return burnOrphan()
	case "look":
		return playLook()
	case "refusals":
		return playRefusals()
	case "noise": // BYTES SEED
		return noise(os.Stdout, n[0], uint64(n[1]))
	}
	return fmt.Errorf("unknown role %q", role)
}

// reportCPU prints the CPU time of this process and of the children it waited
// for, as the kernel tells it: the truth that a driver's figure is held against.
func reportCPU(play func() error) error {
	if err := play(); err != nil {
		return err
	}
	var sum int64
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			return err
		}
		sum += u.Utime.Nano() + u.Stime.Nano()
	}
	_, err := fmt.Printf("cpu %d\n", sum)
	return err
}

// burn keeps several threads busy until this process has used exactly d for
// each of them.
func burn(threads int, d time.Duration) error {
	var all sync.WaitGroup
	for range threads {
		all.Go(func() {
			runtime.LockOSThread()
			for processTime() < time.Duration(threads)*d {
			}
		})
	}
	all.Wait()
	return nil
}

// processTime is the CPU time of all threads of this process.
func processTime() time.Duration {
	const clockProcessCPUTime = 2
	var ts syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockProcessCPUTime, uintptr(unsafe.Pointer(&ts)), 0)
	return time.Duration(ts.Nano())
}

// children runs actors, so many at a time.
func children(count, atOnce int, role ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	places := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	failures := make(chan error, count)
	for range count {
		places <- struct{}{}
		all.Go(func() {
			if err := exec.Command(self, append([]string{actorWord}, role...)...).Run(); err != nil {
				failures <- err
			}
			<-places
		})
	}
	all.Wait()
	close(failures)
	return <-failures
}

// holders starts children that touch memory, and lets go when all have it.
func holders(count int, megabytes string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var all []*exec.Cmd
	var ends []io.Closer
	for range count {
		cmd := exec.Command(self, actorWord, "hold", megabytes)
		stdin, err1 := cmd.StdinPipe()
		stdout, err2 := cmd.StdoutPipe()
		if err := errors.Join(err1, err2, cmd.Start()); err != nil {
			return err
		}
		all, ends = append(all, cmd), append(ends, stdin)
		defer cmd.Wait()
		if _, err := io.ReadFull(stdout, make([]byte, len("holding\n"))); err != nil {
			return err
		}
	}
	for i, cmd := range all {
		if err := errors.Join(ends[i].Close(), cmd.Wait()); err != nil {
			return err
		}
	}
	return nil
}

// touch writes to so many bytes of new memory, and keeps it.
func touch(bytes int) error {
	lockProgram()
	if bytes > 0 {
		m, err := syscall.Mmap(-1, 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			return err
		}
		for i := 0; i < len(m); i += os.Getpagesize() {
			m[i] = 1
		}
	}
	return nil
}

// lockProgram keeps the program in memory, if the kernel allows it. At a limit of memory, the
// kernel would rather take the pages of the program away and read them again, over and over,
// than end it.
func lockProgram() {
	self, err := os.Executable()
	if err != nil {
		return
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		var mode string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode); err == nil && mode[1] == '-' && strings.HasSuffix(line, self+"\n") {
			// Without it, an attack takes longer.
			_, _, _ = syscall.Syscall(syscall.SYS_MLOCK, from, to-from, 0)
		}
	}
}

// hog takes memory for ever, as fast as it can be had.
func hog() error {
	lockProgram()
	for {
		m, err := syscall.Mmap(-1, 0, 16<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			return err
		}
		if err := syscall.Madvise(m, syscall.MADV_HUGEPAGE); err != nil {
			return err
		}
		for i := 0; i < len(m); i += os.Getpagesize() {
			m[i] = 1
		}
	}
}

// spawn starts children that wait, and prints how many there were.
func spawn(count int) error {
	started := 0
	for range count {
		if exec.Command("/bin/sleep", "60").Start() == nil {
			started++
		}
	}
	_, err := fmt.Println("started", started)
	return err
}

// dial prints whether somebody answers.
func dial(network, address string) error {
	c, err := net.DialTimeout(network, address, 2*time.Second)
	if err != nil {
		fmt.Println("nobody")
		return nil
	}
	fmt.Println("connected")
	return c.Close()
}

// terminals opens pseudo terminals until there are no more, and types into the first.
func terminals() error {
	for n := range 100 {
		master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
		if err != nil {
			fmt.Println(n, "and no more")
			return nil
		}
		if n > 0 {
			continue // it stays open
		}
		number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
		if err == nil {
			err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
		}
		name := fmt.Sprintf("/dev/pts/%d", number)
		slave, err2 := os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if _, err := slave.WriteString("typed\n"); err != nil {
			return err
		}
		line := make([]byte, 100)
		read, err := master.Read(line)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %s\n", name, line[:read])
	}
	return nil
}

// userKeys is the user's key ring of the kernel.
const userKeys = ^uintptr(3)

// keep tries to leave a word in the kernel, for whoever has the same user.
func keep(name string) error {
	kind, err := syscall.BytePtrFromString("user")
	if err != nil {
		return err
	}
	key, err := syscall.BytePtrFromString(name)
	if err != nil {
		return err
	}
	syscall.Syscall6(syscall.SYS_ADD_KEY, uintptr(unsafe.Pointer(kind)), uintptr(unsafe.Pointer(key)), uintptr(unsafe.Pointer(key)), 1, userKeys, 0)
	return nil
}

// recall prints whether the word is there.
func recall(name string) error {
	kind, err := syscall.BytePtrFromString("user")
	if err != nil {
		return err
	}
	key, err := syscall.BytePtrFromString(name)
	if err != nil {
		return err
	}
	const search = 10
	_, _, e := syscall.Syscall6(syscall.SYS_KEYCTL, search, userKeys, uintptr(unsafe.Pointer(kind)), uintptr(unsafe.Pointer(key)), 0, 0)
	if e == 0 {
		fmt.Println("remembered")
		return nil
	}
	fmt.Println("nothing")
	return nil
}

// noise prints reproducible bytes of all values.
func noise(w io.Writer, bytes int, seed uint64) error {
	source := rand.NewChaCha8([32]byte{byte(seed)})
	_, err := io.CopyN(w, source, int64(bytes))
	return err
}
