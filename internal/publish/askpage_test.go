//go:build !js

package publish

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"podium/internal/ask"
	"podium/internal/ask/asktest"
	"podium/internal/browsertest"
	"podium/models"
)

// askSite publishes a site that answers questions about the contest of asktest, and opens its page.
func askSite(t *testing.T) (ctx context.Context, found *browsertest.Complaints, dir string) {
	t.Helper()
	browsertest.Program(t)
	scored, ed := asktest.Contest(t)
	var data bytes.Buffer
	if err := ask.Write(&data, scored, ed); err != nil {
		t.Fatal(err)
	}
	m := newMaker(1, 4, 9)
	for i := range m.instances { // a model with several coloured nets has the name of one of that contest
		m.rename(i, renamed)
	}
	c := m.contest()
	c.Program, c.Answers = program(t), data.Bytes()
	dir = publishedSite(t, c)
	ctx, found = browser(t)
	do(t, ctx, chromedp.Navigate(address(dir, "ask.html")))
	waitFor(t, ctx, `document.body.dataset.answered === ""`)
	return ctx, found, dir
}

func renamed(id *models.ID) {
	if id.Family == "TokenRing" {
		id.Family = "Family2"
	}
}

// put asks a question by the address of the page.
func put(t *testing.T, ctx context.Context, question string) {
	t.Helper()
	evaluate[bool](t, ctx, fmt.Sprintf(`location.hash = %q, true`, question))
}

