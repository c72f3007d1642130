// The page that asks the results. It holds a question, keeps it in the address, and
// shows what the program of the pages answers. Texts are only ever set as texts.
"use strict";
(() => {
  const { by, make, table, options, fill } = podiumPages;
  const words = { tools: "without-tool", families: "without-family", models: "without-model", instances: "without-instance",
    kinds: "kind", classes: "class", examinations: "examination", outcomes: "outcome" };
  const fields = { cpu: "cpu", memory: "memory", edition: "edition" };
  const keeps = new Set(["kinds", "classes", "examinations", "outcomes"]);
  let program, names;

  // choices fills a group with one box for each name. Groups that keep start full.
  const choices = (group, list) => {
    by(group).replaceChildren(...list.map((name) => {
      const label = make("label");
      const box = make("input", undefined, { type: "checkbox", value: name });
      box.checked = keeps.has(group);
      label.append(box, " ", name);
      return label;
    }));
  };
  const boxes = (group) => Array.from(by(group).querySelectorAll("input"));

  // There are too many instances for a box each: those that are left out have one.
  const leaveOut = (list) => {
    choices("instances", list);
    for (const b of boxes("instances")) b.checked = true;
  };
  const addInstance = () => {
    const name = by("add-instance").value.trim();
    const has = names.instances.includes(name);
    by("add-says").textContent = name === "" || has ? "" : `There is no instance ${name}: choose one of the list.`;
    if (!has) return;
    leaveOut([...new Set([...boxes("instances").filter((b) => b.checked).map((b) => b.value), name])]);
    by("add-instance").value = "";
  };

  // note says what it means that nothing of a group is ticked.
  const note = (group) => {
    const all = boxes(group);
    by(group + "-says").textContent = all.length > 0 && all.every((b) => !b.checked) ? "Nothing is ticked: that keeps all, as if all were ticked." : "";
  };

  // question is the text of what the form says.
  const question = () => {
    const parts = [];
    const add = (word, value) => parts.push(word + "=" + encodeURIComponent(value));
    for (const [group, word] of Object.entries(words)) {
      const all = boxes(group);
      const on = all.filter((b) => b.checked);
      if (keeps.has(group) && (on.length === all.length || on.length === 0)) continue;
      for (const b of on) add(word, b.value);
    }
    for (const [id, word] of Object.entries(fields)) if (by(id).value.trim()) add(word, by(id).value.trim());
    if (by("certified").checked) add("values", "certified");
    for (const line of by("changes").value.split("\n")) if (line.trim()) add("change", line.trim());
    if (by("rest").value.trim()) parts.push(by("rest").value.trim());
    return parts.join("&");
  };

  // show makes the form say what a question says. What it has no place for, such as the
  // name of a tool that is not here, stands in a field of its own.
  const show = (text) => {
    const said = {}, rest = [];
    for (const part of text.split("&")) {
      const [word, value] = [...new URLSearchParams(part)][0] ?? ["", ""];
      const group = Object.keys(words).find((g) => words[g] === word);
      const fits = group ? names[group].includes(value) : word === "edition" ? names.editions.includes(value)
        : word === "values" ? value === "certified" && names.certified : ["cpu", "memory", "change"].includes(word) && value !== "";
      if (fits) (said[word] ??= []).push(value); else if (part !== "") rest.push(part);
    }
    leaveOut(said[words.instances] ?? []);
    for (const [group, word] of Object.entries(words)) {
      for (const b of boxes(group)) b.checked = said[word] ? said[word].includes(b.value) : keeps.has(group);
      if (keeps.has(group)) note(group);
    }
    for (const [id, word] of Object.entries(fields)) by(id).value = said[word]?.at(-1) ?? "";
    by("certified").checked = "values" in said;
    by("changes").value = (said.change ?? []).join("\n");
    by("rest").value = rest.join("&");
    by("rest-label").hidden = rest.length === 0;
    for (const fold of by("question").querySelectorAll("details")) {
      if (fold.querySelector("input:checked") || Array.from(fold.querySelectorAll("select, textarea")).some((e) => e.value !== "")) fold.open = true;
    }
  };

  // points shows an exact ratio with two decimals at most.
  const points = (ratio) => {
    const [over, under = "1"] = ratio.split("/");
    const n = Number(over) / Number(under);
    return n.toLocaleString("en", { useGrouping: "min2", maximumFractionDigits: 2 }).replaceAll(",", "\u202f").replace("-", "\u2212");
  };
  const rank = (n) => (n === 0 ? "none" : String(n));
  // confidence shows an exact ratio as the other pages do: never a 1 for what is less.
  const confidence = (ratio) => {
    const [over, under = "1"] = ratio.split("/");
    const n = Number(over) / Number(under);
    if (ratio === "") return "left out";
    return under === "1" ? over : Number.isInteger(Number(n.toFixed(4))) ? "\u2248" + n.toFixed(8) : n.toFixed(4);
  };
  const turn = (before, now) => (before === now ? before : `${before} \u2192 ${now}`);
  // cells that lead to the pages of what they name
  const tool = (name) => [name, undefined, names.pages.tools[name]];
  const category = (name) => [name, undefined, names.pages.categories[name]];

  const tell = (answer) => {
    by("unofficial").hidden = answer.question === "";
    by("asked").textContent = decodeURIComponent(answer.question.replaceAll("+", " ").replaceAll("&", ", "));
    by("boards").replaceChildren(...answer.boards.map((b) => {
      const card = make("article", undefined, { class: "card" });
      const head = make("h3"), page = names.pages.categories[b.category];
      head.append(page ? make("a", b.category, { href: page }) : b.category);
      card.append(head, b.lines.length === 0 ? make("p", "Nobody has a rank.", { class: "empty" })
        : table("Ranking of " + b.category, [["Tool", ""], ["Rank", "num"], ["Points", "num"], ["Right", "num"], ["Wrong", "num"]],
          b.lines.map((l) => [tool(l.tool), [rank(l.rank)], [points(l.points), l.points], [String(l.right)], [String(l.wrong)]])));
      return card;
    }));
    const podium = answer.moves.filter((m) => m.podium).length;
    by("summary").textContent = answer.moves.length === 0 ? "No rank and no score changes."
      : `Scores that change: ${answer.moves.length}, on a podium: ${podium}; reference values that change: ${answer.references_changed}.`;
    by("moves").replaceChildren();
    if (answer.moves.length > 0) {
      by("moves").append(table("Scores that change", [["Category", ""], ["Tool", ""], ["Rank", "num"], ["Points", "num"]],
        answer.moves.map((m) => [category(m.category), tool(m.tool), [turn(rank(m.rank_before), rank(m.rank_after))],
          [turn(points(m.points_before), points(m.points_after)), turn(m.points_before, m.points_after)]])));
    }
    by("confidences").replaceChildren();
    if (answer.confidences.length > 0) {
      by("confidences").append(table("Confidences", [["Tool", ""], ["Before", "num"], ["Now", "num"]],
        answer.confidences.map((t) => [tool(t.tool), [confidence(t.before), t.before], [confidence(t.after), t.after]])));
    }
    by("references").replaceChildren();
    if (answer.references.length > 0) {
      by("references").append(table("Reference values that change" + (answer.references.length < answer.references_changed ? `, the first ${answer.references.length}` : ""),
        [["Instance", ""], ["Examination", ""], ["Value", ""], ["Before", ""], ["Now", ""]],
        answer.references.map((r) => [[r.instance, undefined, names.pages.instances[r.instance]], [r.examination, undefined, names.pages.examinations[r.examination]], [r.item], [r.before], [r.after]])));
    }
    by("what-changed").hidden = answer.question === "";
    by("result").hidden = false;
  };

  // refuse says what is wrong with a question. What an earlier one gave goes away.
  const refuse = (text, why) => {
    for (const id of ["unofficial", "what-changed", "result", "plots", "more"]) by(id).hidden = true;
    by("state").textContent = "";
    by("refused").hidden = false;
    by("why").textContent = why;
    document.body.dataset.refused = text;
  };

  // What is folded away is asked for when it is opened.
  const more = (answer) => podiumTogether.follow({ program, names, answer, points, tool, category });

  let asked = 0;
  const ask = async (text) => {
    const mine = ++asked;
    by("refused").hidden = true;
    by("state").textContent = "scoring \u2026";
    const start = performance.now();
    try {
      const answer = JSON.parse(new TextDecoder().decode(await program.ask("ask", text)));
      if (mine !== asked) return;
      tell(answer);
      self.podiumAnswer = answer;
      by("state").textContent = `Scored ${answer.values.toLocaleString("en")} values in ${Math.round(performance.now() - start)} ms, in this browser.`;
      document.body.dataset.answered = text;
      await Promise.all([plots(answer), more(answer)]);
    } catch (e) {
      if (mine === asked) refuse(text, e.message);
    }
  };

  // The plots follow the question. Those of a category ask for one, that of tools for two.
  const kinds = [["values", "Values solved, by CPU time"], ["points", "Points, by CPU time"], ["points-over", "Points within a CPU time"],
    ["values-over", "Values within a wall time"], ["tools", "Tool against tool"]];
  const measures = [["cpu", "CPU time (s)"], ["wall", "wall time (s)"], ["memory", "memory (MB)"]];
  const axes = ["category", "x", "y", "x-measure", "y-measure"];

  // An address holds a question, and which plot is drawn; plotParts are those of the plot.
  const isPlot = (part) => part === "plot" || part.startsWith("plot=") || part.startsWith("plot-");
  const asks = (address) => address.split("&").filter((part) => !isPlot(part)).join("&");
  const plotParts = () => {
    const kind = by("plot-kind").value;
    const shown = axes.filter((axis) => (kind === "tools" ? axis !== "category" : axis === "category" && ofCategory(kind)));
    return ["plot=" + kind, ...shown.map((axis) => `plot-${axis}=${encodeURIComponent(by("plot-" + axis).value)}`)];
  };
  const ofCategory = (kind) => ["values", "points"].includes(kind);
  // choosePlot makes the form say which plot an address names.
  const choosePlot = (address) => {
    const said = new URLSearchParams(address.split("&").filter(isPlot).join("&"));
    for (const id of ["plot-kind", ...axes.map((axis) => "plot-" + axis)]) {
      const value = said.get(id === "plot-kind" ? "plot" : id);
      if (Array.from(by(id).options).some((o) => o.value === value)) by(id).value = value;
    }
    chosen = chosen || said.has("plot");
  };
  const svg = (name, attributes) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    return e;
  };
  let chosen = false, plotted = 0;
  let spots = [], of = ""; // the points of the plot that is drawn, and its question
  let at = -1, path = Promise.resolve(""); // the point that is marked, and where its run is

  // forget takes away the points: none of them may lead to a run of another plot.
  const forget = () => {
    spots = [];
    at = -1;
    path = Promise.resolve("");
  };

  const draw = async () => {
    const mine = ++plotted;
    forget();
    const kind = by("plot-kind").value;
    by("plot-of-category").hidden = !ofCategory(kind);
    by("plot-of-tools").hidden = kind !== "tools";
    const request = { question: self.podiumAnswer.question, plot: kind, category: by("plot-category").value,
      X: by("plot-x").value, Y: by("plot-y").value, XMeasure: by("plot-x-measure").value, YMeasure: by("plot-y-measure").value };
    try {
      const plot = JSON.parse(new TextDecoder().decode(await program.ask("plot", JSON.stringify(request))));
      if (mine !== plotted) return;
      const box = `0 0 ${plot.width} ${plot.height}`;
      by("plot").setAttribute("viewBox", box);
      by("plot").setAttribute("aria-label", plot.title + ". The arrow keys go from run to run, Enter leads to it.");
      fill(by("plot"), plot.body);
      by("plot").append(svg("circle", { class: "here", r: "0" }));
      by("plot-figure").classList.toggle("square", kind === "tools");
      spots = plot.spots.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      of = request.question;
      by("plot-says").textContent = `${spots.length.toLocaleString("en")} points of this plot are runs: point at one.`
        + (plot.left > 0 ? ` ${plot.left.toLocaleString("en")} more are too many to point at.` : "");
      document.body.dataset.plotted = JSON.stringify(request);
    } catch (e) {
      if (mine !== plotted) return;
      by("plot").replaceChildren();
      by("plot-says").textContent = e.message;
    }
  };

  // choose marks a point and says which run it is.
  const choose = (n) => {
    if (n === at || n < 0 || n >= spots.length) return;
    at = n;
    const [x, y] = spots[n];
    const here = by("plot").querySelector(".here");
    here.setAttribute("cx", x);
    here.setAttribute("cy", y);
    here.setAttribute("r", "6");
    const mine = path = tellRun(spots[n][2], () => mine === path);
  };
  // tellRun says which run a point is while it is the one that is marked, and gives its path, empty where it has none.
  const tellRun = async (run, marked) => {
    try {
      const found = JSON.parse(new TextDecoder().decode(await program.ask("plot-run", JSON.stringify({ question: of, run }))));
      if (marked()) by("plot-says").replaceChildren(make("a", found.text, { href: found.path }));
      return found.path;
    } catch (e) {
      if (marked()) by("plot-says").textContent = e.message;
      return "";
    }
  };
  // lead goes to the run that is marked now, also when another one is before its path is known.
  const lead = async () => {
    const to = await path;
    if (to !== "") location.href = to;
  };
  const nearest = (e) => {
    const to = by("plot").getScreenCTM().inverse();
    const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(to);
    let best = -1, far = 15 * 15;
    spots.forEach(([x, y], i) => {
      const d = (x - p.x) ** 2 + (y - p.y) ** 2;
      if (d < far) { far = d; best = i; }
    });
    return best;
  };

  const plots = (answer) => {
    options("plot-category", answer.boards.map((b) => [b.category]));
    choosePlot(location.hash.slice(1));
    by("plots").hidden = false;
    return draw();
  };

  // The address names the plot as soon as somebody has chosen one.
  const addressOf = (text) => [text, ...(chosen ? plotParts() : [])].filter((part) => part !== "").join("&");
  const plotChosen = () => {
    chosen = true;
    history.replaceState(null, "", "#" + addressOf(asks(location.hash.slice(1))));
    return draw();
  };

  const beginPlots = () => {
    options("plot-kind", kinds);
    for (const id of ["plot-x-measure", "plot-y-measure"]) options(id, measures);
    for (const id of ["plot-x", "plot-y"]) options(id, names.tools.map((name) => [name]));
    by("plot-y").selectedIndex = Math.min(1, names.tools.length - 1);
    for (const id of ["plot-kind", "plot-category", "plot-x", "plot-y", "plot-x-measure", "plot-y-measure"]) by(id).addEventListener("change", plotChosen);
    by("plot").addEventListener("pointermove", (e) => choose(nearest(e)));
    by("plot").addEventListener("click", (e) => {
      const n = nearest(e);
      choose(n);
      if (n >= 0) lead();
    });
    by("plot").addEventListener("keydown", (e) => {
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1 }[e.key];
      if (step) {
        e.preventDefault();
        choose(Math.min(spots.length - 1, Math.max(0, at + step)));
      } else if (e.key === "Enter") {
        lead();
      }
    });
  };

  const follow = () => {
    const text = asks(location.hash.slice(1));
    show(text);
    return ask(text);
  };

  const begin = async () => {
    by("state").textContent = "loading the answers of the contest \u2026";
    program = await podiumPages.start("");
    await podiumPages.load("podium-answers.js");
    const data = Uint8Array.from(atob(self.podiumAnswers), (c) => c.charCodeAt(0));
    self.podiumAnswers = undefined;
    names = JSON.parse(new TextDecoder().decode(await program.ask("contest", data)));
    for (const group of Object.keys(words)) if (group !== "instances") choices(group, names[group]);
    for (const group of keeps) by(group).addEventListener("change", () => note(group));
    by("families-part").hidden = names.families.length === 0;
    by("instance-names").replaceChildren(...names.instances.map((value) => make("option", undefined, { value })));
    by("add-instance").addEventListener("change", addInstance);
    by("edition").replaceChildren(make("option", `${names.edition}, as it was judged`, { value: "" }), ...names.editions.map((name) => make("option", name, { value: name })));
    by("certified-label").hidden = !names.certified;
    beginPlots();
    by("question").hidden = false;
    by("question").addEventListener("submit", (e) => {
      e.preventDefault();
      const text = question();
      if (location.hash.slice(1) === addressOf(text)) ask(text); else location.hash = addressOf(text);
    });
    by("question").addEventListener("reset", (e) => {
      e.preventDefault();
      show("");
      if (location.hash.slice(1) !== addressOf("")) location.hash = addressOf(""); else ask("");
    });
    by("find-model").addEventListener("input", () => {
      const part = by("find-model").value.toLowerCase();
      for (const b of boxes("models")) b.parentElement.hidden = !b.value.toLowerCase().includes(part);
    });
    addEventListener("hashchange", follow);
    await follow();
    if (chosen) by("plots").scrollIntoView();
  };
  begin().catch((e) => { by("state").textContent = "This page cannot compute: " + e.message; });
})();
