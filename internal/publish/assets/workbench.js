// The workbench: what is dropped on the page goes to the program of the pages, and
// what it reports is shown. Texts are only ever set as texts.
"use strict";
(() => {
  const { by, make, counted, picture, game } = podiumPages;
  let program, count = 0;
  const given = []; // what the program was given and took it for, to be given again after a stop

  // table shows rows of texts.
  const table = (caption, heads, rows) => podiumPages.table(caption, heads.map((h) => [h, ""]), rows.map((row) => row.map((text) => [text])));

  // findings lists what was found, with the lines of the text around each.
  const findings = (report, text) => {
    const out = make("div");
    const errors = report.findings.filter((f) => f.severity === "error").length;
    const verdict = report.findings.length === 0 ? (report.kind === "output" ? "Every answer is well-formed; whether it is right is another question." : "Nothing to find fault with.") : counted(errors, "error", "errors") + " and " + counted(report.findings.length + report.more - errors, "other finding", "other findings") + ".";
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

  // search asks for an examination, or for a form, within the time that the reader gives.
  const search = (examination) => JSON.stringify({ examination, seconds: Math.round(by("seconds").valueAsNumber) || 0 });

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
        const decided = await ask("workbench-decide", search(exam), "", out.closest("section"));
        if (decided && output) await look(report.name, text, exam, decided);
        b.disabled = false;
      });
      out.append(b);
    }
    return out;
  };

  // show puts a report below the one that it belongs to, or above all.
  const show = (report, text, above) => {
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
      form.addEventListener("click", async () => {
        form.disabled = true;
        await ask("workbench-form", search(""), "", section);
        form.disabled = false;
      });
      section.append(form);
    }
    if (report.decides.length > 0) section.append(decider(report, text));
    if (report.picture) section.append(make("h3", "Picture"), picture(report.picture));
    if (report.net) section.append(game(report.net, report.name));
    if (above?.isConnected) above.after(section); else by("reports").prepend(section);
    by("reports").dataset.count = String(count);
    by("clear").hidden = false;
    self.workbenchReport = report;
    return section;
  };

  const fail = (why) => {
    by("state").textContent = why;
    by("reports").dataset.failed = why;
  };

  // ask shows what the program says to a request, and returns the section that does.
  const ask = async (name, request, text, above) => {
    by("state").textContent = "looking \u2026";
    by("stop").hidden = false;
    let section;
    try {
      section = show(JSON.parse(new TextDecoder().decode(await program.ask(name, request))), text, above);
      by("state").textContent = "";
      if (above) section.scrollIntoView({ block: "nearest" });
    } catch (e) {
      fail(e.message);
    }
    by("stop").hidden = true;
    return section;
  };

  // open are the files that are looked at again when more is known: those that could not be read,
  // outputs, and what came before a model.
  let open = [];
  const modelled = () => given.some((g) => g.kind === "model");
  const look = async (name, text, exam = by("exam").value, above = undefined) => {
    const request = JSON.stringify({ name, text, examination: exam, intervals: "intervals" in by("drop").dataset });
    const section = await ask("workbench-add", request, text, above);
    const kind = section ? self.workbenchReport.kind : "";
    if (section) given.push({ request, kind });
    open = open.filter((f) => f.name !== name || f.text !== text);
    if (kind === "" || kind === "output" || !modelled()) open.push({ name, text, exam, kind, section });
    return section;
  };

  // again looks at files again, and shows what is said now in the place of what was.
  const again = async (files) => {
    for (const { name, text, exam, section } of files) {
      if (await look(name, text, exam || by("exam").value, section)) section?.remove();
    }
  };

  // Models come first, then formulas, so that the rest is checked against them. What was dropped
  // together is shown in this order.
  const order = ({ name, text }) => (name.endsWith(".pnml") || /<pnml[\s>]/.test(text.slice(0, 4096)) ? 0 : name.endsWith(".xml") ? 1 : 2);

  // lookAll looks at files in order, and again at those before that they tell something of. A
  // second model tells nothing of the outputs of the first.
  const lookAll = async (files) => {
    const before = open, from = given.length, first = !modelled();
    let above;
    for (const { name, text } of files.sort((a, b) => order(a) - order(b))) above = await look(name, text, by("exam").value, above) ?? above;
    const told = given.slice(from).map((g) => g.kind);
    if (!first && told.includes("model")) open = open.filter((f) => !before.includes(f) || f.kind === "");
    if (told.includes("model") || told.includes("formulas")) await again(open.filter((f) => before.includes(f)));
  };

  // read returns the files of a file: its text, or what an archive holds.
  const read = async (file) => {
    if (!/\.(tgz|tar\.gz)$/.test(file.name)) return [{ name: file.name, text: await file.text() }];
    by("state").textContent = `unpacking ${file.name} \u2026`;
    return JSON.parse(new TextDecoder().decode(await program.ask("workbench-unpack", new Uint8Array(await file.arrayBuffer()))));
  };

  const take = async (files) => {
    const all = [];
    for (const file of files) {
      try {
        all.push(...await read(file));
      } catch (e) {
        fail(e instanceof DOMException ? `${file.name} cannot be read: drop files, no directories, and choose a file again that has changed since. (${e.message})` : `${file.name}: ${e.message}`);
      }
    }
    await lookAll(all);
  };

  // needed are the requests of the last model and of the formulas that came after it.
  const needed = (list) => {
    const from = list.findLastIndex((g) => g.kind === "model");
    return from < 0 ? [] : list.slice(from).filter((g, i) => i === 0 || g.kind === "formulas").map((g) => g.request);
  };

  const begin = async () => {
    by("state").textContent = "loading \u2026";
    program = await podiumPages.start("");
    for (const exam of ["StateSpace", "ReachabilityDeadlock", "QuasiLiveness", "StableMarking", "Liveness", "OneSafe", "UpperBounds", "ReachabilityCardinality", "ReachabilityFireability", "CTLCardinality", "CTLFireability", "LTLCardinality", "LTLFireability"]) {
      by("exam").append(make("option", exam, { value: exam }));
    }
    by("files").addEventListener("change", () => {
      const chosen = Array.from(by("files").files);
      by("files").value = ""; // the same file may be chosen again
      take(chosen);
    });
    by("exam").addEventListener("change", () => again(open.filter((f) => f.kind === "")));
    by("drop").addEventListener("dragover", (e) => e.preventDefault());
    by("drop").addEventListener("drop", (e) => { e.preventDefault(); take(Array.from(e.dataTransfer.files)); });
    by("paste-go").addEventListener("click", () => lookAll([{ name: by("paste-name").value.trim(), text: by("paste").value }]));
    by("stop").addEventListener("click", async () => {
      program.stop();
      program = await podiumPages.start("");
      for (const request of needed(given)) await program.ask("workbench-add", request).catch(() => {});
      by("state").textContent = "Stopped.";
    });
    by("clear").addEventListener("click", () => {
      by("reports").replaceChildren();
      open = [];
      by("clear").hidden = true;
      by("state").textContent = "";
      delete by("reports").dataset.failed;
    });
    by("drop").hidden = false;
    by("state").textContent = "";
    [self.workbenchLook, self.workbenchTake] = [(name, text) => lookAll([{ name, text }]), take];
  };
  begin().catch((e) => { by("state").textContent = "This page cannot compute: " + e.message; });
})();
