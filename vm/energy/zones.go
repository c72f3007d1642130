package energy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// part is what a zone counts.
type part uint8

const (
	whole part = iota // the package
	core
	uncore
	dram
	parts
)

var partNames = [parts]string{"package", "core", "uncore", "dram"}

// zone is one counter.
type zone struct {
	part part
	path string // of its directory
	span uint64 // microjoules after which it begins again; 0 where it is not known
}

// pack is a processor package, or one die of it, with its counters.
type pack struct {
	name  string // package-0, package-0-die-1
	cpus  []int  // logical processors that are on
	zones []zone
}

// Meter knows the counters of a host.
type Meter struct {
	root    string
	packs   []pack
	program string // that measures instead, the path; empty where counters are read
	why     string // nothing can be read: the reason
	fix     Fix
	now     func() time.Time
	read    func(path string) ([]byte, error)
}

// Fix says what would let a host be measured.
type Fix uint8

// The ways.
const (
	Nothing    Fix = iota // it can be, or nothing helps
	LoadDriver            // there are no counters: the kernel's driver may be missing
	OpenFiles             // the files may not be read
)

const powercap = "sys/class/powercap"

var (
	zoneName = regexp.MustCompile(`^intel-rapl:[0-9]+(:[0-9]+)?$`) // intel-rapl-mmio counts the same again
	packName = regexp.MustCompile(`^package-([0-9]+)(?:-die-([0-9]+))?$`)
)

// Find looks for the counters of a host below a root, "/" for this one. Where they cannot be
// read, cpu-energy-meter measures if it is installed.
func Find(root string) *Meter {
	m := find(root, os.ReadFile)
	if m.why != "" {
		m.useProgram(exec.LookPath)
	}
	return m
}

func find(root string, read func(path string) ([]byte, error)) *Meter {
	m := &Meter{root: root, now: time.Now, read: read}
	entries, err := os.ReadDir(filepath.Join(root, powercap))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.why = "the counters of energy cannot be listed: " + cause(err)
		return m
	}
	found := map[string]*pack{} // by the directory of the package's zone
	var order []string
	for _, e := range entries { // sorted, so that a package stands before its parts
		match := zoneName.FindStringSubmatch(e.Name())
		if match == nil {
			continue
		}
		dir := filepath.Join(root, powercap, e.Name())
		name := m.text(filepath.Join(dir, "name"))
		if match[1] == "" {
			if packName.MatchString(name) {
				found[e.Name()] = &pack{name: name, zones: []zone{{whole, dir, m.rangeOf(dir)}}}
				order = append(order, e.Name())
			}
			continue
		}
		if p := found[strings.TrimSuffix(e.Name(), match[1])]; p != nil {
			if at := slices.Index(partNames[:], name); at > int(whole) {
				p.zones = append(p.zones, zone{part(at), dir, m.rangeOf(dir)})
			}
		}
	}
	for _, name := range order {
		p := found[name]
		if p.cpus = m.processors(p.name); len(p.cpus) > 0 {
			m.packs = append(m.packs, *p)
		}
	}
	m.judge()
	return m
}

// judge says why nothing can be read, if that is so.
func (m *Meter) judge() {
	if len(m.packs) == 0 {
		m.why, m.fix = "this host shows no counters of energy (powercap)", LoadDriver
		return
	}
	for _, p := range m.packs {
		if _, err := m.counter(p.zones[0].path); errors.Is(err, fs.ErrPermission) {
			m.why, m.fix = fmt.Sprintf("the counters of energy may not be read: %s", cause(err)), OpenFiles
			return
		}
	}
}

// Why is the reason why nothing can be measured; empty where something can.
func (m *Meter) Why() (reason string, fix Fix) { return m.why, m.fix }

// Parts names what can be read of each package: "package-0 (8 processors): package, core".
func (m *Meter) Parts() []string {
	var list []string
	for _, p := range m.packs {
		if m.program != "" {
			list = append(list, fmt.Sprintf("%s (%d processors): by %s", p.name, len(p.cpus), Program))
			continue
		}
		var names []string
		for _, z := range p.zones {
			if _, err := m.counter(z.path); err == nil {
				names = append(names, partNames[z.part])
			}
		}
		list = append(list, fmt.Sprintf("%s (%d processors): %s", p.name, len(p.cpus), strings.Join(names, ", ")))
	}
	return list
}

// processors lists the processors of a package, or of one die of it.
func (m *Meter) processors(name string) []int {
	match := packName.FindStringSubmatch(name)
	dirs, _ := filepath.Glob(filepath.Join(m.root, "sys/devices/system/cpu/cpu[0-9]*"))
	var cpus []int
	for _, dir := range dirs {
		n, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(dir), "cpu"))
		if err != nil || m.text(filepath.Join(dir, "topology/physical_package_id")) != match[1] {
			continue
		}
		if match[2] != "" && m.text(filepath.Join(dir, "topology/die_id")) != match[2] {
			continue
		}
		cpus = append(cpus, n)
	}
	slices.Sort(cpus)
	return cpus
}

// text is a short file without the space around it, empty where it cannot be read.
func (m *Meter) text(path string) string {
	b, err := m.read(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

func (m *Meter) rangeOf(dir string) uint64 {
	n, _ := strconv.ParseUint(m.text(filepath.Join(dir, "max_energy_range_uj")), 10, 64)
	return n
}

// counter reads a zone, in microjoules.
func (m *Meter) counter(dir string) (uint64, error) {
	b, err := m.read(filepath.Join(dir, "energy_uj"))
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("energy_uj of %s is no number", filepath.Base(dir))
	}
	return n, nil
}

// cause is an error without the path, which is long.
func cause(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return filepath.Base(filepath.Dir(at.Path)) + "/" + filepath.Base(at.Path) + ": " + at.Err.Error()
	}
	return err.Error()
}
