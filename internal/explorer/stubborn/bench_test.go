package stubborn

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/packed"
	"podium/internal/explorer/space"
	"podium/internal/realdata"
	"podium/models"
	"podium/pnml"
	"podium/pnml/unfold"
)

// BenchmarkDeadlock looks for a deadlock in the nets of the benchmarks for exploration, with
// stubborn sets and by all markings until there is one, by turns. It reports the markings
// that each visits, and as ratios to the full search markings, time and memory. A search
// ends after 20 s; the markings until then say nothing of the ratio, which is left out.
func BenchmarkDeadlock(b *testing.B) {
	for _, instance := range []string{"Railroad-PT-010", "AirplaneLD-PT-0020", "ShieldRVs-PT-003A", "RwMutex-PT-r0020w0010", "Anderson-PT-05",
		"TriangularGrid-PT-1500", "HouseConstruction-PT-00005", "CircadianClock-PT-000010", "ResAllocation-PT-R003C010", "SmallOperatingSystem-PT-MT0032DC0016"} {
		b.Run(instance, func(b *testing.B) {
			opened, err := models.Open(filepath.Join(realdata.Contest(b), "bench", instance+".tgz"))
			if err != nil {
				b.Fatal(err)
			}
			doc, err := opened.Instances[0].Document()
			if err != nil {
				b.Fatal(err)
			}
			var found Result
			var all uint64
			var bytes int64
			var reduced, full time.Duration
			complete := true
			for b.Loop() {
				began := time.Now()
				ctx, stop := context.WithTimeout(b.Context(), 20*time.Second)
				err := clock.Until(ctx, func(c *clock.Clock) (err error) {
					found, err = Search(c, unfold.Plain(doc.Net), &formula.Deadlock{}, 4<<30)
					return err
				})
				reduced += time.Since(began)
				stop()
				if complete = err == nil; !complete && !errors.Is(err, context.DeadlineExceeded) {
					b.Fatal(err)
				}
				began = time.Now()
				s, dead := fullSearch(b.Context(), doc.Net)
				full += time.Since(began)
				if complete && dead != found.Found {
					b.Fatalf("a deadlock: %v with stubborn sets, %v by all markings", found.Found, dead)
				}
				all, bytes = s.States(), s.Budget().Peak()
				s.Close()
			}
			b.ReportMetric(float64(all), "all")
			b.ReportMetric(full.Seconds()/float64(b.N), "all-s")
			b.ReportMetric(float64(bytes)/1e6, "all-MB")
			if !complete {
				return
			}
			b.ReportMetric(float64(found.Markings), "stubborn")
			b.ReportMetric(float64(found.Markings)/float64(all), "x-markings")
			b.ReportMetric(reduced.Seconds()/full.Seconds(), "x-time")
			b.ReportMetric(float64(found.Bytes)/float64(bytes), "x-memory")
		})
	}
}

// dead ends a search at a dead marking.
type dead struct{ found bool }

func (*dead) Prepare(*packed.View)        {}
func (*dead) Found(uint32, []uint64) bool { return false }
func (*dead) Fired(_, _ uint32) bool      { return false }
func (d *dead) Deadlock(uint32) bool      { d.found = true; return true }

// fullSearch visits all markings, until one is dead.
func fullSearch(ctx context.Context, net *pnml.Net) (*space.Space, bool) {
	d := &dead{}
	s := space.NewSearch(nil, net, space.Options{Memory: 4 << 30, Cores: 1})
	s.Observer = d
	s.Run(ctx)
	return s.Space, d.found
}