// TestAskKeepsEveryPart: each part of a question that comes by the address stands in the form,
// and the next click keeps it.
func TestAskKeepsEveryPart(t *testing.T) {
	ctx, found, _ := askSite(t)
	parts := "without-tool=gamma&without-family=beta&without-model=Family1&without-instance=Family0-COL-00&without-instance=Family2-PT-01&kind=COL&class=known" +
		"&examination=CTLFireability&outcome=wrong&outcome=answered&cpu=50m&wall=40m&memory=15000000000&edition=mcc2016&values=certified&without=given&change=elect.single_above%3D1%2F2"
	put(t, ctx, parts)
	waitFor(t, ctx, `(document.body.dataset.answered ?? "").startsWith("without-tool=gamma&")`)
	evaluate[bool](t, ctx, `document.querySelector("#tools input[value=delta]").click(), document.querySelector("#question button[type=submit]").click(), true`)
	waitFor(t, ctx, `document.body.dataset.answered.includes("delta")`)
	want := "without-tool=delta&" + parts                                 // tools stand in their order
	want = strings.Replace(want, "&kind=COL&class=known", "&kind=COL", 1) // all instances are known ones
	if got := evaluate[string](t, ctx, `location.hash.slice(1)`); got != want {
		t.Errorf("the next click asks\n%s, not\n%s", got, want)
	}
	const words = `without the tools delta and gamma; without all variants of beta; without the model Family1; without the instances Family0-COL-00 and Family2-PT-01; only nets of kind COL; ` +
		"only the examination CTLFireability; only what runs said whose outcome is wrong or answered; with elect.single_above=1/2; runs stopped at 50m of CPU time; runs stopped at 40m of wall time; " +
		"runs stopped at 15 GB of memory; judged by edition mcc2016; judging only values that the referee has proved; judging no values that what runs are given states"
	if said := evaluate[string](t, ctx, `document.getElementById("asked").textContent`); said != words {
		t.Errorf("the page says\n%s, not\n%s", said, words)
	}
	if said := evaluate[string](t, ctx, `document.getElementById("untimed").textContent`); !strings.Contains(said, "values of unknown time do not count") {
		t.Errorf("of times that are not known the page says %q", said)
	}
	if shut := evaluate[int](t, ctx, `document.querySelectorAll("#question details:not([open])").length`); shut != 0 {
		t.Errorf("%d parts of the question are folded away", shut)
	}

	// what the form has no place for stays, too; old rankings do not
	put(t, ctx, "cpu=60&without-tool=nobody&without-tol=x")
	waitFor(t, ctx, `document.body.dataset.refused === "cpu=60&without-tool=nobody&without-tol=x"`)
	if rest := evaluate[string](t, ctx, `document.getElementById("rest").value + " " + document.getElementById("cpu").value`); rest != "without-tool=nobody&without-tol=x 60" {
		t.Errorf("the form says %s", rest)
	}
	if said := evaluate[string](t, ctx, `document.getElementById("refused").textContent`); !strings.Contains(said, "write it as in cpu=60s") || !strings.Contains(said, "ask again") {
		t.Errorf("a bad question is answered by %q", said)
	}
	if old := evaluate[bool](t, ctx, `["result", "what-changed", "plots", "unofficial"].some((id) => document.getElementById(id).checkVisibility())`); old {
		t.Error("the rankings of an earlier question stay")
	}
	evaluate[bool](t, ctx, `document.getElementById("cpu").value = "60s", document.getElementById("rest").value = "", document.querySelector("#question button[type=submit]").click(), true`)
	waitFor(t, ctx, `document.body.dataset.answered === "cpu=60s" && !document.getElementById("refused").checkVisibility()`)

	// instances are chosen by name, and a group without a tick says what that means
	put(t, ctx, "")
	waitFor(t, ctx, `document.body.dataset.answered === ""`)
	choose := func(name string) string {
		return evaluate[string](t, ctx, fmt.Sprintf(`(() => { const e = document.getElementById("add-instance"); e.value = %q; e.dispatchEvent(new Event("change")); return document.getElementById("add-says").textContent; })()`, name))
	}
	submit := func(memory string) {
		evaluate[bool](t, ctx, fmt.Sprintf(`document.getElementById("memory").value = %q, document.querySelector("#question button[type=submit]").click(), true`, memory))
	}
	submit("16 MiB")
	waitFor(t, ctx, `document.body.dataset.answered === "memory=16777216" && document.getElementById("memory").value === "16 MiB"`)
	submit("8 apples")
	waitFor(t, ctx, `document.getElementById("why").textContent.includes("write a whole number with a unit, such as 16GB or 512MiB")`)
	submit("")
	waitFor(t, ctx, `document.body.dataset.answered === ""`)
	if said := choose("Family9-PT-00"); !strings.Contains(said, "no instance Family9-PT-00") {
		t.Errorf("an instance that is none: %q", said)
	}
	if said := choose("Family1-PT-00"); said != "" {
		t.Errorf("an instance: %q", said)
	}
	evaluate[bool](t, ctx, `document.querySelector("#kinds input[value=COL]").click(), document.querySelector("#kinds input[value=PT]").click(), true`)
	if said := evaluate[string](t, ctx, `document.getElementById("kinds-says").textContent + document.getElementById("classes-says").textContent`); said != "Nothing is ticked: that keeps all, as if all were ticked." {
		t.Errorf("a group without a tick says %q", said)
	}
	evaluate[bool](t, ctx, `document.querySelector("#question button[type=submit]").click(), true`)
	waitFor(t, ctx, `document.body.dataset.answered === "without-instance=Family1-PT-00"`)
	fits(t, ctx)
	found.Check(t, 1)
}

// TestQuestionBehindQuestionMark: it is asked as if it stood behind #; other parts of an address are none.
func TestQuestionBehindQuestionMark(t *testing.T) {
	ctx, found, dir := askSite(t)
	for _, page := range []string{"ask.html", "index.html"} {
		do(t, ctx, chromedp.Navigate(address(dir, page)+"?kind=COL&without-tool=gamma"))
		waitFor(t, ctx, `document.body?.dataset.answered === "kind=COL&without-tool=gamma"`)
		if at := evaluate[string](t, ctx, `location.search + location.hash`); at != "#kind=COL&without-tool=gamma" {
			t.Errorf("%s: the address is %s", page, at)
		}
	}
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(address(dir, "ask.html")+"?from=elsewhere"))
	waitFor(t, ctx, `document.body?.dataset.answered === ""`)
	found.Check(t, 1)
}

