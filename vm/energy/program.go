package energy

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"podium/internal/programs"
)

// Program is the name of cpu-energy-meter (SoSy-Lab), which may read counters that podium may
// not, or does not know. It measures until it is interrupted, and then prints the joules of
// each package.
const Program = "cpu-energy-meter"

const (
	programEnds = 5 * time.Second // after it was interrupted
	mostPrinted = 1 << 16         // bytes of its output
)

// joulesLine is a line of its raw output: cpu0_package_joules=12.345678. So many digits are
// microjoules that several packages can add up in 63 bits, and more than any run takes.
var joulesLine = regexp.MustCompile(`^cpu([0-9]{1,6})_([a-z]+)_joules=([0-9]{1,12}(?:\.[0-9]{1,15})?)$`)

// useProgram lets the program measure where the counters cannot be read.
func (m *Meter) useProgram(look func(string) (string, error)) {
	path, err := look(Program)
	if err != nil {
		return
	}
	var packs []pack
	dirs, _ := filepath.Glob(filepath.Join(m.root, "sys/devices/system/cpu/cpu[0-9]*"))
	for _, dir := range dirs {
		name := "package-" + m.text(filepath.Join(dir, "topology/physical_package_id"))
		if packName.MatchString(name) && !slices.ContainsFunc(packs, func(p pack) bool { return p.name == name }) {
			packs = append(packs, pack{name: name, cpus: m.processors(name)})
		}
	}
	slices.SortFunc(packs, func(a, b pack) int { return strings.Compare(a.name, b.name) })
	if len(packs) > 0 {
		m.packs, m.program, m.why, m.fix = packs, path, "", Nothing
	}
}

// measuring is a run of the program.
type measuring struct {
	cmd    *exec.Cmd
	stop   context.CancelFunc
	out    printed
	failed error
}

// printed keeps the first bytes of an output.
type printed struct{ bytes.Buffer }

// Write implements io.Writer; what is too much is passed over.
func (p *printed) Write(text []byte) (int, error) {
	p.Buffer.Write(text[:min(len(text), mostPrinted-p.Len())])
	return len(text), nil
}

// startProgram begins to measure.
func startProgram(path string) *measuring {
	ctx, stop := context.WithCancel(context.Background())
	r := &measuring{cmd: programs.Command(ctx, path, "-r"), stop: stop}
	r.cmd.Cancel = func() error { return r.cmd.Process.Signal(os.Interrupt) }
	r.cmd.WaitDelay = programEnds
	r.cmd.Stdout = &r.out
	r.failed = r.cmd.Start()
	return r
}

// end interrupts the program, and returns for each package what it printed. A package that it
// does not speak of has one figure that says why.
func (r *measuring) end(packs []pack) [][]*total {
	r.stop()
	if r.failed == nil {
		if err := r.cmd.Wait(); r.out.Len() == 0 {
			r.failed = fmt.Errorf("it printed nothing (%v)", err)
		}
	}
	list := make([][]*total, len(packs))
	for line := range strings.Lines(r.out.String()) {
		match := joulesLine.FindStringSubmatch(strings.TrimSpace(line))
		if match == nil {
			continue
		}
		n, _ := strconv.Atoi(match[1])
		at := slices.IndexFunc(packs, func(p pack) bool { return p.name == fmt.Sprintf("package-%d", n) })
		of := slices.Index(partNames[:], match[2])
		if at < 0 || of < 0 {
			continue
		}
		joules, _ := new(big.Rat).SetString(match[3])
		joules.Mul(joules, big.NewRat(1_000_000, 1))
		list[at] = append(list[at], &total{zone: zone{part: part(of)}, used: new(big.Int).Quo(joules.Num(), joules.Denom()).Uint64()})
	}
	for i := range list {
		if !slices.ContainsFunc(list[i], func(t *total) bool { return t.zone.part == whole }) {
			why := Program + " says nothing of it"
			if r.failed != nil {
				why = fmt.Sprintf("%s cannot measure: %v", Program, r.failed)
			}
			list[i] = append(list[i], &total{zone: zone{part: whole}, broken: why})
		}
	}
	return list
}
