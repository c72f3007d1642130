// Pages that follow a question: the parts that have data-asks show what the question makes of
// them, other parts say that they do not. Without a question the page is the official result,
// and nothing is loaded before somebody asks. Texts are only ever set as texts.
"use strict";
(() => {
  const { by, make, table, svg, drawing, root } = podiumPages;
  const { read, value, points, confidence, tool, category } = podiumAsk;
  const words = { 1: "first", 2: "second", 3: "third" };
  const bar = by("askbar");
  let program, names;

  // Each tool has the colour that it has elsewhere on the page.
  const colours = new Map(Array.from(document.querySelectorAll("main .swatch"), (s) => [s.parentElement.textContent, s]));
  const who = (name) => [...(colours.has(name) ? [colours.get(name).cloneNode()] : []), name];
  const toolHead = (cell) => {
    const at = cell.querySelector("a") ?? cell;
    at.replaceChildren(...who(at.textContent));
  };

  const unit = (ratio) => (ratio === "1" ? " point" : " points");
  // placeOf is the place on the podium of a line of a ranking, 0 for none.
  const placeOf = (line) => (line.rank >= 1 && line.rank <= 3 && line.right > 0 && value(line.points) > 0 ? line.rank : 0);
  const medal = (place) => make("span", words[place], { class: "medal " + words[place] });
  const board = (answer, path) => answer.boards.find((b) => names.pages.categories[b.category] === root + path);
  // named is what has a page, by the names of its kind; empty for none.
  const named = (pages, path) => Object.keys(pages).find((name) => pages[name] === root + path) ?? "";
  const empty = (text) => make("p", text, { class: "empty" });
  const nothing = "Nothing is asked in this category.";

  const podium = (answer, { of: path }) => {
    const of = board(answer, path);
    const on = (of?.lines ?? []).filter((l) => placeOf(l) > 0);
    if (on.length === 0) return empty(of ? "Nobody is on this podium." : nothing);
    const list = make("ol", undefined, { class: "podium n" + on.length });
    for (const line of on) {
      const step = make("li", undefined, { class: words[line.rank] });
      const name = make("a", undefined, { class: "who", href: tool(line.tool)[2] ?? "#main" });
      name.append(...who(line.tool));
      const sum = make("span", points(line.points), { class: "points", title: line.points + unit(line.points) });
      sum.append(make("span", unit(line.points), { class: "unit" }));
      const block = make("span", undefined, { class: "block" });
      block.append(make("span", String(line.rank), { class: "place" }));
      step.append(name, sum, block);
      list.append(step);
    }
    return list;
  };

  const ranking = (answer, { of: path }) => {
    const of = board(answer, path);
    if (!of || of.lines.length === 0) return empty(of ? "No tool was ranked." : nothing);
    const shown = table("The tools that have a rank, under this question", [["Tool", ""], ["Rank", "num"], ["Points", "num"], ["Place", ""], ["Right", "num"], ["Wrong", "num"]],
      of.lines.map((l) => [tool(l.tool), [String(l.rank)], [points(l.points), l.points], [""], [String(l.right)], [String(l.wrong)]]));
    shown.querySelectorAll("tbody tr").forEach((row, i) => {
      toolHead(row.cells[0]);
      if (placeOf(of.lines[i]) > 0) row.cells[3].append(medal(placeOf(of.lines[i])));
    });
    return shown;
  };

  const scores = (answer) => {
    const tools = [...names.tools].sort();
    const shown = table("Points of each tool that has a rank, under this question; the best of a row is bold, places on the podium are marked",
      [["Category", ""], ...tools.map((name) => [name, "num"])],
      answer.boards.map((b) => [category(b.category), ...tools.map((name) => { const l = b.lines.find((x) => x.tool === name); return l ? [points(l.points), l.points + unit(l.points)] : ["\u2013"]; })]));
    Array.from(shown.querySelectorAll("thead th")).slice(1).forEach(toolHead);
    shown.querySelectorAll("tbody tr").forEach((row, i) => {
      for (const line of answer.boards[i].lines) {
        const cell = row.cells[tools.indexOf(line.tool) + 1], place = placeOf(line);
        cell.classList.toggle("best", line.rank === 1 && value(line.points) > 0);
        if (place > 0) cell.prepend(medal(place), " ");
      }
    });
    return shown;
  };

  // rankings shows podiums side by side, those of the ways that the question does not choose among.
  const rankings = async (answer, _, part) => {
    const word = (question) => question.split("=")[0], chosen = answer.question.split("&").map(word);
    const ways = Array.from(part.querySelectorAll("th[data-question]")).filter((head) => !chosen.includes(word(head.dataset.question)));
    const answers = [answer], nobody = { boards: [] }; // a way may leave nothing to score
    for (const way of ways) answers.push(await program.ask("ask", answer.question + "&" + way.dataset.question).then(read, () => nobody));
    const shown = table("The first three of each category with their points, under this question and in other ways besides", [["Ranking", ""], ...answer.boards.map((b) => [b.category, ""])],
      answers.map((_, k) => [[k === 0 ? "This question" : ways[k - 1].textContent], ...answer.boards.map(() => [""])]));
    shown.querySelector("table").className = "boards";
    shown.querySelectorAll("tbody tr").forEach((row, k) => answer.boards.forEach((of, i) => {
      const on = answers[k].boards.find((b) => b.category === of.category)?.lines.filter((l) => placeOf(l) > 0) ?? [];
      for (const line of on) {
        const place = make("p");
        place.append(medal(line.rank), " ", make("a", line.tool, { href: tool(line.tool)[2] ?? "#main" }), " ", make("span", points(line.points), { class: "note", title: line.points }));
        row.cells[i + 1].append(place);
      }
      if (on.length === 0) row.cells[i + 1].append(make("span", "nobody", { class: "dim" }));
    }));
    return shown;
  };

  const trust = (answer) => {
    if (answer.confidences.length === 0) return empty("Under this question no value is elected: tools have no confidence.");
    const shown = table("Confidence of each tool, in the contest and under this question", [["Tool", ""], ["In the contest", "num"], ["Under this question", "num"]],
      answer.confidences.map((t) => [tool(t.tool), [confidence(t.before), t.before], [confidence(t.after), t.after]]));
    shown.querySelectorAll("tbody th").forEach(toolHead);
    return shown;
  };

  const standing = (answer, { of: path }) => {
    const name = named(names.pages.tools, path);
    const lines = answer.boards.map((b) => [b, b.lines.find((l) => l.tool === name)]).filter(([, l]) => l);
    if (lines.length === 0) return empty("Under this question the tool is not ranked in any category.");
    const shown = table("Standing in each category, under this question", [["Category", ""], ["Points", "num"], ["Rank", "num"], ["Place", ""], ["Right", "num"], ["Wrong", "num"]],
      lines.map(([b, l]) => [category(b.category), [points(l.points), l.points], [l.rank > 0 ? `${l.rank} of ${b.lines.filter((x) => x.rank > 0).length}` : "\u2013"], [""], [String(l.right)], [String(l.wrong)]]));
    shown.querySelectorAll("tbody tr").forEach((row, i) => { if (placeOf(lines[i][1]) > 0) row.cells[3].append(medal(placeOf(lines[i][1]))); });
    return shown;
  };

  const pointsTable = async (answer, { of: path, by: kind }, part) => {
    const reply = read(await program.ask("points", JSON.stringify({ question: answer.question, by: kind,
      category: named(names.pages.categories, path), examination: named(names.pages.examinations, path) })));
    if (reply.rows.length === 0) return empty("Nothing is asked here under this question.");
    const pages = kind === "model" ? names.pages.models : names.pages.instances;
    const own = part.querySelector("table"), head = own.querySelector("th").textContent; // Model, Instance or Task
    const shown = table(`Points of each tool by ${head.toLowerCase()}, under this question; the best of a row is bold`, [[head, ""], ...reply.tools.map((t) => [t, "num"])],
      reply.rows.map((r) => [[r.name, undefined, pages[r.name]], ...r.points.map((x) => (x === "" ? ["\u2013"] : [points(x), x + unit(x)]))]));
    shown.querySelector("table").dataset.filter = own.dataset.filter;
    Array.from(shown.querySelectorAll("thead th")).slice(1).forEach(toolHead);
    shown.querySelectorAll("tbody tr").forEach((row, i) => { for (const t of reply.rows[i].best) row.cells[t + 1].classList.add("best"); });
    return shown;
  };

  // A plot is drawn again where the page Ask can draw it: its link there names it.
  const figure = async (answer, _, part) => {
    const said = new URLSearchParams(new URL(part.closest("figure").querySelector("figcaption a").href).hash.slice(1));
    const plot = read(await program.ask("plot", JSON.stringify({ question: answer.question, plot: said.get("plot"), category: said.get("plot-category") ?? "",
      X: said.get("plot-x") ?? "", Y: said.get("plot-y") ?? "", XMeasure: said.get("plot-x-measure") ?? "cpu", YMeasure: said.get("plot-y-measure") ?? "cpu" })));
    return drawing(plot.body, { class: "chart", viewBox: `0 0 ${plot.width} ${plot.height}`, role: "img", "aria-label": plot.title + ", under this question" });
  };

  // duration shows microseconds as the other pages do.
  const duration = (us) => {
    const s = us / 1e6, parts = (n, under, one, many) => `${Math.floor(n / under)}\u00a0${one} ${String(n % under).padStart(2, "0")}\u00a0${many}`;
    const three = (x) => x.toFixed(x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2);
    if (us === 0) return "0\u00a0s";
    if (us < 1e3) return `${us}\u00a0\u00b5s`;
    if (us < 999_500) return three(us / 1e3) + "\u00a0ms";
    if (s < 60) return three(s) + "\u00a0s";
    if (s < 3600) return parts(Math.round(s), 60, "min", "s");
    return s < 48 * 3600 ? parts(Math.round(s / 60), 60, "h", "min") : parts(Math.round(s / 3600), 24, "d", "h");
  };

  // rowsOf gives the instances of the model of the page. Several parts ask for them.
  let model = {};
  const rowsOf = (answer, path) => {
    if (model.question !== answer.question) {
      const request = { question: answer.question, model: named(names.pages.models, path) };
      model = { question: answer.question, rows: program.ask("model", JSON.stringify(request)).then((reply) => read(reply).rows) };
    }
    return model.rows;
  };
  // Instances in the order of their parameters: a reader may have sorted the table since.
  const ordered = new Map(Array.from(document.querySelectorAll("[data-asks=model]"), (part) => [part, Array.from(part.querySelector("tbody").rows, (row) => row.cells[0].textContent)]));

  const modelTable = async (answer, { of: path, kind }, part) => {
    const rows = (await rowsOf(answer, path)).filter((r) => r.kind === kind);
    if (rows.length === 0) return empty("Nothing is asked here under this question.");
    const place = (r) => (ordered.get(part).indexOf(r.name) + 1 || Infinity);
    rows.sort((a, b) => place(a) - place(b) || 0);
    const own = part.querySelector("table"), before = new Map(Array.from(own.tBodies[0].rows, (row) => [row.cells[0].textContent, row]));
    const heads = Array.from(own.tHead.rows[0].cells, (c) => ({ text: c.textContent.trim(), kind: c.className, href: c.querySelector("a")?.getAttribute("href") }));
    const asked = (r, head) => r.cells.find((c) => c.examination === head.text);
    const shown = table("Tools that answered all values right, of those that took part; the fastest of them and its CPU time, under this question", heads.map((h) => [h.text, h.kind]),
      rows.map((r) => heads.map((h, i) => {
        const page = names.pages.instances[r.name], cell = asked(r, h);
        if (i === 0) return [r.name, undefined, page];
        if (!h.href) return [before.get(r.name)?.cells[i].textContent ?? ""];
        return cell ? cell.runs > 0 ? [`${cell.all} of ${cell.runs}`, undefined, `${page}#${h.text}`] : ["nobody"] : ["\u2013"];
      })));
    shown.querySelector("table").className = "sortable grid hard";
    heads.forEach((h, i) => {
      if (!h.href) return;
      shown.querySelector("thead").rows[0].cells[i].replaceChildren(make("a", h.text, { href: h.href }));
      rows.forEach((r, n) => {
        const at = shown.querySelector("tbody").rows[n].cells[i], cell = asked(r, h);
        if (!cell) return;
        at.className = "h" + (cell.all > 0 ? 2 + Math.min(3, Math.floor(3 * cell.all / cell.runs)) : cell.some > 0 ? 1 : 0);
        at.dataset.v = cell.all;
        if (cell.some > 0) at.append(" ", make("span", `and ${cell.some} in part`, { class: "note" }));
        const best = cell.right[cell.best];
        if (best) at.append(make("span", `${best.tool} ${duration(best.cpu_us)}`, { class: "note best-run" }));
      });
    });
    return shown;
  };

  // The plots by parameter keep their axes; lines and dots are drawn again.
  const ladder = (figure, rows, tools, insts, low) => {
    const exam = figure.querySelector("figcaption").textContent, plot = figure.querySelector("svg");
    for (const g of plot.querySelectorAll("g")) g.remove();
    const xs = Array.from(Array.from(plot.querySelectorAll(".axis")).at(-1).getAttribute("d").matchAll(/M([\d.]+) /g), (m) => m[1]);
    const rungs = Array.from(plot.querySelector(".rung").getAttribute("d").matchAll(/ ([\d.]+)H/g), (m) => Number(m[1]));
    const y = (us) => {
      const share = Math.min(1, Math.max(0, (Math.log10(us / 1e6) - low) / (rungs.length - 1)));
      return Math.round(10 * (rungs[0] + share * (rungs.at(-1) - rungs[0]))) / 10;
    };
    const all = [];
    for (const { tool, colour, dash } of tools) {
      let line = "", joined = false, solved = 0;
      const dots = [];
      insts.forEach((name, n) => {
        const cell = rows.get(name)?.cells.find((c) => c.examination === exam);
        const run = cell?.right.find((r) => r.tool === tool);
        if (run && run.right === cell.values) solved++;
        if (!run || run.cpu_us < 0) { joined = false; return; }
        const spot = `${xs[n]} ${y(run.cpu_us)}`;
        line += (joined ? "L" : "M") + spot;
        joined = true;
        dots.push(svg("a", { href: root + run.path, tabindex: "-1" }, svg("title", {}, `${tool}, ${name}: ${run.right} of ${cell.values} right, ${duration(run.cpu_us)}`),
          svg("path", { class: run.right === cell.values ? "all" : "some", d: `M${spot}h0` })));
      });
      if (solved > 0) all.push(`${tool} ${solved}`);
      if (dots.length > 1) dots.unshift(svg("path", { class: "line " + dash, d: line }));
      if (dots.length > 0) plot.append(svg("g", { class: colour }, ...dots));
    }
    plot.setAttribute("aria-label", `CPU time of ${exam} by the parameter, under this question. All values were answered right, of ${insts.length}, on: ${all.join(", ") || "none"}.`);
  };
  const ladders = async (answer, { of: path, low }, part) => {
    const rows = new Map((await rowsOf(answer, path)).map((r) => [r.name, r]));
    const keys = part.closest("section").querySelectorAll(".legend.tools > span");
    const tools = Array.from(keys, (k) => ({ tool: k.textContent, colour: k.querySelector("svg").classList[1], dash: k.querySelector(".line").classList[1] }));
    const fresh = part.cloneNode(true);
    delete fresh.dataset.asks;
    for (const figure of fresh.querySelectorAll("figure")) ladder(figure, rows, tools, ordered.get(part.closest("section").querySelector("[data-asks=model]")), Number(low));
    return fresh;
  };

  const kinds = { podium, ranking, rankings, scores, trust, standing, points: pointsTable, figure, model: modelTable, ladders };
  const parts = Array.from(document.querySelectorAll("[data-asks]"));
  for (const a of document.querySelectorAll("main figure.plot figcaption a")) {
    const part = a.closest("figure").firstElementChild;
    part.dataset.asks = "figure";
    parts.push(part);
  }

  // official shows the page as it came.
  const official = () => {
    for (const e of document.querySelectorAll(".under-question")) e.remove();
    for (const part of parts) part.hidden = false;
  };

  const show = async (answer, isCurrent) => {
    if (answer.question === "") { official(); document.body.dataset.follows = ""; return; }
    const fresh = await Promise.all(parts.map(async (part) => {
      try {
        return await kinds[part.dataset.asks](answer, part.dataset, part);
      } catch (e) {
        return empty(e.message);
      }
    }));
    if (!isCurrent()) return;
    official();
    parts.forEach((part, i) => {
      const box = make("div", undefined, { class: "under-question" });
      box.append(fresh[i]);
      part.hidden = true;
      part.after(box);
      for (const t of box.querySelectorAll("table")) {
        podiumTables.sorts(t);
        if ("filter" in t.dataset) podiumTables.filters(t);
      }
    });
    for (const section of document.querySelectorAll("main > section:not(.warnings, #what-changed)")) {
      if (!parts.some((part) => section.contains(part))) section.querySelector("h2")?.after(make("p", "This part is as it was judged: it does not follow your question.", { class: "under-question dim" }));
    }
    for (const own of document.querySelectorAll("main > section:has([data-asks]) > .scroll")) own.before(make("p", "This table is as it was judged: it does not follow your question.", { class: "under-question dim" }));
    document.querySelector("main > dl.facts")?.after(make("p", "These facts are as they were judged: they do not follow your question.", { class: "under-question dim" }));
    document.body.dataset.follows = answer.question;
  };

  // The program is loaded when somebody opens the form, or comes with a question.
  let begun = false;
  const begin = () => {
    if (begun) return;
    begun = true;
    podiumAsk.start({
      begin: (p, n) => {
        program = p;
        names = n;
      },
      show, clear: official,
    }).catch(podiumAsk.failed);
  };
  const come = () => { if (location.hash.includes("=")) begin(); };
  bar.hidden = false;
  bar.addEventListener("toggle", () => { if (bar.open) begin(); });
  addEventListener("hashchange", come);
  come();
})();
