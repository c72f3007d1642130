//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"podium/vm"
	"podium/vm/guest"
	"podium/vm/guest/image"
	"podium/vm/proc"
)

// systemHead does what the examination says.
const systemHead = `#!/bin/sh
answer() { echo FORMULA $BK_EXAMINATION TRUE TECHNIQUES $(cat ${BK_BIN_PATH}word); }
case $BK_EXAMINATION in
answers)
	answer
	echo "$(cat model.pnml) of $(pwd) by $(id -un)"
	touch here /home/mcc/there /tmp/there ${BK_BIN_PATH}there || echo cannot write
	nc -w 3 $1 $2 < /dev/null && echo reached the host
	echo words >&2
	cat
	truncate -s 1G $BK_RESULT_DIR/large.witness
	mkdir $BK_RESULT_DIR/below; echo deep > $BK_RESULT_DIR/below/c.witness
	echo proof > $BK_RESULT_DIR/a.witness
	echo other > $BK_RESULT_DIR/b.txt
	(sleep 1000 &)
	exit 7 ;;
endless)
	answer
	ls -d here /home/mcc/there /tmp/there ${BK_BIN_PATH}there 2>/dev/null
	trap '' TERM HUP
	sleep 1000 ;;
busy) answer; while :; do :; done ;;
greedy) answer; tail /dev/zero ;;
fills) answer; head -c 30000000 /dev/urandom > big; sync; sleep 1000 ;;
off) answer; touch /tmp/off; sleep 1000 ;;
gone | panic | lonely) rm -r $BK_RESULT_DIR; ln -s /etc $BK_RESULT_DIR; answer; sleep 1000 ;;
esac
`

