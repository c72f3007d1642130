//go:build linux

package image

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func writeTree(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestModuleOrder(t *testing.T) {
	const dep = "kernel/a.ko:\nkernel/virtio-x.ko.xz: kernel/ring.ko kernel/a.ko\nkernel/ring.ko: kernel/a.ko\nkernel/other.ko:\n"
	for _, c := range []struct {
		wanted []string
		order  string
		err    string
	}{
		{[]string{"virtio_x", "a"}, "kernel/a.ko kernel/ring.ko kernel/virtio-x.ko.xz", ""},
		{[]string{"inside", "other"}, "kernel/other.ko", ""},
		{[]string{"missing"}, "", "no missing"},
	} {
		order, err := moduleOrder(dep, "kernel/inside.ko\n", c.wanted, []string{"absent"})
		if strings.Join(order, " ") != c.order || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v: %v, %v", c.wanted, order, err)
		}
	}
	if _, err := moduleOrder("a.ko: b.ko\nb.ko: a.ko\n", "", []string{"a"}, nil); err == nil {
		t.Error("a circle is in order")
	}
}

func FuzzModuleOrder(f *testing.F) {
	f.Add("kernel/a.ko: kernel/b.ko\nkernel/b.ko:\n", "kernel/c.ko\n", "a")
	f.Fuzz(func(t *testing.T, dep, builtin, name string) {
		order, err := moduleOrder(dep, builtin, []string{name}, nil)
		if err == nil && len(slices.Compact(slices.Sorted(slices.Values(order)))) != len(order) {
			t.Errorf("%q twice", order)
		}
	})
}

func TestUnsigned(t *testing.T) {
	signature := "0123456789"
	signed := "the module" + signature + "\x00\x00\x02\x00\x00\x00\x00\x00" + "\x00\x00\x00\x0a" + signatureMark
	for in, want := range map[string]string{signed: "the module", "the module": "the module", "x" + signatureMark: "x" + signatureMark} {
		if got := string(unsigned([]byte(in))); got != want {
			t.Errorf("%q", got)
		}
	}
}

func TestFindKernel(t *testing.T) {
	root := t.TempDir()
	if _, err := findKernelBelow(root); err == nil || !strings.Contains(err.Error(), KernelPackage) {
		t.Errorf("without any: %v", err)
	}
	for _, release := range []string{"6.1.0-9-amd64", "6.1.0-10-amd64", "5.10.0-1-cloud-amd64"} {
		writeTree(t, root, map[string]string{"boot/vmlinuz-" + release: "", "lib/modules/" + release + "/modules.dep": ""})
	}
	writeTree(t, root, map[string]string{"boot/vmlinuz-9.9.9-cloud-amd64": ""})
	k, err := findKernelBelow(root)
	if err != nil || k.Release != "5.10.0-1-cloud-amd64" {
		t.Errorf("%+v, %v", k, err)
	}
	os.RemoveAll(filepath.Join(root, "lib/modules/5.10.0-1-cloud-amd64"))
	if k, err = findKernelBelow(root); err != nil || k.Release != "6.1.0-10-amd64" || k.Modules != filepath.Join(root, "lib/modules", k.Release) {
		t.Errorf("%+v, %v", k, err)
	}
	if _, err := kernelAt(filepath.Join(root, "boot/vmlinuz-9.9.9-cloud-amd64")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without modules: %v", err)
	}
}

func TestLZ4(t *testing.T) {
	// "abcabcabcabcX": three literals, a match of 9 at distance 3, one literal.
	block := []byte{0x35, 'a', 'b', 'c', 3, 0, 0x10, 'X'}
	packed := append(binary.LittleEndian.AppendUint32(nil, uint32(len(block))), block...)
	packed = append(packed, packed...)
	got, err := unpackLZ4(packed)
	if err != nil || string(got) != "abcabcabcabcXabcabcabcabcX" {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"\x05\x00\x00\x00\x35abc", "\x06\x00\x00\x00\x35abc\x09\x00", "\x04\x00\x00\x00\xf0\xff\xff\xff"} {
		if got, err := unpackLZ4([]byte(bad)); err == nil {
			t.Errorf("%q gives %q", bad, got)
		}
	}
}

func FuzzUnpackKernel(f *testing.F) {
	head := make([]byte, 0x600)
	copy(head[0x202:], "HdrS")
	head[0x1f1], head[0x24c] = 1, 16
	copy(head[0x400:], "\x02\x21\x4c\x18\x08\x00\x00\x00\x35abc\x03\x00\x10X")
	f.Add(head)
	f.Fuzz(func(t *testing.T, b []byte) {
		if k, err := unpackKernel(b); err == nil && !bytes.HasPrefix(k, []byte("\x7fELF")) {
			t.Error("no program was unpacked")
		}
	})
}

// TestHostKernel unpacks the kernel that guests get on this host.
func TestHostKernel(t *testing.T) {
	k, err := FindKernel()
	if err != nil {
		t.Skip(err)
	}
	b, err := os.ReadFile(k.Image)
	if err != nil {
		t.Skip(err)
	}
	unpacked, err := unpackKernel(b)
	if err != nil || len(unpacked) < len(b) {
		t.Errorf("%d bytes of %d, %v", len(unpacked), len(b), err)
	}
	list, err := k.modules(neededModules, DiskModules)
	if err != nil {
		t.Error(err)
	}
	for _, m := range list {
		if strings.HasSuffix(m.name, ".ko") && !bytes.HasPrefix(m.data, []byte("\x7fELF")) || bytes.HasSuffix(m.data, []byte(signatureMark)) {
			t.Errorf("%s is no module without signature", m.name)
		}
	}
}