// TestAskLinks: names lead to their pages, confidences stand under the question, and the address
// of a page sends its plot, too.
func TestAskLinks(t *testing.T) {
	ctx, found, dir := askSite(t)
	put(t, ctx, "without-tool=gamma&change=elect.single_above%3D1%2F2")
	waitFor(t, ctx, `(document.body.dataset.answered ?? "").startsWith("without-tool=gamma&")`)
	for where, want := range map[string]string{
		"#boards h3 a":                      "categories/StateSpace.html",
		"#boards tbody a":                   "tools/",
		"#moves tbody th a":                 "categories/",
		"#moves tbody td a":                 "tools/",
		"#references tbody th a":            "instances/Family",
		"#references tbody td a":            "examinations/",
		"#confidences tr:nth-child(1) th a": "tools/alpha.html",
	} {
		if got := evaluate[string](t, ctx, fmt.Sprintf(`document.querySelector(%q)?.getAttribute("href") ?? ""`, where)); !strings.HasPrefix(got, want) {
			t.Errorf("%s leads to %q, not to %s", where, got, want)
		}
	}
	if said := evaluate[string](t, ctx, `Array.from(document.querySelectorAll("#confidences tbody tr")).filter((r) => r.cells[0].textContent === "gamma").map((r) => r.cells[1].textContent + " " + r.cells[2].textContent).join()`); !strings.HasPrefix(said, "0.") || !strings.HasSuffix(said, " left out") {
		t.Errorf("the confidence of a tool that is left out: %q", said)
	}

	do(t, ctx, chromedp.EmulateViewport(1400, 900))
	if cut := evaluate[int](t, ctx, `Array.from(document.querySelectorAll("#boards .scroll")).filter((e) => e.scrollWidth > e.clientWidth).length`); cut > 0 {
		t.Errorf("%d rankings are cut in a wide window", cut)
	}
	// a choice of the plot goes into the address, and stays when another question is asked
	choose := func(id, value string) {
		evaluate[bool](t, ctx, fmt.Sprintf(`(() => { const e = document.getElementById(%q); e.value = %q; e.dispatchEvent(new Event("change")); return true; })()`, id, value))
	}
	choose("plot-kind", "tools")
	choose("plot-y", "delta")
	choose("plot-y-measure", "memory")
	evaluate[bool](t, ctx, `document.querySelector("#tools input[value=gamma]").click(), document.querySelector("#question button[type=submit]").click(), true`)
	waitFor(t, ctx, `document.body.dataset.answered.startsWith("change=")`)
	sent := evaluate[string](t, ctx, `location.hash`)
	if want := "#change=elect.single_above%3D1%2F2&plot=tools&plot-x=alpha&plot-y=delta&plot-x-measure=cpu&plot-y-measure=memory"; sent != want {
		t.Fatalf("the address is %s, not %s", sent, want)
	}
	// another reader opens the address, and the links of the other pages
	for hash, title := range map[string]string{sent: "Run by run", "#plot=points-over": "Points within a CPU time", "#plot=points&plot-category=CTL": "CTL: points over CPU time"} {
		do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(address(dir, "ask.html")+hash))
		waitFor(t, ctx, `document.body?.dataset.plotted !== undefined`)
		if got := evaluate[string](t, ctx, `document.querySelector("#plot .title").textContent`); got != title {
			t.Errorf("%s draws %q", hash, got)
		}
	}
	for page, want := range map[string]string{"plots.html": "ask.html#plot=values&plot-category=", "categories/CTL.html": "../ask.html#plot=points&plot-category=CTL", "tools/symbolic.html": "../ask.html#plot=tools&plot-x="} {
		do(t, ctx, chromedp.Navigate(address(dir, page)))
		if !evaluate[bool](t, ctx, fmt.Sprintf(`Array.from(document.querySelectorAll(".plot figcaption a")).some((a) => a.getAttribute("href").startsWith(%q))`, want)) {
			t.Errorf("no plot of %s leads to %s", page, want)
		}
	}
	found.Check(t, 1)
}

