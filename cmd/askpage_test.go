//go:build !js

package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"podium/internal/ask"
	"podium/internal/ask/asktest"
	"podium/internal/browsertest"
	"podium/internal/judged"
	"podium/internal/publish"
)

// TestPageAnswersAsTheCommands asks random questions in the page of a site, half from a file and half from
// a server: the page answers what `podium whatif --json` and `podium score --json` print, and
// refuses what they refuse.
func TestPageAnswersAsTheCommands(t *testing.T) {
	t.Parallel()
	browsertest.Program(t)
	c := planned(t, 21, func(i int) (kind, class string) {
		return []string{"PT", "COL"}[i%2], []string{"known", "known", "stripped"}[i%3]
	})
	answer(t, c, "w", func(string) bool { return true })
	site := filepath.Join(t.TempDir(), "site")
	j, err := judge(t.Context(), &streams{in: strings.NewReader(""), out: os.Stderr, err: os.Stderr, heard: newHeard(io.Discard)}, c, judged.Options{})
	if err != nil {
		t.Fatal(err)
	}
	shown := pagesOf(j)
	if shown.Program, err = pagesProgram(); err != nil {
		t.Skipf("the program of the pages is not built: %v", err)
	}
	var answers bytes.Buffer
	if err := ask.Write(&answers, j.Result.Contest, j.Edition); err != nil {
		t.Fatal(err)
	}
	shown.Answers = answers.Bytes()
	if err := publish.Write(t.Context(), site, shown); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(site)))
	defer server.Close()
	ctx, found := browsertest.Open(t, "file://", server.URL)
	questions := 20
	if os.Getenv("PODIUM_SOAK") != "" {
		questions = 200
	}
	names := ask.NewSession(j.Result.Contest, j.Edition).Names()
	rng, answered, refused := rand.New(rand.NewPCG(18, 2)), 0, 0
	for _, root := range []string{"file://" + filepath.ToSlash(site), server.URL} {
		browsertest.Do(t, ctx, chromedp.Navigate(root+"/ask.html"))
		browsertest.Until(t, ctx, `document.body.dataset.answered === ""`)
		same(t, "score", scoresOf(t, c.Dir, ""), pageAnswers(t, ctx).Boards)
		for _, name := range []string{"mcc2016", "mcc2019"} {
			askPage(t, ctx, "edition="+name)
			same(t, "score --edition "+name, scoresOf(t, c.Dir, name), pageAnswers(t, ctx).Boards)
		}
		for range questions / 2 {
			q := asktest.Question(rng, names)
			text := q.String()
			why := askPage(t, ctx, text)
			var out, said bytes.Buffer
			code := Main(t.Context(), []string{"whatif", c.Dir, "--ask", text, "--json"}, strings.NewReader(""), &out, &said)
			if code != ExitDone || why != "" {
				if refused++; code == ExitDone || why == "" || !strings.Contains(strings.Join(strings.Fields(said.String()), " "), strings.Join(strings.Fields(why), " ")) {
					t.Errorf("%s: the page refuses because of %q, whatif says %q", text, why, said.String())
				}
				continue
			}
			var want ask.Answer
			if err := json.Unmarshal(out.Bytes(), &want); err != nil {
				t.Fatal(err)
			}
			same(t, text, &want, pageAnswers(t, ctx))
			answered++
		}
	}
	t.Logf("%d questions have the same answers, %d are refused by both", answered, refused)
	if answered < questions/2 {
		t.Errorf("only %d of %d questions were answered", answered, questions)
	}
	togetherAsStatic(t, ctx, server.URL)
	pagesAsWhatif(t, ctx, c.Dir, "file://"+filepath.ToSlash(site), "without-tool="+names.Tools[0]+"&kind=PT")
	modelAsStatic(t, ctx, server.URL)
	found.Check(t, 1)
}

// askPage asks a question by the address of the page, and returns why it is refused.
func askPage(t *testing.T, ctx context.Context, question string) (why string) {
	t.Helper()
	browsertest.Value[bool](t, ctx, fmt.Sprintf(`delete document.body.dataset.answered, delete document.body.dataset.refused, location.hash.slice(1) === %q ? dispatchEvent(new Event("hashchange")) : location.hash = %q, true`, question, question))
	browsertest.Until(t, ctx, fmt.Sprintf(`document.body.dataset.answered === %q || document.body.dataset.refused === %q`, question, question))
	return browsertest.Value[string](t, ctx, `document.getElementById("refused").hidden ? "" : document.getElementById("why").textContent`)
}

func pageAnswers(t *testing.T, ctx context.Context) *ask.Answer {
	t.Helper()
	var a ask.Answer
	if err := json.Unmarshal([]byte(browsertest.Value[string](t, ctx, `JSON.stringify(podiumAnswer)`)), &a); err != nil {
		t.Fatal(err)
	}
	return &a
}

// scoresOf returns the rankings that `podium score` prints.
func scoresOf(t *testing.T, dir, edition string) []ask.Board {
	t.Helper()
	args := []string{"score", dir, "--json"}
	if edition != "" {
		args = append(args, "--edition", edition)
	}
	var scores ask.Scores
	if err := json.Unmarshal([]byte(run(t, ExitDone, args...)), &scores); err != nil {
		t.Fatal(err)
	}
	return scores.Boards
}

func same(t *testing.T, what string, command, page any) {
	t.Helper()
	if reflect.DeepEqual(command, page) {
		return
	}
	a, _ := json.Marshal(command)
	b, _ := json.Marshal(page)
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	t.Errorf("%s: the command says %.200s, the page %.200s", what, a[max(0, at-60):], b[max(0, at-60):])
}