func TestCpio(t *testing.T) {
	entries := []entry{dirEntry("d", 0o755), dataEntry("d/file", 0o640, []byte("content")), linkEntry("d/link", "file"),
		{name: "console", mode: fs.ModeDevice | fs.ModeCharDevice | 0o600, device: [2]uint32{5, 1}}}
	var b bytes.Buffer
	if err := writeCpio(&b, entries); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"070701000000010000" + "41ed", "0000" + "81a0", "d/file\x00", "content\x00", "0000" + "a1ff", "file\x00", "0000" + "2180", "TRAILER!!!\x00"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if b.Len()%4 != 0 || strings.Count(b.String(), "070701") != 5 {
		t.Errorf("%d bytes", b.Len())
	}
	short := dataEntry("x", 0o644, []byte("ab"))
	short.size = 5
	if err := writeCpio(io.Discard, []entry{short}); err == nil {
		t.Error("a file that became shorter is no error")
	}
}

func openStore(t *testing.T) *Store {
	s, err := OpenStore(filepath.Join(t.TempDir(), "store"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func needSquash(t *testing.T) {
	for _, program := range []string{"sqfstar", "unsquashfs"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("SKIPPED, no disk is made: apt-get install %s", SquashPackage)
		}
	}
}

func list(t *testing.T, file string) string {
	out, err := exec.Command("unsquashfs", "-lln", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// used reads the part of a disk that is not padding.
func used(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 1<<20))
}

func TestDisk(t *testing.T) {
	needSquash(t)
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"model.pnml": "<pnml/>\n", "sub/deep": "deep\n"})
	if err := errors.Join(os.Symlink("deep", filepath.Join(dir, "sub/link")), os.Chmod(dir, 0o700), os.Chmod(filepath.Join(dir, "sub/deep"), 0o600)); err != nil {
		t.Fatal(err)
	}
	first, err := openStore(t).Disk(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if l := list(t, first); strings.Count(l, "1000/1000") != 5 || !strings.Contains(l, "drwx------") || !strings.Contains(l, "sub/link -> deep") || strings.Contains(l, "/0 ") {
		t.Error(l)
	}
	// Another time, another place, another owner of the files.
	copied := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(copied, 0o700), os.Chmod(filepath.Join(copied, "sub"), 0o755), os.Chmod(filepath.Join(copied, "sub/deep"), 0o600)); err != nil {
		t.Fatal(err)
	}
	store := openStore(t)
	second, err := store.Disk(t.Context(), copied)
	if err != nil {
		t.Fatal(err)
	}
	a, err1 := used(first)
	b, err2 := used(second)
	if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
		t.Errorf("the same files give disks of %d and %d bytes", len(a), len(b))
	}
	if again, err := store.Disk(t.Context(), copied); again != second || err != nil {
		t.Errorf("made again: %s, %v", again, err)
	}
	// A change that leaves size and time as they were.
	file := filepath.Join(copied, "model.pnml")
	st, err := os.Stat(file)
	if err == nil {
		err = errors.Join(os.WriteFile(file, []byte("<PNML/>\n"), 0o644), os.Chtimes(file, st.ModTime(), st.ModTime()))
	}
	if err != nil {
		t.Fatal(err)
	}
	changed, err := store.Disk(t.Context(), copied)
	if err != nil || changed == second {
		t.Errorf("a changed file gives the same disk %s, %v", changed, err)
	}
	if out, err := exec.Command("unsquashfs", "-cat", changed, "model.pnml").Output(); string(out) != "<PNML/>\n" {
		t.Errorf("it holds %q, %v", out, err)
	}
}

func TestStore(t *testing.T) {
	s := openStore(t)
	var all sync.WaitGroup
	made := make(chan string, 20)
	for range 10 {
		all.Go(func() {
			file, err := s.file("x", func(file string) error {
				made <- file
				return os.WriteFile(file, []byte("x"), 0o644)
			})
			if err != nil || file != s.Path("x") {
				t.Error(file, err)
			}
		})
	}
	all.Wait()
	if len(made) != 1 {
		t.Errorf("made %d times", len(made))
	}
	failure := errors.New("no")
	if _, err := s.file("y", func(string) error { return failure }); !errors.Is(err, failure) {
		t.Error(err)
	}
	old := time.Now().AddDate(0, -2, 0)
	if err := errors.Join(os.WriteFile(s.Path("old"), nil, 0o644), os.Chtimes(s.Path("old"), old, old)); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenStore(s.dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != "x" {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestBoot makes what guests boot with, twice.
func TestBoot(t *testing.T) {
	if _, err := FindKernel(); err != nil {
		t.Skip(err)
	}
	if _, err := exec.LookPath("busybox"); err != nil {
		t.Skipf("SKIPPED, nothing is booted: apt-get install %s", BusyboxPackage)
	}
	var bytesOf [2][]byte
	for i := range bytesOf {
		b, err := openStore(t).Boot()
		if err != nil {
			t.Fatal(err)
		}
		if bytesOf[i], err = os.ReadFile(b.Initramfs); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(bytesOf[0], bytesOf[1]) {
		t.Error("the same inputs give different initial file systems")
	}
}