// TestAskMore: what is folded away answers the same question when it is opened, and follows
// the next one.
func TestAskMore(t *testing.T) {
	ctx, found, _ := askSite(t)
	scored, ed := asktest.Contest(t)
	session := ask.NewSession(scored, ed)
	evaluate[bool](t, ctx, `document.getElementById("together").open = true, document.getElementById("points").open = true`)
	for _, question := range []string{"", "without-tool=gamma", "examination=CTLFireability"} {
		put(t, ctx, question)
		waitFor(t, ctx, fmt.Sprintf(`document.getElementById("together").dataset.shows === %q && (document.getElementById("points").dataset.shows ?? "").includes(%q)`, question, `"question":"`+question+`"`))
		want, err := session.Together(question)
		if err != nil {
			t.Fatal(err)
		}
		table := func(caption string) (cells [][]string) {
			return evaluate[[][]string](t, ctx, fmt.Sprintf(`Array.from(Array.from(document.querySelectorAll("#more table")).find((t) => t.caption.textContent.startsWith(%q)).tBodies[0].rows, (r) => Array.from(r.cells, (c) => c.textContent))`, caption))
		}
		adds, agree, hard := table("What the best"), table("Agreement"), table("Values by how many")
		for i, tool := range want.Tools {
			if row := adds[i]; row[0] != tool || row[1] != fmt.Sprint(want.Shares[i].Right) || row[2] != fmt.Sprint(want.Shares[i].Alone) {
				t.Errorf("%s: %s adds %v, not %+v", question, tool, row, want.Shares[i])
			}
			for k, p := range want.Pairs[i] {
				if cell := agree[i][k+1]; i != k && (!strings.Contains(cell, fmt.Sprintf(" of %d", p.Both)) || strings.Contains(cell, "wrong together") != (p.Wrong > 0)) {
					t.Errorf("%s: %s and %s: %s, not %+v", question, tool, want.Tools[k], cell, p)
				}
			}
		}
		for i, h := range want.Hardness {
			if got := strings.Join(hard[i], " "); got != fmt.Sprintf("%s  %d %d %d %d", h.Exam, h.Parts[0], h.Parts[1], h.Parts[2], h.Parts[3]) {
				t.Errorf("%s: %s, not %+v", question, got, h)
			}
		}
		if dots := evaluate[int](t, ctx, `document.querySelectorAll("#together .upset .in").length`); dots != len(want.Tools) {
			t.Errorf("%s: the plot has %d tools", question, dots)
		}
		if bars := evaluate[int](t, ctx, `document.querySelectorAll("#together .hardbar rect").length`); bars < len(want.Hardness) {
			t.Errorf("%s: %d bars", question, bars)
		}
		points, err := session.Points(ask.PointsRequest{Question: question, Category: evaluate[string](t, ctx, `document.getElementById("points-category").value`), By: "model"})
		if err != nil {
			t.Fatal(err)
		}
		if rows := table("Points of each tool"); len(rows) != len(points.Rows) || rows[0][0] != points.Rows[0].Name || len(rows[0]) != len(want.Tools)+1 {
			t.Errorf("%s: points %v", question, rows)
		}
	}
	evaluate[bool](t, ctx, `(() => { const e = document.getElementById("points-by"); e.value = "instance"; e.dispatchEvent(new Event("change")); return true; })()`)
	waitFor(t, ctx, `document.querySelector("#points tbody th a")?.getAttribute("href").startsWith("instances/Family0-") === true`)
	fits(t, ctx)
	found.Check(t, 1)
}

