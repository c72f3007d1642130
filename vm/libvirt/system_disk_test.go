//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"crypto/ed25519"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"podium/vm"
	"podium/vm/guest/image"
)

// systemMaker makes a contestant's disk that boots its own system: a boot loader
// on a FAT partition with a kernel, and a partition with busybox, an ssh server
// and a tool.
type systemMaker struct {
	*testing.T
	bench
	dir string
}

func (k *systemMaker) file(name string) string { return filepath.Join(k.dir, name) }

func (k *systemMaker) must(err error) {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
}

// put writes a file of the system.
func (k *systemMaker) put(name, content string, mode os.FileMode) {
	k.Helper()
	put(k, k.file("root"), name, content, mode)
}

// Its first program asks for an address as systems do, and starts ssh.
const systemStart = `#!/bin/sh
mount -t proc proc /proc
mount -t sysfs sys /sys
mkdir -p /dev/pts
mount -t devpts devpts /dev/pts
chown -R mcc:mcc /home/mcc
ifconfig lo up
udhcpc -q -n -t 20 -T 1 -i eth0 -s /etc/udhcpc.script
(while :; do [ -e /tmp/off ] && poweroff -f; sleep 1; done) &
exec dropbear -F -E -s
`

const systemAddress = "#!/bin/sh\n[ \"$1\" = deconfig ] && exec ifconfig $interface 0.0.0.0 up\n[ \"$1\" = bound ] && exec ifconfig $interface $ip netmask $subnet\n"

// disk makes a disk of a tool and returns the private key of its user.
func (k *systemMaker) disk(head string) (file, key string) {
	public, private, err := ed25519.GenerateKey(nil)
	k.must(err)
	block, err := ssh.MarshalPrivateKey(private, "")
	k.must(err)
	login, err := ssh.NewPublicKey(public)
	k.must(err)

	for _, dir := range []string{"bin", "dev", "proc", "sys", "tmp", "etc/dropbear", "root", "run", "usr/bin", "var/run"} {
		k.must(os.MkdirAll(filepath.Join(k.file("root"), dir), 0o755))
	}
	k.must(os.Chmod(filepath.Join(k.file("root"), "tmp"), 0o777))
	for _, program := range []string{"busybox", "bash", "dropbear"} {
		putProgram(k, k.file("root"), program)
	}
	busybox, err := exec.LookPath("busybox")
	k.must(err)
	applets, err := exec.Command(busybox, "--list").Output()
	k.must(err)
	for _, name := range strings.Fields(string(applets)) {
		// Some are there: busybox itself.
		if err := os.Symlink("busybox", filepath.Join(k.file("root"), "bin", name)); err != nil && !errors.Is(err, os.ErrExist) {
			k.Fatal(err)
		}
	}
	k.must(os.Symlink("/bin/busybox", filepath.Join(k.file("root"), "usr/bin/env")))
	do(k.T, "dropbearkey", "-t", "ed25519", "-f", filepath.Join(k.file("root"), "etc/dropbear/dropbear_ed25519_host_key"))
	k.put("etc/passwd", "root:x:0:0:root:/root:/bin/sh\nmcc:x:1000:1000:mcc:/home/mcc:/bin/sh\n", 0o644)
	k.put("etc/group", "root:x:0:\nmcc:x:1000:\n", 0o644)
	k.put("etc/start", systemStart, 0o755)
	k.put("etc/udhcpc.script", systemAddress, 0o755)
	k.put("home/mcc/.ssh/authorized_keys", string(ssh.MarshalAuthorizedKey(login)), 0o600)
	k.put("etc/contestant", "of ours\n", 0o644)
	putHabits(k, filepath.Join(k.file("root"), vm.ToolDir))
	k.put("home/mcc/BenchKit/BenchKit_head.sh", head, 0o755)
	k.assemble()
	return k.file("disk.raw"), string(pem.EncodeToMemory(block))
}

// assemble makes the disk: a partition to boot from and one of the system.
func (k *systemMaker) assemble() {
	const sector, start, bootSize, rootSize = 512, 1 << 20, 48 << 20, 64 << 20
	boot, err := k.store.Boot("virtio_net", "ext4", "pvpanic_mmio")
	k.must(err)
	initial, err := os.ReadFile(boot.Initramfs)
	k.must(err)
	script := "#!/base/bin/busybox sh\nb=/base/bin/busybox\n$b mkdir -p /proc /root\n" +
		"for m in $($b cat /modules/order); do $b insmod /modules/$m; done\n$b mount -t devtmpfs dev /dev\n" +
		"until $b mount -t ext4 /dev/vda2 /root; do $b sleep 0.1; done 2>/dev/null\n" +
		"$b mount -t devtmpfs dev /root/dev\nexec $b switch_root /root /etc/start\n"
	k.must(os.WriteFile(k.file("initrd"), append(initial, cpio("start", script)...), 0o644))
	kernel, err := image.FindKernel()
	k.must(err)
	k.must(os.WriteFile(k.file("syslinux.cfg"), []byte("SERIAL 0\nDEFAULT linux\nLABEL linux\n  LINUX linux\n  INITRD initrd\n  APPEND "+
		strings.Replace(kernelArguments, "quiet", "quiet rdinit=/start", 1)+"\n"), 0o644))

	fat, root := k.file("fat"), k.file("ext4")
	do(k.T, "mformat", "-C", "-i", fat, "-T", fmt.Sprint(bootSize/sector), "-H", fmt.Sprint(start/sector), "::")
	do(k.T, "syslinux", "--install", fat)
	do(k.T, "mcopy", "-i", fat, k.file("initrd"), k.file("syslinux.cfg"), "::")
	do(k.T, "mcopy", "-i", fat, kernel.Image, "::linux")
	do(k.T, "mkfs.ext4", "-q", "-d", k.file("root"), root, fmt.Sprint(rootSize>>10)+"k")

	disk, err := os.Create(k.file("disk.raw"))
	k.must(err)
	defer disk.Close()
	first, err := os.ReadFile("/usr/lib/SYSLINUX/mbr.bin")
	k.must(err)
	table := make([]byte, sector)
	copy(table, first)
	for i, p := range []struct {
		active, kind byte
		at, size     uint32
	}{{0x80, 0x0e, start, bootSize}, {0, 0x83, start + bootSize, rootSize}} {
		entry := table[0x1be+16*i:]
		entry[0], entry[4] = p.active, p.kind
		binary.LittleEndian.PutUint32(entry[8:], p.at/sector)
		binary.LittleEndian.PutUint32(entry[12:], p.size/sector)
	}
	table[510], table[511] = 0x55, 0xaa
	_, err = disk.Write(table)
	k.must(err)
	for file, at := range map[string]int64{fat: start, root: start + bootSize} {
		content, err := os.ReadFile(file)
		k.must(err)
		_, err = disk.WriteAt(content, at)
		k.must(err)
	}
}
