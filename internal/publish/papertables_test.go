package publish

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"podium/internal/judged"
)

// hostilePaper is a contest whose tools have names that would end a table.
func hostilePaper(instances int) *Paper {
	m := newMaker(11, 7, instances)
	renamed := map[string]string{}
	for i, name := range []string{`a_b%$#&{}~^\`, `\end{tabular}`, `[x]*`, "n\u00e4\u00efve \u00df \u03b2 \u6f22 \U0001f600", strings.Repeat("x", 250), `\input{/etc/passwd}`} {
		renamed[m.tools[i].Name], m.tools[i].Name = name, name
	}
	for _, r := range m.runs {
		if name, is := renamed[r.tool]; is {
			r.tool = name
		}
	}
	j := m.contest().Judged
	return &Paper{Title: "A_contest", Contest: &judged.OfResult(j.Result, j.Edition, nil).Contest, Asked: "without-tool=100%25_{", Sources: []Named{{Name: "a", Text: sum("a")}, {Name: "b", Text: sum("b")}}}
}

// TestPaperCountsAsPages: what a result holds of its runs is counted as pages count a campaign.
func TestPaperCountsAsPages(t *testing.T) {
	j := newMaker(5, 5, 8).contest().Judged
	pages, paper := newView(judgedOnly(j, false)), newView(judgedOnly(&judged.OfResult(j.Result, j.Edition, nil).Contest, false))
	all := tally{}
	for tool := range pages.tally {
		for exam, n := range pages.tally[tool] {
			m := paper.tally[tool][exam]
			if n.right != m.right || n.wrong != m.wrong || n.unjudged != m.unjudged || n.aside != m.aside || n.timeouts != m.timeouts || n.memouts != m.memouts || n.cpu != m.cpu {
				t.Errorf("%s, %s: pages count %+v, tables %+v", pages.tools[tool].Name, pages.c.Examinations[exam].ID, n, m)
			}
			all = all.plus(n)
		}
	}
	if all.right == 0 || all.wrong == 0 || all.timeouts == 0 {
		t.Errorf("the contest lacks something to count: %+v", all)
	}
	if len(pages.splits) != len(paper.splits) || len(paper.splits) == 0 {
		t.Errorf("%d and %d disagreements", len(pages.splits), len(paper.splits))
	}
}

func TestWritePaper(t *testing.T) {
	p := hostilePaper(6)
	read := func(dir, name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	rows := map[string]int{}
	for _, format := range []string{"csv", "markdown", "latex"} {
		dir := t.TempDir()
		if err := WritePaper(dir, format, p); err != nil {
			t.Fatal(err)
		}
		readme := read(dir, "README.md")
		for _, want := range []string{"A\\_contest", p.Contest.Edition.Digest, p.Asked, sum("a") + "  a\n    " + sum("b") + "  b\n", p.digest()} {
			if !strings.Contains(readme, want) {
				t.Errorf("%s: the README lacks %q:\n%s", format, want, readme)
			}
		}
		for _, name := range []string{"rankings", "examinations", "unique", "disagreements"} {
			text := read(dir, name+PaperFormats[format])
			switch format {
			case "csv":
				rows[name] = strings.Count(text, "\n") - 1
				if rows[name] < 3 {
					t.Errorf("%s has %d rows", name, rows[name])
				}
			case "markdown":
				if n := strings.Count(text, "\n| ") - 2*strings.Count(text, "\n| ---"); n != rows[name] {
					t.Errorf("%s: %d rows of Markdown, %d of CSV", name, n, rows[name])
				}
			case "latex":
				label := regexp.MustCompile(`\\label\{(tab:` + name + `-[0-9a-f]{12}-[0-9a-f]{6})\}`).FindStringSubmatch(text)
				if label == nil || !strings.Contains(readme, label[1]) || !strings.HasPrefix(label[1], "tab:"+name+"-"+p.digest()[:12]) {
					t.Errorf("%s: its label is %q", name, label)
				}
				if !strings.Contains(text, `asked without-tool=100\%25\_\{.}`) {
					t.Errorf("%s: the caption lacks the question", name)
				}
				if !strings.Contains(read(dir, "example.tex"), `\input{`+name+`}`) {
					t.Errorf("the example lacks %s", name)
				}
			}
		}
	}
}

// TestPaperKeys: labels of other results, rules and questions differ.
func TestPaperKeys(t *testing.T) {
	p := hostilePaper(1)
	keys := []string{p.key()}
	p.Asked = ""
	keys = append(keys, p.key())
	p.Sources = p.Sources[:1]
	keys = append(keys, p.key())
	other := *p.Contest
	other.Edition = mustEdition("mcc2019")
	p.Contest = &other
	keys = append(keys, p.key())
	slices.Sort(keys)
	if len(slices.Compact(keys)) != 4 {
		t.Errorf("keys are %q", keys)
	}
	if p.digest() != sum("a") {
		t.Error("the digest of one file is another")
	}
}

// TestPaperCompiles sets the example document of hostile names with the TeX of the distribution.
func TestPaperCompiles(t *testing.T) {
	if os.Getenv("PODIUM_SOAK") == "" {
		t.Skip("make soak compiles the tables for papers")
	}
	if _, err := exec.LookPath("pdflatex"); err != nil {
		t.Skip("pdflatex is not installed: tables for papers are not compiled")
	}
	for _, instances := range []int{1, 30} {
		t.Run(fmt.Sprint(instances), func(t *testing.T) {
			dir := t.TempDir()
			if err := WritePaper(dir, "latex", hostilePaper(instances)); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				cmd := exec.CommandContext(t.Context(), "pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "example.tex")
				cmd.Dir = dir
				if text, err := cmd.Output(); err != nil {
					t.Fatalf("%v: %s", err, text[max(0, len(text)-3000):])
				}
			}
			log, err := os.ReadFile(filepath.Join(dir, "example.log"))
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(log, []byte("multiply defined")) || bytes.Contains(log, []byte("Float too large")) || !bytes.Contains(log, []byte("Output written on example.pdf")) {
				t.Errorf("%s", log[max(0, len(log)-3000):])
			}
		})
	}
}