// TestAskPointsLeadToTheirRuns: a click leads to the run of the point that was clicked, also when it
// is not known yet which run that is; a plot that is not drawn and a run that is refused lead nowhere.
func TestAskPointsLeadToTheirRuns(t *testing.T) {
	ctx, found, dir := askSite(t)
	waitFor(t, ctx, `document.body.dataset.plotted !== undefined`)
	const says = `document.getElementById("plot-says")`
	evaluate[bool](t, ctx, `(() => {
  const plot = document.getElementById("plot"); plot.scrollIntoView({ block: "center" });
  // the first ones are those of the legend
  self.ends = Array.from(Array.from(plot.querySelectorAll(".end")).slice(-2), (e) => { const b = e.getBoundingClientRect(); return { clientX: b.x + b.width / 2, clientY: b.y + b.height / 2, bubbles: true }; });
  self.point = (n) => plot.dispatchEvent(new PointerEvent("pointermove", ends[n]));
  self.key = (key) => plot.dispatchEvent(new KeyboardEvent("keydown", { key }));
  self.click = (n) => plot.dispatchEvent(new MouseEvent("click", ends[n]));
  return true; })()`)
	pathOf := func(n int) string {
		evaluate[bool](t, ctx, fmt.Sprintf(`%s.replaceChildren(), point(%d)`, says, n))
		waitFor(t, ctx, says+`.querySelector("a") !== null`)
		return evaluate[string](t, ctx, says+`.querySelector("a").href`)
	}
	second, first := pathOf(1), pathOf(0)
	if first == second {
		t.Fatalf("two tools end at the same run %s", first)
	}

	// a run that the program refuses leads nowhere, nor does the one before it
	at := evaluate[string](t, ctx, `location.href`)
	evaluate[bool](t, ctx, `(() => { const post = Worker.prototype.postMessage; self.mend = () => { Worker.prototype.postMessage = post; };
  Worker.prototype.postMessage = function (m, ...more) { if (m.name === "plot-run") m.request = new TextEncoder().encode('{"run": 99999999}'); return post.call(this, m, ...more); }; return true; })()`)
	evaluate[bool](t, ctx, `point(1), click(1), key("Enter")`)
	waitFor(t, ctx, says+`.textContent === "no plot has a run 99999999"`)
	evaluate[bool](t, ctx, `mend(), key("Enter")`)

	// nor does a plot that cannot be drawn, of a tool that is left out
	if pathOf(0) != first {
		t.Error("a point is another run than before")
	}
	put(t, ctx, "without-tool=alpha&plot=tools&plot-x=alpha&plot-y=delta")
	waitFor(t, ctx, says+`.textContent.includes("leaves no tool")`)
	evaluate[bool](t, ctx, `key("Enter"), click(0)`)
	put(t, ctx, "plot=values")
	waitFor(t, ctx, `document.body.dataset.answered === "" && document.querySelectorAll("#plot .end").length > 1`)
	if now := evaluate[string](t, ctx, `location.href`); now != at+"#plot=values" {
		t.Fatalf("the page went to %s", now)
	}

	// a click before the run is known
	if pathOf(0) != first {
		t.Error("a point of the plot that is drawn again is another run")
	}
	page, _, _ := strings.Cut(strings.TrimPrefix(second, "file://"), "#")
	if err := os.WriteFile(page, []byte("<p>a run</p>"), 0o644); err != nil { // the site is one of another contest
		t.Fatal(err)
	}
	evaluate[bool](t, ctx, `point(1), click(1), point(0)`)
	waitFor(t, ctx, fmt.Sprintf(`location.pathname !== %q`, address(dir, "ask.html")[len("file://"):]))
	if now := evaluate[string](t, ctx, `location.href`); now != second {
		t.Errorf("a click leads to %s, not to %s", now, second)
	}
	found.Check(t, 1)
}

// modelFollows looks at the page of Family2: its table has the numbers of a session, and its plots
// a dot for each run with right values.
func modelFollows(t *testing.T, ctx context.Context, session *ask.Session, question string) {
	t.Helper()
	want, err := session.Model(ask.ModelRequest{Question: question, Model: "Family2"})
	if err != nil {
		t.Fatal(err)
	}
	heads := evaluate[[]string](t, ctx, `Array.from(document.querySelector("[data-asks=model] + .under-question thead").rows[0].cells, (c) => c.textContent.trim())`)
	shown := evaluate[[][]string](t, ctx, `Array.from(document.querySelector("[data-asks=model] + .under-question tbody").rows, (r) => Array.from(r.cells, (c) => c.textContent))`)
	if len(want.Rows) != 2 || len(shown) != 2 {
		t.Fatalf("%d instances of %d", len(shown), len(want.Rows))
	}
	for i, row := range want.Rows {
		if shown[i][0] != row.Name || len(row.Cells) != 3 {
			t.Errorf("instance %s stands in the place of %s", shown[i][0], row.Name)
		}
		for _, cell := range row.Cells {
			text := fmt.Sprintf("%d of %d", cell.All, cell.Runs)
			if cell.Some > 0 {
				text += fmt.Sprintf(" and %d in part", cell.Some)
			}
			if cell.Best >= 0 {
				text += cell.Right[cell.Best].Tool + " "
			}
			if got := shown[i][slices.Index(heads, cell.Exam)]; !strings.HasPrefix(got, text) || cell.Runs == 0 {
				t.Errorf("%s, %s: %q, not %q", row.Name, cell.Exam, got, text)
			}
		}
		if got := shown[i][slices.Index(heads, "LTLFireability")]; got != "\u2013" {
			t.Errorf("an examination that is not asked has %q", got)
		}
	}
	if !evaluate[bool](t, ctx, `document.querySelectorAll("[data-asks=ladders] + .under-question figure.ladder svg").length > 0`) {
		t.Error("no plot by parameter follows the question")
	}
}

