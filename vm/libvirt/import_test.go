//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/guest/image"
)

// makeDisk makes a disk image with an ext4 file system of a directory, in a
// partition or alone.
func makeDisk(t *testing.T, dir, form string, partition bool) string {
	for _, program := range []string{"mkfs.ext4", "qemu-img"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("SKIPPED, no disk image is read: %v", err)
		}
	}
	const start, size = 1 << 20, 32 << 20
	raw := filepath.Join(t.TempDir(), "raw")
	offset := 0
	if partition {
		offset = start
	}
	do(t, "mkfs.ext4", "-q", "-d", dir, "-E", "offset="+strconv.Itoa(offset), raw, strconv.Itoa(size>>10)+"k")
	if partition {
		f, err := os.OpenFile(raw, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		table := make([]byte, 512)
		table[0x1be+4] = 0x83 // Linux
		binary.LittleEndian.PutUint32(table[0x1be+8:], start/512)
		binary.LittleEndian.PutUint32(table[0x1be+12:], size/512)
		table[510], table[511] = 0x55, 0xaa
		_, err = f.WriteAt(table, 0)
		if err := errors.Join(err, f.Truncate(start+size), f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if form == "raw" {
		return raw
	}
	out := filepath.Join(t.TempDir(), "disk."+form)
	do(t, "qemu-img", "convert", "-O", form, raw, out)
	return out
}

func do(t testing.TB, program string, args ...string) {
	t.Helper()
	if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v: %s", program, args, err, out)
	}
}

// contestant makes the file system of a submitted disk: busybox, a tool, and
// what should not be taken.
func contestant(t *testing.T) string {
	dir := t.TempDir()
	busybox, err := exec.LookPath("busybox")
	if err != nil {
		t.Skip("SKIPPED: ", err)
	}
	program, err := os.ReadFile(busybox)
	if err != nil {
		t.Fatal(err)
	}
	head := "#!/bin/sh\necho FORMULA $BK_EXAMINATION TRUE TECHNIQUES $(cat ${BK_BIN_PATH}word) $(cat /etc/contestant) $(id -un)\n"
	for name, file := range map[string]struct {
		content string
		mode    os.FileMode
	}{
		"bin/busybox": {string(program), 0o755}, "etc/contestant": {"of ours\n", 0o644}, "etc/passwd": {"root:x:0:0::/:/bin/sh\n", 0o644},
		"etc/group": {"root:x:0:\n", 0o644}, "home/mcc/BenchKit/BenchKit_head.sh": {head, 0o755},
		"home/mcc/BenchKit/bin/word": {"EXPLICIT\n", 0o600}, "var/large": {"x", 0o644},
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(file.content), file.mode)); err != nil {
			t.Fatal(err)
		}
	}
	for _, applet := range []string{"sh", "cat", "id"} {
		if err := os.Symlink("busybox", filepath.Join(dir, "bin", applet)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestImport imports contestants' disks and runs the tool that is on them.
func TestImport(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	dir := contestant(t)
	var digests []string
	for _, c := range []struct {
		form      string
		partition bool
	}{{"raw", false}, {"qcow2", true}, {"vmdk", true}} {
		t.Run(c.form, func(t *testing.T) {
			disk := makeDisk(t, dir, c.form, c.partition)
			var archive bytes.Buffer
			if err := b.Export(t.Context(), disk, &archive); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "disk.tar")
			if err := os.WriteFile(file, archive.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(t.TempDir(), "tool.img")
			digest, err := image.Build{Base: file, Out: out}.Image(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if digests = append(digests, digest); digest != digests[0] {
				t.Errorf("the same files on another disk give %s, not %s", digest, digests[0])
			}
			if c.form == "vmdk" {
				b.wantImage(t, out)
			}
		})
	}
}

// wantImage runs the tool of an image.
func (b bench) wantImage(t *testing.T, file string) {
	m, err := b.Boot(t.Context(), vm.Spec{Name: "image", Cores: 1, Memory: 256 << 20, Image: file})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var out, diag bytes.Buffer
	o, err := m.Exec(t.Context(), vm.Job{Command: []string{"BenchKit_head.sh"}, Env: []string{"BK_EXAMINATION=ReachabilityDeadlock"},
		Limits: vm.Limits{WallTime: time.Minute}, Stdout: &out, Stderr: &diag})
	if err != nil || o.Termination != vm.Exited || out.String() != "FORMULA ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT of ours mcc\n" {
		t.Errorf("%+v, %v, %q, %q", o, err, &out, &diag)
	}
}

// TestContainerImage: a tool in a directory sees the file system of a container image, and
// the variables of that.
func TestContainerImage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	pack := func(dir string) []byte {
		var archive bytes.Buffer
		if err := image.WriteTree(&archive, dir); err != nil {
			t.Fatal(err)
		}
		return archive.Bytes()
	}
	layer := pack(contestant(t))
	parts, tool := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"manifest.json": `[{"Config":"config.json","Layers":["layer.tar"]}]`,
		"config.json":   fmt.Sprintf(`{"config":{"Env":["MINE=1"]},"rootfs":{"diff_ids":["sha256:%x"]}}`, sha256.Sum256(layer)),
		"layer.tar":     string(layer),
	} {
		if err := os.WriteFile(filepath.Join(parts, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	archive, out := filepath.Join(t.TempDir(), "container.tar"), filepath.Join(t.TempDir(), "tool.img")
	if err := errors.Join(os.WriteFile(archive, pack(parts), 0o644), os.WriteFile(filepath.Join(tool, "head"), []byte("echo $MINE; cat $HOME/BenchKit/head"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if _, err := (image.Build{OCI: archive, Out: out}).Image(t.Context()); err != nil {
		t.Fatal(err)
	}
	m, err := b.Boot(t.Context(), vm.Spec{Name: "container", Cores: 1, Memory: 256 << 20, Image: out, Tool: tool})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var said bytes.Buffer
	o, err := m.Exec(t.Context(), vm.Job{Command: []string{"head"}, Limits: vm.Limits{WallTime: time.Minute}, Stdout: &said, Stderr: &said})
	if want := "1\necho $MINE; cat $HOME/BenchKit/head"; err != nil || o.Termination != vm.Exited || said.String() != want {
		t.Errorf("%+v, %v, %q", o, err, &said)
	}
}

// TestImportRefuses names what is wrong with a disk.
func TestImportRefuses(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	empty := makeDisk(t, t.TempDir(), "raw", true)
	if err := b.Export(t.Context(), empty, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "BenchKit") {
		t.Errorf("without a tool: %v", err)
	}
	backed := filepath.Join(t.TempDir(), "backed.qcow2")
	do(t, "qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", empty, backed)
	if err := b.Export(t.Context(), backed, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "other files") {
		t.Errorf("with a backing file: %v", err)
	}
	flat := filepath.Join(t.TempDir(), "flat.vmdk")
	do(t, "qemu-img", "convert", "-O", "vmdk", "-o", "subformat=monolithicFlat", empty, flat)
	if err := b.Export(t.Context(), flat, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "other files") {
		t.Errorf("with a flat extent: %v", err)
	}
	full := filepath.Join(t.TempDir(), "full.raw")
	content := make([]byte, 4<<20)
	rand.NewChaCha8([32]byte{}).Read(content)
	if err := os.WriteFile(full, content, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, form, options string }{
		{"disk.qcow2", "qcow2", "compat=1.1"}, {"old.qcow2", "qcow2", "compat=0.10"},
		{"sparse.vmdk", "vmdk", "subformat=monolithicSparse"}, {"stream.vmdk", "vmdk", "subformat=streamOptimized"},
	} {
		disk := filepath.Join(t.TempDir(), c.name)
		do(t, "qemu-img", "convert", "-O", c.form, "-o", c.options, full, disk)
		if form, err := soundDisk(t.Context(), disk); form != c.form || err != nil {
			t.Errorf("%s: %q, %v", c.name, form, err)
		}
		info, err := os.Stat(disk)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(disk, info.Size()*2/3); err != nil {
			t.Fatal(err)
		}
		if form, err := soundDisk(t.Context(), disk); err == nil {
			t.Errorf("%s, cut off: %q", c.name, form)
		}
	}
}
