package referee

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/nettest"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/models"
	"podium/pnml"
	"podium/pnml/unfold"
)

// TestMerged: on random coloured nets with merged colours, what is decided is what an enumeration
// of the unfolding gives, and a replay that reads the coloured net confirms each witness. 30 nets;
// with PODIUM_SOAK=1, more.
func TestMerged(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 1))
	decided, merged := map[examinations.ID]int{}, 0
	for seed := uint64(0); merged < nettest.Cases(300)/10; seed++ {
		doc := &pnml.Document{Symmetric: nettest.RandomColoured(rng)}
		whole := replay.Open(doc, unfold.Limits{})
		value := func(exam examinations.ID, item, text string, properties []formula.Property) witness.Result {
			w := &witness.Witness{Exam: exam, Claims: []witness.Claim{{Item: item, Value: examinations.Value{Kind: exam.Kind(), Text: text}}}, Enumerate: true}
			short, stop := context.WithTimeout(t.Context(), 5*patience) // some nets have no bound
			defer stop()
			return whole.Check(short, w, lookup(properties))[0]
		}
		h := &hearing{limited: t.Context(), Referee: &Referee{Options: Options{Memory: 1 << 26, Budget: patience, Cores: 1, Say: func(string) {}}}, files: &formula.Files{Document: doc}}
		if _, merging := h.netFor(examinations.OneSafe); merging == nil || value(examinations.OneSafe, "OneSafe", "TRUE", nil).State == witness.Unconfirmed {
			continue // nothing is merged, or there are too many markings
		}
		merged++
		h.merged = nil
		for _, exam := range examinations.All() {
			if exam == examinations.GlobalProperties {
				continue // enumeration does not show it
			}
			var properties []formula.Property
			if exam.HasFormulas() {
				skeleton, _ := unfold.Skeleton(doc.Symmetric)
				var err error
				if properties, err = formula.Generate(skeleton.Net, models.ID{Family: "N", Param: "1"}, exam, formula.GenerateOptions{Seed: seed, Count: 4}); err != nil {
					t.Fatal(err)
				}
			}
			h.begin(t.Context())
			if err := h.view(t.Context(), exam); err != nil {
				t.Fatal(err)
			}
			h.ask(properties)
			if (h.net.Merging == nil) != (exam == examinations.StateSpace) {
				t.Errorf("net %d: merged colours for %s: %v", seed, exam, h.net.Merging)
			}
			p := &oracle.Proof{Instance: "N-COL-1", Exam: exam}
			h.follow(p, order)
			h.follow(p, evidenceOrder)
			for _, w := range h.witnesses() {
				if r := whole.Check(t.Context(), w, lookup(properties))[0]; r.State != witness.Confirmed {
					t.Errorf("net %d %s: %s is not shown: %s", seed, exam, w.Claims[0], r.Detail)
				}
			}
			for _, v := range p.Values {
				r := value(exam, v.Item, v.Text, properties)
				if r.State == witness.Refuted {
					t.Errorf("net %d %s %s: %s is found, and an enumeration says %s", seed, exam, v.Item, v.Text, r.Detail)
				}
				decided[exam]++
			}
			h.stop()
		}
		if t.Failed() {
			t.Fatalf("net %d: %v", seed, doc.Symmetric)
		}
	}
	t.Log(decided)
	for _, exam := range examinations.All() {
		if exam != examinations.GlobalProperties && decided[exam] == 0 {
			t.Errorf("nothing is decided of %s", exam)
		}
	}
}

// TestDecidedWithMergedColours: witnesses about the net with merged colours are written, and read
// and confirmed from their file, also when another call goes on.
func TestDecidedWithMergedColours(t *testing.T) {
	i, dir := colouredInstance(t), t.TempDir()
	for _, again := range []bool{false, true} {
		r, err := New(Options{Budget: time.Minute, Memory: 1 << 26, Cores: 1, Dir: dir, Again: again, Replay: true, Known: &oracle.Known{}, Say: func(text string) { t.Log(text) }, Compared: func(Comparison) {}})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(r.Instance(t.Context(), i, []examinations.ID{examinations.StateSpace, examinations.QuasiLiveness}), r.Close()); err != nil {
			t.Fatal(err)
		}
		if took := r.Tally(examinations.QuasiLiveness).Took; took.Values != 1 || took.Unconfirmed != 0 {
			t.Errorf("replayed: %+v", took)
		}
	}
	path := filepath.Join(dir, "Ring-COL-1-QL.witness")
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "\nmerged here 1 a c\n") {
		t.Fatalf("%s\n%v", text, err)
	}
	whole, err := Open(i, "")
	if err != nil {
		t.Fatal(err)
	}
	confirmed := 0
	faults, err := whole.Replay(context.Background(), strings.NewReader(string(text)), path, func(_ *witness.Witness, r witness.Result) error {
		if r.State == witness.Confirmed {
			confirmed++
		}
		return nil
	})
	if faults != nil || err != nil || confirmed != 1 {
		t.Errorf("%d confirmed: %v %v", confirmed, faults, err)
	}
}
