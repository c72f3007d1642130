package cmd

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// faqNet is a small P/T net whose <page> ends in line 18.
const faqNet = `<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
<page id="g">
<place id="idle">
<initialMarking><text>1</text></initialMarking>
</place>
<place id="busy">
<name><text>busy</text></name>
</place>
<transition id="start"/>
<transition id="stop"/>
<arc id="a1" source="idle" target="start"/>
<arc id="a2" source="start" target="busy"/>
<arc id="a3" source="busy" target="stop"/>
<arc id="a5" source="stop" target="idle"/>

</page>
</net>
</pnml>
`

// faqMistakes are the questions of docs/faq.md that begin with a message of podium: what
// is changed in the net, or an output of a tool, draws that message.
var faqMistakes = map[string]struct{ from, to, output string }{
	"<place> is left open: </page> of line 18 comes before </place>":            {from: "</name>\n</place>", to: "</name>\n"},
	`the target "ilde" of arc "a5" is no node of the net; did you mean "idle"?`: {from: `"stop" target="idle"`, to: `"stop" target="ilde"`},
	`arc "a1" is between two places`:                                            {from: `target="start"`, to: `target="busy"`},
	"<declaration> belongs to symmetric nets":                                   {from: "<page", to: "<declaration/>\n<page"},
	`"TOPOLOGIC" is no technique that the contest has seen`:                     {output: "FORMULA ReachabilityDeadlock TRUE TECHNIQUES TOPOLOGIC\n"},
	"there is no campaign here":                                                 {},
}

var (
	question = regexp.MustCompile("(?m)^\\*\\*`([^`]+)`")
	code     = regexp.MustCompile(` \[[a-z-]+\]`)
)

// TestQuestionsQuoteMessages: what docs/faq.md quotes as a message is what podium says.
func TestQuestionsQuoteMessages(t *testing.T) {
	text, err := os.ReadFile("../docs/faq.md")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, m := range question.FindAllStringSubmatch(string(text), -1) {
		asked[m[1]] = true
	}
	for message, mistake := range faqMistakes {
		if !asked[message] {
			t.Errorf("docs/faq.md does not ask about %q", message)
			continue
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "model.pnml")
		args := []string{"status", file}
		switch {
		case mistake.output != "":
			writeMode(t, file, mistake.output, 0o644)
			if code := Main(t.Context(), []string{"model", "generate", "TokenRingMutex", "002", "--out", dir}, strings.NewReader(""), io.Discard, io.Discard); code != ExitDone {
				t.Fatalf("no instance is generated: exit code %d", code)
			}
			args = []string{"check", "output", file, "--instance", filepath.Join(dir, "TokenRingMutex-PT-002"), "--examination", "ReachabilityDeadlock"}
		case mistake.from != "":
			writeMode(t, file, strings.Replace(faqNet, mistake.from, mistake.to, 1), 0o644)
			args = []string{"check", "model", file}
		}
		var out, said bytes.Buffer
		Main(t.Context(), args, strings.NewReader(""), &out, &said)
		if got := code.ReplaceAllString(out.String()+said.String(), ""); !strings.Contains(got, message) {
			t.Errorf("docs/faq.md quotes %q; podium %s says:\n%s", message, strings.Join(args[:2], " "), got)
		}
	}
	for _, other := range []string{"CANNOT COMPUTE", "Read-only file system", "--cores"} { // no messages of podium
		delete(asked, other)
	}
	for message := range asked {
		if _, ok := faqMistakes[message]; !ok {
			t.Errorf("docs/faq.md asks about %q: say in faqMistakes what draws it", message)
		}
	}
}
