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

// put writes a file of a system below a directory.
func put(t testing.TB, root, name, content string, mode os.FileMode) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(content), mode)); err != nil {
		t.Fatal(err)
	}
}

// putProgram copies a program of the host into the bin of a system, with its libraries.
func putProgram(t testing.TB, root, program string) {
	t.Helper()
	from, err := exec.LookPath(program)
	if err != nil {
		t.Skip("SKIPPED: ", err)
	}
	list := map[string]string{from: "bin/" + program}
	if libraries, err := exec.Command("ldd", from).Output(); err == nil {
		for _, word := range strings.Fields(string(libraries)) {
			if filepath.IsAbs(word) {
				list[word] = word
			}
		}
	}
	for file, to := range list {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		put(t, root, to, string(content), 0o755)
	}
}

// habits is a head as teams have handed them in for years: bash without #!, programs found
// by name, beside it and in bin, files in TMPDIR and in a directory of its own, all that it
// started killed at its end.
const habits = `DIR=$(dirname "${BASH_SOURCE[0]}")
export BIN_DIR=$BK_BIN_PATH
ulimit -v $(( 1000 * BK_MEMORY_CONFINEMENT ))
WORK=$(mktemp -d "${TMPDIR:-/tmp}/work.XXXXXX") || exit 1
trap 'kill $(jobs -p) 2> /dev/null; rm -rf "$WORK"' EXIT
sleep 1000 &
if [ "$BK_EXAMINATION" == "StateSpace" ] || [[ ! -d $BIN_DIR/../bin ]]; then
	echo "DO NOT COMPETE"; exit
fi
case "$BK_TOOL" in
habits) for i in 1 2; do engine "$(pwd)" > "$WORK/$i" & done; wait $!; cat "$WORK/2" ;;
*) echo "---> unknown variant" ;;
esac
OUT=$(mktemp -p "$DIR/bin/tmp" out.XXXXXX) || exit 1
starter | tee "$OUT" > /dev/null
cat "$OUT"
echo "end of $0" >> $BK_LOG_FILE
`

// habitsEnv are variables of a contest, and habitsSay is what the head prints under them.
var habitsEnv = []string{"BK_EXAMINATION=ReachabilityDeadlock", "BK_TOOL=habits", "BK_MEMORY_CONFINEMENT=200"}

const habitsSay = "FORMULA ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT in " + vm.InstanceDir + "\nstarted by mcc of ours\n"

// putHabits writes a tool with such a head.
func putHabits(t testing.TB, tool string) {
	put(t, tool, "habits.sh", habits, 0o755)
	put(t, tool, "bin/engine", "#!/bin/sh\necho FORMULA $BK_EXAMINATION TRUE TECHNIQUES $(cat ${BK_BIN_PATH}word) in $1 $MINE\n", 0o755)
	put(t, tool, "starter", "#!/usr/bin/env bash\necho started by $(id -un) $(cat /etc/contestant)\n", 0o755)
	put(t, tool, "bin/word", "EXPLICIT\n", 0o600)
	put(t, tool, "bin/tmp/.keep", "", 0o644)
}

// contestant makes the file system of a submitted disk: busybox, bash, a tool, and
// what should not be taken.
func contestant(t *testing.T) string {
	dir := t.TempDir()
	putProgram(t, dir, "bash")
	putProgram(t, dir, "busybox")
	put(t, dir, "etc/contestant", "of ours\n", 0o644)
	put(t, dir, "etc/passwd", "root:x:0:0::/:/bin/sh\n", 0o644)
	put(t, dir, "etc/group", "root:x:0:\n", 0o644)
	put(t, dir, "var/large", "x", 0o644)
	putHabits(t, filepath.Join(dir, vm.ToolDir))
	for _, applet := range []string{"sh", "cat", "id", "dirname", "mktemp", "rm", "sleep", "tee"} {
		if err := os.Symlink("busybox", filepath.Join(dir, "bin", applet)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "usr/bin"), 0o755), os.Symlink("/bin/busybox", filepath.Join(dir, "usr/bin/env"))); err != nil {
		t.Fatal(err)
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
				b.wantHabits(t, vm.Spec{Name: "image", Image: out}, habitsSay)
			}
		})
	}
}

// wantHabits runs such a tool in a machine.
func (b bench) wantHabits(t *testing.T, spec vm.Spec, want string) {
	const log = "end of " + vm.ToolDir + "/habits.sh\n"
	spec.Cores, spec.Memory, spec.Writable = 1, 256<<20, []string{"bin/tmp"}
	m, err := b.Boot(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var out, diag bytes.Buffer
	kept := t.TempDir()
	o, err := m.Exec(t.Context(), vm.Job{Command: []string{"habits.sh"}, Env: habitsEnv,
		Limits: vm.Limits{WallTime: time.Minute}, Stdout: &out, Stderr: &diag,
		SideOut: kept, SideLimit: vm.SideLimit{Files: 1, Bytes: 1 << 10}})
	if err != nil || o.Termination != vm.Exited || o.ExitCode != 0 || out.String() != want {
		t.Errorf("%+v, %v, %q, %q", o, err, &out, &diag)
	}
	// A system's ssh server may give a stderr that only root can open.
	if said, err := os.ReadFile(filepath.Join(kept, "log")); diag.String()+string(said) != log {
		t.Errorf("it logged %q and %q (%v)", &diag, said, err)
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
	if err := os.WriteFile(archive, pack(parts), 0o644); err != nil {
		t.Fatal(err)
	}
	putHabits(t, tool)
	if _, err := (image.Build{OCI: archive, Out: out}).Image(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantHabits(t, vm.Spec{Name: "container", Image: out, Tool: tool}, strings.Replace(habitsSay, "\n", " 1\n", 1))
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
