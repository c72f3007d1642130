package image

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// SystemFormat is the value of the format key of an image that boots the system
// on its disk.
const SystemFormat = "podium-system/1"

// System is a disk that boots a system of its own, and how to log in there. It is
// the manifest of an image of the form [SystemFormat].
type System struct {
	Format   string `json:"format"`
	Disk     string `json:"disk_file"` // qcow2; a name in the manifest, a path where Store.System gives it
	Bus      string `json:"disk_bus"`  // one of Buses
	Network  string `json:"network"`   // one of Networks
	User     string `json:"user"`
	Key      string `json:"key,omitempty"`      // private, PEM
	Password string `json:"password,omitempty"` // where there is no key, or the system does not take it
}

// The choices for the disk and the network device of a system. The first of
// each is what BenchKit gave to its machines (lib/benchkit.lib.sh: -drive
// file=..., -net nic), and old systems have drivers for it.
var (
	Buses    = []string{"ide", "sata", "virtio"}
	Networks = []string{"e1000", "virtio"}
)

// systemDisk is the name of the disk in an image.
const systemDisk = "disk.qcow2"

var userName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.-]{0,31}$`)

// Check returns an error that says what is wrong with the manifest.
func (s System) Check() error {
	switch {
	case s.Format != SystemFormat:
		return fmt.Errorf("the format is %q, not %s", s.Format, SystemFormat)
	case !slices.Contains(Buses, s.Bus):
		return fmt.Errorf("%q is no way to connect a disk: %q are", s.Bus, Buses)
	case !slices.Contains(Networks, s.Network):
		return fmt.Errorf("%q is no network device: %q are", s.Network, Networks)
	case !userName.MatchString(s.User):
		return fmt.Errorf("%q is no name of a user", s.User)
	case s.Key == "" && s.Password == "":
		return errors.New("there is neither a key nor a password")
	}
	return nil
}

// parseSystem reads the manifest of an image that boots its own system.
func parseSystem(text []byte) (System, error) {
	var s System
	if err := json.Unmarshal(text, &s); err != nil {
		return s, err
	}
	if s.Disk != filepath.Base(s.Disk) || !filepath.IsLocal(s.Disk) || s.Disk == "." {
		return s, fmt.Errorf("%q is no name of a file", s.Disk)
	}
	return s, s.Check()
}

// SystemImage makes an image of a disk (qcow2) with its own system and returns its
// digest. It holds what opens the system, so that only its owner may read it.
func SystemImage(ctx context.Context, sys System, out string) (digest string, err error) {
	info, err := os.Stat(sys.Disk)
	if err != nil {
		return "", err
	}
	disk := fileEntry(bootDir+"/"+systemDisk, sys.Disk, info, 0)
	disk.mode = 0o644
	sys.Format, sys.Disk = SystemFormat, systemDisk
	if err := sys.Check(); err != nil {
		return "", err
	}
	text, err := json.MarshalIndent(sys, "", "  ")
	if err != nil {
		return "", err
	}
	entries, err := sorted(map[string]entry{disk.name: disk, manifestFile: dataEntry(manifestFile, 0o600, append(text, '\n'))})
	if err != nil {
		return "", err
	}
	err = writeNew(out, func(file string) error {
		if err := writeDisk(ctx, file, entries); err != nil {
			return err
		}
		return os.Chmod(file, 0o600)
	})
	if err != nil {
		return "", err
	}
	return Digest(out)
}

// maxManifest bounds the manifest of an image, in bytes.
const maxManifest = 1 << 20

// SystemOf reads the manifest of an image. It is nil for an image that is a file system
// for machines, which boot podium's own kernel and agent whatever else is in it.
func SystemOf(ctx context.Context, file string) (*System, error) {
	var text bytes.Buffer
	var m manifest
	err := copyFromDisk(ctx, file, manifestFile, &text, maxManifest)
	if err == nil {
		err = json.Unmarshal(text.Bytes(), &m)
	}
	if err != nil {
		return nil, fmt.Errorf("it is no image for machines; `podium image build` makes them: %w", err)
	}
	switch m.Format {
	case Format:
		return nil, nil
	case SystemFormat:
		s, err := parseSystem(text.Bytes())
		return &s, err
	}
	return nil, fmt.Errorf("its form is %q, not %s or %s: make it again with `podium image build`", m.Format, Format, SystemFormat)
}

// System takes the disk out of an image that boots its own system, and returns its manifest
// with the path of that disk; it is nil for an image that is a file system.
func (s *Store) System(ctx context.Context, file string) (*System, error) {
	sys, err := SystemOf(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if sys == nil {
		return nil, nil
	}
	key, err := treeKey(file)
	if err != nil {
		return nil, err
	}
	name := sys.Disk
	sys.Disk, err = s.file("image-"+key+"-"+name, func(to string) error {
		return writeFile(to, func(w io.Writer) error { return copyFromDisk(ctx, file, bootDir+"/"+name, w, maxBytes) })
	})
	return sys, err
}

// WriteTree writes the files of a directory ("" for none) as a tar archive.
func WriteTree(to io.Writer, dir string) error {
	if dir == "" {
		return writeTar(to, nil)
	}
	entries, err := treeEntries(dir, "", 0)
	if err != nil {
		return err
	}
	// The directory itself is whoever's who unpacks it.
	return writeTar(to, slices.DeleteFunc(entries, func(e entry) bool { return e.name == "." || e.name == "" }))
}
