package columns

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"podium/pnml/diagnostic"
)

// hostile are names that would end a table, or mean something else in it.
var hostile = []string{`a_b%$#&{}~^\`, `\end{tabular}`, `[x]*`, "--``''\",,<>|?`", "näïve Ðß β 漢 😀", "=1+1", "tab\there\nand\x00there", "bad\xff",
	strings.Repeat("x", 250), strings.Repeat("Model-PT-", 9), strings.Repeat("9", 3000), "{", "}}", `\`, "-", "| --- |"}

// papers is a table in two groups with a row for each name, and one where nothing is known.
func papers(names []string) Table {
	t := Of("papers", "a name", slices.Values(append(slices.Clone(names), "")),
		New("group", Text, "", func(s string) Value { return Str(fmt.Sprintf("%d_%%", min(len(s), 2)/2)) }),
		New("name", Text|OrNull, "", Str),
		New("points", Ratio|OrNull, "", func(s string) Value { return Rat(big.NewRat(int64(len(s))*1000-5000, 7)).If(s != "") }),
		New("right_ones", Integer, "", func(s string) Value { return Int(len(s)) }),
		New("cpu_sum", Duration|OrNull, "", func(s string) Value { return Int(len(s) * 1_250_000).If(s != "") }),
		New("cpu_median_s", Decimal|OrNull, "", func(s string) Value { return Rat(big.NewRat(1, 3)).If(s != "") }))
	t.Grouped = true
	return t
}

func TestPrinted(t *testing.T) {
	table := papers([]string{"a|b", "c_d", "e"})
	var markdown, tex bytes.Buffer
	if err := table.Markdown(&markdown, "About *it*."); err != nil {
		t.Fatal(err)
	}
	if err := table.LaTeX(&tex, "100% of it.", "tab:x"); err != nil {
		t.Fatal(err)
	}
	head := "| Name | Points | Right ones | CPU sum (s) | CPU median (s) |\n| --- | ---: | ---: | ---: | ---: |\n"
	if want := "About \\*it\\*.\n\n## 1\\_%\n\n" + head + "| a\\|b | -285.714 | 3 | 3.75 | 0.333 |\n| c\\_d | -285.714 | 3 | 3.75 | 0.333 |\n\n" +
		"## 0\\_%\n\n" + head + "| e | -571.429 | 1 | 1.25 | 0.333 |\n| \u2013 | \u2013 | 0 | \u2013 | \u2013 |\n"; markdown.String() != want {
		t.Errorf("Markdown is\n%s\nnot\n%s", markdown.String(), want)
	}
	want := `\begin{table}
\centering\small\setlength{\tabcolsep}{4pt}
\caption{100\% of it.}\label{tab:x}\medskip

\begin{tabular}{lS[table-format=-3.3]S[table-format=1]S[table-format=1.2]S[table-format=1.3]}
\toprule
{\shortstack{Name}} & {\shortstack{Points}} & {\shortstack{Right\\ones}} & {\shortstack{CPU\\sum\\(s)}} & {\shortstack{CPU\\median\\(s)}} \\
\midrule
\multicolumn{5}{@{}l@{}}{\itshape 1\_\%} \\*
a\textbar{}b & -285.714 & 3 & 3.75 & 0.333 \\
c\_d & -285.714 & 3 & 3.75 & 0.333 \\
\addlinespace
\multicolumn{5}{@{}l@{}}{\itshape 0\_\%} \\*
e & -571.429 & 1 & 1.25 & 0.333 \\
{--} & {--} & 0 & {--} & {--} \\
\bottomrule
\end{tabular}
\end{table}
`
	if tex.String() != want {
		t.Errorf("LaTeX is\n%s", tex.String())
	}
}

// TestDecimals: a column has so many as its greatest number leaves room for.
func TestDecimals(t *testing.T) {
	for want, numbers := range map[int][]string{0: {"1", "2", "1000000.5"}, 1: {"12345.678", "1"}, 2: {"1234.567"}, 3: {"1/3"}} {
		var list []*big.Rat
		for _, n := range numbers {
			x, _ := new(big.Rat).SetString(n)
			list = append(list, x, nil)
		}
		if got := decimalsOf(list); got != want {
			t.Errorf("%v: %d decimals, not %d", numbers, got, want)
		}
	}
}

// TestLaTeXHoldsAnyName: braces, environments and columns fit together whatever names are, and
// each stands there whole.
func TestLaTeXHoldsAnyName(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 3))
	for round := range 60 {
		names := slices.Clone(hostile)
		if round > 0 {
			names = nil
			for range 1 + rng.IntN(60) {
				name := make([]rune, 1+rng.IntN(40))
				for i := range name {
					name[i] = []rune("ab-_%$#&{}~^\\[]*\"`'<>| \tßÐβ😀\x07")[rng.IntN(28)]
				}
				names = append(names, string(name))
			}
		}
		for n, list := range [][]string{names, nil} {
			table := papers(list)
			table.Grouped = n == 0
			var b bytes.Buffer
			if err := table.LaTeX(&b, strings.Join(list, " "), "tab:label-0f"); err != nil {
				t.Fatal(err)
			}
			if err := checkLaTeX(b.String(), len(table.Columns)-1+n); err != nil {
				t.Fatalf("%q: %v in\n%s", list, err, b.String())
			}
		}
		for _, name := range names {
			for _, breaks := range []float64{0, 8} {
				if got := unlatex(latex(name, breaks)); got != diagnostic.Line(name) {
					t.Fatalf("%q: %q is %q", name, latex(name, breaks), got)
				}
			}
		}
	}
}

