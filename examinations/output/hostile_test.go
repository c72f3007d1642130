package output

import (
	"strings"
	"testing"
	"time"

	"podium/examinations"
)

// hostile is one output that a tool might print, and what is to be understood:
// "line:column item=value techniques; " per answer, the participation and the
// codes of the findings without their prefix. @0 and @1 stand for the ids of
// two CTL formulas.
type hostile struct {
	name   string
	exam   examinations.ID
	o      ReaderOptions
	output string
	want   string
}

var late = ReaderOptions{Deadline: time.Second, Clock: func() time.Duration { return 2 * time.Second }}

var hostileOutputs = []hostile{
	// What the manual wants.
	{"plain", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE TECHNIQUES EXPLICIT\nFORMULA @1 FALSE TECHNIQUES SAT_SMT USE_NUPN\n", "1:1 00=TRUE EXPLICIT; 2:1 01=FALSE SAT_SMT,USE_NUPN; answered"},
	{"one by one, with noise", examinations.CTLCardinality, ReaderOptions{}, "start\nFORMULA @1 FALSE TECHNIQUES BMC(12)\nbusy\n\nFORMULA @0 TRUE TECHNIQUES EXPLICIT\nend\n", "2:1 01=FALSE BMC(12); 5:1 00=TRUE EXPLICIT; answered"},
	{"blanks and tabs between words", examinations.CTLCardinality, ReaderOptions{}, "FORMULA  @0\tTRUE   TECHNIQUES  EXPLICIT \nFORMULA @1 CANNOT_COMPUTE \n", "1:1 00=TRUE EXPLICIT; answered"},
	{"four numbers", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 10 TECHNIQUES EXPLICIT\nSTATE_SPACE TRANSITIONS 20 TECHNIQUES EXPLICIT\nSTATE_SPACE MAX_TOKEN_PER_MARKING 3 TECHNIQUES EXPLICIT\nSTATE_SPACE MAX_TOKEN_IN_PLACE 1 TECHNIQUES EXPLICIT\n", "1:1 STATES=10 EXPLICIT; 2:1 TRANSITIONS=20 EXPLICIT; 3:1 MAX_TOKEN_PER_MARKING=3 EXPLICIT; 4:1 MAX_TOKEN_IN_PLACE=1 EXPLICIT; answered"},
	{"-1 where it is allowed", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 10 TECHNIQUES EXPLICIT\nSTATE_SPACE TRANSITIONS -1 TECHNIQUES EXPLICIT\n", "1:1 STATES=10 EXPLICIT; answered"},
	{"cannot compute", examinations.CTLCardinality, ReaderOptions{}, "CANNOT_COMPUTE\n", "CC"},
	{"does not compete", examinations.StateSpace, ReaderOptions{}, "DO_NOT_COMPETE\n", "DNC"},
	{"each formula in vain", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 CANNOT_COMPUTE\nFORMULA @1 CANNOT_COMPUTE TECHNIQUES EXPLICIT\n", "CC"},
	{"bound", examinations.UpperBounds, ReaderOptions{Items: []string{"b"}}, "FORMULA b 12 TECHNIQUES TOPOLOGICAL\n", "1:1 b=12 TOPOLOGICAL; answered"},

	// Names of global properties (they changed over the years).
	{"global, today", examinations.ReachabilityDeadlock, ReaderOptions{}, "FORMULA ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT\n", "1:1 ReachabilityDeadlock=TRUE EXPLICIT; answered"},
	{"global, with instance", examinations.ReachabilityDeadlock, ReaderOptions{}, "FORMULA M-PT-1-ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT\n", "1:1 ReachabilityDeadlock=TRUE EXPLICIT; answered"},
	{"global, numbered", examinations.ReachabilityDeadlock, ReaderOptions{}, "FORMULA M-PT-1-ReachabilityDeadlock-00 TRUE TECHNIQUES EXPLICIT\n", "1:1 ReachabilityDeadlock=TRUE EXPLICIT; answered"},
	{"global of 2019", examinations.ReachabilityDeadlock, ReaderOptions{}, "FORMULA M-PT-1-GlobalProperties-0 FALSE TECHNIQUES EXPLICIT\n", "1:1 ReachabilityDeadlock=FALSE EXPLICIT; answered"},
	{"global of 2019 in 2019", examinations.GlobalProperties, ReaderOptions{}, "FORMULA M-PT-1-GlobalProperties-0 FALSE TECHNIQUES EXPLICIT\n", "1:1 GlobalProperties=FALSE EXPLICIT; answered"},
	{"deadlock of 2018 in 2019", examinations.GlobalProperties, ReaderOptions{}, "FORMULA ReachabilityDeadlock FALSE TECHNIQUES EXPLICIT\n", "1:1 GlobalProperties=FALSE EXPLICIT; answered"},
	{"global of another examination", examinations.OneSafe, ReaderOptions{}, "FORMULA Liveness TRUE TECHNIQUES EXPLICIT\n", "CC none unknown-item"},
	{"global of another instance", examinations.OneSafe, ReaderOptions{}, "FORMULA M-PT-2-OneSafe TRUE TECHNIQUES EXPLICIT\n", "CC none unknown-item"},
	{"global, number other than 0", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe-1 TRUE TECHNIQUES EXPLICIT\n", "CC none unknown-item"},
	{"global in two spellings", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES EXPLICIT\nFORMULA M-PT-1-OneSafe FALSE TECHNIQUES EXPLICIT\n", "1:1 OneSafe=TRUE EXPLICIT; answered contradiction"},

	// Numbers.
	{"+inf and inf", examinations.UpperBounds, ReaderOptions{Items: []string{"a", "b"}}, "FORMULA a +inf TECHNIQUES EXPLICIT\nFORMULA b inf TECHNIQUES EXPLICIT\n", "1:1 a=+inf EXPLICIT; 2:1 b=+inf EXPLICIT; answered"},
	{"other infinities", examinations.UpperBounds, ReaderOptions{Items: []string{"a", "b"}}, "FORMULA a Infinity TECHNIQUES EXPLICIT\nFORMULA b INF TECHNIQUES EXPLICIT\n", "1:1 a=+inf EXPLICIT; 2:1 b=+inf EXPLICIT; answered number-form"},
	{"minus infinity", examinations.UpperBounds, ReaderOptions{Items: []string{"a"}}, "FORMULA a -inf TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"a hundred digits", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 1" + strings.Repeat("0", 99) + " TECHNIQUES EXPLICIT\n", "1:1 STATES=1" + strings.Repeat("0", 99) + " EXPLICIT; answered"},
	{"scientific", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 4.0000E+0009 TECHNIQUES EXPLICIT\n", "1:1 STATES=4000000000 EXPLICIT; answered rounded"},
	{"printed with %g", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES  1.23457e+08  TECHNIQUES EXPLICIT\n", "1:1 STATES=123457000 EXPLICIT; answered rounded"},
	{"plus sign and zeros", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES +007 TECHNIQUES EXPLICIT\n", "1:1 STATES=7 EXPLICIT; answered number-form"},
	{"decimals", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 7.0 TECHNIQUES EXPLICIT\n", "1:1 STATES=7 EXPLICIT; answered number-form"},
	{"not whole", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 7.5 TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"too small for its exponent", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 1e-3 TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"exponent out of all bounds", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 1e999999999 TECHNIQUES EXPLICIT\nSTATE_SPACE STATES 1e99999999999999999999 TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"overflow of published tables", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES +Inf**** TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"grouped digits", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 1,234 TECHNIQUES EXPLICIT\nSTATE_SPACE STATES 1_234 TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"hexadecimal", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 0x10 TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"not a number", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES nan TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"digits of another script", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES ١٢ TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"-1 for the states", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES -1 TECHNIQUES EXPLICIT\n", "CC negative"},
	{"-1 for a bound", examinations.UpperBounds, ReaderOptions{Items: []string{"a"}}, "FORMULA a -1 TECHNIQUES EXPLICIT\n", "CC negative"},
	{"-2", examinations.UpperBounds, ReaderOptions{Items: []string{"a"}}, "FORMULA a -2 TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"beyond the longest number", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 1" + strings.Repeat("0", examinations.MaxDigits) + " TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"zero", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 0 TECHNIQUES EXPLICIT\nSTATE_SPACE TRANSITIONS 0e5 TECHNIQUES EXPLICIT\n", "1:1 STATES=0 EXPLICIT; 2:1 TRANSITIONS=0 EXPLICIT; answered rounded"},

	// Kinds and values.
	{"number for a formula", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 1 TECHNIQUES EXPLICIT\nFORMULA @1 -1 TECHNIQUES EXPLICIT\n", "CC none wrong-kind"},
	{"truth value for a bound", examinations.UpperBounds, ReaderOptions{Items: []string{"a"}}, "FORMULA a TRUE TECHNIQUES EXPLICIT\n", "CC none wrong-kind"},
	{"truth value for the states", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES TRUE TECHNIQUES EXPLICIT\n", "CC none wrong-kind"},
	{"other case of the value", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 true TECHNIQUES EXPLICIT\nFORMULA @1 False TECHNIQUES EXPLICIT\n", "1:1 00=TRUE EXPLICIT; 2:1 01=FALSE EXPLICIT; answered value-case"},
	{"abbreviated value", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 T TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"other words", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 YES TECHNIQUES EXPLICIT\nFORMULA @1 is TRUE\n", "CC none unreadable"},
	{"value with punctuation", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE. TECHNIQUES EXPLICIT\n", "CC none unreadable"},
	{"question mark", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 ? TECHNIQUES EXPLICIT\n", "CC unanswered unknown"},
	{"no value", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES  TECHNIQUES EXPLICIT\nSTATE_SPACE TRANSITIONS\n", "CC missing-value none"},
	{"no item", examinations.CTLCardinality, ReaderOptions{}, "FORMULA\nFORMULA \nFORMULA TECHNIQUES EXPLICIT\n", "CC missing-item none"},
	{"refusal of one formula", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 DO_NOT_COMPETE\n", "CC none refused-formula"},

	// Items.
	{"unknown id", examinations.CTLCardinality, ReaderOptions{}, "FORMULA M-PT-1-CTLCardinality-00 TRUE TECHNIQUES EXPLICIT\n", "CC none unknown-item"},
	{"id in other case", examinations.CTLCardinality, ReaderOptions{}, "FORMULA m-pt-1-CTLCardinality-2025-00 TRUE TECHNIQUES EXPLICIT\n", "CC none unknown-item"},
	{"unknown number of the state space", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE UNIQUE_TRANSITIONS 5 TECHNIQUES EXPLICIT\nSTATE_SPACE states 5 TECHNIQUES EXPLICIT\n", "CC none unknown-item"},
	{"keyword of another examination", examinations.StateSpace, ReaderOptions{}, "FORMULA STATES 5 TECHNIQUES EXPLICIT\n", "CC none wrong-keyword"},
	{"keyword of the state space", examinations.CTLCardinality, ReaderOptions{}, "STATE_SPACE STATES 5 TECHNIQUES EXPLICIT\n", "CC none wrong-keyword"},
	{"items not known", examinations.CTLCardinality, ReaderOptions{Items: nil, File: "open"}, "FORMULA any-id TRUE TECHNIQUES EXPLICIT\n", "1:1 any-id=TRUE EXPLICIT; answered"},

	// Techniques.
	{"no techniques", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE\nFORMULA @1 FALSE TECHNIQUES\n", "1:1 00=TRUE; 2:1 01=FALSE; answered empty-techniques no-techniques"},
	{"text before the techniques", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE in 3 s TECHNIQUES EXPLICIT\n", "1:1 00=TRUE EXPLICIT; answered extra-text unanswered"},
	{"text instead of techniques", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE FALSE\n", "CC none two-values"},
	{"digits in groups", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 1 000 TECHNIQUES EXPLICIT\nSTATE_SPACE TRANSITIONS 1 e9 TECHNIQUES EXPLICIT\nSTATE_SPACE MAX_TOKEN_IN_PLACE 1 * 10^6\nSTATE_SPACE MAX_TOKEN_PER_MARKING 4 ,5 TECHNIQUES EXPLICIT\n", "CC none two-values"},
	{"a number, then a remark", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 1000 in 3 s TECHNIQUES EXPLICIT\n", "1:1 STATES=1000 EXPLICIT; answered extra-text"},
	{"both truth values", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE FALSE TECHNIQUES EXPLICIT\nFORMULA @1 FALSE or TRUE TECHNIQUES EXPLICIT\n", "CC none two-values"},
	{"a truth value twice", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE TRUE TECHNIQUES EXPLICIT\n", "1:1 00=TRUE EXPLICIT; answered extra-text unanswered"},
	{"declined, then a value", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 CANNOT_COMPUTE TRUE TECHNIQUES EXPLICIT\n", "CC none two-values"},
	{"word tokens of a known tool", examinations.LTLCardinality, ReaderOptions{Items: []string{"f"}}, "FORMULA f TRUE TECHNIQUES EXPLICIT HEURISTIC OPTIM-1 \n", "1:1 f=TRUE EXPLICIT,HEURISTIC,OPTIM-1; answered technique"},
	{"seven techniques", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES EXPLICIT EXPLICIT EXPLICIT EXPLICIT EXPLICIT EXPLICIT EXPLICIT\n", "1:1 OneSafe=TRUE EXPLICIT,EXPLICIT,EXPLICIT,EXPLICIT,EXPLICIT,EXPLICIT,EXPLICIT; answered many-techniques"},
	{"blank inside a technique", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES IMPLICIT RELATION\n", "1:1 OneSafe=TRUE IMPLICIT,RELATION; answered technique"},
	{"bytes that are no text", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES \xff\xfe\n", "1:1 OneSafe=TRUE \ufffd; answered invalid-utf8 technique"},

	// Repetitions and contradictions (policies of an edition).
	{"same twice", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES EXPLICIT\nFORMULA OneSafe TRUE TECHNIQUES SAT_SMT\n", "1:1 OneSafe=TRUE EXPLICIT; answered repeated"},
	{"same number in two forms", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 10 TECHNIQUES EXPLICIT\nSTATE_SPACE STATES 1e1 TECHNIQUES EXPLICIT\n", "1:1 STATES=10 EXPLICIT; answered repeated rounded"},
	{"first counts", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES EXPLICIT\nFORMULA OneSafe FALSE TECHNIQUES SAT_SMT\n", "1:1 OneSafe=TRUE EXPLICIT; answered contradiction"},
	{"last counts", examinations.OneSafe, ReaderOptions{Repeats: LastCounts}, "FORMULA OneSafe TRUE TECHNIQUES EXPLICIT\nFORMULA OneSafe FALSE TECHNIQUES SAT_SMT\n", "1:1 OneSafe=TRUE EXPLICIT; 2:1 OneSafe=FALSE SAT_SMT; answered contradiction"},
	{"last counts, there and back", examinations.OneSafe, ReaderOptions{Repeats: LastCounts}, "FORMULA OneSafe TRUE TECHNIQUES BMC\nFORMULA OneSafe FALSE TECHNIQUES BMC\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "1:1 OneSafe=TRUE BMC; 2:1 OneSafe=FALSE BMC; 3:1 OneSafe=TRUE BMC; answered contradiction"},
	{"none counts", examinations.OneSafe, ReaderOptions{Repeats: NoneCounts}, "FORMULA OneSafe TRUE TECHNIQUES BMC\nFORMULA OneSafe FALSE TECHNIQUES BMC\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "1:1 OneSafe=TRUE BMC; 2:1 OneSafe= BMC; CC contradiction"},
	{"long numbers that differ at the end", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES " + strings.Repeat("9", 500) + "1 TECHNIQUES BMC\nSTATE_SPACE STATES " + strings.Repeat("9", 500) + "2 TECHNIQUES BMC\n", "1:1 STATES=" + strings.Repeat("9", 500) + "1 BMC; answered contradiction"},
	{"value, then in vain", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES BMC\nFORMULA OneSafe CANNOT_COMPUTE\n", "1:1 OneSafe=TRUE BMC; answered refused-yet-answered"},
	{"in vain, then value", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe CANNOT_COMPUTE\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "2:1 OneSafe=TRUE BMC; answered refused-yet-answered"},
	{"value, then ?", examinations.OneSafe, ReaderOptions{Repeats: LastCounts}, "FORMULA OneSafe TRUE TECHNIQUES BMC\nFORMULA OneSafe ? TECHNIQUES BMC\n", "1:1 OneSafe=TRUE BMC; answered refused-yet-answered unknown"},
	{"values and CANNOT_COMPUTE", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE TECHNIQUES BMC\nCANNOT_COMPUTE\n", "1:1 00=TRUE BMC; answered refused-yet-answered"},
	{"DO_NOT_COMPETE and values", examinations.OneSafe, ReaderOptions{}, "DO_NOT_COMPETE\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "2:1 OneSafe=TRUE BMC; answered refused-yet-answered"},
	{"both refusals", examinations.OneSafe, ReaderOptions{}, "CANNOT_COMPUTE\nDO_NOT_COMPETE\n", "DNC"},

	// Refusals that are not as they should be.
	{"words behind CANNOT_COMPUTE", examinations.OneSafe, ReaderOptions{}, "CANNOT_COMPUTE DECISION_DIAGRAMS\n", "CC extra-text"},
	{"blanks for underscores", examinations.OneSafe, ReaderOptions{}, "DO NOT COMPETE\n", "DNC refusal-blanks"},
	{"blank for an underscore", examinations.OneSafe, ReaderOptions{}, "CANNOT COMPUTE\r\n", "CC refusal-blanks"},
	{"blanks for underscores in a sentence", examinations.OneSafe, ReaderOptions{}, "CANNOT COMPUTE more than that\n", "CC misspelt-keyword none"},
	{"blanks for underscores, strictly", examinations.OneSafe, ReaderOptions{Strict: true}, "DO NOT COMPETE\n", "CC none refusal-blanks"},
	{"blank for an underscore behind a formula", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 CANNOT COMPUTE\nFORMULA @1 TRUE TECHNIQUES BMC\n", "2:1 01=TRUE BMC; answered refusal-blanks"},
	{"STATE SPACE", examinations.StateSpace, ReaderOptions{}, "STATE SPACE STATES 5 TECHNIQUES BMC\n", "CC misspelt-keyword none"},
	{"an exception's message", examinations.OneSafe, ReaderOptions{}, "parse error:\nCANNOT_COMPUTE\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "3:1 OneSafe=TRUE BMC; answered refused-yet-answered"},
	{"inside an exception's message", examinations.OneSafe, ReaderOptions{}, "parse error: CANNOT_COMPUTE\n", "CC none not-at-head"},

	// Keywords in odd places.
	{"after other text", examinations.OneSafe, ReaderOptions{}, "[12.3 s] FORMULA OneSafe TRUE TECHNIQUES BMC\n", "CC none not-at-head"},
	{"indented", examinations.OneSafe, ReaderOptions{}, "\t FORMULA OneSafe TRUE TECHNIQUES BMC\n", "1:3 OneSafe=TRUE BMC; answered indented"},
	{"behind a progress bar", examinations.OneSafe, ReaderOptions{}, "10%\r20%\rFORMULA OneSafe TRUE TECHNIQUES BMC\n", "CC none not-at-head"},
	{"behind carriage returns only", examinations.OneSafe, ReaderOptions{}, "\r\rFORMULA OneSafe TRUE TECHNIQUES BMC\n", "1:3 OneSafe=TRUE BMC; answered indented"},
	{"behind NUL bytes of a torn file", examinations.OneSafe, ReaderOptions{}, "\x00\x00\x00FORMULA OneSafe TRUE TECHNIQUES BMC\n", "1:4 OneSafe=TRUE BMC; answered indented"},
	{"behind a colour", examinations.OneSafe, ReaderOptions{}, "\x1b[32mFORMULA OneSafe TRUE TECHNIQUES BMC\n", "CC none not-at-head"},
	{"in UTF-16", examinations.OneSafe, ReaderOptions{}, "\xff\xfeF\x00O\x00R\x00M\x00U\x00L\x00A\x00 \x00O\x00n\x00e\x00S\x00a\x00f\x00e\x00 \x00T\x00R\x00U\x00E\x00\n", "CC none utf16"},
	{"in UTF-16 without its mark", examinations.OneSafe, ReaderOptions{}, "F\x00O\x00R\x00M\x00U\x00L\x00A\x00 \x00O\x00n\x00e\x00S\x00a\x00f\x00e\x00 \x00T\x00R\x00U\x00E\x00\n", "CC none utf16"},
	{"in UTF-16 of the other order, without its mark", examinations.OneSafe, ReaderOptions{}, "\x00F\x00O\x00R\x00M\x00U\x00L\x00A\n", "CC none utf16"},
	{"behind a byte order mark", examinations.OneSafe, ReaderOptions{}, "\ufeffFORMULA OneSafe TRUE TECHNIQUES BMC\n", "CC none not-at-head"},
	{"two on one line", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE TECHNIQUES BMC FORMULA @1 FALSE TECHNIQUES BMC\n", "1:1 00=TRUE BMC; answered not-at-head unanswered"},
	{"two on one line without a blank", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE TECHNIQUES BMCFORMULA @1 FALSE TECHNIQUES BMC\n", "1:1 00=TRUE BMC; answered not-at-head unanswered"},
	{"two on one line, cut behind the value", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUEFORMULA @1 FALSE TECHNIQUES BMC\n", "1:1 00=TRUE; answered no-techniques not-at-head unanswered"},
	{"two on one line, cut inside the value", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 TRFORMULA @1 FALSE TECHNIQUES BMC\n", "CC cut none not-at-head"},
	{"two numbers on one line", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 12STATE_SPACE TRANSITIONS 34 TECHNIQUES BMC\n", "CC cut none not-at-head"},
	{"an answer behind a refusal", examinations.CTLCardinality, ReaderOptions{}, "CANNOT_COMPUTE FORMULA @1 FALSE TECHNIQUES BMC\n", "CC not-at-head"},
	{"an answer behind the keyword", examinations.CTLCardinality, ReaderOptions{}, "FORMULA FORMULA @1 FALSE TECHNIQUES BMC\n", "CC missing-item none not-at-head"},
	{"the word FORMULA in a list of techniques", examinations.CTLCardinality, ReaderOptions{}, "FORMULA @0 TRUE TECHNIQUES BMC FORMULA REWRITING\nFORMULA @1 TRUE TECHNIQUES BMC FORMULA\n", "1:1 00=TRUE BMC,FORMULA,REWRITING; 2:1 01=TRUE BMC,FORMULA; answered technique"},
	{"many keywords on one line", examinations.CTLCardinality, ReaderOptions{Items: []string{"f"}}, "FORMULA f TRUE TECHNIQUES" + strings.Repeat(" FORMULA,FORMULA", 1<<17) + "\n", "1:1 f=TRUE " + strings.TrimSuffix(strings.Repeat("FORMULA,FORMULA,", maxTechniques), ",") + "; answered many-techniques technique"},
	{"keyword as part of a word", examinations.OneSafe, ReaderOptions{}, "FORMULA_NAME OneSafe\nMYFORMULA OneSafe TRUE\nFORMULAS\nFORMULAS OneSafe\nFORMULAS we know: TRUE\nFORMULA2 OneSafe TRUE\n\n", "CC none"},
	{"misprinted keyword without techniques", examinations.OneSafe, ReaderOptions{}, "FORMULAS OneSafe TRUE\n", "CC no-keyword none"},
	{"misprinted keyword beside the answer", examinations.OneSafe, ReaderOptions{}, "FORMULAR OneSafe TRUE\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "2:1 OneSafe=TRUE BMC; answered no-keyword"},
	{"misprinted keyword", examinations.OneSafe, ReaderOptions{}, "FORMLUA OneSafe TRUE TECHNIQUES BMC\nFORMULAS OneSafe TRUE TECHNIQUES BMC\nOneSafe TRUE TECHNIQUES BMC\nTECHNIQUES BMC\n", "CC bare-item no-keyword none"},
	{"no keyword before the item", examinations.OneSafe, ReaderOptions{}, "is OneSafe TRUE?\nOneSafe: TRUE\n OneSafe TRUE\n", "CC bare-item none"},
	{"an item of another examination", examinations.OneSafe, ReaderOptions{}, "Liveness TRUE\nONESAFE TRUE\nOneSafe\n", "CC none"},
	{"a message about techniques", examinations.OneSafe, ReaderOptions{}, "techniques: BMC\nMYTECHNIQUES BMC\nTECHNIQUES_USED BMC\n", "CC none"},
	{"keyword with punctuation", examinations.OneSafe, ReaderOptions{}, "FORMULA: OneSafe TRUE TECHNIQUES BMC\nCANNOT_COMPUTE.\n", "CC none not-at-head"},
	{"word in lower case", examinations.OneSafe, ReaderOptions{}, "formula 3 is true\nthe formula is FALSE\nCannot compute more\ndo not compete with me\n", "CC none"},
	{"answer in lower case", examinations.OneSafe, ReaderOptions{}, "formula OneSafe true techniques bmc\ncannot_compute\n", "CC keyword-case none"},
	{"NUL in the line", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE\x00 TECHNIQUES BMC\n", "CC none nul"},
	{"no-break space", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe\u00a0TRUE TECHNIQUES BMC\n", "CC none unknown-item"},

	// Ends of lines and of the output.
	{"carriage return and line feed", examinations.OneSafe, ReaderOptions{}, "hello\r\nFORMULA OneSafe TRUE TECHNIQUES BMC\r\n", "2:1 OneSafe=TRUE BMC; answered crlf"},
	{"refusal with carriage return", examinations.OneSafe, ReaderOptions{}, "CANNOT_COMPUTE\r\n", "CC crlf"},
	{"carriage returns only", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES BMC\rFORMULA OneSafe TRUE TECHNIQUES BMC\r", "1:1 OneSafe=TRUE BMC; answered crlf no-final-newline not-at-head"},
	{"no final newline", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE TECHNIQUES BMC", "1:1 OneSafe=TRUE BMC; answered no-final-newline"},
	{"cut behind the truth value", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe TRUE", "1:1 OneSafe=TRUE; answered no-final-newline no-techniques"},
	{"cut inside the truth value", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe TR", "CC cut no-final-newline none"},
	{"cut inside the number", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 123", "CC cut no-final-newline none"},
	{"cut behind the number", examinations.StateSpace, ReaderOptions{}, "STATE_SPACE STATES 123 ", "1:1 STATES=123; answered no-final-newline no-techniques"},
	{"cut inside the keyword", examinations.OneSafe, ReaderOptions{}, "CANNOT_COMP", "CC no-final-newline none"},
	{"cut behind the keyword", examinations.OneSafe, ReaderOptions{}, "CANNOT_COMPUTE", "CC no-final-newline"},
	{"nothing", examinations.OneSafe, ReaderOptions{}, "", "CC none"},
	{"empty lines", examinations.OneSafe, ReaderOptions{}, "\n\n\n", "CC none"},
	{"late", examinations.OneSafe, late, "FORMULA OneSafe TRUE TECHNIQUES BMC\n", "CC late none"},
	{"late refusal", examinations.OneSafe, late, "DO_NOT_COMPETE\n", "CC late none"},

	// Large things.
	{"long line of noise", examinations.OneSafe, ReaderOptions{}, strings.Repeat("noise ", 1<<20) + "\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "2:1 OneSafe=TRUE BMC; answered"},
	{"long list of techniques", examinations.OneSafe, ReaderOptions{}, "FORMULA OneSafe CANNOT_COMPUTE TECHNIQUES" + strings.Repeat(" ", maxLine) + "BMC\n", "CC long-line"},
	{"keyword behind a long blank", examinations.OneSafe, ReaderOptions{}, strings.Repeat(" ", 3*blockSize) + "FORMULA OneSafe TRUE TECHNIQUES BMC\n", "1:786433 OneSafe=TRUE BMC; answered indented"},

	// A strict reader takes only what is flawless.
	{"strict, flawless", examinations.OneSafe, ReaderOptions{Strict: true}, "FORMULA OneSafe TRUE TECHNIQUES BMC MY_OWN\n", "1:1 OneSafe=TRUE BMC,MY_OWN; answered technique"},
	{"strict, indented", examinations.OneSafe, ReaderOptions{Strict: true}, " FORMULA OneSafe TRUE TECHNIQUES BMC\n", "CC indented none"},
	{"strict, lower case", examinations.OneSafe, ReaderOptions{Strict: true}, "FORMULA OneSafe true TECHNIQUES BMC\n", "CC none value-case"},
	{"strict, no techniques", examinations.OneSafe, ReaderOptions{Strict: true}, "FORMULA OneSafe TRUE\n", "CC no-techniques none"},
	{"strict, words behind the refusal", examinations.OneSafe, ReaderOptions{Strict: true}, "CANNOT_COMPUTE BMC\n", "CC extra-text none"},
	{"strict, carriage return", examinations.OneSafe, ReaderOptions{Strict: true}, "FORMULA OneSafe TRUE TECHNIQUES BMC\r\n", "CC crlf none"},
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
	r := NewReader(strings.NewReader(b.String()), examinations.CTLCardinality, ReaderOptions{})
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
	r := NewReader(strings.NewReader(strings.Repeat("FORMULA nobody TRUE TECHNIQUES BMC\n", 1000)), examinations.OneSafe, ReaderOptions{})
	for r.Scan() {
	}
	list := r.Diagnostics()
	if len(list) != maxFindings+2 || !strings.Contains(list.Error(), "950 more findings") {
		t.Errorf("%d findings", len(list))
	}
}
