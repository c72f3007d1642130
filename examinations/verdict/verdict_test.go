package verdict

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"podium/examinations"
)

var memory = []string{"valid-free", "valid-deref", "valid-memtrack"}

func TestRead(t *testing.T) {
	three := 3
	rules := Rules{
		{Stdout: `^RESULT: FALSE\((?P<part>.*)\)`, Answer: "FALSE($part)"},
		{Stdout: `^VERIFICATION FAILED`, Stderr: `heap`, Answer: "FALSE(valid-deref)"},
		{Stdout: `^VERIFICATION FAILED`, Properties: []string{"unreach-call"}, Answer: False},
		{Exit: &three, Answer: Error},
		{Stdout: `^VERIFICATION SUCCESSFUL`, Answer: True},
	}
	for _, test := range []struct {
		what           string
		rules          Rules
		property       string
		parts          []string
		stdout, stderr string
		exit           int
		killed         bool
		text           string
		failed         bool
		line, findings int
	}{
		{what: "a line", rules: rules, property: "unreach-call", stdout: "x\r\nVERIFICATION SUCCESSFUL\r\n", text: "TRUE", line: 2},
		{what: "a line without its end", rules: rules, property: "unreach-call", stdout: "VERIFICATION FAILED", text: "FALSE", line: 1},
		{what: "a rule of another property", rules: rules, property: "no-overflow", stdout: "VERIFICATION FAILED\n"},
		{what: "both outputs", rules: rules, property: "valid-memsafety", parts: memory, stdout: "VERIFICATION FAILED\n", stderr: "==1== heap\n", text: "FALSE(valid-deref)", line: 1},
		{what: "one output of two", rules: rules, property: "valid-memsafety", parts: memory, stdout: "VERIFICATION FAILED\n"},
		{what: "a taken part", rules: rules, property: "valid-memsafety", parts: memory, stdout: "RESULT: FALSE(valid-free)\n", text: "FALSE(valid-free)", line: 1},
		{what: "a part that was not asked", rules: rules, property: "valid-memsafety", parts: memory, stdout: "RESULT: FALSE(no-overflow)\n", text: "FALSE(no-overflow)", line: 1, findings: 1},
		{what: "no part", rules: rules, property: "valid-memsafety", parts: memory, stdout: "RESULT: FALSE(a b)\n", line: 1, findings: 1},
		{what: "the order of the rules counts", rules: rules, property: "unreach-call", stdout: "VERIFICATION SUCCESSFUL\nVERIFICATION FAILED\n", text: "FALSE", line: 2},
		{what: "an exit code", rules: rules, property: "unreach-call", stdout: "VERIFICATION SUCCESSFUL\n", exit: 3, failed: true},
		{what: "a signal is no exit code", rules: rules, property: "unreach-call", stdout: "VERIFICATION SUCCESSFUL\n", exit: 3, killed: true, text: "TRUE", line: 1},
		{what: "the standard rules", property: "valid-memsafety", parts: memory, stdout: "FALSE(valid-memtrack)\n", text: "FALSE(valid-memtrack)", line: 1},
		{what: "a standard TRUE", property: "unreach-call", stdout: "info\nTRUE\n", text: "TRUE", line: 2},
		{what: "not a line of its own", property: "unreach-call", stdout: "is it TRUE?\n"},
		{what: "the beginning of a long line", property: "unreach-call", rules: Rules{{Stdout: "^a+", Answer: True}}, stdout: strings.Repeat("a", 3*MaxLine) + "\nTRUE\n", text: "TRUE", line: 1},
		{what: "the end of a long line", property: "unreach-call", rules: Rules{{Stdout: "end", Answer: True}}, stdout: strings.Repeat("a", 3*MaxLine) + "end\n"},
		{what: "behind a long line", property: "unreach-call", stdout: strings.Repeat("a", 3*MaxLine) + "\nTRUE\n", text: "TRUE", line: 2},
		{what: "a long output", property: "unreach-call", stdout: strings.Repeat(strings.Repeat("a", 1023)+"\n", MaxOutput>>10) + "TRUE\n", findings: 1},
	} {
		a, err := test.rules.Read(test.property, test.parts, Output{Stdout: strings.NewReader(test.stdout), Stderr: strings.NewReader(test.stderr), Exited: !test.killed, ExitCode: test.exit})
		if err != nil || a.Text != test.text || a.Failed != test.failed || a.Line != test.line || len(a.Findings) != test.findings {
			t.Errorf("%s: %+v, %v", test.what, a, err)
		}
		if a.Text != "" && a.Line > 0 && !strings.HasPrefix(test.stdout[a.Offset:], strings.SplitAfter(test.stdout, "\n")[a.Line-1]) {
			t.Errorf("%s: line %d does not begin at offset %d", test.what, a.Line, a.Offset)
		}
	}
	if _, err := Standard.Read("unreach-call", nil, Output{Stdout: io.MultiReader(strings.NewReader("x\n"), broken{})}); !errors.Is(err, errBroken) {
		t.Errorf("a reader that fails: %v", err)
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errBroken }

func TestCheck(t *testing.T) {
	minus := -1
	for _, test := range []struct {
		rule Rule
		key  string
	}{
		{Rule{Stdout: "a", Answer: "FALSE(no-overflow)"}, "ok"},
		{Rule{Answer: True}, ""},
		{Rule{Stdout: "(", Answer: True}, "stdout"},
		{Rule{Stderr: strings.Repeat("a", MaxPattern+1), Answer: True}, "stderr"},
		{Rule{Stdout: "a{1000}{1000}", Answer: True}, "stdout"},
		{Rule{Exit: &minus, Answer: True}, "exit"},
		{Rule{Stdout: "a", Answer: "FALSE($part)"}, "answer"},
		{Rule{Stdout: "a", Answer: "true"}, "answer"},
	} {
		found := test.rule.Check()
		if test.key == "ok" && len(found) > 0 || test.key != "ok" && (len(found) != 1 || found[0].Key != test.key) {
			t.Errorf("%+v: %v, want %q", test.rule, found, test.key)
		}
	}
	if _, err := make(Rules, MaxRules+1).Read("", nil, Output{}); err == nil {
		t.Error("too many rules pass")
	}
}

// TestAgainst: each cell is what BenchExec's get_result_category says.
func TestAgainst(t *testing.T) {
	for _, test := range []struct {
		property, expected, answers string
		three, two                  string // of BenchExec 3 and 2: correct, wrong, unknown
	}{
		{"valid-memsafety", "true", "TRUE FALSE FALSE(valid-deref) FALSE(valid-free) FALSE(no-overflow) FALSE()", "cwwwww", "cuwwuu"},
		{"valid-memsafety", "false", "TRUE FALSE FALSE(valid-deref) FALSE(valid-free) FALSE(no-overflow) FALSE()", "wccccc", "wuccuu"},
		{"valid-memsafety", "false(valid-deref)", "TRUE FALSE FALSE(valid-deref) FALSE(valid-free) FALSE(no-overflow) FALSE()", "wucuuu", "wucwuu"},
		{"unreach-call", "true", "TRUE FALSE FALSE(unreach-call) FALSE(no-overflow)", "cwww", "cwwu"},
		{"unreach-call", "false", "TRUE FALSE FALSE(unreach-call) FALSE(no-overflow)", "wccc", "wccu"},
		{"unreach-call", "false(unreach-call)", "TRUE FALSE FALSE(unreach-call) FALSE(no-overflow)", "wucu", "wwcu"},
		{"", "false", "TRUE FALSE FALSE(x)", "wcc", "wcc"},
	} {
		for k, want := range []string{test.three, test.two} {
			reference := Expected(test.expected, test.property)
			for i, answer := range strings.Fields(test.answers) {
				got := "w"
				switch v := Readings[k].Against(answer, test.property, memory, test.expected); {
				case v.IsZero():
					got = "u"
				case v == reference:
					got = "c"
				}
				if got != want[i:i+1] {
					t.Errorf("%s: %s expects %s, %s is %s, want %c", Readings[k].Name, test.property, test.expected, answer, got, want[i])
				}
			}
		}
	}
	if v := Readings[0].Against("TRUE", "unreach-call", nil, ""); v != examinations.True {
		t.Errorf("where nothing is expected TRUE is %v", v)
	}
	if v := Expected("", "termination"); v != (examinations.Value{}) {
		t.Errorf("%v is expected where nothing is", v)
	}
}

// TestReadingsAreDocumented: docs/tasks.md has the same tables.
func TestReadingsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/tasks.md")
	if err != nil {
		t.Fatal(err)
	}
	var tables strings.Builder
	words := map[byte]string{'c': "correct", 'w': "wrong", 'u': "unknown"}
	for _, r := range Readings {
		fmt.Fprintf(&tables, "| `%s`, %s: expected | %s |\n|---%s|\n", r.Name, r.Versions, strings.Join(answerColumns[:], " | "), strings.Repeat("|---", len(answerColumns)))
		for i, row := range expectedRows {
			fmt.Fprintf(&tables, "| %s", row)
			for k := range answerColumns {
				fmt.Fprintf(&tables, " | %s", words[r.cells[i][k]])
			}
			fmt.Fprintln(&tables, " |")
		}
		fmt.Fprintln(&tables)
	}
	if !strings.Contains(string(page), tables.String()) {
		t.Errorf("docs/tasks.md lacks these tables:\n%s", tables.String())
	}
}