// TestSystem imports a disk that boots its own system and runs its tool by ssh.
func TestSystem(t *testing.T) {
	t.Parallel()
	for _, need := range []struct{ program, pack string }{{"syslinux", "syslinux"}, {"mformat", "mtools"}, {"dropbear", "dropbear-bin"}, {"mkfs.ext4", "e2fsprogs"}, {"qemu-img", "qemu-utils"}} {
		if _, err := exec.LookPath(need.program); err != nil {
			t.Skipf("SKIPPED, no disk boots its own system: %s is missing (apt-get install %s)", need.program, need.pack)
		}
	}
	b := newBench(t)
	k := &systemMaker{T: t, bench: b, dir: t.TempDir()}
	disk, key := k.disk(systemHead)
	img := filepath.Join(t.TempDir(), "own.img")
	// A boot loader takes seconds to read a kernel from an emulated IDE disk.
	digest, err := b.ImportSystem(t.Context(), disk, image.System{Bus: "virtio", Network: "virtio", User: "mcc", Key: key}, img)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := image.Digest(img); err != nil || again != digest {
		t.Errorf("the image has the digest %s, not %s (%v)", again, digest, err)
	}
	s := systemBench{b, img}

	t.Run("jobs", s.jobs)
	t.Run("full disk of the host", func(t *testing.T) {
		small := t.TempDir()
		if os.Geteuid() != 0 {
			t.Skip("SKIPPED: only root can mount a small file system")
		}
		if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=48m"); err != nil {
			t.Skip("SKIPPED: a small file system cannot be mounted: ", err)
		}
		defer syscall.Unmount(small, syscall.MNT_DETACH)
		store, err := image.OpenStore(small)
		if err != nil {
			t.Fatal(err)
		}
		full := s
		full.Driver = &Driver{options: b.options, name: b.name, dir: b.dir, store: store, conn: b.conn, boot: b.boot, kvm: b.kvm}
		full.machines.Add(1000) // of the same driver, under other names
		m := full.boot(t, 256<<20)
		_, err = m.Exec(t.Context(), vm.Job{Command: []string{"BenchKit_head.sh"}, Env: []string{"BK_EXAMINATION=fills"}, Limits: vm.Limits{WallTime: 10 * time.Minute}})
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("nothing is left", func(t *testing.T) {
		left, err := filepath.Glob(b.store.Path(b.name + "-*"))
		if err != nil || len(left) > 0 {
			t.Errorf("%q, %v", left, err)
		}
		if list := guestProcesses(); len(list) > 0 {
			for pid, name := range list {
				if strings.HasPrefix(name, "podium-"+b.name+"-") {
					t.Errorf("process %d is still there", pid)
				}
			}
		}
	})
}

// jobs are those that end in every way, two at a time.
func (s systemBench) jobs(t *testing.T) {
	t.Run("answers", func(t *testing.T) {
		t.Parallel()
		host, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer host.Close()
		_, port, err := net.SplitHostPort(host.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		m := s.boot(t, 256<<20)
		var out, diag bytes.Buffer
		side := t.TempDir()
		o, err := m.Exec(t.Context(), vm.Job{Command: []string{"BenchKit_head.sh", "10.0.2.2", port}, Env: []string{"BK_EXAMINATION=answers"},
			Limits: vm.Limits{WallTime: 10 * time.Minute, CPUTime: 2 * time.Minute, Disk: 1 << 30, Output: 1 << 20}, Stdout: &out, Stderr: &diag,
			SideOut: side, SideLimit: vm.SideLimit{Suffix: ".witness", Files: 10, Bytes: 1 << 20}})
		if err != nil || o.Termination != vm.Exited || o.ExitCode != 7 || len(o.Warnings) > 0 {
			t.Errorf("%+v, %v", o, err)
		}
		want := "FORMULA answers TRUE TECHNIQUES EXPLICIT\nnet of /home/mcc/execution by mcc\n"
		if out.String() != want || !strings.HasSuffix(diag.String(), "words\n") || o.OutputBytes != int64(out.Len()+diag.Len()) {
			t.Errorf("%q, %q, %d bytes", &out, &diag, o.OutputBytes)
		}
		if o.Measured != vm.ByHost || o.CPUTime <= 0 || o.CPUTime != o.HostCPUTime || o.MemoryPeak < 16<<20 || o.WallTime <= 0 || o.WallTime.Duration() > 10*time.Minute {
			t.Errorf("%+v", o)
		}
		for name, want := range map[string]string{"a.witness": "proof\n", "below/c.witness": "deep\n"} {
			if b, err := os.ReadFile(filepath.Join(side, name)); err != nil || string(b) != want {
				t.Errorf("%s holds %q, %v", name, b, err)
			}
		}
		if files, err := filepath.Glob(side + "/*"); err != nil || len(files) != 2 {
			t.Errorf("%q, %v", files, err)
		}
		if _, err := proc.Find(m.pid); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the machine outlives its job: %v", err)
		}
	})
	t.Run("habits", func(t *testing.T) {
		t.Parallel()
		s.wantHabits(t, vm.Spec{Name: "habits", Image: s.image, Input: s.tool}, habitsSay)
	})
	t.Run("endless", func(t *testing.T) {
		t.Parallel()
		o, out := s.run(t, "endless", vm.Limits{WallTime: 10 * time.Second})
		if o.Termination != vm.OutOfTime || o.WallTime.Duration() < 10*time.Second || o.WallTime.Duration() > 2*time.Minute || out != "FORMULA endless TRUE TECHNIQUES EXPLICIT\n" {
			t.Errorf("%+v, %q", o, out)
		}
	})
	t.Run("busy", func(t *testing.T) {
		t.Parallel()
		o, out := s.run(t, "busy", vm.Limits{WallTime: 10 * time.Minute, CPUTime: time.Second})
		if o.Termination != vm.OutOfCPU || o.CPUTime.Duration() < time.Second || o.CPUTime.Duration() > time.Minute || out != "FORMULA busy TRUE TECHNIQUES EXPLICIT\n" {
			t.Errorf("%+v, %q", o, out)
		}
	})
	t.Run("greedy", func(t *testing.T) {
		t.Parallel()
		o, out := s.run(t, "greedy", vm.Limits{WallTime: 10 * time.Minute})
		if o.Termination != vm.OutOfMem || out != "FORMULA greedy TRUE TECHNIQUES EXPLICIT\n" {
			t.Errorf("%+v, %q", o, out)
		}
	})
	t.Run("its ssh is killed", func(t *testing.T) {
		t.Parallel()
		// It has made the directory of its results a link, too.
		o, out := s.runThen(t, "lonely", vm.Limits{WallTime: 10 * time.Minute}, func(m *machine) error { return m.system.client.Close() })
		if o.Termination != vm.Signalled || o.Signal != 9 || len(o.Warnings) != 2 || out != "FORMULA lonely TRUE TECHNIQUES EXPLICIT\n" {
			t.Errorf("%+v, %q", o, out)
		}
	})
	t.Run("panic", func(t *testing.T) {
		t.Parallel()
		o, out := s.runThen(t, "panic", vm.Limits{WallTime: 10 * time.Minute}, func(m *machine) error {
			stranger := *m.system.System
			stranger.Key = newKey(t)
			config, err := loginConfig(&stranger)
			if err != nil {
				return err
			}
			if _, err := login(t.Context(), m.system.address, config, 0, m.hopeless); !errors.Is(err, errRefused) {
				t.Errorf("with a key of another: %v", err)
			}
			return m.domain.InjectNMI(0)
		})
		if o.Termination != vm.Panicked || out != "FORMULA panic TRUE TECHNIQUES EXPLICIT\n" {
			t.Errorf("%+v, %q", o, out)
		}
	})
	t.Run("switches itself off", func(t *testing.T) {
		t.Parallel()
		o, out := s.run(t, "off", vm.Limits{WallTime: 10 * time.Minute})
		if o.Termination != vm.Panicked || !strings.Contains(strings.Join(o.Warnings, ""), "switched its machine off") || out != "FORMULA off TRUE TECHNIQUES EXPLICIT\n" {
			t.Errorf("%+v, %q", o, out)
		}
	})
	t.Run("its process is killed on the host", func(t *testing.T) {
		t.Parallel()
		m := s.boot(t, 256<<20)
		job := vm.Job{Command: []string{"BenchKit_head.sh"}, Env: []string{"BK_EXAMINATION=gone"}, Stdout: writerFunc(func(b []byte) (int, error) {
			return len(b), syscall.Kill(m.pid, syscall.SIGKILL)
		})}
		if o, err := m.Exec(t.Context(), job); !errors.As(err, new(*guest.LostError)) {
			t.Errorf("%+v, %v", o, err)
		}
	})
	t.Run("disk", func(t *testing.T) {
		t.Parallel()
		o, out := s.run(t, "fills", vm.Limits{WallTime: 10 * time.Minute, Disk: 10 << 20})
		if o.Termination != vm.DiskFull || out != "FORMULA fills TRUE TECHNIQUES EXPLICIT\n" {
			t.Errorf("%+v, %q", o, out)
		}
	})
}

// TestSystemNeverBoots imports disks that start nothing, or nothing that comes to an
// end.
func TestSystemNeverBoots(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, c := range []struct {
		name, start, bus string
		want             []string
	}{
		{"empty", "", "sata", []string{"no boot loader", "No bootable device"}},
		{"stands still", "\xfa\xf4\xeb\xfd", "ide", []string{"not ready in time", "no ssh answered", "Booting from Hard Disk"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sector := make([]byte, 1<<20)
			if copy(sector, c.start) > 0 {
				sector[510], sector[511] = 0x55, 0xaa
			}
			disk, out := filepath.Join(t.TempDir(), "disk"), filepath.Join(t.TempDir(), "out")
			if err := os.WriteFile(disk, sector, 0o644); err != nil {
				t.Fatal(err)
			}
			system := image.System{Bus: c.bus, Network: "e1000", User: "mcc", Key: newKey(t)}
			// A busy machine may not have come to its disk after ten seconds.
			b.options.BootPatience = 10 * time.Second
			_, err := b.ImportSystem(t.Context(), disk, system, out)
			if err != nil && !strings.Contains(err.Error(), c.want[len(c.want)-1]) {
				b.options.BootPatience = time.Minute
				_, err = b.ImportSystem(t.Context(), disk, system, out)
			}
			var wrong *DiskError
			var boot *vm.BootError
			if !errors.As(err, &wrong) || !errors.As(err, &boot) {
				t.Fatalf("err = %v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is missing in: %v", want, err)
				}
			}
			if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the image is there: %v", err)
			}
			if left, err := filepath.Glob(b.store.Path(b.name + "-*")); err != nil || len(left) > 0 {
				t.Errorf("%q, %v", left, err)
			}
		})
	}
}