// texTokens are what LaTeX reads: commands, and single characters.
var texTokens = regexp.MustCompile(`\\[A-Za-z]+|\\(?s:.)|(?s:.)`)

// texCommands are those that tables may have.
var texCommands = []string{"begin", "end", "begingroup", "endgroup", "centering", "small", "medskip", "setlength", "tabcolsep", "LTcapwidth", "linewidth", "caption", "label", "toprule", "midrule", "bottomrule",
	"endfirsthead", "endhead", "endfoot", "addlinespace", "multicolumn", "itshape", "shortstack", "raggedright", "arraybackslash", "allowbreak", "textbackslash", "textasciicircum", "textasciitilde",
	"textless", "textgreater", "textbar", "textendash", "ldots", "symbol", "ifdefined", "Umathcode", "else", "fi", "texttt"}

// checkLaTeX reads a table as LaTeX would: braces, groups and environments are closed in their order,
// nothing stands there that is not escaped, and each row has the columns of the table.
func checkLaTeX(text string, columns int) error {
	var open []string
	close := func(what string) error {
		if len(open) == 0 || open[len(open)-1] != what {
			return fmt.Errorf("%q is closed in %q", what, open)
		}
		open = open[:len(open)-1]
		return nil
	}
	tokens := texTokens.FindAllString(text, -1)
	cells, wide, inTable := 1, false, false
	for i, token := range tokens {
		var err error
		name := func() string {
			return regexp.MustCompile(`^\{(\w+)\}`).FindString(strings.Join(tokens[i+1:min(i+14, len(tokens))], ""))
		}
		switch {
		case token == "{", token == `\begingroup`, token == `\ifdefined`:
			open = append(open, token)
		case token == "}":
			err = close("{")
		case token == `\endgroup`:
			err = close(`\begingroup`)
		case token == `\fi`:
			err = close(`\ifdefined`)
		case token == `\begin`:
			open = append(open, name())
		case token == `\end`:
			err = close(name())
		case token == `\toprule` || token == `\midrule`:
			inTable, cells, wide = true, 1, false
		case token == `\multicolumn`:
			wide = true
		case token == "&":
			cells++
		case token == `\\` && inTable && !slices.Contains(open[len(open)-min(len(open), 1):], "{"):
			if cells != columns && !wide || cells != 1 && wide {
				return fmt.Errorf("a row has %d cells of %d", cells, columns)
			}
			cells, wide = 1, false
		case strings.Contains("#$%^_~", token):
			return fmt.Errorf("%s is not escaped", token)
		case len(token) > 2 && token[0] == '\\' && !slices.Contains(texCommands, token[1:]):
			return fmt.Errorf("%s is no command of tables", token)
		}
		if err != nil {
			return err
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%q stay open", open)
	}
	return nil
}

// TestCheckLaTeX: the check finds what would not compile.
func TestCheckLaTeX(t *testing.T) {
	const whole = "\\begin{table}\\toprule\na & b \\\\\n\\end{table}"
	if err := checkLaTeX(whole, 2); err != nil {
		t.Error(err)
	}
	for _, wrong := range []string{"a_b", "a & c", "{", "}", "\\input{x}", "\\end{table}", "\\fi", "50%", "\\begingroup"} {
		if err := checkLaTeX(strings.Replace(whole, "a &", wrong+" &", 1), 2); err == nil {
			t.Errorf("%s passes", wrong)
		}
	}
}

// unlatex is the text that LaTeX prints.
func unlatex(tex string) string {
	for of, command := range commands {
		tex = strings.ReplaceAll(tex, command, fmt.Sprintf("<%d>", of)) // a text has no < of its own
	}
	tex = strings.ReplaceAll(tex, `\allowbreak{}`, "")
	tex = strings.ReplaceAll(tex, "{}", "")
	tex = regexp.MustCompile(`\{\\ifdefined\\Umathcode (.)\\else\\texttt\{U\+[0-9A-F]{4,5}\}\\fi\}`).ReplaceAllString(tex, "$1")
	return regexp.MustCompile(`<\d+>`).ReplaceAllStringFunc(tex, func(of string) string {
		r, _ := strconv.Atoi(strings.Trim(of, "<>"))
		return string(rune(r))
	})
}
