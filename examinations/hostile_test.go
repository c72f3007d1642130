package examinations

import (
	"strings"
	"testing"
	"time"
)

// hostile is one output that a tool might print, and what is to be understood:
// "line:column item=value techniques; " per answer, the participation and the
// codes of the findings without their prefix. @0 and @1 stand for the ids of
// two CTL formulas.
type hostile struct {
	name   string
	exam   ID
	o      ReaderOptions
	output string
	want   string
}

var late = ReaderOptions{Deadline: time.Second, Clock: func() time.Duration { return 2 * time.Second }}

var hostileOutputs = []hostile{
	// What the manual wants.
	{"plain", CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE TECHNIQUES EXPLICIT\nFORMULA @1 FALSE TECHNIQUES SAT_SMT USE_NUPN\n", "1:1 00=TRUE EXPLICIT; 2:1 01=FALSE SAT_SMT,USE_NUPN; answered"},
	{"one by one, with noise", CTLCardinality, ReaderOptions{}, "start\nFORMULA @1 FALSE TECHNIQUES BMC(12)\nbusy\n\nFORMULA @0 TRUE TECHNIQUES EXPLICIT\nend\n", "2:1 01=FALSE BMC(12); 5:1 00=TRUE EXPLICIT; answered"},
	{"blanks and tabs between words", CTLCardinality, ReaderOptions{}, "FORMULA  @0\tTRUE   TECHNIQUES  EXPLICIT \nFORMULA @1 CANNOT_COMPUTE \n", "1:1 00=TRUE EXPLICIT; answered"},
	{"four numbers", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 10 TECHNIQUES EXPLICIT\nSTATE_SPACE TRANSITIONS 20 TECHNIQUES EXPLICIT\nSTATE_SPACE MAX_TOKEN_PER_MARKING 3 TECHNIQUES EXPLICIT\nSTATE_SPACE MAX_TOKEN_IN_PLACE 1 TECHNIQUES EXPLICIT\n", "1:1 STATES=10 EXPLICIT; 2:1 TRANSITIONS=20 EXPLICIT; 3:1 MAX_TOKEN_PER_MARKING=3 EXPLICIT; 4:1 MAX_TOKEN_IN_PLACE=1 EXPLICIT; answered"},
	{"-1 where it is allowed", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 10 TECHNIQUES EXPLICIT\nSTATE_SPACE TRANSITIONS -1 TECHNIQUES EXPLICIT\n", "1:1 STATES=10 EXPLICIT; answered"},
	{"cannot compute", CTLCardinality, ReaderOptions{}, "CANNOT_COMPUTE\n", "CC"},
	{"does not compete", StateSpace, ReaderOptions{}, "DO_NOT_COMPETE\n", "DNC"},
	{"each formula in vain", CTLCardinality, ReaderOptions{}, "FORMULA @0 CANNOT_COMPUTE\nFORMULA @1 CANNOT_COMPUTE TECHNIQUES EXPLICIT\n", "CC"},
	{"bound", UpperBounds, ReaderOptions{Items: []string{"b"}}, "FORMULA b 12 TECHNIQUES TOPOLOGICAL\n", "1:1 b=12 TOPOLOGICAL; answered"},

	// Names of global properties (they changed over the years).
	{"global, today", ReachabilityDeadlock, ReaderOptions{}, "FORMULA ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT\n", "1:1 ReachabilityDeadlock=TRUE EXPLICIT; answered"},
	{"global, with instance", ReachabilityDeadlock, ReaderOptions{}, "FORMULA M-PT-1-ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT\n", "1:1 ReachabilityDeadlock=TRUE EXPLICIT; answered"},
	{"global, numbered", ReachabilityDeadlock, ReaderOptions{}, "FORMULA M-PT-1-ReachabilityDeadlock-00 TRUE TECHNIQUES EXPLICIT\n", "1:1 ReachabilityDeadlock=TRUE EXPLICIT; answered"},
	{"global of 2019", ReachabilityDeadlock, ReaderOptions{}, "FORMULA M-PT-1-GlobalProperties-0 FALSE TECHNIQUES EXPLICIT\n", "1:1 ReachabilityDeadlock=FALSE EXPLICIT; answered"},
	{"global of 2019 in 2019", GlobalProperties, ReaderOptions{}, "FORMULA M-PT-1-GlobalProperties-0 FALSE TECHNIQUES EXPLICIT\n", "1:1 GlobalProperties=FALSE EXPLICIT; answered"},
	{"deadlock of 2018 in 2019", GlobalProperties, ReaderOptions{}, "FORMULA ReachabilityDeadlock FALSE TECHNIQUES EXPLICIT\n", "1:1 GlobalProperties=FALSE EXPLICIT; answered"},
	{"global of another examination", OneSafe, ReaderOptions{}, "FORMULA Liveness TRUE TECHNIQUES EXPLICIT\n", "CC none unknown-item"},
	{"global of another instance", OneSafe, ReaderOptions{}, "FORMULA M-PT-2-OneSafe TRUE TECHNIQUES EXPLICIT\n", "CC none unknown-item"},
	{"global, number other than 0", OneSafe, ReaderOptions{}, "FORMULA OneSafe-1 TRUE TECHNIQUES EXPLICIT\n", "CC none unknown-item"},
	{"global in two spellings", OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES EXPLICIT\nFORMULA M-PT-1-OneSafe FALSE TECHNIQUES EXPLICIT\n", "1:1 OneSafe=TRUE EXPLICIT; answered contradiction"},

	// Numbers.
	{"+inf and inf", UpperBounds, ReaderOptions{Items: []string{"a", "b"}}, "FORMULA a +inf TECHNIQUES EXPLICIT\nFORMULA b inf TECHNIQUES EXPLICIT\n", "1:1 a=+inf EXPLICIT; 2:1 b=+inf EXPLICIT; answered"},
	{"other infinities", UpperBounds, ReaderOptions{Items: []string{"a", "b"}}, "FORMULA a Infinity TECHNIQUES EXPLICIT\nFORMULA b INF TECHNIQUES EXPLICIT\n", "1:1 a=+inf EXPLICIT; 2:1 b=+inf EXPLICIT; answered number-form"},
	{"minus infinity", UpperBounds, ReaderOptions{Items: []string{"a"}}, "FORMULA a -inf TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"a hundred digits", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 1" + strings.Repeat("0", 99) + " TECHNIQUES EXPLICIT\n", "1:1 STATES=1" + strings.Repeat("0", 99) + " EXPLICIT; answered"},
	{"scientific", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 4.0000E+0009 TECHNIQUES EXPLICIT\n", "1:1 STATES=4000000000 EXPLICIT; answered rounded"},
	{"printed with %g", StateSpace, ReaderOptions{}, "STATE_SPACE STATES  1.23457e+08  TECHNIQUES EXPLICIT\n", "1:1 STATES=123457000 EXPLICIT; answered rounded"},
	{"plus sign and zeros", StateSpace, ReaderOptions{}, "STATE_SPACE STATES +007 TECHNIQUES EXPLICIT\n", "1:1 STATES=7 EXPLICIT; answered number-form"},
	{"decimals", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 7.0 TECHNIQUES EXPLICIT\n", "1:1 STATES=7 EXPLICIT; answered number-form"},
	{"not whole", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 7.5 TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"too small for its exponent", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 1e-3 TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"exponent out of all bounds", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 1e999999999 TECHNIQUES EXPLICIT\nSTATE_SPACE STATES 1e99999999999999999999 TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"overflow of published tables", StateSpace, ReaderOptions{}, "STATE_SPACE STATES +Inf**** TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"grouped digits", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 1,234 TECHNIQUES EXPLICIT\nSTATE_SPACE STATES 1_234 TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"hexadecimal", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 0x10 TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"not a number", StateSpace, ReaderOptions{}, "STATE_SPACE STATES nan TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"digits of another script", StateSpace, ReaderOptions{}, "STATE_SPACE STATES ١٢ TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"-1 for the states", StateSpace, ReaderOptions{}, "STATE_SPACE STATES -1 TECHNIQUES EXPLICIT\n", "CC negative"},
	{"-1 for a bound", UpperBounds, ReaderOptions{Items: []string{"a"}}, "FORMULA a -1 TECHNIQUES EXPLICIT\n", "CC negative"},
	{"-2", UpperBounds, ReaderOptions{Items: []string{"a"}}, "FORMULA a -2 TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"beyond the longest number", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 1" + strings.Repeat("0", maxDigits) + " TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"zero", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 0 TECHNIQUES EXPLICIT\nSTATE_SPACE TRANSITIONS 0e5 TECHNIQUES EXPLICIT\n", "1:1 STATES=0 EXPLICIT; 2:1 TRANSITIONS=0 EXPLICIT; answered rounded"},

	// Kinds and values.
	{"number for a formula", CTLCardinality, ReaderOptions{}, "FORMULA @0 1 TECHNIQUES EXPLICIT\nFORMULA @1 -1 TECHNIQUES EXPLICIT\n", "CC none wrong-kind"},
	{"truth value for a bound", UpperBounds, ReaderOptions{Items: []string{"a"}}, "FORMULA a TRUE TECHNIQUES EXPLICIT\n", "CC none wrong-kind"},
	{"truth value for the states", StateSpace, ReaderOptions{}, "STATE_SPACE STATES TRUE TECHNIQUES EXPLICIT\n", "CC none wrong-kind"},
	{"other case of the value", CTLCardinality, ReaderOptions{}, "FORMULA @0 true TECHNIQUES EXPLICIT\nFORMULA @1 False TECHNIQUES EXPLICIT\n", "1:1 00=TRUE EXPLICIT; 2:1 01=FALSE EXPLICIT; answered value-case"},
	{"abbreviated value", CTLCardinality, ReaderOptions{}, "FORMULA @0 T TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"other words", CTLCardinality, ReaderOptions{}, "FORMULA @0 YES TECHNIQUES EXPLICIT\nFORMULA @1 is TRUE\n", "CC none unreadable"},
	{"value with punctuation", CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE. TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"question mark", CTLCardinality, ReaderOptions{}, "FORMULA @0 ? TECHNIQUES EXPLICIT\n", "CC unanswered unknown"},
	{"no value", StateSpace, ReaderOptions{}, "STATE_SPACE STATES  TECHNIQUES EXPLICIT\nSTATE_SPACE TRANSITIONS\n", "CC missing-value none"},
	{"no item", CTLCardinality, ReaderOptions{}, "FORMULA\nFORMULA \nFORMULA TECHNIQUES EXPLICIT\n", "CC missing-item none"},
	{"refusal of one formula", CTLCardinality, ReaderOptions{}, "FORMULA @0 DO_NOT_COMPETE\n", "CC none refused-formula"},

	// Items.
	{"unknown id", CTLCardinality, ReaderOptions{}, "FORMULA M-PT-1-CTLCardinality-00 TRUE TECHNIQUES EXPLICIT\n", "CC none unknown-item"},
	{"id in other case", CTLCardinality, ReaderOptions{}, "FORMULA m-pt-1-CTLCardinality-2025-00 TRUE TECHNIQUES EXPLICIT\n", "CC none unknown-item"},
	{"unknown number of the state space", StateSpace, ReaderOptions{}, "STATE_SPACE UNIQUE_TRANSITIONS 5 TECHNIQUES EXPLICIT\nSTATE_SPACE states 5 TECHNIQUES EXPLICIT\n", "CC none unknown-item"},
	{"keyword of another examination", StateSpace, ReaderOptions{}, "FORMULA STATES 5 TECHNIQUES EXPLICIT\n", "CC none wrong-keyword"},
	{"keyword of the state space", CTLCardinality, ReaderOptions{}, "STATE_SPACE STATES 5 TECHNIQUES EXPLICIT\n", "CC none wrong-keyword"},
	{"items not known", CTLCardinality, ReaderOptions{Items: nil, File: "open"}, "FORMULA any-id TRUE TECHNIQUES EXPLICIT\n", "1:1 any-id=TRUE EXPLICIT; answered"},

	// Techniques.
	{"no techniques", CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE\nFORMULA @1 FALSE TECHNIQUES\n", "1:1 00=TRUE; 2:1 01=FALSE; answered empty-techniques no-techniques"},
	{"text before the techniques", CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE in 3 s TECHNIQUES EXPLICIT\n", "1:1 00=TRUE EXPLICIT; answered extra-text unanswered"},
	{"text instead of techniques", CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE FALSE\n", "1:1 00=TRUE; answered extra-text unanswered"},
	{"word tokens of a known tool", LTLCardinality, ReaderOptions{Items: []string{"f"}}, "FORMULA f TRUE TECHNIQUES EXPLICIT HEURISTIC OPTIM-1 \n", "1:1 f=TRUE EXPLICIT,HEURISTIC,OPTIM-1; answered technique"},
	{"seven techniques", OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES EXPLICIT EXPLICIT EXPLICIT EXPLICIT EXPLICIT EXPLICIT EXPLICIT\n", "1:1 OneSafe=TRUE EXPLICIT,EXPLICIT,EXPLICIT,EXPLICIT,EXPLICIT,EXPLICIT,EXPLICIT; answered many-techniques"},
	{"blank inside a technique", OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES IMPLICIT RELATION\n", "1:1 OneSafe=TRUE IMPLICIT,RELATION; answered technique"},
	{"bytes that are no text", OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES \xff\xfe\n", "1:1 OneSafe=TRUE \ufffd; answered invalid-utf8 technique"},

	// Repetitions and contradictions (policies of an edition).
	{"same twice", OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES EXPLICIT\nFORMULA OneSafe TRUE TECHNIQUES SAT_SMT\n", "1:1 OneSafe=TRUE EXPLICIT; answered repeated"},
	{"same number in two forms", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 10 TECHNIQUES EXPLICIT\nSTATE_SPACE STATES 1e1 TECHNIQUES EXPLICIT\n", "1:1 STATES=10 EXPLICIT; answered repeated rounded"},
	{"first counts", OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES EXPLICIT\nFORMULA OneSafe FALSE TECHNIQUES SAT_SMT\n", "1:1 OneSafe=TRUE EXPLICIT; answered contradiction"},
	{"last counts", OneSafe, ReaderOptions{Repeats: LastCounts}, "FORMULA OneSafe TRUE TECHNIQUES EXPLICIT\nFORMULA OneSafe FALSE TECHNIQUES SAT_SMT\n", "1:1 OneSafe=TRUE EXPLICIT; 2:1 OneSafe=FALSE SAT_SMT; answered contradiction"},
	{"last counts, there and back", OneSafe, ReaderOptions{Repeats: LastCounts}, "FORMULA OneSafe TRUE TECHNIQUES BMC\nFORMULA OneSafe FALSE TECHNIQUES BMC\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "1:1 OneSafe=TRUE BMC; 2:1 OneSafe=FALSE BMC; 3:1 OneSafe=TRUE BMC; answered contradiction"},
	{"none counts", OneSafe, ReaderOptions{Repeats: NoneCounts}, "FORMULA OneSafe TRUE TECHNIQUES BMC\nFORMULA OneSafe FALSE TECHNIQUES BMC\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "1:1 OneSafe=TRUE BMC; 2:1 OneSafe= BMC; CC contradiction"},
	{"long numbers that differ at the end", StateSpace, ReaderOptions{}, "STATE_SPACE STATES " + strings.Repeat("9", 500) + "1 TECHNIQUES BMC\nSTATE_SPACE STATES " + strings.Repeat("9", 500) + "2 TECHNIQUES BMC\n", "1:1 STATES=" + strings.Repeat("9", 500) + "1 BMC; answered contradiction"},
	{"value, then in vain", OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES BMC\nFORMULA OneSafe CANNOT_COMPUTE\n", "1:1 OneSafe=TRUE BMC; answered refused-yet-answered"},
	{"in vain, then value", OneSafe, ReaderOptions{}, "FORMULA OneSafe CANNOT_COMPUTE\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "2:1 OneSafe=TRUE BMC; answered refused-yet-answered"},
	{"value, then ?", OneSafe, ReaderOptions{Repeats: LastCounts}, "FORMULA OneSafe TRUE TECHNIQUES BMC\nFORMULA OneSafe ? TECHNIQUES BMC\n", "1:1 OneSafe=TRUE BMC; answered refused-yet-answered unknown"},
	{"values and CANNOT_COMPUTE", CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE TECHNIQUES BMC\nCANNOT_COMPUTE\n", "1:1 00=TRUE BMC; answered refused-yet-answered"},
	{"DO_NOT_COMPETE and values", OneSafe, ReaderOptions{}, "DO_NOT_COMPETE\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "2:1 OneSafe=TRUE BMC; answered refused-yet-answered"},
	{"both refusals", OneSafe, ReaderOptions{}, "CANNOT_COMPUTE\nDO_NOT_COMPETE\n", "DNC"},

	// Refusals that are not as they should be.
	{"words behind CANNOT_COMPUTE", OneSafe, ReaderOptions{}, "CANNOT_COMPUTE DECISION_DIAGRAMS\n", "CC extra-text"},
	{"blanks for underscores", OneSafe, ReaderOptions{}, "DO NOT COMPETE\n", "CC misspelt-keyword none"},
	{"blank for an underscore", OneSafe, ReaderOptions{}, "CANNOT COMPUTE\n", "CC misspelt-keyword none"},
	{"STATE SPACE", StateSpace, ReaderOptions{}, "STATE SPACE STATES 5 TECHNIQUES BMC\n", "CC misspelt-keyword none"},
	{"an exception's message", OneSafe, ReaderOptions{}, "parse error:\nCANNOT_COMPUTE\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "3:1 OneSafe=TRUE BMC; answered refused-yet-answered"},
	{"inside an exception's message", OneSafe, ReaderOptions{}, "parse error: CANNOT_COMPUTE\n", "CC none not-at-head"},

	// Keywords in odd places.
	{"after other text", OneSafe, ReaderOptions{}, "[12.3 s] FORMULA OneSafe TRUE TECHNIQUES BMC\n", "CC none not-at-head"},
	{"indented", OneSafe, ReaderOptions{}, "\t FORMULA OneSafe TRUE TECHNIQUES BMC\n", "1:3 OneSafe=TRUE BMC; answered indented"},
	{"behind a progress bar", OneSafe, ReaderOptions{}, "10%\r20%\rFORMULA OneSafe TRUE TECHNIQUES BMC\n", "CC none not-at-head"},
	{"behind carriage returns only", OneSafe, ReaderOptions{}, "\r\rFORMULA OneSafe TRUE TECHNIQUES BMC\n", "1:3 OneSafe=TRUE BMC; answered indented"},
	{"behind NUL bytes of a torn file", OneSafe, ReaderOptions{}, "\x00\x00\x00FORMULA OneSafe TRUE TECHNIQUES BMC\n", "1:4 OneSafe=TRUE BMC; answered indented"},
	{"behind a colour", OneSafe, ReaderOptions{}, "\x1b[32mFORMULA OneSafe TRUE TECHNIQUES BMC\n", "CC none not-at-head"},
	{"behind a byte order mark", OneSafe, ReaderOptions{}, "\ufeffFORMULA OneSafe TRUE TECHNIQUES BMC\n", "CC none not-at-head"},
	{"two on one line", CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE TECHNIQUES BMC FORMULA @1 FALSE TECHNIQUES BMC\n", "1:1 00=TRUE BMC,FORMULA,M-PT-1-CTLCardinality-2025-01,FALSE,TECHNIQUES,BMC; answered technique unanswered"},
	{"keyword as part of a word", OneSafe, ReaderOptions{}, "FORMULA_NAME OneSafe\nMYFORMULA OneSafe TRUE\nFORMULAS OneSafe TRUE\n\n", "CC none"},
	{"misprinted keyword", OneSafe, ReaderOptions{}, "FORMLUA OneSafe TRUE TECHNIQUES BMC\nFORMULAS OneSafe TRUE TECHNIQUES BMC\nOneSafe TRUE TECHNIQUES BMC\nTECHNIQUES BMC\n", "CC no-keyword none"},
	{"a message about techniques", OneSafe, ReaderOptions{}, "techniques: BMC\nMYTECHNIQUES BMC\nTECHNIQUES_USED BMC\n", "CC none"},
	{"keyword with punctuation", OneSafe, ReaderOptions{}, "FORMULA: OneSafe TRUE TECHNIQUES BMC\nCANNOT_COMPUTE.\n", "CC none not-at-head"},
	{"word in lower case", OneSafe, ReaderOptions{}, "formula 3 is true\nthe formula is FALSE\nCannot compute more\ndo not compete with me\n", "CC none"},
	{"answer in lower case", OneSafe, ReaderOptions{}, "formula OneSafe true techniques bmc\ncannot_compute\n", "CC keyword-case none"},
	{"NUL in the line", OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE\x00 TECHNIQUES BMC\n", "CC none nul"},
	{"no-break space", OneSafe, ReaderOptions{}, "FORMULA OneSafe\u00a0TRUE TECHNIQUES BMC\n", "CC none unknown-item"},

	// Ends of lines and of the output.
	{"carriage return and line feed", OneSafe, ReaderOptions{}, "hello\r\nFORMULA OneSafe TRUE TECHNIQUES BMC\r\n", "2:1 OneSafe=TRUE BMC; answered crlf"},
	{"refusal with carriage return", OneSafe, ReaderOptions{}, "CANNOT_COMPUTE\r\n", "CC crlf"},
	{"carriage returns only", OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES BMC\rFORMULA OneSafe TRUE TECHNIQUES BMC\r", "1:1 OneSafe=TRUE BMC,FORMULA,OneSafe,TRUE,TECHNIQUES,BMC; answered crlf no-final-newline technique"},
	{"no final newline", OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES BMC", "1:1 OneSafe=TRUE BMC; answered no-final-newline"},
	{"cut behind the truth value", OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE", "1:1 OneSafe=TRUE; answered no-final-newline no-techniques"},
	{"cut inside the truth value", OneSafe, ReaderOptions{}, "FORMULA OneSafe TR", "CC cut no-final-newline none"},
	{"cut inside the number", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 123", "CC cut no-final-newline none"},
	{"cut behind the number", StateSpace, ReaderOptions{}, "STATE_SPACE STATES 123 ", "1:1 STATES=123; answered no-final-newline no-techniques"},
	{"cut inside the keyword", OneSafe, ReaderOptions{}, "CANNOT_COMP", "CC no-final-newline none"},
	{"cut behind the keyword", OneSafe, ReaderOptions{}, "CANNOT_COMPUTE", "CC no-final-newline"},
	{"nothing", OneSafe, ReaderOptions{}, "", "CC none"},
	{"empty lines", OneSafe, ReaderOptions{}, "\n\n\n", "CC none"},
	{"late", OneSafe, late, "FORMULA OneSafe TRUE TECHNIQUES BMC\n", "CC late none"},
	{"late refusal", OneSafe, late, "DO_NOT_COMPETE\n", "CC late none"},

	// Large things.
	{"long line of noise", OneSafe, ReaderOptions{}, strings.Repeat("noise ", 1<<20) + "\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "2:1 OneSafe=TRUE BMC; answered"},
	{"long list of techniques", OneSafe, ReaderOptions{}, "FORMULA OneSafe CANNOT_COMPUTE TECHNIQUES" + strings.Repeat(" ", maxLine) + "BMC\n", "CC long-line"},
	{"keyword behind a long blank", OneSafe, ReaderOptions{}, strings.Repeat(" ", 3*blockSize) + "FORMULA OneSafe TRUE TECHNIQUES BMC\n", "1:786433 OneSafe=TRUE BMC; answered indented"},

	// A strict reader takes only what is flawless.
	{"strict, flawless", OneSafe, ReaderOptions{Strict: true}, "FORMULA OneSafe TRUE TECHNIQUES BMC MY_OWN\n", "1:1 OneSafe=TRUE BMC,MY_OWN; answered technique"},
	{"strict, indented", OneSafe, ReaderOptions{Strict: true}, " FORMULA OneSafe TRUE TECHNIQUES BMC\n", "CC indented none"},
	{"strict, lower case", OneSafe, ReaderOptions{Strict: true}, "FORMULA OneSafe true TECHNIQUES BMC\n", "CC none value-case"},
	{"strict, no techniques", OneSafe, ReaderOptions{Strict: true}, "FORMULA OneSafe TRUE\n", "CC no-techniques none"},
	{"strict, words behind the refusal", OneSafe, ReaderOptions{Strict: true}, "CANNOT_COMPUTE BMC\n", "CC extra-text none"},
	{"strict, carriage return", OneSafe, ReaderOptions{Strict: true}, "FORMULA OneSafe TRUE TECHNIQUES BMC\r\n", "CC crlf none"},
}

func TestHostileOutputs(t *testing.T) {
	ids := strings.NewReplacer("@0", formulaItems[0], "@1", formulaItems[1])
	if len(hostileOutputs) < 80 {
		t.Errorf("only %d outputs", len(hostileOutputs))
	}
	for _, h := range hostileOutputs {
		o := h.o
		if o.Items == nil && h.exam.HasFormulas() && o.File == "" {
			o.Items = formulaItems
		}
		o.Instance = instance(t, "M-PT-1")
		if got := outcome(NewReader(strings.NewReader(ids.Replace(h.output)), h.exam, o)); got != h.want {
			t.Errorf("%s: got\n%.300s\nwant\n%.300s", h.name, got, h.want)
		}
	}
}

// TestReaderManyItems answers very many items without remembering them all.
func TestReaderManyItems(t *testing.T) {
	var b strings.Builder
	for i := range maxItems + 10 {
		b.WriteString("FORMULA f" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + strings.Repeat("y", i/26) + " TRUE TECHNIQUES BMC\n")
	}
	r := NewReader(strings.NewReader(b.String()), CTLCardinality, ReaderOptions{})
	n := 0
	for r.Scan() {
		n++
	}
	list := r.Diagnostics()
	if n != maxItems || len(list) != 10 || list[0].Code != "answer-too-many-items" {
		t.Errorf("%d answers, %v", n, list)
	}
}

// TestFindingsAreBounded floods the lint.
func TestFindingsAreBounded(t *testing.T) {
	r := NewReader(strings.NewReader(strings.Repeat("FORMULA nobody TRUE TECHNIQUES BMC\n", 1000)), OneSafe, ReaderOptions{})
	for r.Scan() {
	}
	list := r.Diagnostics()
	if len(list) != maxFindings+2 || !strings.Contains(list.Error(), "950 more findings") {
		t.Errorf("%d findings", len(list))
	}
}
