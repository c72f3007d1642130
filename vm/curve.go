package vm

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"
)

// Sample is what a job had used at a moment of its run.
type Sample struct {
	At     Micros // since the start
	CPU    Micros // all of it up to then
	Memory int64  // bytes: the most that was seen since the sample before
}

// fold takes a later sample into this one.
func (s *Sample) fold(later Sample) {
	*s = Sample{later.At, later.CPU, max(s.Memory, later.Memory)}
}

// Curve is a run over time, at most [MaxSamples] samples from its start to its end. It is
// for people to look at: figures are those of the outcome. An empty one was not sampled.
type Curve []Sample

// MaxSamples bounds a curve.
const MaxSamples = 200

// firstPause is the time between the first samples of a run.
const firstPause = 10 * time.Millisecond

// Sampler makes the curve of a running job. It samples often at first and ever more
// rarely, so that a second and an hour are both drawn well: when the curve is full, each
// two neighbours become one, and the pause between samples doubles. The zero value is
// that of a job that has just started.
type Sampler struct {
	curve  Curve
	halved int // how often
}

// Pause is how long to wait before the next sample.
func (s *Sampler) Pause() time.Duration { return firstPause << s.halved }

// Add takes a sample. What comes sooner than wanted changes the last sample, and what runs
// backwards stands still.
func (s *Sampler) Add(p Sample) {
	n := len(s.curve)
	if n > 0 {
		last := s.curve[n-1]
		p.At, p.CPU = max(p.At, last.At), max(p.CPU, last.CPU)
	}
	if n > 1 && p.At-s.curve[n-2].At <= Took(s.Pause()) {
		s.curve[n-1].fold(p)
		return
	}
	s.append(p)
}

// append adds a sample, and makes room for it.
func (s *Sampler) append(p Sample) {
	if len(s.curve) == MaxSamples {
		s.curve = s.curve.halved()
		s.halved++
	}
	s.curve = append(s.curve, p)
}

// halved makes one of each two neighbours behind the start, in place.
func (c Curve) halved() Curve {
	kept := c[:1]
	for i := 1; i < len(c); i += 2 {
		one := c[i]
		if i+1 < len(c) {
			one.fold(c[i+1])
		}
		kept = append(kept, one)
	}
	return kept
}

// Coarse returns the curve in at most so many samples, for small pictures.
func (c Curve) Coarse(most int) Curve {
	c = slices.Clone(c)
	for len(c) > max(most, 2) {
		c = c.halved()
	}
	return c
}

// End takes the final figures and returns the curve. Samples shortly before the end, or behind
// it by the clock of another process, are folded into it; memory of 0 is that of the sample before.
func (s *Sampler) End(p Sample) Curve {
	n := len(s.curve)
	if n > 0 && p.Memory == 0 {
		p.Memory = s.curve[n-1].Memory
	}
	for ; n > 1 && s.curve[n-1].At > p.At-Took(s.Pause()/2); n-- {
		p.Memory = max(p.Memory, s.curve[n-1].Memory)
	}
	if s.curve = s.curve[:n]; n > 0 {
		p.At, p.CPU = max(p.At, s.curve[n-1].At), max(p.CPU, s.curve[n-1].CPU)
	}
	s.append(p)
	return s.curve
}

// Stretch is a part of a run between two samples.
type Stretch struct {
	From, To time.Duration
	CPU      time.Duration // used in it
	Memory   int64         // the most in it, bytes
}

// Cores is how many cores were busy, on average.
func (s Stretch) Cores() float64 { return float64(s.CPU) / float64(s.To-s.From) }

// Stretches lists the parts of the run, none of which is empty.
func (c Curve) Stretches() iter.Seq[Stretch] {
	return func(yield func(Stretch) bool) {
		for i := 1; i < len(c); i++ {
			a, b := c[i-1], c[i]
			s := Stretch{a.At.Duration(), b.At.Duration(), (b.CPU - a.CPU).Duration(), b.Memory}
			if i == 1 {
				s.Memory = max(s.Memory, a.Memory)
			}
			if s.To > s.From && !yield(s) {
				return
			}
		}
	}
}