// TestStatus: BenchExec takes words in small letters only.
func TestStatus(t *testing.T) {
	for text, want := range map[string]string{"true": "true", "false(valid-deref)": "false(valid-deref)", "TRUE": "", "True": "", "False(valid-deref)": "", "TIMEOUT (true)": "", "true(x)": "", "false(": "", "": ""} {
		if got := Status(text); got != want {
			t.Errorf("%q is %q", text, got)
		}
	}
}

// FuzzRead: whatever is printed, and whatever the rules are, an answer is about what was
// asked, or a finding says that it is not, and stands on a line of the output.
func FuzzRead(f *testing.F) {
	f.Add("^FALSE\\((?P<part>.*)\\)$", "FALSE($part)", "x\nFALSE(valid-free)\n", "", uint8(0))
	f.Add("^a*$", "TRUE", strings.Repeat("a", 70<<10), "heap\n", uint8(1))
	f.Fuzz(func(t *testing.T, pattern, answer, stdout, stderr string, exit uint8) {
		rule := Rule{Stdout: pattern, Answer: answer}
		if len(rule.Check()) > 0 {
			return
		}
		a, err := Rules{rule}.Read("valid-memsafety", memory, Output{Stdout: strings.NewReader(stdout), Stderr: strings.NewReader(stderr), Exited: true, ExitCode: int(exit)})
		if err != nil {
			t.Fatal(err)
		}
		_, part := Parse(a.Text)
		if a.Text != "" && !concerns(part, "valid-memsafety", memory) && len(a.Findings) == 0 || strings.ContainsAny(a.Text, " \n") {
			t.Errorf("the answer is %q", a.Text)
		}
		if lines := strings.SplitAfter(stdout, "\n"); a.Line > len(lines) || a.Line > 0 && len(strings.Join(lines[:a.Line-1], "")) != int(a.Offset) {
			t.Errorf("line %d at offset %d", a.Line, a.Offset)
		}
	})
}

func ExampleRules_Read() {
	rules := Rules{{Stdout: `^Verification result: FALSE\. Property violation \((?P<part>[a-z-]+)`, Answer: "FALSE($part)"}}
	a, err := rules.Read("valid-memsafety", []string{"valid-free", "valid-deref", "valid-memtrack"},
		Output{Stdout: strings.NewReader("Verification result: FALSE. Property violation (valid-deref: p)\n"), Exited: true})
	fmt.Println(a.Text, a.Line, err)
	// Output: FALSE(valid-deref) 1 <nil>
}
