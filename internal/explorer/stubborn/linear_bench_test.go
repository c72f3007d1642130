package stubborn

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/check"
	"podium/internal/explorer/space"
	"podium/internal/explorer/state"
	"podium/internal/explorer/temporal"
	"podium/internal/realdata"
	"podium/models"
	"podium/pnml"
	"podium/pnml/unfold"
)

// BenchmarkLinear decides the first four formulas of LTLCardinality and of LTLFireability of
// some instances, which are made where an instance has none, with stubborn sets and by the
// product with all markings, each in 2 s on one core. It reports how many formulas each
// decides, and for those that both decide markings, time and memory, in sum, and as ratios to
// the full product.
func BenchmarkLinear(b *testing.B) {
	for _, instance := range []string{
		"bench/Railroad-PT-010", "bench/AirplaneLD-PT-0020", "bench/ShieldRVs-PT-003A", "bench/RwMutex-PT-r0020w0010", "bench/Anderson-PT-05", "bench/TriangularGrid-PT-1500",
		"bench/HouseConstruction-PT-00005", "bench/CircadianClock-PT-000010", "bench/ResAllocation-PT-R003C010", "bench/SmallOperatingSystem-PT-MT0032DC0016",
		"instances/BusinessProcesses-PT-08", "instances/DES-PT-01b", "instances/HirschbergSinclair-PT-10", "instances/LeafsetExtension-PT-S08C4", "instances/ShieldRVt-PT-100B", "instances/SquareGrid-PT-040204", "instances/UtahNoC-PT-none"} {
		b.Run(filepath.Base(instance), func(b *testing.B) {
			net, formulas := firstFormulas(b, filepath.Join(realdata.Contest(b), instance+".tgz"))
			var counts struct {
				sets, full, both      int
				markings, all         float64
				bytes, allBytes       float64
				reducedTime, fullTime time.Duration
			}
			for b.Loop() {
				for _, f := range formulas {
					var holds, known bool
					var found Result
					began := time.Now()
					reduced := within(b, func(c *clock.Clock) (err error) {
						holds, found, err = Linear(c, unfold.Plain(net), f, 2<<30)
						return err
					})
					took := time.Since(began)
					began = time.Now()
					var value bool
					var states uint64
					var peak int64
					whole := within(b, func(c *clock.Clock) (err error) {
						value, known, states, peak, err = fullProduct(b.Context(), c, net, f)
						return err
					}) && known
					fullTook := time.Since(began)
					if reduced {
						counts.sets++
					}
					if whole {
						counts.full++
					}
					if !reduced || !whole {
						continue
					}
					if value != holds {
						b.Fatalf("%v with stubborn sets, %v by all markings: %s", holds, value, formula.Print(f))
					}
					counts.both++
					counts.markings, counts.all = counts.markings+float64(found.Markings), counts.all+float64(states)
					counts.bytes, counts.allBytes = counts.bytes+float64(found.Bytes), counts.allBytes+float64(peak)
					counts.reducedTime, counts.fullTime = counts.reducedTime+took, counts.fullTime+fullTook
				}
			}
			n := float64(b.N)
			b.ReportMetric(float64(counts.sets)/n, "stubborn")
			b.ReportMetric(float64(counts.full)/n, "full")
			b.ReportMetric(float64(counts.both)/n, "both")
			if counts.both == 0 {
				return
			}
			b.ReportMetric(counts.markings/n, "markings")
			b.ReportMetric(counts.all/n, "all")
			b.ReportMetric(counts.markings/counts.all, "x-markings")
			b.ReportMetric(counts.reducedTime.Seconds()/counts.fullTime.Seconds(), "x-time")
			b.ReportMetric(counts.bytes/counts.allBytes, "x-memory")
		})
	}
}

// within reports whether something comes to its end in 2 s.
func within(b *testing.B, do func(c *clock.Clock) error) bool {
	ctx, stop := context.WithTimeout(b.Context(), 2*time.Second)
	defer stop()
	return clock.Until(ctx, do) == nil
}

func firstFormulas(b *testing.B, archive string) (*pnml.Net, []formula.Formula) {
	if _, err := os.Stat(archive); err != nil {
		b.Skip("the data of the contest lacks it")
	}
	opened, err := models.Open(archive)
	if err != nil {
		b.Fatal(err)
	}
	exams := []examinations.ID{examinations.LTLCardinality, examinations.LTLFireability}
	files, err := formula.Open(opened.Instances[0], exams, nil)
	if err != nil {
		b.Fatal(err)
	}
	net := files.Document.Net
	var formulas []formula.Formula
	for _, exam := range exams {
		var properties []formula.Property
		if text, ok := files.Texts[exam.FormulaFile()]; ok {
			properties, _ = formula.Read(bytes.NewReader(text), exam.FormulaFile(), exam)
		} else if properties, err = formula.Generate(net, opened.Instances[0].ID, exam, formula.GenerateOptions{Seed: 1}); err != nil {
			b.Fatal(err)
		}
		for _, property := range properties[:4] {
			formulas = append(formulas, property.Formula)
		}
	}
	return net, formulas
}

// fullProduct looks for a run in the product with all markings, as far as they are visited.
func fullProduct(ctx context.Context, c *clock.Clock, net *pnml.Net, f formula.Formula) (value, known bool, markings uint64, peak int64, err error) {
	automaton, holds, err := temporal.Linear(c, f)
	if err != nil {
		return false, false, 0, 0, err
	}
	atoms, err := (&state.Lookup{View: unfold.Plain(net), Clock: c}).Formulas(automaton.Atoms)
	if err != nil {
		return false, false, 0, 0, err
	}
	s := space.NewSearch(c, net, space.Options{Memory: 2 << 30, Edges: true, Cores: 1})
	defer s.Close()
	s.OnPause = func() bool {
		p, err := check.NewProduct(s.Space, automaton, atoms)
		if err != nil {
			return false
		}
		defer p.Close()
		found, err := p.Accepted()
		known = err == nil && (found || !p.Open)
		value = found == holds
		return known
	}
	s.Run(ctx)
	if !known && s.Complete() {
		s.OnPause()
	}
	return value, known, s.States(), s.Budget().Peak(), nil
}
