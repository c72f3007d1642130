package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"podium/internal/results"
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

// faqMistake is what draws a message of podium: something that is changed in the net, an
// output of a tool, or commands, in which DIR is an empty directory.
type faqMistake struct {
	from, to, output string
	commands         []string
}

// faqMistakes are the messages of podium that docs/faq.md quotes, in questions and answers.
var faqMistakes = map[string]faqMistake{
	"<place> is left open: </page> of line 18 comes before </place>":            {from: "</name>\n</place>", to: "</name>\n"},
	`the target "ilde" of arc "a5" is no node of the net; did you mean "idle"?`: {from: `"stop" target="idle"`, to: `"stop" target="ilde"`},
	`arc "a1" is between two places`:                                            {from: `target="start"`, to: `target="busy"`},
	"<declaration> belongs to symmetric nets":                                   {from: "<page", to: "<declaration/>\n<page"},
	"282 more like this": {from: "</page>", to: strings.Repeat("<arc source=\"idle\" target=\"busy\"/>\n", 292) + "</page>"},
	`"TOPOLOGIC" is no technique that the contest has seen`:                      {output: "FORMULA ReachabilityDeadlock TRUE TECHNIQUES TOPOLOGIC\n"},
	"there is no campaign here":                                                  {commands: []string{"status DIR/nothing"}},
	"confidences say nothing":                                                    {commands: []string{"score DIR/answers.csv --edition mcc2020"}},
	"is there already: name another place, or write in its place with --replace": {commands: []string{"tool init DIR/tool", "tool init DIR/tool"}},
}

// faqNames are what docs/faq.md quotes beside messages and command lines: names of files and
// elements, words of files, and what others print.
var faqNames = []string{"</place>", `<place id="p"/>`, "<name>", "<net>", "symmetricnet", "Model-COL-Parameter", "TRUE", "iscolored", "unknown", "MyModel-PT-3.tgz", "FORMULA", "STATE_SPACE",
	"cannot_compute", "CANNOT_COMPUTE", "DO_NOT_COMPETE", "$BIN_DIR", "bin", "Read-only file system", "$TMPDIR", "$BK_RESULT_DIR", "not found", "system: java.img", "out/contest"}

var (
	quoted = regexp.MustCompile("`([^`]+)`")
	code   = regexp.MustCompile(` \[[a-z-]+\]`)
)

// TestFAQQuotes: what docs/faq.md quotes as a message is what podium says, and what it quotes
// as a command is one.
func TestFAQQuotes(t *testing.T) {
	text, err := os.ReadFile("../docs/faq.md")
	if err != nil {
		t.Fatal(err)
	}
	quotes := map[string]bool{}
	for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
		quotes[m[1]] = true
	}
	for message, mistake := range faqMistakes {
		if !quotes[message] {
			t.Errorf("docs/faq.md does not quote %q", message)
			continue
		}
		if said := mistake.said(t); !strings.Contains(said, message) {
			t.Errorf("docs/faq.md quotes %q; podium says:\n%s", message, said)
		}
	}
	for quote := range quotes {
		_, isMessage := faqMistakes[quote]
		_, line, isCommand := strings.Cut(quote, "podium ")
		switch {
		case isMessage, slices.Contains(faqNames, quote):
		case isCommand:
			checkQuotedCommand(t, quote, strings.Fields(line))
		default:
			checkQuotedCommand(t, quote, strings.Fields(quote))
		}
	}
}

// said is what podium prints on the mistake.
func (m faqMistake) said(t *testing.T) string {
	dir := t.TempDir()
	file := filepath.Join(dir, "model.pnml")
	commands := m.commands
	switch {
	case m.output != "":
		writeMode(t, file, m.output, 0o644)
		commands = []string{"model generate TokenRingMutex 002 --out DIR", "check output DIR/model.pnml --instance DIR/TokenRingMutex-PT-002 --examination ReachabilityDeadlock"}
	case m.from != "":
		writeMode(t, file, strings.Replace(faqNet, m.from, m.to, 1), 0o644)
		commands = []string{"check model DIR/model.pnml"}
	}
	writeMode(t, filepath.Join(dir, "answers.csv"), results.AnswersHeader+"\nA,Net-PT-1,OneSafe,OneSafe,T,,\nB,Net-PT-1,OneSafe,OneSafe,T,,\n", 0o644)
	var said bytes.Buffer
	for _, line := range commands {
		said.Reset()
		Main(t.Context(), strings.Fields(strings.ReplaceAll(line, "DIR", dir)), strings.NewReader(""), &said, &said)
	}
	return strings.Join(strings.Fields(code.ReplaceAllString(said.String(), "")), " ")
}

// checkQuotedCommand wants a command line, or a flag alone, to be one of podium.
func checkQuotedCommand(t *testing.T, quote string, words []string) {
	root := Commands()
	cmd, rest, err := root.Find(currentNames(words))
	if err != nil {
		cmd, rest = root, words
	}
	if cmd == root && !strings.HasPrefix(words[0], "-") {
		t.Errorf("docs/faq.md quotes %q, which is no command: say in faqMistakes what draws the message, or in faqNames that it is none", quote)
		return
	}
	has := func(cmd *cobra.Command, flag string) bool {
		long, isLong := strings.CutPrefix(flag, "--")
		return isLong && cmd.Flags().Lookup(long) != nil || !isLong && cmd.Flags().ShorthandLookup(flag[1:]) != nil
	}
	for _, word := range rest {
		known := !strings.HasPrefix(word, "-") || has(cmd, word)
		for _, verb := range root.Commands() {
			known = known || cmd == root && (has(verb, word) || slices.ContainsFunc(verb.Commands(), func(below *cobra.Command) bool { return has(below, word) }))
		}
		if !known {
			t.Errorf("docs/faq.md quotes %q, and podium has no %s", quote, word)
		}
	}
}
