package referee

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/nettest"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/models"
	"podium/pnml/unfold"
)

// TestWithoutColours: on random coloured nets, what the skeleton decides is what an enumeration
// of the unfolding gives, and a replay that knows the unfolding confirms each witness. 30 nets; with
// PODIUM_SOAK=1, more.
func TestWithoutColours(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 1))
	decided := map[examinations.ID]int{}
	for seed := range uint64(nettest.Cases(300) / 10) {
		s := nettest.RandomColoured(rng)
		view, ok := unfold.Skeleton(s)
		if !ok {
			t.Fatal("there is no skeleton")
		}
		u, err := unfold.Unfold(t.Context(), s, unfold.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		whole := replay.NewNet(u.View())
		for _, exam := range examinations.All() {
			var properties []formula.Property
			if exam.HasFormulas() {
				if properties, err = formula.Generate(view.Net, models.ID{Family: "N", Param: "1"}, exam, formula.GenerateOptions{Seed: seed, Count: 4}); err != nil {
					t.Fatal(err)
				}
			}
			h := heard(t, view, patience, properties)
			p := &oracle.Proof{Instance: "N-COL-1", Exam: exam}
			h.follow(p, withoutColoursOrder)
			for _, w := range h.net.witnesses {
				if r := whole.Check(t.Context(), w, lookup(properties))[0]; r.State != witness.Confirmed {
					t.Errorf("net %d %s: %s is not shown: %s", seed, exam, w.Claims[0], r.Detail)
				}
			}
			for _, v := range p.Values {
				kind := exam.Kind()
				w := &witness.Witness{Exam: exam, Claims: []witness.Claim{{Item: v.Item, Value: examinations.Value{Kind: kind, Text: v.Text}}}, Enumerate: true}
				short, stop := context.WithTimeout(t.Context(), 5*patience) // some nets have no bound
				r := whole.Check(short, w, lookup(properties))[0]
				stop()
				switch r.State {
				case witness.Refuted:
					t.Errorf("net %d %s %s: %s is found, and an enumeration says %s", seed, exam, v.Item, v.Text, r.Detail)
				case witness.Confirmed:
					decided[exam]++
				}
			}
		}
		if t.Failed() {
			t.Fatalf("net %d: %v", seed, s)
		}
	}
	t.Log(decided)
	for _, exam := range examinations.All() {
		if exam.HasFormulas() && exam != examinations.LTLFireability && decided[exam] == 0 {
			t.Errorf("nothing is decided of %s", exam)
		}
	}
}

// TestDecidedWithoutColours: where the skeleton decides all that is asked, the net is not
// unfolded, and the witnesses are written and replayed.
func TestDecidedWithoutColours(t *testing.T) {
	i, dir := colouredInstance(t), t.TempDir()
	r, err := New(Options{Budget: time.Minute, Memory: 1 << 26, Cores: 1, Dir: dir, Replay: true, Known: &oracle.Known{}, Say: func(text string) { t.Log(text) }, Compared: func(Comparison) {}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Instance(t.Context(), i, []examinations.ID{examinations.UpperBounds}), r.Close()); err != nil {
		t.Fatal(err)
	}
	certificate, faults := readCertificate(t, filepath.Join(dir, oracle.CertificateFile))
	p, ok := certificate.Find(i.ID.String(), examinations.UpperBounds)
	if !ok || faults || len(p.Values) != p.Asked || p.Ended != "every value is proved without colours" {
		t.Errorf("%+v", p)
	}
	if took := r.Tally(examinations.UpperBounds).Took; took.Values != p.Asked || took.Unconfirmed != 0 {
		t.Errorf("replayed: %+v", took)
	}
}

// colouredInstance is a ring in which one token of three colours moves on.
func colouredInstance(t *testing.T) models.Instance {
	t.Helper()
	return instanceOf(t, "Ring-COL-1", map[string]string{
		"iscolored": "TRUE\n",
		"model.pnml": `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="Ring-COL-1" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<name><text>Ring-COL-1</text></name><declaration><structure><declarations>
<namedsort id="C" name="C"><cyclicenumeration><feconstant id="a" name="a"/><feconstant id="b" name="b"/><feconstant id="c" name="c"/></cyclicenumeration></namedsort>
<variabledecl id="x" name="x"><usersort declaration="C"/></variabledecl></declarations></structure></declaration><page id="page">
<place id="here"><name><text>here</text></name><type><structure><usersort declaration="C"/></structure></type><hlinitialMarking><structure><useroperator declaration="a"/></structure></hlinitialMarking></place>
<transition id="move"><name><text>move</text></name></transition>
<arc id="a1" source="here" target="move"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="a2" source="move" target="here"><hlinscription><structure><successor><subterm><variable refvariable="x"/></subterm></successor></structure></hlinscription></arc>
</page></net></pnml>`,
		"UpperBounds.xml": `<?xml version="1.0"?><property-set xmlns="http://mcc.lip6.fr/"><property><id>Ring-COL-1-UpperBounds-00</id><description>d</description>` +
			`<formula><place-bound><place>here</place></place-bound></formula></property></property-set>`,
	})
}
