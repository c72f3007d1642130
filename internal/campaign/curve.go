package campaign

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"podium/internal/wording"
	"podium/vm"
)

// Curve reads the run over time of an end; it is empty where the run was not sampled.
func (c *Campaign) Curve(f *Finished) (vm.Curve, error) {
	in, err := c.Output(f.Curve)
	if err != nil {
		return nil, err
	}
	const most = 1 << 14 // bytes, far above what any curve takes
	b, err := io.ReadAll(io.LimitReader(in, most))
	if err = errors.Join(err, in.Close()); err != nil {
		return nil, err
	}
	curve, err := vm.DecodeCurve(b)
	if err != nil {
		return nil, fmt.Errorf("pack %s: the curve at offset %d: %w", f.Curve.Pack, f.Curve.Offset, err)
	}
	return curve, nil
}

// CurveOf reads the run over time of an end, with the machine and the limits that it had.
func (c *Campaign) CurveOf(f *Finished) (vm.Curve, Confinement, error) {
	curve, err := c.Curve(f)
	tool, _ := c.Plan.Tool(f.Run.Tool)
	asked, _ := c.Plan.Instance(f.Run.Instance)
	return curve, c.Plan.Confinement(tool, asked), err
}

// What makes the end of a run remarkable.
const (
	leastRun  = time.Second
	leastPart = 10   // percent of the run
	atLimit   = 0.97 // of the memory
	idle      = 0.01 // cores
	brief     = 20 * time.Millisecond
)

// Seen says, in words, what the end of a run over time tells about how it ended: that memory
// stood at the limit, or that there was no CPU time.
func (c Confinement) Seen(curve vm.Curve) (lines []string) {
	length := curve.Length()
	if length < leastRun {
		return nil
	}
	// full and quiet are where the last part begins in which it was always so. A program that
	// is killed takes a little CPU time for that, and a busy host takes note of its end later.
	full, quiet, spent := time.Duration(0), time.Duration(0), time.Duration(0)
	for s := range curve.Stretches() {
		if c.Memory == 0 || float64(s.Memory) < atLimit*float64(c.Memory) {
			full = s.To
		}
		spent += s.CPU
		little := s.CPU <= brief || s.To == length || s.From > length-length/50
		if float64(s.CPU) > idle*float64(s.To-s.From) && !(little && float64(spent) <= min(idle*float64(s.To-quiet), float64(time.Second))) {
			quiet, spent = s.To, 0
		}
	}
	percent := func(from time.Duration) int { return int(100 * float64(length-from) / float64(length)) }
	if part := percent(full); part >= leastPart {
		lines = append(lines, fmt.Sprintf("memory stood at the limit for the last %d %% of the run", part))
	}
	if percent(quiet) >= leastPart {
		lines = append(lines, fmt.Sprintf("no CPU time for the last %s: it waits for something", inWords(length-quiet)))
	}
	return lines
}

// inWords is a time as people say it.
func inWords(d time.Duration) string {
	for _, unit := range []struct {
		size      time.Duration
		one, many string
	}{{time.Hour, "hour", "hours"}, {time.Minute, "minute", "minutes"}} {
		if d >= 2*unit.size {
			return wording.Count(int(d.Round(unit.size)/unit.size), unit.one, unit.many)
		}
	}
	return fmt.Sprintf("%.1f seconds", d.Seconds())
}

// blocks are eight heights.
var blocks = []rune("▁▂▃▄▅▆▇█")

// blocksWide is how many blocks draw a run.
const blocksWide = 60

// Drawn draws a run over time as two lines of blocks, CPU use and memory; one line says it
// where there is nothing to draw.
func (c Confinement) Drawn(curve vm.Curve) []string {
	length := curve.Length()
	if length == 0 {
		return []string{"no curve: the run was not sampled"}
	}
	busy, held := make([]float64, blocksWide), make([]float64, blocksWide)
	most := int64(0)
	column := float64(length) / blocksWide
	for s := range curve.Stretches() {
		most = max(most, s.Memory)
		from, to := float64(s.From)/column, float64(s.To)/column
		for i := int(from); i < blocksWide && float64(i) < to; i++ {
			part := min(to, float64(i+1)) - max(from, float64(i))
			busy[i] += part * s.Cores() / float64(max(c.Cores, 1))
			held[i] = max(held[i], float64(s.Memory))
		}
	}
	for i := range held {
		held[i] /= float64(max(most, 1))
	}
	memory := fmt.Sprintf("%.1f MB", float64(most)/1e6)
	if c.Memory > 0 {
		memory += fmt.Sprintf(" of %.0f MB", float64(c.Memory)/1e6)
	}
	return []string{"CPU     " + inBlocks(busy) + " of " + wording.Count(max(c.Cores, 1), "core", "cores"), "memory  " + inBlocks(held) + " up to " + memory}
}

func inBlocks(shares []float64) string {
	var b strings.Builder
	for _, x := range shares {
		top := float64(len(blocks) - 1)
		b.WriteRune(blocks[int(math.Round(min(max(x, 0), 1)*top))])
	}
	return b.String()
}
