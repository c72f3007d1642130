package models

import (
	"encoding/xml"
	"strings"
	"testing"
)

func TestFormFormats(t *testing.T) {
	f := Form{Model: "A<B", By: "podium 1.0", Verdicts: []Verdict{{Property: "ORDINARY", Value: True}, {Property: "LOOP_FREE", Value: False, Why: "transition t_1 & place p"}, {Property: "LIVE", Why: "too large"}}}
	for name, c := range map[string]struct {
		write func(*strings.Builder) error
		want  string
	}{
		"text":  {func(b *strings.Builder) error { return f.WriteText(b) }, "LOOP_FREE  false    transition t_1 & place p\n"},
		"json":  {func(b *strings.Builder) error { return f.WriteJSON(b) }, `"value": "unknown",`},
		"latex": {func(b *strings.Builder) error { return f.WriteLaTeX(b) }, `loop\_free & false & transition t\_1 \& place p \\`},
		"xml":   {func(b *strings.Builder) error { return f.WriteXML(b) }, `reference="LOOP_FREE" value="false"`},
	} {
		var b strings.Builder
		if err := c.write(&b); err != nil || !strings.Contains(b.String(), c.want) {
			t.Errorf("%s: %v\n%s", name, err, b.String())
		}
	}
	var b strings.Builder
	if err := f.WriteXML(&b); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Model struct {
			Name string `xml:"modelname,attr"`
		} `xml:"modelreference"`
		Verdicts []struct {
			Value string `xml:"value,attr"`
			By    struct {
				Tool string `xml:"tool,attr"`
			} `xml:"statedby"`
		} `xml:"verdict"`
	}
	if err := xml.Unmarshal([]byte(b.String()), &read); err != nil || read.Model.Name != "A<B" || len(read.Verdicts) != 3 || read.Verdicts[2].By.Tool != "podium" {
		t.Errorf("read back: %+v, %v", read, err)
	}
}
