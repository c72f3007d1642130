package referee

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/models"
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
	dir := filepath.Join(t.TempDir(), "Loop-PT-1")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"model.pnml": loop, "iscolored": "FALSE\n"} {
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
			Contradicted: func(key examinations.Key, known, proved string) {
				refuted = append(refuted, key.Item+" "+known+" "+proved)
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
		if got := *r.Tally(examinations.StateSpace); got != (Tally{New: 4, ByEnumeration: 4}) {
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
	if err := r.Instance(ctx, loopInstance(t), examinations.All); !errors.Is(err, context.Canceled) {
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