// Length is the time from the start to the last sample.
func (c Curve) Length() time.Duration {
	if len(c) == 0 {
		return 0
	}
	return c[len(c)-1].At.Duration()
}

// The binary form of a curve is the number of its version, the number of samples, and for
// times, CPU times and memory a unit, as a power of two, and the differences between
// samples in that unit, as varints. Units are as large as needed for figures of twelve bits, which is finer
// than any plot.
const (
	curveVersion = 1
	maxUnits     = 1<<12 - 1
	maxShift     = 48
	maxCurve     = 5 + 3*MaxSamples*2 // bytes, two for each difference
)

// figuresOf are the columns of a curve.
var figuresOf = [...]func(*Sample) *int64{
	func(s *Sample) *int64 { return (*int64)(&s.At) },
	func(s *Sample) *int64 { return (*int64)(&s.CPU) },
	func(s *Sample) *int64 { return &s.Memory },
}

// Encode returns the binary form, nil for an empty curve.
func (c Curve) Encode() []byte {
	if len(c) == 0 {
		return nil
	}
	b := []byte{curveVersion, byte(len(c))}
	for _, of := range figuresOf {
		most, shift := int64(0), 0
		for i := range c {
			most = max(most, *of(&c[i]))
		}
		most = min(most, maxUnits<<maxShift)
		units := func(n int64) int64 { return (n + 1<<shift>>1) >> shift } // rounded
		for units(most) > maxUnits {
			shift++
		}
		b = append(b, byte(shift))
		before := int64(0)
		for i := range c {
			now := units(min(max(*of(&c[i]), 0), most))
			b = binary.AppendVarint(b, now-before)
			before = now
		}
	}
	return b
}

// DecodeCurve reads the binary form. What comes from a guest may be anything: a curve that
// is returned keeps its bounds, and its times and CPU times never fall.
func DecodeCurve(b []byte) (Curve, error) {
	if len(b) == 0 {
		return nil, nil
	}
	if len(b) > maxCurve || len(b) < 2 || b[0] != curveVersion || b[1] < 1 || b[1] > MaxSamples {
		return nil, errors.New("this is no curve of a run that this program knows")
	}
	c := make(Curve, b[1])
	b = b[2:]
	for k, of := range figuresOf {
		if len(b) == 0 || b[0] > maxShift {
			return nil, errors.New("the curve of a run ends too early, or has an impossible unit")
		}
		shift := b[0]
		b = b[1:]
		now := int64(0)
		for i := range c {
			step, n := binary.Varint(b)
			if n <= 0 || step < -maxUnits || step > maxUnits || k < 2 && step < 0 {
				return nil, fmt.Errorf("sample %d of the curve of a run is no sample, or lies before the one before it", i+1)
			}
			if now += step; now < 0 || now > maxUnits {
				return nil, fmt.Errorf("sample %d of the curve of a run is out of bounds", i+1)
			}
			*of(&c[i]) = now << shift
			b = b[n:]
		}
	}
	if len(b) > 0 {
		return nil, errors.New("there is more than one curve of a run")
	}
	return c, nil
}

// MarshalText returns the binary form in base64, for JSON.
func (c Curve) MarshalText() ([]byte, error) {
	return base64.StdEncoding.AppendEncode(nil, c.Encode()), nil
}

// UnmarshalText reads what MarshalText returns.
func (c *Curve) UnmarshalText(text []byte) error {
	if len(text) > base64.StdEncoding.EncodedLen(maxCurve) {
		return errors.New("the curve of a run is too long")
	}
	b, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return fmt.Errorf("the curve of a run: %w", err)
	}
	*c, err = DecodeCurve(b)
	return err
}