// systemBench runs the tool of an image that boots its own system.
type systemBench struct {
	bench
	image string
}

func (s systemBench) boot(t *testing.T, memory int64) *machine {
	input := t.TempDir()
	if err := os.WriteFile(filepath.Join(input, "model.pnml"), []byte("net\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := s.start(t.Context(), vm.Spec{Name: "own", Cores: 1, Memory: memory, Image: s.image, Input: input}, s.accelerator())
	if err != nil {
		t.Fatal(err)
	}
	t.Log(m.Timeline())
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func (s systemBench) run(t *testing.T, examination string, limits vm.Limits) (vm.Outcome, string) {
	return s.runThen(t, examination, limits, func(*machine) error { return nil })
}

// runThen runs the tool, and does something to the machine when it has answered.
func (s systemBench) runThen(t *testing.T, examination string, limits vm.Limits, then func(*machine) error) (vm.Outcome, string) {
	m := s.boot(t, 256<<20)
	var out bytes.Buffer
	side := t.TempDir()
	job := vm.Job{Command: []string{"BenchKit_head.sh"}, Env: []string{"BK_EXAMINATION=" + examination}, Limits: limits, SideOut: side, Stdout: writerFunc(func(b []byte) (int, error) {
		if out.Len() == 0 {
			if err := then(m); err != nil {
				t.Error(err)
			}
		}
		return out.Write(b)
	})}
	o, err := m.Exec(t.Context(), job)
	if err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(side); err != nil || len(left) > 0 {
		t.Errorf("the tool left %q, %v", left, err)
	}
	return o, out.String()
}

// newKey is a private key that opens nothing.
func newKey(t *testing.T) string {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(block))
}

// TestSSHJob runs jobs by ssh servers that are not as they should be.
func TestSSHJob(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits vm.Limits
		serve  func(ssh.Channel)
		want   vm.Outcome
		out    string
	}{
		{"output after the end", vm.Limits{}, func(ch ssh.Channel) {
			exitBySSH(ch, 3)
			fmt.Fprint(ch, "late")
			ch.Close()
		}, vm.Outcome{Termination: vm.Exited, ExitCode: 3}, "late"},
		{"the end is said long before the answer", vm.Limits{}, func(ch ssh.Channel) {
			exitBySSH(ch, 0)
			time.Sleep(300 * time.Millisecond)
			fmt.Fprint(ch, "late")
			ch.Close()
		}, vm.Outcome{Termination: vm.Exited, WallTime: vm.Took(300 * time.Millisecond)}, "late"},
		{"somebody holds the output open", vm.Limits{}, func(ch ssh.Channel) {
			fmt.Fprint(ch, "said")
			exitBySSH(ch, 0)
		}, vm.Outcome{Termination: vm.Exited}, "said"},
		{"too much output", vm.Limits{Output: 10}, func(ch ssh.Channel) {
			for {
				if _, err := fmt.Fprint(ch, "0123456"); err != nil {
					return
				}
			}
		}, vm.Outcome{Termination: vm.TooMuchOut}, "0123456012"},
		{"just enough output", vm.Limits{Output: 4}, func(ch ssh.Channel) {
			fmt.Fprint(ch, "said")
			exitBySSH(ch, 0)
			ch.Close()
		}, vm.Outcome{Termination: vm.Exited}, "said"},
		{"signal", vm.Limits{}, func(ch ssh.Channel) {
			m := struct {
				Signal     string
				Core       bool
				Text, Lang string
			}{"SEGV", true, "", ""}
			if _, err := ch.SendRequest("exit-signal", false, ssh.Marshal(m)); err != nil {
				t.Error(err)
			}
			ch.Close()
		}, vm.Outcome{Termination: vm.Signalled, Signal: 11}, ""},
		{"out of time", vm.Limits{WallTime: 50 * time.Millisecond}, func(ch ssh.Channel) { fmt.Fprint(ch, "said") }, vm.Outcome{Termination: vm.OutOfTime}, "said"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			client := newServer(t, c.serve)
			m := &machine{system: &system{client: client, given: time.Now()}, pid: os.Getpid()}
			r := newSSHJob(m, vm.Job{Command: []string{"x"}, Limits: c.limits, Stdout: &out}, &control{pid: os.Getpid()})
			err := r.run(t.Context())
			if err != nil || r.out.Termination != c.want.Termination || r.out.ExitCode != c.want.ExitCode || r.out.Signal != c.want.Signal || r.out.WallTime < c.want.WallTime ||
				out.String() != c.out || r.out.OutputBytes != int64(len(c.out)) {
				t.Errorf("%+v, %v, %q", r.out, err, &out)
			}
		})
	}
}

