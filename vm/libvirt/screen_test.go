package libvirt

import (
	"archive/tar"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"podium/vm"
)

// screen is the memory of one of text.
func screen(lines ...string) []byte {
	b := make([]byte, 0, 2*screenColumns*screenRows)
	for i := range screenRows {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		for c := range screenColumns {
			if c < len(line) {
				b = append(b, line[c], 7)
			} else {
				b = append(b, ' ', 7)
			}
		}
	}
	return b
}

func TestScreenText(t *testing.T) {
	if got := screenText(screen("Kernel panic - not syncing", "", "  end")); got != "Kernel panic - not syncing\n  end" {
		t.Errorf("%q", got)
	}
	picture := screen()
	for i := range picture {
		picture[i] = byte(i * 7)
	}
	for name, b := range map[string][]byte{"empty": screen(), "picture": picture, "nothing": nil, "white": bytes.Repeat([]byte{255}, 4000)} {
		if got := screenText(b); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := addLines("BIOS\nloading", "loading\nKernel panic"); got != "BIOS\nloading\nKernel panic" {
		t.Errorf("%q", got)
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[2J\x1b[1;31mred\x1b[0m\r\n": "red", "a\x07b\x00c\td": "abc\td", "\xff": "?", "\x1b]0;title\x07": "]0;title", "\x1bc\u202ex": "x",
	} {
		if got := printable([]byte(in)); got != want {
			t.Errorf("%q: %q, not %q", in, got, want)
		}
	}
}

// FuzzScreen: whatever a machine shows, nothing of it moves a terminal's cursor.
func FuzzScreen(f *testing.F) {
	f.Add(screen("No bootable device."))
	f.Add([]byte("\x1b[31m\x1b(B\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		text := screenText(b)
		if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }) {
			t.Errorf("%q", text)
		}
		if lines := strings.Count(text, "\n"); lines >= screenRows {
			t.Errorf("%d lines", lines+1)
		}
		for _, r := range printable(b) {
			if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
				t.Errorf("%q lets %q through", b, r)
			}
		}
	})
}

// archiveOf is an archive of files, with their content by name.
func archiveOf(files ...[2]string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		_ = w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f[0], Size: int64(len(f[1])), Mode: 0o644})
		_, _ = w.Write([]byte(f[1]))
	}
	_ = w.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: "link", Linkname: "/etc"})
	_ = w.Close()
	return b.Bytes()
}

func TestTakeResults(t *testing.T) {
	whole := archiveOf([2]string{"./a.w", "1"}, [2]string{"d/b.w", "22"}, [2]string{"../c.w", "3"}, [2]string{"link/d.w", "4"}, [2]string{"e.txt", "5"})
	for _, c := range []struct {
		name     string
		archive  []byte
		bound    vm.SideLimit
		want     string
		warnings int
	}{
		{"all", whole, vm.SideLimit{}, "a.w d/b.w e.txt link/d.w", 0},
		{"by suffix", whole, vm.SideLimit{Suffix: ".w"}, "a.w d/b.w link/d.w", 0},
		{"few", whole, vm.SideLimit{Files: 2}, "a.w d/b.w", 1},
		{"small", whole, vm.SideLimit{Bytes: 1}, "a.w", 1},
		{"torn", whole[:1100], vm.SideLimit{}, "a.w", 1},
		{"twice", archiveOf([2]string{"a", "1"}, [2]string{"a", "2"}), vm.SideLimit{}, "a", 1},
		{"below a file", archiveOf([2]string{"a", "1"}, [2]string{"a/b", "2"}), vm.SideLimit{}, "a", 1},
		{"none", []byte("x"), vm.SideLimit{}, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			warnings, err := takeResults(bytes.NewReader(c.archive), dir, c.bound)
			if got := strings.Join(filesOf(t, dir), " "); err != nil || got != c.want || len(warnings) != c.warnings {
				t.Errorf("%q, %q, %v", got, warnings, err)
			}
		})
	}
	if _, err := takeResults(bytes.NewReader(whole), filepath.Join(t.TempDir(), "missing"), vm.SideLimit{}); err == nil {
		t.Error("a directory of ours that is missing is no error")
	}
}

func filesOf(t *testing.T, dir string) []string {
	var list []string
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			list = append(list, strings.TrimPrefix(file, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// FuzzTakeResults: whatever an archive says, only its files are made, below the
// directory and within the bound.
func FuzzTakeResults(f *testing.F) {
	f.Add(archiveOf([2]string{"./a.w", "1"}, [2]string{"d/../../b.w", "22"}))
	f.Fuzz(func(t *testing.T, b []byte) {
		parent := t.TempDir()
		dir := filepath.Join(parent, "below")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		bound := vm.SideLimit{Files: 3, Bytes: 100}
		if _, err := takeResults(bytes.NewReader(b), dir, bound); err != nil {
			t.Errorf("a guest's archive is our error: %v", err)
		}
		files, size := filesOf(t, parent), int64(0)
		for _, file := range files {
			info, err := os.Lstat(filepath.Join(parent, file))
			if err != nil || !info.Mode().IsRegular() || !strings.HasPrefix(file, "below/") {
				t.Fatalf("%s: %v, %v", file, info, err)
			}
			size += info.Size()
		}
		if len(files) > bound.Files || size > bound.Bytes {
			t.Errorf("%d files, %d bytes", len(files), size)
		}
	})
}
