package image

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var goodSystem = System{Format: SystemFormat, Disk: systemDisk, Bus: "ide", Network: "e1000", User: "mcc", Key: "key"}

// TestSystemImage makes an image that boots its own system and takes it apart.
func TestSystemImage(t *testing.T) {
	for _, program := range []string{"sqfstar", "unsquashfs"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("SKIPPED, no image is made: ", err)
		}
	}
	dir := t.TempDir()
	s, err := OpenStore(filepath.Join(dir, "store"))
	if err != nil {
		t.Fatal(err)
	}
	content := bytes.Repeat([]byte("disk\x00"), 1<<18)
	sys := goodSystem
	sys.Disk = filepath.Join(dir, "qcow2")
	if err := os.WriteFile(sys.Disk, content, 0o600); err != nil {
		t.Fatal(err)
	}
	var digests []string
	for _, name := range []string{"one.img", "two.img"} {
		digest, err := SystemImage(t.Context(), sys, filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, digest)
	}
	if digests[0] != digests[1] {
		t.Errorf("the same disk has the digests %q", digests)
	}
	file := filepath.Join(dir, "one.img")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the key: %v, %v", info, err)
	}
	own, err := s.System(t.Context(), file)
	if err != nil || own == nil {
		t.Fatalf("%+v, %v", own, err)
	}
	if got, err := os.ReadFile(own.Disk); err != nil || !bytes.Equal(got, content) {
		t.Errorf("the disk has %d bytes, %v", len(got), err)
	}
	own.Disk = systemDisk
	if *own != goodSystem {
		t.Errorf("%+v", own)
	}
	if _, err := SystemImage(t.Context(), sys, file); !errors.Is(err, os.ErrExist) {
		t.Errorf("over another: %v", err)
	}
	if _, err := SystemOf(t.Context(), sys.Disk); err == nil || !strings.Contains(err.Error(), "podium image build") {
		t.Errorf("no image: %v", err)
	}
}

// TestSystemCheck changes one thing of a good manifest.
func TestSystemCheck(t *testing.T) {
	for _, c := range []struct {
		change func(*System)
		want   string
	}{
		{func(*System) {}, ""},
		{func(s *System) { s.Key, s.Password = "", "x" }, ""},
		{func(s *System) { s.Format = Format }, "format"},
		{func(s *System) { s.Bus = "scsi" }, "scsi"},
		{func(s *System) { s.Network = "ne2k" }, "ne2k"},
		{func(s *System) { s.User = "-oProxyCommand" }, "user"},
		{func(s *System) { s.Key = "" }, "neither"},
		{func(s *System) { s.Disk = "../disk" }, "name of a file"},
		{func(s *System) { s.Disk = "" }, "name of a file"},
	} {
		s := goodSystem
		c.change(&s)
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseSystem(text)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || err == nil && got != s {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// FuzzSystem: a manifest of somebody else names a file of the image, and what
// the driver knows.
func FuzzSystem(f *testing.F) {
	text, err := json.Marshal(goodSystem)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"format":"podium-system/1","disk_file":"..","user":"mcc"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := parseSystem(text)
		if err != nil {
			return
		}
		if strings.Contains(s.Disk, "/") || !filepath.IsLocal(s.Disk) || !slices.Contains(Buses, s.Bus) || !slices.Contains(Networks, s.Network) {
			t.Errorf("%+v", s)
		}
	})
}

// TestWriteTree writes a directory that only its owner may enter.
func TestWriteTree(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "d"), 0o755), os.WriteFile(filepath.Join(dir, "d/f"), []byte("x"), 0o600), os.Chmod(dir, 0o700)); err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]string{dir: "d/ d/f", "": ""} {
		var b bytes.Buffer
		if err := WriteTree(&b, from); err != nil {
			t.Fatal(err)
		}
		var names []string
		for r := tar.NewReader(&b); ; {
			h, err := r.Next()
			if err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			names = append(names, h.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: %q", from, got)
		}
	}
	if err := WriteTree(io.Discard, filepath.Join(dir, "missing")); err == nil {
		t.Error("a directory that is missing is written")
	}
}
