package vm_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/vm"
)

// sound wants a curve to keep its promises.
func sound(t *testing.T, c vm.Curve) {
	t.Helper()
	if len(c) > vm.MaxSamples {
		t.Fatalf("%d samples", len(c))
	}
	for i, s := range c {
		if s.At < 0 || s.CPU < 0 || s.Memory < 0 || i > 0 && (s.At < c[i-1].At || s.CPU < c[i-1].CPU) {
			t.Fatalf("sample %d is %+v, in %+v", i, s, c)
		}
	}
	for s := range c.Stretches() {
		if s.To <= s.From || s.CPU < 0 {
			t.Fatalf("a stretch is %+v", s)
		}
	}
}

func most(c vm.Curve) (m int64) {
	for _, s := range c {
		m = max(m, s.Memory)
	}
	return m
}

// TestSamplerKeeps: whatever comes, both ends are kept, times do not fall, the greatest memory
// stays, and there are never more than so many samples.
func TestSamplerKeeps(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 47))
		var s vm.Sampler
		first := vm.Sample{At: vm.Micros(rng.Int64N(50)), Memory: rng.Int64N(1000)}
		s.Add(first)
		at, greatest := first, first.Memory
		for range rng.IntN(3000) {
			at.At += vm.Micros(rng.Int64N(1 << (1 + rng.IntN(22))))
			at.CPU += vm.Micros(rng.Int64N(1 << (1 + rng.IntN(22))))
			at.Memory = rng.Int64N(1 << (1 + rng.IntN(40)))
			greatest = max(greatest, at.Memory)
			s.Add(at)
			if rng.IntN(20) == 0 { // a clock that runs backwards
				s.Add(vm.Sample{At: at.At / 2, CPU: at.CPU / 2, Memory: 1})
			}
		}
		end := vm.Sample{At: at.At - vm.Micros(rng.Int64N(3000)) + 1000, CPU: at.CPU + 5, Memory: rng.Int64N(3)}
		c := s.End(end)
		sound(t, c)
		if c[0].At != first.At || len(c) > 2 && c[0] != first {
			t.Fatalf("seed %d: the first sample is %+v, not %+v", seed, c[0], first)
		}
		if last := c[len(c)-1]; last.At != max(end.At, c[0].At) || last.CPU != end.CPU {
			t.Fatalf("seed %d: the last sample is %+v, not %+v", seed, last, end)
		}
		if most(c) != greatest {
			t.Fatalf("seed %d: the greatest memory is %d, not %d", seed, most(c), greatest)
		}
	}
}

// TestSamplerDrawsAll: a run that is sampled when the sampler wants has enough samples all
// over, whether it takes a second, an hour or a week, and few are taken.
func TestSamplerDrawsAll(t *testing.T) {
	for _, length := range []time.Duration{time.Second, 90 * time.Second, time.Hour, 7 * 24 * time.Hour} {
		var s vm.Sampler
		asked := 0
		for at := time.Duration(0); at < length; at += s.Pause() + 50*time.Microsecond {
			s.Add(vm.Sample{At: vm.Took(at), CPU: vm.Took(at / 2), Memory: int64(at)})
			asked++
		}
		c := s.End(vm.Sample{At: vm.Took(length), CPU: vm.Took(length / 2)})
		sound(t, c)
		for part := range c.Stretches() {
			if part.To-part.From > length/45 {
				t.Errorf("%v: a stretch is %v long", length, part.To-part.From)
			}
		}
		if len(c) < 95 || asked > 2500 {
			t.Errorf("%v: %d samples of %d", length, len(c), asked)
		}
	}
}

func TestStretches(t *testing.T) {
	c := vm.Curve{{Memory: 7}, {At: 1e6, CPU: 5e5, Memory: 3}, {At: 1e6, CPU: 5e5, Memory: 9}, {At: 3e6, CPU: 45e5, Memory: 4}}
	got := slices.Collect(c.Stretches())
	want := []vm.Stretch{{To: time.Second, CPU: time.Second / 2, Memory: 7}, {From: time.Second, To: 3 * time.Second, CPU: 4 * time.Second, Memory: 4}}
	if !reflect.DeepEqual(got, want) || got[1].Cores() != 2 || c.Length() != 3*time.Second || vm.Curve(nil).Length() != 0 {
		t.Errorf("%+v, not %+v", got, want)
	}
}

