// The form that asks the results, on the page Ask and on pages that follow a question. It keeps
// the question in the address, scores by the program of the pages, and says what changes. Texts
// are only ever set as texts.
"use strict";
(() => {
  const { by, make, table, root, grouped } = podiumPages;
  const words = { tools: "without-tool", families: "without-family", models: "without-model", instances: "without-instance",
    kinds: "kind", classes: "class", examinations: "examination", outcomes: "outcome", truths: "reference" };
  const ticks = { values: ["certified", "certified"], without: ["told", "given"] }; // word: the box, and what it says
  const fields = { cpu: "cpu", wall: "wall", memory: "memory", edition: "edition" };
  const keeps = new Set(["kinds", "classes", "examinations", "outcomes", "truths"]);
  // What a page does itself: show(answer, isCurrent) shows an answer, and gives a promise where more is
  // asked for; clear() takes away what an earlier answer gave; extra() gives parts of the address
  // that change no score, and isExtra(part) knows them.
  let page = { show: () => undefined, clear: () => undefined, extra: () => [], isExtra: () => false };
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
    for (const [id, word] of Object.entries(fields)) if (by(id).value.trim()) add(word, id === "memory" ? inBytes(by(id).value.trim()) : by(id).value.trim());
    for (const [word, [id, value]] of Object.entries(ticks)) if (by(id).checked) add(word, value);
    for (const line of by("changes").value.split("\n")) if (line.trim()) add("change", line.trim());
    if (by("rest").value.trim()) parts.push(by("rest").value.trim());
    return parts.join("&");
  };

  // size writes a number of bytes in the largest unit that divides it, as the command line reads it.
  const units = [["GB", 1e9], ["MB", 1e6], ["kB", 1e3], ["GiB", 2 ** 30], ["MiB", 2 ** 20]];
  const size = (text) => {
    const [unit, factor] = units.find(([, f]) => /^[1-9]\d*$/.test(text) && Number(text) % f === 0) ?? [];
    return unit ? `${Number(text) / factor} ${unit}` : text;
  };
  // inBytes writes such a size in bytes again; what it does not know, the program reads or refuses.
  const inBytes = (text) => {
    const [unit, factor] = units.find(([u]) => /^\d+$/.test(text.slice(0, -u.length).trim()) && text.endsWith(u)) ?? [];
    return unit ? String(Number(text.slice(0, -unit.length)) * factor) : text;
  };

  // show makes the form say what a question says. What it has no place for, such as the
  // name of a tool that is not here, stands in a field of its own.
  const show = (text) => {
    const said = {}, rest = [];
    for (const part of text.split("&")) {
      const [word, value] = [...new URLSearchParams(part)][0] ?? ["", ""];
      const group = Object.keys(words).find((g) => words[g] === word);
      const fits = group ? names[group].includes(value) : word === "edition" ? names.editions.includes(value)
        : word in ticks ? value === ticks[word][1] && names[ticks[word][0]] : ["cpu", "wall", "memory", "change"].includes(word) && value !== "";
      if (fits) (said[word] ??= []).push(value); else if (part !== "") rest.push(part);
    }
    leaveOut(said[words.instances] ?? []);
    for (const [group, word] of Object.entries(words)) {
      for (const b of boxes(group)) b.checked = said[word] ? said[word].includes(b.value) : keeps.has(group);
      if (keeps.has(group)) note(group);
    }
    for (const [id, word] of Object.entries(fields)) by(id).value = said[word]?.at(-1) ?? "";
    by("memory").value = size(by("memory").value);
    for (const [word, [id]] of Object.entries(ticks)) by(id).checked = word in said;
    by("changes").value = (said.change ?? []).join("\n");
    by("rest").value = rest.join("&");
    by("rest-label").hidden = rest.length === 0;
    for (const fold of by("question").querySelectorAll("details")) {
      if (fold.querySelector("input:checked") || Array.from(fold.querySelectorAll("select, textarea")).some((e) => e.value !== "")) fold.open = true;
    }
  };

  // value is the number of an exact ratio, and points shows it with two decimals at most.
  const value = (ratio) => { const [over, under = "1"] = ratio.split("/"); return Number(over) / Number(under); };
  const points = (ratio) => grouped(value(ratio), 2);
  const rank = (n) => (n === 0 ? "none" : String(n));
  // confidence shows an exact ratio as the other pages do: never a 1 for what is less.
  const confidence = (ratio) => {
    const n = value(ratio);
    if (!ratio.includes("/")) return ratio || "left out";
    return Number.isInteger(Number(n.toFixed(4))) ? "\u2248" + n.toFixed(8) : n.toFixed(4);
  };
  const turn = (before, now) => (before === now ? before : `${before} \u2192 ${now}`);
  // cells that lead to the pages of what they name
  const tool = (name) => [name, undefined, names.pages.tools[name]];
  const category = (name) => [name, undefined, names.pages.categories[name]];

  const read = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

  // inWords says a question in the words of the page: those of a part that is there once, and more often.
  const phrases = by("question-words").content;
  const shown = { memory: (text) => size(text), cpu: (time) => time.replace(/m0s$/, "m").replace(/h0m$/, "h"), wall: (time) => shown.cpu(time) };
  const inWords = (question) => {
    const said = new Map();
    for (const [word, value] of new URLSearchParams(question)) said.set(word, [...(said.get(word) ?? []), shown[word]?.(value) ?? value]);
    return Array.from(said, ([word, values]) => {
      const [one, many = one] = Array.from(phrases.querySelectorAll(`[data-part="${word}"]`), (e) => e.textContent);
      if (word in ticks) return one;
      const list = values.length === 1 ? values[0] : values.slice(0, -1).join(", ") + (["class", "outcome", "reference"].includes(word) ? " or " : " and ") + values.at(-1);
      return (values.length === 1 ? one : many).replace("\u2026", () => list);
    }).join("; ");
  };

  // tell says what a question changes.
  const tell = (answer) => {
    by("unofficial").hidden = answer.question === "";
    by("asked").textContent = inWords(answer.question);
    const podium = answer.moves.filter((m) => m.podium).length;
    by("summary").textContent = answer.moves.length === 0 ? "No rank and no score changes."
      : `Scores that change: ${answer.moves.length}, on a podium: ${podium}; reference values that change: ${answer.references_changed}.`;
    by("untimed").hidden = answer.untimed_runs === 0;
    by("untimed").textContent = `It is not known when ${grouped(answer.untimed_runs)} ${answer.untimed_runs === 1 ? "run that is stopped" : "runs that are stopped"} said all values: values of unknown time do not count.`;
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
        [...Array.from(phrases.querySelectorAll("b"), (e) => [e.textContent, ""]), ["Value", ""], ["Before", ""], ["Now", ""]],
        answer.references.map((r) => [[r.instance, undefined, names.pages.instances[r.instance]], [r.examination, undefined, names.pages.examinations[r.examination]], [r.item], [r.before], [r.after]])));
    }
    by("what-changed").hidden = answer.question === "";
  };

  // carry makes links to pages that follow questions hold the question.
  const follows = /^(?:(?:index|ask|rankings)\.html|(?:categories|tools|examinations|models)\/[^/]+\.html)?$/;
  const carry = (text) => {
    const base = new URL(root === "" ? "." : root, location.href).href;
    for (const a of document.querySelectorAll("a[href]:not(svg a)")) {
      const [path, hash = ""] = a.href.split("#");
      if (!path.startsWith(base) || !follows.test(path.slice(base.length)) || a.matches(".official") || (hash !== "" && !hash.includes("="))) continue;
      const own = hash.split("&").filter((part) => part.startsWith("plot"));
      const address = [text, ...own].filter((part) => part !== "").join("&");
      if (address !== hash) a.setAttribute("href", a.getAttribute("href").split("#")[0] + (address === "" ? "" : "#" + address));
    }
  };

  // refuse says what is wrong with a question. What an earlier one gave goes away.
  const refuse = (text, why) => {
    for (const id of ["unofficial", "what-changed"]) by(id).hidden = true;
    page.clear();
    by("state").textContent = "";
    by("refused").hidden = false;
    by("why").textContent = why;
    document.body.dataset.refused = text;
  };

  let asked = 0;
  const ask = async (text) => {
    const mine = ++asked;
    by("refused").hidden = true;
    by("state").textContent = "Scoring \u2026";
    const start = performance.now();
    try {
      const answer = read(await program.ask("ask", text));
      if (mine !== asked) return;
      tell(answer);
      self.podiumAnswer = answer;
      const shown = page.show(answer, () => mine === asked);
      carry(answer.question);
      by("state").textContent = `Scored ${grouped(answer.values)} values in ${Math.round(performance.now() - start)} ms, in this browser.`;
      document.body.dataset.answered = text;
      await shown;
      if (mine === asked) carry(answer.question);
    } catch (e) {
      if (mine === asked) refuse(text, e.message);
    }
  };

  // An address holds a question, and what a page adds to it.
  const asks = (address) => address.split("&").filter((part) => !page.isExtra(part)).join("&");
  const addressOf = (text) => [text, ...page.extra()].filter((part) => part !== "").join("&");

  // follow asks what the address says. One that names a place on the page asks nothing, and the
  // question comes back into it.
  const follow = () => {
    const address = location.hash.slice(1);
    const isPlace = address !== "" && !address.includes("=");
    if (isPlace && "answered" in document.body.dataset) {
      history.replaceState(null, "", "#" + addressOf(document.body.dataset.answered));
      return undefined;
    }
    const text = isPlace ? "" : asks(address);
    show(text);
    return ask(text);
  };

  // start loads the answers of the contest, fills the form, and asks what the address says.
  const start = async (own) => {
    page = { ...page, ...own };
    by("state").textContent = "Loading the answers of the contest \u2026";
    program = await podiumPages.start(root);
    await podiumPages.load(root + "podium-answers.js");
    const data = Uint8Array.from(atob(self.podiumAnswers), (c) => c.charCodeAt(0));
    self.podiumAnswers = undefined;
    names = read(await program.ask("contest", data));
    for (const pages of Object.values(names.pages)) for (const name of Object.keys(pages)) pages[name] = root + pages[name];
    for (const group of Object.keys(words)) if (group !== "instances") choices(group, names[group]);
    for (const group of keeps) by(group).addEventListener("change", () => note(group));
    by("families-part").hidden = names.families.length === 0;
    by("instance-names").replaceChildren(...names.instances.map((value) => make("option", undefined, { value })));
    by("add-instance").addEventListener("change", addInstance);
    by("edition").replaceChildren(make("option", `${names.edition}, as it was judged`, { value: "" }), ...names.editions.map((name) => make("option", name, { value: name })));
    for (const [id] of Object.values(ticks)) by(id + "-label").hidden = !names[id];
    page.begin?.(program, names);
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
  };

  // A question behind ? instead of # is moved there: pages and links keep it there.
  const isWord = (word) => [...Object.values(words), ...Object.values(fields), ...Object.keys(ticks), "change"].includes(word);
  if (!location.hash.includes("=") && [...new URLSearchParams(location.search).keys()].some(isWord)) {
    const to = new URL(location.href); // whole: a path that begins with // alone would name another site
    [to.search, to.hash] = ["", to.search.slice(1)];
    location.replace(to);
  }

  // failed says why the page cannot compute.
  const failed = (e) => { by("state").textContent = "This page cannot compute: " + e.message; };
  self.podiumAsk = { start, failed, asks, addressOf, read, value, points, confidence, tool, category };
})();
