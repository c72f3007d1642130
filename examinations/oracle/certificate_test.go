package oracle

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"podium/examinations"
	"podium/pnml/diagnostic"
)

var someProofs = []Proof{
	{Instance: "M-PT-1", Digest: "ab", Exam: examinations.StateSpace, Asked: 4, Version: "v1", Budget: 1e6, Memory: 1e9, Took: 5, Markings: 9, Firings: 12, Ended: "complete",
		Values: []ProvedValue{{Item: "STATES", Text: "9", Markings: 9, By: ByAllMarkings}}},
	{Instance: "M-PT-1", Digest: "ab", Exam: examinations.UpperBounds, Asked: 16, Markings: 7, Ended: "out of memory",
		Values: []ProvedValue{{Item: "M-PT-1-UpperBounds-00", Text: "+inf", By: ByRun, Run: []string{"a", "b"}, Cycle: []string{"c"}, Length: 3, Runs: 1}}},
	{Instance: "M-COL-1", Exam: examinations.OneSafe, Asked: 1, Ended: "interrupted"},
}

func written(t *testing.T, proofs ...Proof) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteCertificateHead(&b); err != nil {
		t.Fatal(err)
	}
	for _, p := range proofs {
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestCertificate(t *testing.T) {
	c, found := ReadCertificate(strings.NewReader(written(t, someProofs...)), "c")
	if len(found) > 0 {
		t.Fatal(found)
	}
	if got := c.Proofs(); len(got) != 3 || got[0].Instance != "M-COL-1" || !reflect.DeepEqual(got[1], someProofs[0]) || !reflect.DeepEqual(got[2], someProofs[1]) {
		t.Errorf("read as %+v", got)
	}
	m := instance(t, "M-PT-1")
	if want := map[examinations.Key]examinations.Value{{Instance: m, Exam: examinations.StateSpace, Item: "STATES"}: {Kind: examinations.Nat, Text: "9"}, {Instance: m, Exam: examinations.UpperBounds, Item: "M-PT-1-UpperBounds-00"}: examinations.Infinite}; !reflect.DeepEqual(c.Values(), want) {
		t.Errorf("values %v", c.Values())
	}
	later := someProofs[0]
	later.Values = []ProvedValue{{Item: "TRANSITIONS", Text: "12", By: ByAllMarkings}}
	c, _ = ReadCertificate(strings.NewReader(written(t, someProofs[0], later)), "c")
	if p, ok := c.Find("M-PT-1", examinations.StateSpace); !ok || len(p.Values) != 2 {
		t.Errorf("both proofs count: %+v", p)
	}
	later.Digest, later.Values = "cd", nil
	c, _ = ReadCertificate(strings.NewReader(written(t, someProofs[0], later)), "c")
	if p, ok := c.Find("M-PT-1", examinations.StateSpace); !ok || len(p.Values) != 0 {
		t.Errorf("the proof of another instance of that name counts: %+v", p)
	}
	later.Digest, later.Values = "ab", []ProvedValue{{Item: "STATES", Text: "10", By: ByAllMarkings}}
	if _, found := ReadCertificate(strings.NewReader(written(t, someProofs[0], later)), "c"); found.Err() == nil || !strings.Contains(found.Error(), "c:3: STATES of M-PT-1 is proved to be 10, and was proved to be 9") {
		t.Errorf("a contradiction: %v", found)
	}
	for i, want := range []string{"all 9 reachable markings were enumerated", "a run of 3 firings that ends in a cycle shows it"} {
		if got := someProofs[i].Values[0].String(); got != want {
			t.Errorf("evidence: %s", got)
		}
	}
}

// TestTornCertificate: a certificate that was cut off anywhere is that of the lines before.
func TestTornCertificate(t *testing.T) {
	whole := written(t, someProofs...)
	for n := range whole {
		c, found := ReadCertificate(strings.NewReader(whole[:n]), "c")
		if lines := strings.Count(whole[:n], "\n"); found.Err() != nil || len(c.Proofs()) != max(0, lines-1) || (len(found) == 0) != (n > 0 && whole[n-1] == '\n') {
			t.Errorf("cut off after %d bytes, %d lines: %d proofs, %v", n, lines, len(c.Proofs()), found)
		}
	}
	c, found := ReadCertificate(strings.NewReader(whole[:len(whole)-9]), "c")
	if len(c.Proofs()) != 2 || len(found) != 1 || found[0].Severity != diagnostic.Warning || found[0].Line != 4 {
		t.Errorf("%d proofs, %v", len(c.Proofs()), found)
	}
}

func TestBadCertificates(t *testing.T) {
	head := written(t)
	for text, want := range map[string]string{
		"M-PT-1 OneSafe\n":                    "c:1: the file does not begin with the format",
		`{"format":"podium-certificate/2"}`:   "c:1: the file does not begin with the format",
		head + "nonsense\n":                   "c:2: invalid character",
		head + `{"instance":"M"}` + "\n":      "c:2: ",
		head + `{"shoe_size":42}` + "\n":      `c:2: json: unknown field "shoe_size"`,
		head + written(t, someProofs[0])[:36]: "c:2: json: unknown field",
		head + `{"instance":"M-PT-1","examination":"OneSafe","values":[{"item":"OneSafe","value":"7"}]}` + "\n":                           "c:2: \"7\" is no value of OneSafe",
		head + `{"instance":"M-PT-1","examination":"StateSpace","values":[{"item":"STATES","value":"07"}]}` + "\n":                        "in canonical form",
		head + `{"instance":"M-PT-1","examination":"OneSafe","values":[{"item":"O","value":"TRUE"},{"item":"O","value":"FALSE"}]}` + "\n": "stands twice",
		head + `{"instance":"M-PT-1","examination":"OneSafe"} {"instance":"M-PT-1","examination":"OneSafe"}` + "\n":                       "more than one object",
	} {
		if _, found := ReadCertificate(strings.NewReader(text), "c"); found.Err() == nil || !strings.Contains(found.Error(), want) {
			t.Errorf("%.90q: %v", text, found)
		}
	}
}

// FuzzReadCertificate: what is read can be written, and is read again as it was.
func FuzzReadCertificate(f *testing.F) {
	f.Add(`{"format":"podium-certificate/1"}` + "\n" + `{"instance":"M-PT-1","sha256":"","examination":"StateSpace","asked":4,"version":"","budget_us":0,"memory":0,"took_us":0,"markings":9,"firings":0,"ended":"","values":[{"item":"STATES","value":"9","by":"run","run":["a"],"length":1}]}` + "\n")
	f.Add(`{"format":"podium-certificate/1"}` + "\n{")
	f.Fuzz(func(t *testing.T, text string) {
		c, _ := ReadCertificate(strings.NewReader(text), "c")
		var again bytes.Buffer
		if err := WriteCertificateHead(&again); err != nil {
			t.Fatal(err)
		}
		for _, p := range c.Proofs() {
			if err := p.Write(&again); err != nil {
				t.Fatal(err)
			}
		}
		d, found := ReadCertificate(&again, "again")
		if len(found) > 0 || !reflect.DeepEqual(c.Values(), d.Values()) || len(c.Proofs()) != len(d.Proofs()) {
			t.Errorf("%v: %v and %v", found, c.Values(), d.Values())
		}
	})
}

// TestEvidence says of each kind of evidence what was looked at.
func TestEvidence(t *testing.T) {
	for want, v := range map[string]ProvedValue{
		"a run of 3 firings shows it":                                                   {By: ByRun, Length: 3, Runs: 1},
		"a run of 3 firings that ends in a cycle shows it":                              {By: ByRun, Length: 3, Runs: 1, Cycle: []string{"t"}},
		"2 runs of 6 firings together show it":                                          {By: ByRun, Length: 6, Runs: 2},
		"all 9 reachable markings were enumerated":                                      {By: ByAllMarkings, Markings: 9, Cycle: []string{"t"}},
		"the first 9 markings suffice":                                                  {By: BySomeMarkings, Markings: 9},
		"the net was reduced in a way that keeps the answer, and 9 markings enumerated": {By: ByReduced, Markings: 9},
		"a run of 1 firing shows it":                                                    {By: ByRun, Length: 1},
		"the initial marking is the only reachable one":                                 {By: ByAllMarkings, Markings: 1},
	} {
		if got := v.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestCertificateThatCannotBeRead: a certificate of which a part cannot be read is
// refused, and so is a line that is too long.
func TestCertificateThatCannotBeRead(t *testing.T) {
	head := strings.NewReader(written(t))
	if _, found := ReadCertificate(io.MultiReader(head, iotest.ErrReader(errors.New("the disk is gone"))), "c"); !strings.Contains(found.Error(), "c:2: the disk is gone") {
		t.Errorf("%v", found)
	}
	whole := written(t, someProofs...)
	if c, found := readCertificate(strings.NewReader(whole), "c", 4); len(found) > 0 || len(c.Proofs()) != 3 {
		t.Errorf("four lines of four: %v", found)
	}
	if _, found := readCertificate(strings.NewReader(whole), "c", 3); !strings.Contains(found.Error(), "c:4: there are more than 3 lines") {
		t.Errorf("four lines of three: %v", found)
	}
	for most, want := range map[int]string{4: "abc", 3: ""} {
		line, err := readLine(bufio.NewReader(strings.NewReader("abc\n")), most)
		if string(line) != want || (err == nil) != (want != "") {
			t.Errorf("a line of 4 bytes, at most %d: %q, %v", most, line, err)
		}
	}
}
