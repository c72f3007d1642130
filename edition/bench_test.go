package edition

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"podium/examinations"
	"podium/scoring"
)

// benchTools and benchInstances are the size of a contest of today; thirteen
// examinations of sixteen values make 3.9 million values.
const (
	benchTools     = 10
	benchInstances = 1858
	benchExams     = 13
	benchValues    = 16
)

// benchEdition has thirteen examinations of sixteen values under the functions of
// an edition.
func benchEdition(b *testing.B, id string) *Edition {
	b.Helper()
	e, err := Named(id)
	if err != nil {
		b.Fatal(err)
	}
	e.Examinations = nil
	for i := range benchExams {
		e.Examinations = append(e.Examinations, scoring.Examination{ID: examinations.ID(fmt.Sprintf("Exam%02d", i)),
			Category: fmt.Sprintf("Category%d", i/3), Required: benchValues, Points: []int64{1}})
	}
	return e
}

// fillBench adds the runs of a contest whose tools are right in 99 of 100 answers
// and answer four values of five.
func fillBench(b *testing.B, e *Edition, instances int) *scoring.Builder {
	b.Helper()
	rng := rand.New(rand.NewPCG(2026, 5))
	builder := e.Builder()
	answers := make([]scoring.AnsweredValue, benchValues)
	items := make([]string, benchValues)
	for i := range instances {
		name := fmt.Sprintf("Family%03d-%s-%04d", i/13, []string{"PT", "COL"}[i%2], i/2)
		for _, exam := range e.Examinations {
			for v := range items {
				items[v] = fmt.Sprintf("%s-%s-%02d", name, exam.ID, v)
			}
			for tool := range benchTools {
				for v := range answers {
					answers[v] = scoring.AnsweredValue{Item: items[v]}
					if r := rng.Uint32N(500); r < 400 {
						answers[v].Value = examinations.Truth(v%3 == 0 == (r >= 4))
					}
				}
				err := builder.Add(scoring.Entry{Tool: fmt.Sprintf("tool%d", tool), Instance: name, Exam: exam.ID, Answers: answers,
					Run: scoring.Run{Participation: scoring.Answered, CPU: rng.Int64N(3_600_000_000), Wall: rng.Int64N(3_600_000_000), Memory: rng.Int64N(16 << 30)}})
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	return builder
}

// BenchmarkScore scores answers that lie in memory: 10 tools, 13 examinations of
// 16 values, and the instances of one to eight contests.
func BenchmarkScore(b *testing.B) {
	for _, id := range []string{"mcc2016", "mcc2020"} {
		for _, times := range []int{1, 2, 4, 8} {
			b.Run(fmt.Sprintf("%s/x%d", id, times), func(b *testing.B) {
				if testing.Short() && times > 1 {
					b.Skip("large")
				}
				e := benchEdition(b, id)
				c := fillBench(b, e, benchInstances*times).Contest()
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					r := e.Score(c)
					runtime.KeepAlive(r)
				}
				b.ReportMetric(float64(len(c.Ballots.Cells))/1e6, "Mvalues")
				reportHeap(b)
			})
		}
	}
}

// BenchmarkBuild adds the runs of one contest and sorts them into columns.
func BenchmarkBuild(b *testing.B) {
	e := benchEdition(b, "mcc2020")
	b.ReportAllocs()
	for range b.N {
		c := fillBench(b, e, benchInstances).Contest()
		runtime.KeepAlive(c)
	}
	reportHeap(b)
}

// reportHeap reports the memory that the process took from the system.
func reportHeap(b *testing.B) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/(1<<20), "MB-sys")
}
