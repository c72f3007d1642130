//go:build unix

package explorer

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/realdata"
	"podium/internal/yardstick"
	"podium/pnml"
	"podium/pnml/unfold"
)

// BenchmarkEnd reads, unfolds and decides each examination of the instances of the
// benchmarks, ends that after some processor time, and reports the processor time
// that passes then until there is an answer, in milliseconds: the longest one.
func BenchmarkEnd(b *testing.B) {
	archives, _ := filepath.Glob(filepath.Join(realdata.Contest(b), "bench", "*.tgz"))
	for _, archive := range archives {
		b.Run(strings.TrimSuffix(filepath.Base(archive), ".tgz"), func(b *testing.B) {
			var worst time.Duration
			for b.Loop() {
				files := untar(b, archive)
				for _, after := range []time.Duration{50 * time.Millisecond, time.Second, 3 * time.Second} {
					for _, exam := range examinations.All() {
						late := lateness(b, files, exam, after)
						if testing.Verbose() && late > 100*time.Millisecond {
							b.Logf("%s after %v: %v late", exam, after, late)
						}
						worst = max(worst, late)
					}
				}
			}
			b.ReportMetric(float64(worst.Microseconds())/1000, "ms-late")
		})
	}
}

// lateness is the processor time from the end of the context to the answer.
func lateness(b *testing.B, files map[string]string, exam examinations.ID, after time.Duration) time.Duration {
	ctx, cancel := context.WithCancel(b.Context())
	began, ended, done := yardstick.CPUTime(), make(chan time.Duration, 1), make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
				if now := yardstick.CPUTime(); now-began > after {
					ended <- now
					cancel()
					return
				}
			}
		}
	}()
	err := clock.Until(ctx, func(c *clock.Clock) error { return examine(ctx, c, files, exam) })
	now := yardstick.CPUTime()
	close(done)
	cancel()
	if err != nil && !errors.Is(err, context.Canceled) {
		b.Fatal(err)
	}
	select {
	case at := <-ended:
		return now - at
	default:
		return 0
	}
}

func examine(ctx context.Context, c *clock.Clock, files map[string]string, exam examinations.ID) error {
	doc, found := pnml.Read(c.Reader(strings.NewReader(files["model.pnml"])), "model.pnml")
	if found.Err() != nil {
		return found
	}
	var props []formula.Property
	if text, ok := files[exam.FormulaFile()]; exam.HasFormulas() {
		if !ok {
			return nil
		}
		if props, found = formula.Read(c.Reader(strings.NewReader(text)), exam.FormulaFile(), exam); found.Err() != nil {
			return found
		}
	}
	v, err := unfold.Of(ctx, doc, unfold.Limits{Arcs: 1 << 25})
	if large := (*unfold.TooLarge)(nil); err != nil {
		if errors.As(err, &large) {
			return nil
		}
		return err
	}
	_, err = Decide(ctx, v, exam, props, Options{Memory: 4 << 30, Witnesses: true, Cores: 2}, func(Answer) {})
	return err
}

// untar returns the files of an archive.
func untar(tb testing.TB, archive string) map[string]string {
	tb.Helper()
	f, err := os.Open(archive)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	files := map[string]string{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			tb.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			tb.Fatal(err)
		}
		files[filepath.Base(h.Name)] = string(text)
	}
}
