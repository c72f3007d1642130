// What the page that asks the results shows besides: the tools compared on the same values,
// and points by model and by instance. It is computed when a reader opens it.
"use strict";
(() => {
  const { by, make, table, options, drawing, grouped: count } = podiumPages;
  const seconds = (us) => count(Number((us / 1e6).toPrecision(3)));
  // percent shows a share; only a whole is 100 %, and only nothing is 0 %.
  const percent = (part, whole) => {
    if (whole === 0) return "none";
    if (part === whole || part === 0) return (part === 0 ? "0" : "100") + " %";
    const text = (100 * part / whole).toFixed(2);
    return ({ "100.00": "99.99", "0.00": "0.01" }[text] ?? text) + " %";
  };
  let here; // the program, the names and the answer of the last question

  const ask = async (name, request) => podiumAsk.read(await here.program.ask(name, request));
  const numbers = (...texts) => texts.map((text) => [text, "num"]);

  const together = (t) => {
    const parts = [];
    const part = (title, ...what) => parts.push(make("h3", title), ...what);
    part("The best virtual tool", table("Values answered right by the best tool, and by any", [["Category", ""], ["Best tool", ""], ...numbers("Its right values", "Right values of any", "More", "Complete runs of any", "Their least CPU time (s)")],
      t.virtual.map((v) => [here.category(v.category), v.best ? here.tool(v.best) : [""], [count(v.best_right)], [count(v.right)], [percent(v.right - v.best_right, Math.max(1, v.right))], [count(v.runs)], [seconds(v.cpu_us)]])));
    part("What each tool adds", table("What the best virtual tool would lose without the tool", [["Tool", ""], ...numbers("Right values", "Right alone", "Left out, right elsewhere", "Complete runs", "Complete alone", "Fastest", "Time saved (s)")],
      t.shares.map((s, i) => [here.tool(t.tools[i]), ...[s.right, s.alone, s.missed, s.complete, s.complete_alone, s.fastest].map((n) => [count(n)]), [seconds(s.saved_us)]])));
    if (t.upset) {
      const figure = make("figure", undefined, { class: "upset" + (t.upset.wide ? " wide" : "") });
      const svg = drawing(t.upset.body, { viewBox: `0 0 ${t.upset.width} ${t.upset.height}`, width: t.upset.width, role: "img", "aria-label": t.upset.alt });
      const box = t.upset.wide ? make("div", undefined, { class: "scroll", role: "region", tabindex: "0", "aria-label": "Who answers the same" }) : figure;
      box.append(svg);
      if (box !== figure) figure.append(box);
      figure.append(make("figcaption", t.upset.caption));
      part("Who answers the same", figure);
    }
    part("Who is wrong together", table("Agreement of each tool with each other, of the values with a reference that both answered", [["Tool", ""], ...numbers(...t.tools)],
      t.pairs.map((row, a) => [here.tool(t.tools[a]), ...row.map((p, b) => [a === b ? "itself" : p.both === 0 ? "nothing in common"
        : `${percent(p.agree, p.both)} of ${count(p.both)}${p.wrong > 0 ? `; ${count(p.wrong)} wrong together` : ""}`])])));
    const [title, head] = Array.from(by("hard-words").content.children, (e) => e.textContent); // of examinations, or of categories of tasks
    const hard = table("Values by how many of the tools that took part answered them right", [[head, ""], ["Values", "wide"], ...numbers("By no tool", "By one", "By less than half", "By half or more")],
      t.hardness.map((h) => [[h.examination, undefined, here.names.pages.examinations[h.examination]], [""], ...h.parts.map((n) => [count(n)])]));
    hard.querySelectorAll("tbody td.wide").forEach((cell, i) => cell.append(drawing(t.hardness[i].bar, { class: "hardbar", viewBox: "0 0 200 12", preserveAspectRatio: "none", role: "img", "aria-label": t.hardness[i].alt })));
    part(title, hard);
    by("together-shows").replaceChildren(...parts);
  };

  const showPoints = (p) => {
    const kind = by("points-by").selectedOptions[0].textContent; // model, instance or task
    const pages = by("points-by").value === "model" ? here.names.pages.models : here.names.pages.instances;
    const shown = table(`Points of each tool in ${by("points-category").value}, by ${kind}; the best of a row is bold`, [[kind[0].toUpperCase() + kind.slice(1), ""], ...numbers(...p.tools)],
      p.rows.map((r) => [[r.name, undefined, pages[r.name]], ...r.points.map((x) => (x === "" ? ["\u2013"] : [here.points(x), x]))]));
    shown.querySelectorAll("tbody tr").forEach((row, i) => { for (const tool of p.rows[i].best) row.cells[tool + 1].classList.add("best"); });
    by("points-shows").replaceChildren(shown);
  };

  // refresh computes a part that is open; an answer to an earlier question is not shown.
  const refresh = async (id, name, request, show) => {
    if (!by(id).open) return;
    const mine = here, asked = request();
    by(id).dataset.shows = "";
    try {
      const reply = await ask(name, asked);
      if (mine !== here || asked !== request()) return;
      show(reply);
      by(id).dataset.shows = asked;
    } catch (e) {
      if (mine === here) by(id + "-shows").textContent = e.message;
    }
  };
  const refreshTogether = () => refresh("together", "together", () => here.answer.question, together);
  const refreshPoints = () => refresh("points", "points",
    () => JSON.stringify({ question: here.answer.question, category: by("points-category").value, by: by("points-by").value }), showPoints);

  // follow shows what belongs to another question.
  const follow = (of) => {
    here = of;
    options("points-category", of.answer.boards.map((b) => [b.category]));
    by("more").hidden = false;
    return Promise.all([refreshTogether(), refreshPoints()]);
  };

  by("together").addEventListener("toggle", refreshTogether);
  by("points").addEventListener("toggle", refreshPoints);
  for (const id of ["points-category", "points-by"]) by(id).addEventListener("change", refreshPoints);
  self.podiumTogether = { follow };
})();