// pagesAsWhatif opens the overview, and the page of each category, with a question: their tables have
// the numbers that `podium whatif --json` prints.
func pagesAsWhatif(t *testing.T, ctx context.Context, dir, root, question string) {
	t.Helper()
	var want ask.Answer
	if err := json.Unmarshal([]byte(run(t, ExitDone, "whatif", dir, "--ask", question, "--json")), &want); err != nil {
		t.Fatal(err)
	}
	if len(want.Moves) == 0 {
		t.Fatalf("%s changes nothing", question)
	}
	cells := func(page, part string) [][]string {
		browsertest.Do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(root+"/"+page+"#"+question))
		browsertest.Until(t, ctx, fmt.Sprintf(`document.body?.dataset.follows === %q`, question))
		return browsertest.Value[[][]string](t, ctx, fmt.Sprintf(`Array.from(document.querySelectorAll("[data-asks=%s] + .under-question tr"), (r) => Array.from(r.cells, (c) => (c.title || c.innerText).replace(/ points$/, "").trim()))`, part))
	}
	scores := cells("index.html", "scores")
	for i, b := range want.Boards {
		shown := map[string]string{}
		for k, tool := range scores[0][1:] {
			if points := scores[i+1][k+1]; points != "\u2013" {
				shown[tool] = points
			}
		}
		lines := map[string]string{}
		for _, line := range b.Lines {
			lines[line.Tool] = line.Points
		}
		if scores[i+1][0] != b.Category || !reflect.DeepEqual(shown, lines) {
			t.Errorf("%s: the overview has %v, whatif %v", b.Category, shown, lines)
		}
		var ranking []ask.Line
		for _, row := range cells("categories/"+b.Category+".html", "ranking")[1:] {
			line := ask.Line{Tool: row[0], Points: row[2]}
			for at, n := range map[int]*int{1: &line.Rank, 4: &line.Right, 5: &line.Wrong} {
				if _, err := fmt.Sscan(row[at], n); err != nil {
					t.Fatal(err)
				}
			}
			ranking = append(ranking, line)
		}
		same(t, "the page of "+b.Category, b.Lines, ranking)
	}
}

// togetherAsStatic compares the tools under no question with the static page of tools together.
func togetherAsStatic(t *testing.T, ctx context.Context, root string) {
	t.Helper()
	askPage(t, ctx, "")
	browsertest.Value[bool](t, ctx, `document.getElementById("together").open = true`)
	browsertest.Until(t, ctx, `document.querySelector("#together .hardbar") !== null`)
	// of each table the whole numbers and shares: times have other units
	const numbers = `(tables) => Array.from(tables, (t) => Array.from(t.tBodies[0].rows, (r) => Array.from(r.cells, (c) => c.textContent).slice(1, 6).join(" ").match(/[\d.\u202f]+/g)?.join(" ") ?? "").join("\n"))`
	live := browsertest.Value[[]string](t, ctx, fmt.Sprintf(`(%s)(document.querySelectorAll("#together table"))`, numbers))
	browsertest.Do(t, ctx, chromedp.Navigate(root+"/together.html"))
	browsertest.Until(t, ctx, `document.readyState === "complete"`)
	static := browsertest.Value[[]string](t, ctx, fmt.Sprintf(`(%s)(Array.from(document.querySelectorAll("table")).slice(0, 4))`, numbers))
	if len(live) != 4 || len(static) != 4 {
		t.Fatalf("%d tables of the page, %d of the static one", len(live), len(static))
	}
	for i := range live {
		if live[i] != static[i] {
			t.Errorf("table %d has\n%s\non the page, and\n%s\non the static one", i+1, live[i], static[i])
		}
	}
}

// modelAsStatic opens the page of a model with a question that changes nothing: its tables and plots are
// those that were written, and with a tool less they are others.
func modelAsStatic(t *testing.T, ctx context.Context, root string) {
	t.Helper()
	const (
		rows = `Array.from(document.querySelectorAll("[data-asks=model]%[1]s tbody tr"), (r) => r.innerText.replaceAll("\u200b", ""))`
		dots = `Array.from(document.querySelectorAll("[data-asks=ladders]%[1]s .ladder g"), (g) => g.getAttribute("class") + Array.from(g.querySelectorAll("a"), (a) => a.href).join() + Array.from(g.querySelectorAll("path"), (p) => p.getAttribute("class") + p.getAttribute("d")).join())`
		of   = `JSON.stringify([` + rows + `, ` + dots + `])`
	)
	read := func(question, of string) string {
		if question != "" {
			browsertest.Do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(root+"/models/Family001.html#"+question))
			browsertest.Until(t, ctx, fmt.Sprintf(`document.body?.dataset.follows === %q`, question))
		}
		return browsertest.Value[string](t, ctx, of)
	}
	browsertest.Do(t, ctx, chromedp.Navigate(root+"/models/Family001.html"))
	browsertest.Until(t, ctx, `document.readyState === "complete"`)
	written := read("", fmt.Sprintf(of, ""))
	const under = " + .under-question"
	same(t, "the page of a model", written, read("cpu=100000h0m0s", fmt.Sprintf(of, under)))
	if len(written) < 10_000 || written == read("without-tool=tool3", fmt.Sprintf(of, under)) {
		t.Errorf("the page of a model has %d bytes, or does not change without a tool", len(written))
	}
}
