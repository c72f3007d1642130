// The page that asks the results: rankings, plots and more under the question of its form.
// Texts are only ever set as texts.
"use strict";
(() => {
  const { by, make, grouped, table, options, svg, fill } = podiumPages;
  const { read, points, tool, category } = podiumAsk;
  let program, names;

  const boards = (answer) => {
    by("boards").replaceChildren(...answer.boards.map((b) => {
      const card = make("article", undefined, { class: "card" });
      const head = make("h3"), page = names.pages.categories[b.category];
      head.append(page ? make("a", b.category, { href: page }) : b.category);
      card.append(head, b.lines.length === 0 ? make("p", "Nobody has a rank.", { class: "empty" })
        : table("Ranking of " + b.category, [["Tool", ""], ["Rank", "num"], ["Points", "num"], ["Right", "num"], ["Wrong", "num"], ["Timeouts", "num"], ["Memory-outs", "num"]],
          b.lines.map((l) => [tool(l.tool), [String(l.rank)], [points(l.points), l.points], ...[l.right, l.wrong, l.timeouts, l.memory_outs].map((n) => [String(n)])])));
      return card;
    }));
    by("result").hidden = false;
  };

  // What is folded away is asked for when it is opened.
  const more = (answer) => podiumTogether.follow({ program, names, answer, points, tool, category });

  // The plots follow the question. Those of a category ask for one, that of tools for two.
  const kinds = [["values", "Values solved, by CPU time"], ["points", "Points, by CPU time"], ["points-over", "Points within a CPU time"],
    ["values-over", "Values within a wall time"], ["tools", "Tool against tool"]];
  const measures = [["cpu", "CPU time (s)"], ["wall", "wall time (s)"], ["memory", "memory (MB)"]];
  const axes = ["category", "x", "y", "x-measure", "y-measure"];

  // plotParts are those of an address that say which plot is drawn.
  const isPlot = (part) => part === "plot" || part.startsWith("plot=") || part.startsWith("plot-");
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
  let chosen = false, plotted = 0;
  let spots = [], of = {}; // the points of the plot that is drawn, and its question
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
      const plot = read(await program.ask("plot", JSON.stringify(request)));
      if (mine !== plotted) return;
      const box = `0 0 ${plot.width} ${plot.height}`;
      by("plot").setAttribute("viewBox", box);
      by("plot").setAttribute("aria-label", plot.title + ". The arrow keys go from run to run, Enter leads to it.");
      fill(by("plot"), plot.body);
      by("plot").append(svg("circle", { class: "here", r: "0" }));
      by("plot-figure").classList.toggle("square", kind === "tools");
      spots = plot.spots.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      of = { question: request.question, ...(kind === "tools" ? { X: request.X, Y: request.Y } : {}) };
      by("plot-says").textContent = `${grouped(spots.length)} points of this plot ${kind === "tools" ? "are pairs of runs" : "are runs"}: point at one.`
        + (plot.left > 0 ? ` ${grouped(plot.left)} more are too many to point at.` : "");
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
      const found = read(await program.ask("plot-run", JSON.stringify({ ...of, run })));
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
  const plotChosen = () => {
    chosen = true;
    history.replaceState(null, "", "#" + podiumAsk.addressOf(podiumAsk.asks(location.hash.slice(1))));
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

  podiumAsk.start({
    begin: (p, n) => {
      program = p;
      names = n;
      beginPlots();
    },
    show: (answer) => {
      boards(answer);
      return Promise.all([plots(answer), more(answer)]);
    },
    clear: () => { for (const id of ["result", "plots", "more"]) by(id).hidden = true; },
    extra: () => (chosen ? plotParts() : []),
    isExtra: isPlot,
  }).then(() => { if (chosen) by("plots").scrollIntoView(); }, podiumAsk.failed);
})();
