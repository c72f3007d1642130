// The workbench: what is dropped on the page goes to the program of the pages, and
// what it reports is shown. Texts are only ever set as texts.
"use strict";
(() => {
  const { by, make } = podiumPages;
  let program, count = 0;
  const given = []; // what the program was given, to be given again after a stop

  const counted = (n, one, many) => n + " " + (n === 1 ? one : many);

  // table shows rows of texts.
  const table = (caption, heads, rows) => podiumPages.table(caption, heads.map((h) => [h, ""]), rows.map((row) => row.map((text) => [text])));

  // findings lists what was found, with the lines of the text around each.
  const findings = (report, text) => {
    const out = make("div");
    const errors = report.findings.filter((f) => f.severity === "error").length;
    const verdict = report.findings.length === 0 ? "Nothing to find fault with." : counted(errors, "error", "errors") + " and " + counted(report.findings.length + report.more - errors, "other finding", "other findings") + ".";
    out.append(make("p", verdict, { class: errors > 0 ? "warnings" : "" }));
    const lines = report.findings.length > 0 ? text.split("\n") : [];
    const list = make("ol", undefined, { class: "findings" });
    for (const f of report.findings) {
      const item = make("li");
      item.append(make("strong", f.severity), ` ${f.line > 0 ? `line ${f.line}, column ${f.column}: ` : ""}${f.message}`);
      if (f.hint) item.append(make("span", "\u2192 " + f.hint, { class: "why" }));
      if (f.line > 0 && lines[f.line - 1] !== undefined) item.append(make("code", lines[f.line - 1].trim().slice(0, 200), { class: "line" }));
      list.append(item);
    }
    out.append(list);
    if (report.more > 0) out.append(make("p", `${report.more} more are not shown.`, { class: "dim" }));
    return out;
  };

  // picture makes an element of the picture of a net.
  const picture = (text) => {
    const out = make("figure", undefined, { class: "net", tabindex: "0" });
    const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    out.append(document.importNode(svg, true));
    return out;
  };

  const svg = (name, attributes) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    return e;
  };

  // A board shows a marking of a net and which transitions are enabled; fire(t) is
  // called when transition t is chosen. This one is the picture of the net.
  const pictureBoard = (net, fire) => {
    const element = picture(net.picture);
    element.classList.add("game");
    element.firstChild.setAttribute("role", "group");
    const nodes = Array.from(element.querySelectorAll("[data-node]"));
    const places = nodes.slice(0, net.places.length), transitions = nodes.slice(net.places.length);
    transitions.forEach((g, t) => {
      const box = g.querySelector("rect");
      g.setAttribute("role", "button");
      g.setAttribute("tabindex", "0");
      g.setAttribute("aria-label", net.transitions[t].name);
      // A bar is small: what is hit is larger.
      g.prepend(svg("rect", { class: "hit", x: box.x.baseVal.value - 3, y: box.y.baseVal.value - 9, width: 26, height: 24, rx: 4 }));
      g.addEventListener("click", () => fire(t));
      g.addEventListener("keydown", (e) => {
        if (e.key !== "Enter" && e.key !== " ") return;
        e.preventDefault();
        fire(t);
      });
    });
    const show = (marking, enabled) => {
      places.forEach((g, p) => {
        const n = marking[p], ring = g.querySelector(".place"), x = ring.getAttribute("cx"), y = ring.getAttribute("cy");
        for (const old of g.querySelectorAll(".token, .tokens")) old.remove();
        if (n === 1) ring.after(svg("circle", { class: "token", cx: x, cy: y, r: 3.4 }));
        if (n > 1) {
          const text = svg("text", { class: "tokens", x, y: Number(y) + 3.6 });
          text.textContent = String(n).length > 4 ? String(n).slice(0, 3) + "\u2026" : n;
          ring.after(text);
        }
        g.setAttribute("role", "img");
        g.setAttribute("aria-label", `${net.places[p].name}: ${counted(n, "token", "tokens")}`);
        g.querySelector("title").textContent = g.getAttribute("aria-label");
      });
      transitions.forEach((g, t) => g.setAttribute("aria-disabled", String(!enabled[t])));
    };
    return { element, show };
  };

  // listBoard is a button for each transition, and a table of the marking.
  const listBoard = (net, fire, title) => {
    const element = make("div", undefined, { class: "board" }), places = make("div"), transitions = make("div", undefined, { class: "choices" });
    const buttons = net.transitions.map((t, i) => {
      const b = make("button", t.name, { type: "button" });
      b.addEventListener("click", () => fire(i));
      return b;
    });
    transitions.append(...buttons);
    element.append(transitions, places);
    const show = (marking, enabled) => {
      buttons.forEach((b, t) => { b.disabled = !enabled[t]; });
      places.replaceChildren(table("Marking of " + title, ["Place", "Tokens"], net.places.map((p, i) => [p.name, String(marking[i])]).filter((r) => r[1] !== "0")));
    };
    return { element, show };
  };

  // game lets a small net be played: a transition that is enabled fires when it is chosen.
  const game = (net, title) => {
    const out = make("section");
    const status = make("p", "", { role: "status", class: "dim" });
    const back = make("button", "Back to the start", { type: "button" });
    let marking, fired;
    const able = () => net.transitions.map((t) => t.in.every(([p, n]) => marking[p] >= n));
    const show = () => {
      const enabled = able(), count = enabled.filter((e) => e).length;
      board.show(marking, enabled);
      status.textContent = `${counted(fired.length, "firing", "firings")}${fired.length > 0 ? ", the last is " + fired.at(-1) : ""}; ${count === 0 ? "a deadlock: nothing is enabled" : counted(count, "transition is", "transitions are") + " enabled"}.`;
    };
    const board = (net.picture ? pictureBoard : listBoard)(net, (t) => {
      if (!able()[t]) return;
      for (const [p, n] of net.transitions[t].in) marking[p] -= n;
      for (const [p, n] of net.transitions[t].out) marking[p] += n;
      fired.push(net.transitions[t].name);
      show();
    }, title);
    const start = () => {
      marking = net.places.map((p) => p.tokens);
      fired = [];
      show();
    };
    back.addEventListener("click", start);
    start();
    out.append(make("h3", "Token game"), make("p", net.picture ? "Circles are places, bars are transitions. Choose a transition that is enabled (green), by a click or by the keyboard: it fires." : "Choose a transition that is enabled: it fires."), status, board.element, back);
    return out;
  };

  // decider is a button for each examination that the referee can be asked for. An
  // output is looked at again when its values are decided.
  const decider = (report, text) => {
    const out = make("div", undefined, { class: "choices" });
    const output = report.kind === "output";
    if (report.decides.length > 1) out.append(make("span", "Decide:"));
    for (const exam of report.decides) {
      const b = make("button", report.decides.length > 1 ? exam : output ? `Decide ${exam}, and compare` : "Decide these formulas", { type: "button" });
      b.addEventListener("click", async () => {
        b.disabled = true;
        if (await ask("workbench-decide", exam, "") && output) await look(report.name, text, exam);
        b.disabled = false;
      });
      out.append(b);
    }
    return out;
  };

  const show = (report, text) => {
    const id = "report-" + ++count;
    const section = make("section", undefined, { "aria-labelledby": id, class: "report" });
    section.append(make("h2", report.name + (report.kind === "form" ? ": form" : ""), { id }));
    if (report.kind !== "form" && report.kind !== "values") section.append(findings(report, text));
    if (report.facts.length > 0) {
      const facts = make("dl", undefined, { class: "facts" });
      for (const [name, value] of report.facts) {
        const one = make("div");
        one.append(make("dt", name), make("dd", value));
        facts.append(one);
      }
      section.append(facts);
    }
    if (report.rows.length > 0) section.append(table((report.kind === "values" ? "What the referee decides: " : report.kind === "form" ? "The form of " : "What was read in ") + report.name, report.heads, report.rows));
    if (report.kind === "model" && report.decides.length > 0) {
      const form = make("button", "Fill in the model form", { type: "button" });
      form.addEventListener("click", () => { form.disabled = true; ask("workbench-form", "", ""); });
      section.append(form);
    }
    if (report.decides.length > 0) section.append(decider(report, text));
    if (report.picture) section.append(make("h3", "Picture"), picture(report.picture));
    if (report.net) section.append(game(report.net, report.name));
    by("reports").prepend(section);
    by("reports").dataset.count = String(count);
    self.workbenchReport = report;
  };

  const ask = async (name, request, text) => {
    by("state").textContent = "looking \u2026";
    by("stop").hidden = false;
    let fine = false;
    try {
      show(JSON.parse(new TextDecoder().decode(await program.ask(name, request))), text);
      by("state").textContent = "";
      fine = true;
    } catch (e) {
      by("state").textContent = e.message;
      by("reports").dataset.failed = e.message;
    }
    by("stop").hidden = true;
    return fine;
  };

  const look = async (name, text, exam = by("exam").value) => {
    const request = JSON.stringify({ name, text, examination: exam });
    given.push(request);
    await ask("workbench-add", request, text);
  };

  // Models come first, then formulas, so that the rest is checked against them.
  const order = (name) => (name.endsWith(".pnml") ? 0 : name.endsWith(".xml") ? 1 : 2);
  const take = async (files) => {
    for (const file of Array.from(files).sort((a, b) => order(a.name) - order(b.name))) await look(file.name, await file.text());
  };

  // needed are the requests of the last model and of the formulas that came after it.
  const needed = (requests) => {
    const named = (r, ending) => JSON.parse(r).name.endsWith(ending);
    const from = requests.findLastIndex((r) => named(r, ".pnml"));
    return from < 0 ? [] : requests.slice(from).filter((r, i) => i === 0 || named(r, ".xml"));
  };

  const begin = async () => {
    by("state").textContent = "loading \u2026";
    program = await podiumPages.start("");
    for (const exam of ["StateSpace", "ReachabilityDeadlock", "QuasiLiveness", "StableMarking", "Liveness", "OneSafe", "UpperBounds", "ReachabilityCardinality", "ReachabilityFireability", "CTLCardinality", "CTLFireability", "LTLCardinality", "LTLFireability"]) {
      by("exam").append(make("option", exam, { value: exam }));
    }
    by("files").addEventListener("change", () => take(by("files").files));
    by("drop").addEventListener("dragover", (e) => e.preventDefault());
    by("drop").addEventListener("drop", (e) => { e.preventDefault(); take(e.dataTransfer.files); });
    by("paste-go").addEventListener("click", () => look(by("paste-name").value.trim(), by("paste").value));
    by("stop").addEventListener("click", async () => {
      program.stop();
      program = await podiumPages.start("");
      for (const request of needed(given)) await program.ask("workbench-add", request).catch(() => {});
      by("state").textContent = "Stopped.";
    });
    by("drop").hidden = false;
    by("state").textContent = "";
    self.workbenchLook = look;
  };
  begin().catch((e) => { by("state").textContent = "This page cannot compute: " + e.message; });
})();