// TestSSHJobIsOver has somebody print on after the end, for ever: nothing comes when
// the job is over.
func TestSSHJobIsOver(t *testing.T) {
	client := newServer(t, func(ch ssh.Channel) {
		exitBySSH(ch, 0)
		for {
			if _, err := fmt.Fprint(ch, "x"); err != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
	var out bytes.Buffer
	r := newSSHJob(&machine{system: &system{client: client, given: time.Now()}, pid: os.Getpid()}, vm.Job{Command: []string{"x"}, Stdout: &out}, &control{pid: os.Getpid()})
	err := r.run(t.Context())
	said := out.Len()
	if err != nil || r.out.Termination != vm.Exited || r.out.OutputBytes != int64(said) {
		t.Errorf("%+v, %v", r.out, err)
	}
	time.Sleep(200 * time.Millisecond)
	if out.Len() != said {
		t.Errorf("%d bytes came after the job was over", out.Len()-said)
	}
}

// exitBySSH says that the command has ended.
func exitBySSH(ch ssh.Channel, code uint32) {
	// Who does not hear it fails.
	_, _ = ch.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{code}))
}

// newServer serves one command by ssh and returns a client of it.
func newServer(t *testing.T, serve func(ssh.Channel)) *ssh.Client {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	host, err := ssh.ParsePrivateKey([]byte(newKey(t)))
	if err != nil {
		t.Fatal(err)
	}
	config := &ssh.ServerConfig{PasswordCallback: func(_ ssh.ConnMetadata, password []byte) (*ssh.Permissions, error) {
		if string(password) != "secret" {
			return nil, errors.New("no")
		}
		return nil, nil
	}}
	config.AddHostKey(host)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		_, channels, requests, err := ssh.NewServerConn(conn, config)
		if err != nil {
			t.Error(err)
			return
		}
		go ssh.DiscardRequests(requests)
		for n := range channels {
			ch, requests, err := n.Accept()
			if err != nil {
				return
			}
			go func() {
				for q := range requests {
					if q.WantReply {
						q.Reply(q.Type == "exec", nil)
					}
					if q.Type == "exec" {
						go serve(ch)
					}
				}
			}()
		}
	}()
	login, err := loginConfig(&image.System{User: "mcc", Password: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := knock(t.Context(), l.Addr().String(), login, greetPatience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// TestLoginConfig names what is wrong with a key.
func TestLoginConfig(t *testing.T) {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	locked, err := ssh.MarshalPrivateKeyWithPassphrase(private, "", []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ key, want string }{
		{newKey(t), ""}, {string(pem.EncodeToMemory(locked)), "passphrase"}, {"ssh-ed25519 AAAA me", "without .pub"},
	} {
		if _, err := loginConfig(&image.System{User: "mcc", Key: c.key}); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.want, err)
		}
	}
}

// TestLoginGivesUp meets nobody, and somebody who says nothing.
func TestLoginGivesUp(t *testing.T) {
	config, err := loginConfig(&image.System{User: "mcc", Password: "x"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := login(ctx, l.Addr().String(), config, 0, func() error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
	if _, err := login(t.Context(), "127.0.0.1:1", config, 0, func() error { return errNoLoader }); !errors.Is(err, errNoLoader) {
		t.Errorf("err = %v", err)
	}
}

// TestShellCommand has a shell read what it is given.
func TestShellCommand(t *testing.T) {
	words := []string{"a b", "'", `"$HOME"`, "\n", "", "*", `\`}
	out, err := exec.Command("sh", "-c", "printf '%s|' "+quoted(words[0])+" "+quoted(words[1])+" "+quoted(words[2])+" "+quoted(words[3])+" "+quoted(words[4])+" "+quoted(words[5])+" "+quoted(words[6])).Output()
	if err != nil || string(out) != strings.Join(words, "|")+"|" {
		t.Errorf("%q, %v", out, err)
	}
	for _, c := range []struct {
		env        []string
		want, lack string
	}{{nil, `PATH="/home/mcc/BenchKit:/home/mcc/BenchKit/bin:$PATH" "$(command -v bash || echo sh)" -c`, "'PATH="}, {[]string{"PATH=/x", "BK_INPUT=a b"}, "'BK_INPUT=a b'", "/usr/bin"}} {
		got := shellCommand(vm.Job{Command: []string{"BenchKit_head.sh", "-x"}, Env: c.env})
		got = strings.ReplaceAll(got, "BK_BIN_PATH=", "")
		if !strings.Contains(got, c.want) || strings.Contains(got, c.lack) || !strings.HasSuffix(got, " '/home/mcc/BenchKit/BenchKit_head.sh' '-x' < /dev/null") {
			t.Errorf("%s", got)
		}
	}
}
