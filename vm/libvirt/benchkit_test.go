//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/vm/guest/image"
)

// BenchmarkBenchKit runs as BenchKit does, to compare with BenchmarkRun: a fresh
// copy-on-write disk before the disk of the contestant, whose own system is
// booted by its own init; somebody who knocks once a second until it answers; the
// instance unpacked in the guest from its archive; in the end kill -9. A serial
// line stands for ssh, busybox for the contestant's Debian, which would take
// longer. (BenchKit, lib/benchkit.lib.sh)
func BenchmarkBenchKit(b *testing.B) {
	for _, program := range []string{"mkfs.ext4", "qemu-img", "busybox", "tar"} {
		if _, err := exec.LookPath(program); err != nil {
			b.Skip(err)
		}
	}
	d := openBench(b, Options{Start: StartCold})
	k := benchKit{b: b, boot: d.boot, accelerator: d.accelerator(), dir: b.TempDir()}
	k.makeDisk()
	var started, gone, cpu []time.Duration
	for b.Loop() {
		s, g, c := k.run()
		started, gone, cpu = append(started, s), append(gone, g), append(cpu, c)
	}
	report(b, started, "s/tool-started")
	report(b, gone, "s/gone-after-end")
	report(b, cpu, "cpu-s/start")
}

type benchKit struct {
	b           *testing.B
	boot        image.Boot
	accelerator string
	dir         string
}

func (k *benchKit) file(name string) string { return filepath.Join(k.dir, name) }

func (k *benchKit) must(err error) {
	k.b.Helper()
	if err != nil {
		k.b.Fatal(err)
	}
}

func (k *benchKit) command(program string, args ...string) {
	k.b.Helper()
	if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		k.b.Fatalf("%s: %v: %s", program, err, out)
	}
}

// makeDisk makes the contestant's disk, and an initial file system that loads
// the modules for it.
func (k *benchKit) makeDisk() {
	root := k.file("root")
	for _, dir := range []string{"bin", "sbin", "etc", "proc", "sys", "dev", "tmp", "home/mcc/BenchKit/INPUTS"} {
		k.must(os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	busybox, err := exec.LookPath("busybox")
	k.must(err)
	program, err := os.ReadFile(busybox)
	k.must(err)
	k.must(os.WriteFile(filepath.Join(root, "bin/busybox"), program, 0o755))
	for _, name := range []string{"bin/sh", "bin/tar", "bin/gzip", "bin/mount", "bin/mv", "sbin/init"} {
		k.must(os.Symlink("/bin/busybox", filepath.Join(root, name)))
	}
	inittab := "::sysinit:/bin/mount -t proc proc /proc\n::sysinit:/bin/mount -t sysfs sys /sys\nttyS0::respawn:-/bin/sh\n"
	k.must(os.WriteFile(filepath.Join(root, "etc/inittab"), []byte(inittab), 0o644))

	instance := k.file("X-PT-1")
	k.must(os.Mkdir(instance, 0o755))
	model := make([]byte, benchInput)
	rand.Read(model)
	k.must(os.WriteFile(filepath.Join(instance, "model.pnml"), model, 0o644))
	k.command("tar", "-C", k.dir, "-czf", filepath.Join(root, "home/mcc/BenchKit/INPUTS/X-PT-1.tgz"), "X-PT-1")
	k.command("mkfs.ext4", "-q", "-d", root, k.file("disk.raw"), "512M")

	start, err := os.ReadFile(k.boot.Initramfs)
	k.must(err)
	script := "#!/base/bin/busybox sh\nPATH=/base/bin:/base/sbin:/base/usr/bin:/base/usr/sbin\n/base/bin/busybox mkdir -p /proc /root\n" +
		"for m in $(/base/bin/busybox cat /modules/order); do /base/bin/busybox insmod /modules/$m; done\n" +
		"/base/bin/busybox mount -t devtmpfs dev /dev\nwhile ! /base/bin/busybox mount -t ext4 /dev/vda /root; do :; done\n" +
		"/base/bin/busybox mount -t devtmpfs dev /root/dev\nexec /base/bin/busybox switch_root /root /sbin/init\n"
	k.must(os.WriteFile(k.file("initrd"), append(start, cpio("start", script)...), 0o644))
}

// cpio is an archive of one program.
func cpio(name, content string) []byte {
	var b strings.Builder
	for _, f := range []struct {
		name, content string
		mode          int
	}{{name, content, 0o100755}, {"TRAILER!!!", "", 0}} {
		head := fmt.Sprintf("070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%s\x00",
			721, f.mode, 0, 0, 1, 0, len(f.content), 0, 0, 0, 0, len(f.name)+1, 0, f.name)
		b.WriteString(head + strings.Repeat("\x00", -len(head)&3) + f.content + strings.Repeat("\x00", -len(f.content)&3))
	}
	return []byte(b.String())
}

// run is one run of BenchKit.
func (k *benchKit) run() (started, gone, cpu time.Duration) {
	began, own := time.Now(), ownTime(k.b)
	overlay := k.file("run.qcow2")
	k.command("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", k.file("disk.raw"), overlay)
	socket := k.file("serial")
	l, err := net.Listen("unix", socket)
	k.must(err)
	defer l.Close()
	qemu := exec.Command("qemu-system-x86_64", "-accel", k.accelerator, "-cpu", "max", "-smp", "1", "-m", fmt.Sprint(benchMemory>>20),
		"-nodefaults", "-display", "none", "-no-reboot", "-serial", "unix:"+socket, "-drive", "file="+overlay+",format=qcow2,if=virtio",
		"-kernel", k.boot.Kernel, "-initrd", k.file("initrd"), "-append", "console=ttyS0 quiet panic=-1 rdinit=/start")
	k.must(qemu.Start())
	defer os.Remove(overlay)
	defer qemu.Wait()
	defer qemu.Process.Kill()
	serial, err := l.Accept()
	k.must(err)
	defer serial.Close()
	k.must(serial.SetDeadline(time.Now().Add(10 * time.Minute)))
	in := bufio.NewScanner(serial)
	said := make(chan string, 1000)
	go func() {
		defer close(said)
		for in.Scan() {
			said <- in.Text()
		}
	}()
	k.ask(serial, said, "echo up$((40+2))", "up42", time.Second)
	k.ask(serial, said, "cd /home/mcc && tar xzf BenchKit/INPUTS/X-PT-1.tgz && mv X-PT-1 execution && cd execution && echo tool$((40+2))", "tool42", time.Hour)
	started = time.Since(began)
	guest, err := cpuTime(qemu.Process.Pid)
	k.must(err)
	cpu = guest + ownTime(k.b) - own
	ended := time.Now()
	k.must(qemu.Process.Kill())
	if err := qemu.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		k.b.Fatal(err)
	}
	k.must(os.Remove(overlay))
	return started, time.Since(ended), cpu
}

// ask repeats a command until it is answered.
func (k *benchKit) ask(to net.Conn, said <-chan string, command, answer string, every time.Duration) {
	k.b.Helper()
	for {
		if _, err := fmt.Fprintln(to, command); err != nil {
			k.b.Fatal(err)
		}
		for again := time.After(every); ; {
			select {
			case line, ok := <-said:
				if !ok {
					k.b.Fatal("the guest is gone")
				}
				if strings.Contains(line, answer) {
					return
				}
				continue
			case <-again:
			}
			break
		}
	}
}