// near wants figures to be those of another curve, but for what twelve bits cannot hold.
func near(t *testing.T, got, want vm.Curve) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d samples came back of %d", len(got), len(want))
	}
	last := want[len(want)-1]
	for i := range got {
		for _, x := range [][3]int64{{int64(got[i].At), int64(want[i].At), int64(last.At)}, {int64(got[i].CPU), int64(want[i].CPU), int64(last.CPU)}, {got[i].Memory, want[i].Memory, most(want)}} {
			if d := x[0] - x[1]; max(d, -d) > x[2]/2000 {
				t.Fatalf("sample %d came back as %+v, and was %+v", i, got[i], want[i])
			}
		}
	}
}

func TestCurveAsBytes(t *testing.T) {
	size := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 48))
		var s vm.Sampler
		var at vm.Sample
		for range rng.IntN(2000) {
			s.Add(at)
			at = vm.Sample{At: at.At + vm.Took(s.Pause()) + vm.Micros(rng.Int64N(200)), CPU: at.CPU + vm.Took(s.Pause()), Memory: at.Memory + rng.Int64N(1<<22)}
		}
		c := s.End(at)
		b := c.Encode()
		size = max(size, len(b))
		got, err := vm.DecodeCurve(b)
		if err != nil {
			t.Fatal(err)
		}
		near(t, got, c)
		if again, err := vm.DecodeCurve(got.Encode()); err != nil || !slices.Equal(again, got) {
			t.Fatalf("what was read comes back otherwise: %v", err)
		}
	}
	if size > 1000 {
		t.Errorf("a curve takes %d bytes", size)
	}
	huge := vm.Curve{{Memory: 1 << 62}, {At: 1 << 62, CPU: 1 << 62, Memory: -1}}
	if got, err := vm.DecodeCurve(huge.Encode()); err != nil || len(got) != 2 {
		t.Errorf("figures that cannot be: %v, %v", got, err)
	}
}

// TestCurveInJSON: an outcome without a curve does not have the word.
func TestCurveInJSON(t *testing.T) {
	out := vm.Outcome{Curve: vm.Curve{{}, {At: 1000, CPU: 500, Memory: 4095}}}
	text, err := json.Marshal(out)
	var back vm.Outcome
	if err != nil || json.Unmarshal(text, &back) != nil || !slices.Equal(back.Curve, out.Curve) {
		t.Errorf("%s came back as %+v: %v", text, back.Curve, err)
	}
	if text, _ := json.Marshal(vm.Outcome{}); strings.Contains(string(text), "curve") {
		t.Errorf("an outcome without a curve is %s", text)
	}
	for _, text := range []string{`{"curve":"AQE"}`, `{"curve":"AAAA"}`, `{"curve":5}`, `{"curve":"!!"}`} {
		if err := json.Unmarshal([]byte(text), &back); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

func FuzzDecodeCurve(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(vm.Curve{{Memory: 5}, {At: 1 << 40, CPU: 1 << 39, Memory: 1 << 35}, {At: 1 << 41, CPU: 1 << 40}}.Encode())
	f.Add([]byte{1, 2, 48, 0, 2, 0, 0, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := vm.DecodeCurve(b)
		if err != nil {
			return
		}
		sound(t, c)
		if again, err := vm.DecodeCurve(c.Encode()); err != nil || !slices.Equal(again, c) {
			t.Errorf("%v comes back as %v: %v", c, again, err)
		}
	})
}

// TestCoarse: a coarser curve keeps both ends and the greatest memory, and leaves the finer one alone.
func TestCoarse(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 7))
	var s vm.Sampler
	at := vm.Sample{}
	for range 500 {
		at.At, at.CPU, at.Memory = at.At+vm.Micros(rng.Int64N(1e6)), at.CPU+vm.Micros(rng.Int64N(1e6)), rng.Int64N(1e9)
		s.Add(at)
	}
	fine := s.End(at)
	before := slices.Clone(fine)
	for _, n := range []int{0, 2, 3, 64, 1000} {
		c := fine.Coarse(n)
		sound(t, c)
		if last := c[len(c)-1]; len(c) > max(n, 2) || c[0] != fine[0] || last.At != at.At || last.CPU != at.CPU || most(c) != most(fine) {
			t.Errorf("%d samples: %d of %d, from %+v to %+v", n, len(c), len(fine), c[0], last)
		}
	}
	if !slices.Equal(before, fine) || len(vm.Curve(nil).Coarse(9)) != 0 {
		t.Error("the finer curve has changed")
	}
}
