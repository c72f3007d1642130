package referee

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/witness"
	"podium/models"
	"podium/pnml/unfold"
)

// loop is a net whose token goes round for ever: no deadlock, three markings.
const loop = `<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="Loop-PT-1" type="http://www.pnml.org/version-2009/grammar/ptnet">
<page id="g"><place id="a"><initialMarking><text>1</text></initialMarking></place><place id="b"/><place id="c"/>
<transition id="t"/><transition id="u"/><transition id="v"/>
<arc id="1" source="a" target="t"/><arc id="2" source="t" target="b"/><arc id="3" source="b" target="u"/>
<arc id="4" source="u" target="c"/><arc id="5" source="c" target="v"/><arc id="6" source="v" target="a"/>
</page></net></pnml>`

func loopInstance(t *testing.T) models.Instance {
	t.Helper()
	return instanceOf(t, "Loop-PT-1", map[string]string{"model.pnml": loop, "iscolored": "FALSE\n"})
}

// instanceOf writes an instance and opens it.
func instanceOf(t *testing.T, name string, files map[string]string) models.Instance {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	opened, err := models.Open(dir)
	if err != nil || len(opened.Instances) != 1 {
		t.Fatal(opened, err)
	}
	return opened.Instances[0]
}

// TestReferee decides a net, goes on from its certificate without deciding again,
// and names a known answer that is wrong.
func TestReferee(t *testing.T) {
	i, dir := loopInstance(t), t.TempDir()
	exams := []examinations.ID{examinations.ReachabilityDeadlock, examinations.StateSpace}
	wrong := filepath.Join(t.TempDir(), "wrong.csv")
	if err := os.WriteFile(wrong, []byte("instance,examination,formula_id,value\nLoop-PT-1,ReachabilityDeadlock,ReachabilityDeadlock,TRUE\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	certificate := filepath.Join(dir, oracle.CertificateFile)
	var first []byte
	for _, call := range []string{"first", "again"} {
		known, err := oracle.Open(wrong)
		if err != nil {
			t.Fatal(err)
		}
		var refuted []string
		r, err := New(Options{Budget: time.Minute, Memory: 1 << 28, Cores: 1, Version: "test", Dir: dir, Known: known, Say: func(string) {},
			Compared: func(c Comparison) {
				refuted = append(refuted, c.Key.Item+" "+c.Given+" "+c.Proved)
			}})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Instance(t.Context(), i, exams); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if len(refuted) != 1 || refuted[0] != "ReachabilityDeadlock TRUE FALSE" {
			t.Errorf("%s: refuted %q", call, refuted)
		}
		if got := *r.Tally(examinations.StateSpace); got != (Tally{New: 4, ByEnumeration: 4, Found: Found{Enumeration: 4}}) {
			t.Errorf("%s: StateSpace %+v", call, got)
		}
		text, err := os.ReadFile(certificate)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = text
		} else if string(first) != string(text) {
			t.Errorf("the second call wrote to the certificate:\n%s", text)
		}
	}
}

// TestReplayTakes: what was found is replayed from the file, and counted with its times.
func TestReplayTakes(t *testing.T) {
	var said []string
	r, err := New(Options{Budget: time.Minute, Memory: 1 << 28, Cores: 1, Version: "test", Dir: t.TempDir(), Replay: true, Say: func(text string) { said = append(said, text) }})
	if err != nil {
		t.Fatal(err)
	}
	exams := []examinations.ID{examinations.OneSafe, examinations.QuasiLiveness, examinations.StateSpace}
	if err := r.Instance(t.Context(), loopInstance(t), exams); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if got := r.Tally(examinations.StateSpace).Took; got != (Took{}) {
		t.Errorf("an enumeration is replayed: %+v", got)
	}
	got := r.Tally(examinations.QuasiLiveness).Took
	if got.Files != 1 || got.Values != 1 || got.Unconfirmed != 0 || got.Finding <= 0 || got.Replaying <= 0 {
		t.Errorf("%+v, and it was said: %q", got, said)
	}
}

// TestFoundWhen: a value that is kept when all searches have ended was found when its own had.
func TestFoundWhen(t *testing.T) {
	h := &hearing{Referee: &Referee{Options: Options{Budget: time.Minute, Cores: 1}}}
	h.begin(t.Context())
	defer h.stop()
	p, later := &oracle.Proof{}, int64(0)
	h.each(h.limited, 2, func(_ context.Context, k int) func() {
		if later = h.passed(); k == 1 {
			for h.passed() <= later {
			}
		}
		return func() { h.found(p, oracle.ProvedValue{}) }
	})
	h.found(p, oracle.ProvedValue{})
	if first, second, third := p.Values[0].After, p.Values[1].After, p.Values[2].After; first > later || second <= later || third < second {
		t.Errorf("found after %d, %d and %d, the second one begun after %d", first, second, third, later)
	}
}

// TestRefereeEnds: an ended context ends the referee, and what it has kept can be
// read again.
func TestRefereeEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := Options{Budget: time.Minute, Memory: 1 << 28, Cores: 1, Dir: t.TempDir(), Say: func(string) {}}
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Instance(ctx, loopInstance(t), examinations.All()); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if r, err = New(o); err != nil {
		t.Fatal(err)
	}
	r.Close()
}

// TestWitnessesStay: a later call that shows less, or something else, leaves what an
// earlier one has shown.
func TestWitnessesStay(t *testing.T) {
	i, dir := loopInstance(t), t.TempDir()
	exams := []examinations.ID{examinations.StateSpace, examinations.QuasiLiveness}
	file := filepath.Join(dir, "Loop-PT-1-QL.witness")
	var first []byte
	for _, budget := range []time.Duration{time.Minute, time.Nanosecond, time.Minute} {
		r, err := New(Options{Budget: budget, Memory: 1 << 28, Cores: 1, Version: "test", Dir: dir, Again: true, Known: &oracle.Known{}, Say: func(string) {}, Compared: func(Comparison) {}})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Instance(t.Context(), i, exams); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = text
		} else if string(first) != string(text) {
			t.Errorf("after %v:\n%s", budget, text)
		}
	}
	certificate, found := readCertificate(t, filepath.Join(dir, oracle.CertificateFile))
	if p, ok := certificate.Find("Loop-PT-1", examinations.QuasiLiveness); !ok || found || len(p.Values) != 1 || p.Values[0].Shown() != oracle.ShownByRun {
		t.Errorf("%v %v", p, found)
	}
	other := &witness.Witness{Instance: "Loop-PT-1", Exam: examinations.QuasiLiveness, Claims: []witness.Claim{{Item: "other", Value: examinations.True}}, Paths: []witness.Path{witness.Finite([]uint32{0})}}
	doc, err := i.Document()
	if err != nil {
		t.Fatal(err)
	}
	view, err := unfold.Of(t.Context(), doc, unfold.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := certificate.Find("Loop-PT-1", examinations.QuasiLiveness)
	r, err := New(Options{Dir: dir, Again: true, Say: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	h := &hearing{Referee: r, net: &net{View: view, witnesses: []*witness.Witness{other}}}
	if err := h.leave(nil, i.ID, p.Digest, p.Exam); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(text), string(first)) || !strings.Contains(string(text), "value other TRUE") {
		t.Errorf("%v:\n%s", err, text)
	}
}

func readCertificate(t *testing.T, path string) (c *oracle.Certificate, faults bool) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c, found := oracle.ReadCertificate(bytes.NewReader(text), path)
	return c, found.Err() != nil
}