// TestPagesFollowTheQuestion: overview, categories, tools, examinations and models show what a question makes of
// them, with the numbers of a session, carry it along, and go back to what they were.
func TestPagesFollowTheQuestion(t *testing.T) {
	ctx, found, dir := askSite(t)
	scored, ed := asktest.Contest(t)
	session := ask.NewSession(scored, ed)
	const question = "without-tool=alpha&kind=COL"
	q, err := ask.Parse(question)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := session.Ask(q)
	if err != nil {
		t.Fatal(err)
	}
	cells := func(selector string) [][]string {
		t.Helper()
		return evaluate[[][]string](t, ctx, fmt.Sprintf(`Array.from(document.querySelector(%q + " + .under-question table").tBodies[0].rows, (r) => Array.from(r.cells, (c) => (c.title || c.textContent).replace(/ points?$/, "")))`, selector))
	}
	for _, page := range []string{"index.html", "categories/CTL.html", "tools/symbolic.html", "examinations/CTLFireability.html", "models/Family2.html", "rankings.html"} {
		do(t, ctx, chromedp.Navigate(address(dir, page)))
		before := evaluate[string](t, ctx, `document.querySelector("main").innerText`)
		if evaluate[bool](t, ctx, `"podiumProgram" in window || document.querySelector("#askbar").hidden`) {
			t.Errorf("%s: the program is loaded before anybody asks, or nobody can ask", page)
		}
		evaluate[bool](t, ctx, `document.getElementById("askbar").open = true`)
		waitFor(t, ctx, `document.body.dataset.follows === "" && document.getElementById("question").checkVisibility()`)
		evaluate[bool](t, ctx, `document.querySelector("#tools input[value=alpha]").click(), document.querySelector("#kinds input[value=PT]").click(), document.querySelector("#question button[type=submit]").click(), true`)
		waitFor(t, ctx, fmt.Sprintf(`document.body.dataset.follows === %q`, question))
		if at := evaluate[string](t, ctx, `location.hash`); at != "#"+question {
			t.Errorf("%s: the address holds %q", page, at)
		}
		if !evaluate[bool](t, ctx, `document.getElementById("unofficial").checkVisibility() && document.getElementById("what-changed").checkVisibility()`) {
			t.Errorf("%s does not say that it is not the official result, or not what changes", page)
		}
		if shown := evaluate[int](t, ctx, `Array.from(document.querySelectorAll("[data-asks]")).filter((e) => e.checkVisibility()).length`); shown != 0 {
			t.Errorf("%s: %d official parts stand beside those of the question", page, shown)
		}
		for i, b := range answer.Boards {
			switch page {
			case "index.html":
				row := cells(`[data-asks=scores]`)[i]
				names := []string{"alpha", "beta.par", "beta.seq", "delta", "gamma"}
				for k, name := range names {
					want := "\u2013"
					for _, line := range b.Lines {
						if line.Tool == name {
							want = line.Points
						}
					}
					if row[k+1] != want {
						t.Errorf("%s: %s has %s points, not %s", b.Category, name, row[k+1], want)
					}
				}
			case "rankings.html":
				cell := evaluate[[]string](t, ctx, fmt.Sprintf(`Array.from(document.querySelector("[data-asks=rankings] + .under-question table").tBodies[0].rows[0].cells[%d].querySelectorAll("a"), (a) => a.textContent)`, i+1))
				for k, tool := range cell {
					if tool != b.Lines[k].Tool {
						t.Errorf("%s: %q, not %s", b.Category, cell, b.Lines[k].Tool)
					}
				}
				if len(cell) == 0 && b.Lines[0].Points != "0" {
					t.Errorf("%s: nobody is first", b.Category)
				}
			case "categories/CTL.html":
				if b.Category != "CTL" {
					continue
				}
				for k, row := range cells(`[data-asks=ranking]`) {
					line := b.Lines[k]
					if want := []string{line.Tool, fmt.Sprint(line.Rank), line.Points}; !slices.Equal(row[:3], want) || row[4] != fmt.Sprint(line.Right) || row[5] != fmt.Sprint(line.Wrong) {
						t.Errorf("the ranking says %v, not %v", row, line)
					}
				}
				if first := evaluate[string](t, ctx, `document.querySelector("[data-asks=podium] + .under-question .first .who").textContent`); first != b.Lines[0].Tool {
					t.Errorf("%s stands on the podium, not %s", first, b.Lines[0].Tool)
				}
			}
		}
		if strings.HasPrefix(page, "models/") {
			modelFollows(t, ctx, session, question)
		} else if page != "index.html" && page != "tools/symbolic.html" && page != "rankings.html" {
			request := ask.PointsRequest{Question: question, Category: "CTL", By: "instance"}
			if strings.HasPrefix(page, "examinations/") {
				request.Category, request.Exam = "", "CTLFireability"
			}
			points, err := session.Points(request)
			if err != nil {
				t.Fatal(err)
			}
			rows := cells(`[data-by=instance]`)
			if len(rows) != len(points.Rows) {
				t.Fatalf("%s: %d instances, not %d", page, len(rows), len(points.Rows))
			}
			for i, row := range points.Rows {
				if want := append([]string{row.Name}, row.Points...); !slices.Equal(rows[i], want) {
					t.Errorf("%s: %v, not %v", page, rows[i], want)
				}
			}
		}
		if (page == "index.html" || page == "categories/CTL.html") && !evaluate[bool](t, ctx, `document.querySelector("figure .under-question svg.chart .line, figure .under-question svg.chart .dot") !== null`) {
			t.Errorf("%s: no plot follows the question", page)
		}
		if to := evaluate[[]string](t, ctx, `Array.from(document.querySelectorAll("nav[aria-label=Site] a"), (a) => a.getAttribute("href")).filter((a) => a.includes("#"))`); !slices.ContainsFunc(to, func(a string) bool { return strings.HasSuffix(a, "index.html#"+question) }) {
			t.Errorf("%s: the links %v do not carry the question", page, to)
		}
		browsertest.ForEverybody(t, ctx, page+" under a question")
		// a place on the page keeps the question; without one the page is as it was
		evaluate[bool](t, ctx, `location.hash = "main", true`)
		waitFor(t, ctx, fmt.Sprintf(`location.hash === "#" + %q`, question))
		evaluate[bool](t, ctx, `location.hash = "without-tool=nobody", true`)
		waitFor(t, ctx, `document.getElementById("refused").checkVisibility() && document.querySelector(".under-question") === null`)
		evaluate[bool](t, ctx, `document.querySelector("#question button[type=reset]").click(), true`)
		waitFor(t, ctx, `document.body.dataset.follows === ""`)
		evaluate[bool](t, ctx, `document.getElementById("askbar").open = false, document.getElementById("state").textContent = "", true`)
		if after := evaluate[string](t, ctx, `document.querySelector("main").innerText`); after != before {
			t.Errorf("%s does not come back to what it was", page)
		}
	}
	// another reader opens what was sent
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(address(dir, "index.html")+"#"+question))
	waitFor(t, ctx, fmt.Sprintf(`document.body?.dataset.follows === %q`, question))
	found.Check(t, 1)
}
