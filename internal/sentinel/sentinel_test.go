package sentinel

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMeasure does the work on a real core: its results are checked there.
func TestMeasure(t *testing.T) {
	r, err := Measure(firstCore(t))
	if err != nil {
		t.Fatal(err)
	}
	if r.Compute <= 0 || r.Stream <= 0 || r.Jump <= 0 || time.Since(r.At) < 0 {
		t.Errorf("%+v", r)
	}
	if runtime.GOOS == "linux" {
		if _, err := Measure(100_000); err == nil {
			t.Error("a core that is not there was measured")
		}
	}
}

// firstCore is a core that this process may use.
func firstCore(t testing.TB) int {
	for core := range 1024 {
		if back, err := pin(core); err == nil {
			if err := back(); err != nil {
				t.Fatal(err)
			}
			return core
		}
	}
	t.Fatal("there is no core")
	return 0
}

// TestWorkNeedsAllOfItsSteps: each part's result depends on how much was done.
func TestWorkNeedsAllOfItsSteps(t *testing.T) {
	if compute(1000) == compute(999) {
		t.Error("computing does nothing in its last step")
	}
	memory := make([]uint64, 64*lineWords)
	layOut(memory)
	seen := map[uint64]bool{}
	for n := range 64 {
		seen[jump(memory, n)] = true
	}
	if len(seen) != 64 || jump(memory, 64) != 0 {
		t.Errorf("the circle has %d lines, not 64", len(seen))
	}
	before := slices.Clone(memory)
	stream(memory, 3)
	for i := range memory {
		if memory[i] != before[i]+3 {
			t.Fatalf("word %d was not changed in each pass", i)
		}
	}
	var wrong *WrongError
	if err := error(&WrongError{3, "computed"}); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "core 3 of this host computed wrongly") {
		t.Error(err)
	}
}

func TestKernel(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"proc/stat":         "cpu  1 2 3 4 5 6 7 90 0 0\ncpu0 1 2 3 4 5 6 7 40 0 0\ncpu1 1 2 3 4 5 6 7 50 0 0\n",
		"proc/pressure/cpu": "some avg10=0.00 avg60=0.00 avg300=0.00 total=123456\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=9\n",
		"sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count": "7\n",
		"sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq":             "2400000\n",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if k := kernel(root, 1); k != (Kernel{Stolen: 500_000, Throttled: 7, Waited: 123456, Frequency: 2_400_000}) {
		t.Errorf("%+v", k)
	}
	if k := kernel(t.TempDir(), 1); k != (Kernel{-1, -1, -1, -1}) {
		t.Errorf("a kernel that shows nothing: %+v", k)
	}
	if n := stolen("cpu1 1 2 3\ncpu1 1 2 3 4 5 6 7 x 0\n", 1); n != -1 {
		t.Errorf("a broken line: %d", n)
	}
}

// at is a moment, in minutes.
func at(minutes int) time.Time {
	return time.Date(2026, 1, 1, 0, minutes, 0, 0, time.UTC)
}

// calm is a reading as usual.
func calm(core, minutes int) Reading {
	return Reading{Core: core, At: at(minutes), Compute: 1000, Stream: 2000, Jump: 3000, Kernel: Kernel{Stolen: 0, Throttled: 0, Waited: -1, Frequency: -1}}
}

func TestDrift(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(r []Reading) // of minutes 0, 10, 20, 30, 40
		want   []string
	}{
		{"as usual", func([]Reading) {}, nil},
		{"within the bound", func(r []Reading) { r[2].Compute = 1099 }, nil},
		{"passes through memory vary more", func(r []Reading) { r[2].Stream = 3490 }, nil},
		{"slower before", func(r []Reading) { r[2].Jump = 3301 }, []string{"Core 0 jumped in memory 10 % slower than usual before the run."}},
		{"slower after", func(r []Reading) { r[3].Stream = 4000 }, []string{"Core 0 streamed through memory 100 % slower than usual after the run."}},
		{"faster", func(r []Reading) { r[3].Compute = 500 }, []string{"Core 0 computed 100 % faster than usual after the run."}},
		{"slower at another time", func(r []Reading) { r[1].Compute, r[4].Compute = 9000, 9000 }, nil},
		{"time stolen", func(r []Reading) { r[3].Kernel.Stolen, r[4].Kernel.Stolen = 2*60e6, 2*60e6 },
			[]string{"20 % of the time of core 0 was given to others by the machine below."}},
		{"throttled", func(r []Reading) { r[3].Kernel.Throttled = 4 }, []string{"Core 0 was slowed down 4 times because it was hot."}},
		{"not shown by the kernel", func(r []Reading) {
			for i := range r {
				r[i].Kernel = Kernel{-1, -1, -1, -1}
			}
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			readings := []Reading{calm(0, 0), calm(0, 10), calm(0, 20), calm(0, 30), calm(0, 40)}
			c.change(readings)
			other := calm(1, 25)
			other.Compute = 1 // of another core, which has another usual time
			slices.Reverse(readings)
			if got := NewHost(append(readings, other)).Drift([]int{0, 1}, at(22), at(28)); !slices.Equal(got, c.want) {
				t.Errorf("%q, not %q", got, c.want)
			}
		})
	}
	if got := NewHost(nil).Drift([]int{0}, at(1), at(2)); got != nil {
		t.Errorf("nothing is known, and said is %q", got)
	}
	if got := NewHost([]Reading{calm(0, 0)}).Drift([]int{0}, at(1), at(2)); got != nil {
		t.Errorf("there is one reading, and said is %q", got)
	}
}

// TestCourse: readings of all cores follow each other, each beside the median of its core.
func TestCourse(t *testing.T) {
	at := time.Unix(1000, 0)
	var readings []Reading
	for i, us := range []int64{100, 100, 150} {
		readings = append(readings, Reading{Core: 1, At: at.Add(time.Duration(3-i) * time.Minute), Compute: us, Stream: 10, Jump: us}, Reading{Core: 0, At: at.Add(time.Duration(i) * time.Hour), Compute: 10, Stream: 10, Jump: 10})
	}
	steps := NewHost(readings).Course()
	if len(steps) != 6 || !slices.IsSortedFunc(steps, func(a, b Step) int { return a.At.Compare(b.At) }) {
		t.Fatalf("steps %+v", steps)
	}
	if s := steps[1]; s.Core != 1 || s.Compute != 1.5 || s.Stream != 1 || s.Jump != 1.5 {
		t.Errorf("the slow reading is %+v", s)
	}
}
