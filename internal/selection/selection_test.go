package selection

import (
	"slices"
	"strings"
	"testing"

	"podium/internal/campaign"
)

var run = Facts{Tool: {"lola"}, Model: {"Angiogenesis"}, Instance: {"Angiogenesis-PT-05"}, Form: {"PT"}, Examination: {"CTLFireability"}, Outcome: {"memory", "CC"}, Host: {"node3"}}

func TestChooses(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, " \t\n": true, "tool=lola": true, "tool=LoLA": true, "tool=lo": false, "tool=lo*": true, "tool=tapaal,lo?a": true, "tool=tapaal,its": false,
		"tool!=lola": false, "tool!=tapaal": true, "tool!=tapaal,lola": false, "tool=lola examination=CTL* outcome=memory host=node3 instance=Angio*": true,
		"outcome=cc": true, "outcome=exited": false, "outcome!=exited": true, "outcome!=memory": false, "form=COL": false, "model=Angiogenesis form=pt": true,
		"tool=lola tool=l*": true, "tool=lola tool=tapaal": false, "host=node[1-4]": true, "host=node[1-2]": false,
	} {
		s, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Chooses(run); got != want {
			t.Errorf("%q: %v", text, got)
		}
		again, err := Parse(s.String())
		if err != nil || again.String() != s.String() || again.Chooses(run) != want {
			t.Errorf("%q is written as %q: %v", text, s, err)
		}
		if s.All() != (strings.TrimSpace(text) == "") {
			t.Errorf("%q: all %v", text, s.All())
		}
	}
	// A run that no computer did yet has no host.
	for text, want := range map[string]bool{"host=*": false, "host!=node3": true} {
		s, err := Parse(text)
		if err != nil || s.Chooses(Facts{Tool: {"lola"}}) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestNamesOnce: a model with several instances is one name.
func TestNamesOnce(t *testing.T) {
	p := campaign.Plan{Instances: []campaign.PlannedInstance{{ID: "Ring-PT-1", Family: "Ring"}, {ID: "Ring-PT-2", Family: "Ring"}}}
	if got := Names(&p, &campaign.Log{})[Model]; !slices.Equal(got, []string{"Ring"}) {
		t.Errorf("models %q", got)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"lola":                         `column 1 of the selection: "lola" is no term`,
		"tool=lola  exam=CTL*":         `column 12 of the selection: there is no key "exam"`,
		"tol=lola":                     `no key "tol"; the nearest is tool`,
		"tool=":                        "empty pattern",
		"tool=a,,b":                    "empty pattern",
		"tool=[a":                      `the pattern "[a" cannot be read`,
		strings.Repeat("a", 1<<17):     "the limit is 65536",
		strings.Repeat("tool=a ", 101): "more than 100 terms",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

// FuzzParse: what is read can be written and read again, with the same meaning.
func FuzzParse(f *testing.F) {
	f.Add("tool=lola examination=CTL* outcome!=memory,cputime")
	f.Add("host=node[1-4] form=?T")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(s.String())
		if err != nil || again.Chooses(run) != s.Chooses(run) || again.String() != s.String() {
			t.Errorf("%q is written as %q: %v", text, s, err)
		}
	})
}
