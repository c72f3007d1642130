// The table of all runs. Its rows lie in columns of numbers; only those that are in
// sight become elements. Texts are only ever set as texts.
//
// It has two forms: a row for each run, and a row for each examination of an instance,
// in which tools stand side by side. The address holds all that was chosen.
"use strict";
(() => {
  const { by, make } = podiumPages;
  const height = 34; // of a row, in pixels, as the style sheet says
  const mostPrinted = 500; // rows
  const mostTools = 8; // side by side, where none was chosen
  let head, data, shown = [];
  let pairs; // of examination and instance: the runs of all tools, -1 where there is none, and the most points; of each run, its pair
  let columns = []; // of the form, those that are hidden as well
  let paper = false; // the page is being printed
  let cell = null; // that is chosen: numbers of its row in shown and of its visible column

  // What is known of a run: how it reads, what it is sorted by, and its kind. Those that are
  // off are shown on demand.
  const measured = (name, unit) => (r) => (data[name][r] === 0 ? NaN : (data[name][r] - 1) / unit);
  let known = [
    { id: "tool", title: "Tool", names: () => head.tools, number: (r) => data.tool[r] },
    { id: "instance", title: "Instance", names: () => head.instances, number: (r) => data.instance[r], part: true },
    { id: "examination", title: "Examination", names: () => head.examinations, number: (r) => data.examination[r] },
    { id: "model", title: "Model", off: true, names: () => head.models.names, number: (r) => head.models.of[data.instance[r]] },
    { id: "kind", title: "Net", off: true, names: () => head.kinds.names, number: (r) => head.kinds.of[data.instance[r]] },
    { id: "class", title: "Class", off: true, names: () => head.classes.names, number: (r) => head.classes.of[data.instance[r]] },
    { id: "category", title: "Category", off: true, names: () => head.categories.names, number: (r) => head.categories.of[data.examination[r]] },
    { id: "host", title: "Host", off: true, ofRun: true, names: () => head.hosts.names, number: (r) => data.host[r] },
    { id: "outcome", title: "Outcome", ofRun: true, names: () => head.outcomes.names, number: (r) => data.outcome[r] },
    { id: "points", title: "Points", ofRun: true, value: (r) => head.points[data.points[r]], digits: 2, sum: true },
    { id: "lost", title: "Lost against the best", off: true, ofRun: true, value: (r) => pairs.best[pairs.of[r]] - head.points[data.points[r]], digits: 2, sum: true },
    { id: "right", title: "Right", ofRun: true, value: (r) => data.right[r], digits: 0, sum: true, wide: true },
    { id: "wrong", title: "Wrong", ofRun: true, value: (r) => data.wrong[r], digits: 0, sum: true, wide: true },
    { id: "asked", title: "Asked", ofRun: true, value: (r) => data.asked[r], digits: 0, sum: true, wide: true },
    { id: "answers", title: "Answers", off: true, ofRun: true, value: (r) => data.answers[r], digits: 0, sum: true },
    ...[["missing", "No answer", (r) => (head.outcomes.names[data.outcome[r]] === "void" ? 0 : data.asked[r] - data.answers[r])],
      ["unjudged", "Not judged", (r) => data.answers[r] - data.right[r] - data.wrong[r] - data.aside[r]], ["aside", "Set aside", (r) => data.aside[r]],
      ["alone", "Right alone", (r) => data.alone[r]], ["elsewhere", "Left out, right elsewhere", (r) => data.elsewhere[r]],
      ["timeout", "Timeout", (r) => data.ended[r] & 1], ["memout", "Memory-out", (r) => data.ended[r] >> 1 & 1], ["stopped", "Stopped", (r) => data.ended[r] >> 2 & 1],
    ].map(([id, title, value]) => ({ id, title, value, off: true, ofRun: true, digits: 0, sum: true })),
    { id: "cpu", title: "CPU, s", ofRun: true, value: measured("cpu", 1e6), digits: 3, sum: true },
    { id: "wall", title: "Wall, s", ofRun: true, value: measured("wall", 1e6), digits: 3, sum: true, wide: true },
    { id: "memory", title: "Memory, MB", ofRun: true, value: measured("memory", 1e6), digits: 1, sum: false, wide: true },
    { id: "first", title: "First answer, s", off: true, ofRun: true, value: measured("first", 1e6), digits: 3, sum: false },
    { id: "last", title: "Last answer, s", off: true, ofRun: true, value: measured("last", 1e6), digits: 3, sum: false },
  ];
  const facets = ["model", "kind", "class", "category", "host"]; // filters that stand above the table

  const withAny = { wrong: "wrong answers", missing: "answers missing", aside: "answers set aside", lost: "points lost against the best", timeout: "a timeout", memout: "too little memory" };

  let asked = new URLSearchParams(); // the question of the page
  const sideBySide = () => asked.get("form") === "tools";

  // isOn tells whether what is known is shown. Side by side, a tool has few columns.
  const isOn = (k) => (asked.getAll("show").includes(k.id) || !(k.off || (sideBySide() && k.wide))) && !asked.getAll("hide").includes(k.id);
  const visible = () => columns.filter((c) => isOn(c.of));
  const chosenTools = () => {
    const names = asked.getAll("tool");
    return head.tools.map((_, t) => t).filter((t) => names.includes(head.tools[t]));
  };
  const sideTools = () => {
    const some = chosenTools();
    return some.length > 0 ? some : head.tools.map((_, t) => t).slice(0, mostTools);
  };

  // hostFits keeps the runs of one host, where one was chosen.
  let hostFits = () => true;

  // makeColumns makes the columns of the form. Each finds the run that a row has in it.
  const makeColumns = () => {
    const host = asked.get("host") ?? "";
    const at = head.hosts.names.indexOf(host);
    hostFits = host === "" ? () => true : (r) => data.host[r] === at;
    if (!sideBySide()) {
      columns = known.map((of) => ({ id: of.id, title: of.title, of, run: (row) => row }));
      return;
    }
    columns = known.filter((of) => !of.ofRun && of.id !== "tool").map((of) => ({ id: of.id, title: of.title, of, run: (row) => pairs.first[row] }));
    for (const t of sideTools()) {
      const run = (row) => { const r = pairs.runs[row * head.tools.length + t]; return r >= 0 && hostFits(r) ? r : -1; };
      for (const of of known.filter((k) => k.ofRun)) columns.push({ id: of.id + "~" + head.tool_files[t], title: of.title, of, run, tool: t });
    }
  };
  const longTitle = (c) => (c.tool === undefined ? c.title : head.tools[c.tool] + " " + c.title);

  const textOf = (c, row) => { const r = c.run(row); return r < 0 ? "" : c.of.names()[c.of.number(r)]; };
  const valueOf = (c, row) => { const r = c.run(row); return r < 0 ? NaN : c.of.value(r); };
  const number = (x, digits) => (Number.isNaN(x) ? "" : podiumPages.grouped(x, digits));
  const cellText = (c, row) => (c.of.value ? number(valueOf(c, row), c.of.digits) : textOf(c, row));

  // condition reads what stands in the filter of a column of numbers, null when it says nothing.
  const condition = (text) => {
    const range = text.match(/^\s*(-?[\d.]+)\s*\.\.\s*(-?[\d.]+)\s*$/);
    if (range) return (x) => x >= Number(range[1]) && x <= Number(range[2]);
    const one = text.match(/^\s*(<=|>=|<|>|=)?\s*(-?[\d.]+)\s*$/);
    if (!one) return null;
    const n = Number(one[2]);
    return { "<": (x) => x < n, ">": (x) => x > n, "<=": (x) => x <= n, ">=": (x) => x >= n }[one[1]] ?? ((x) => x === n);
  };

  // testOf makes the test of a column's filter, null where it has none.
  const testOf = (c) => {
    const text = asked.get(c.id);
    if (c.id === "tool") {
      const some = new Set(chosenTools());
      return some.size > 0 ? (row) => some.has(data.tool[row]) : null;
    }
    if (text === null || text.trim() === "") return null;
    if (c.of.value) {
      const test = condition(text);
      return test && ((row) => test(valueOf(c, row)));
    }
    const part = text.toLowerCase();
    const several = asked.getAll(c.id);
    const fits = Uint8Array.from(c.of.names(), (name) => (c.of.part ? name.toLowerCase().includes(part) : several.includes(name)));
    return (row) => { const r = c.run(row); return r >= 0 && fits[c.of.number(r)] === 1; };
  };

  // ranks gives each name its place among the names in the order of words.
  const ranksOf = new Map();
  const ranks = (of) => {
    if (!ranksOf.has(of.id)) {
      const words = new Intl.Collator("en", { numeric: true });
      const names = of.names(), place = new Float64Array(names.length);
      Array.from(names, (_, i) => i).sort((a, b) => words.compare(names[a], names[b]) || a - b).forEach((i, at) => { place[i] = at; });
      ranksOf.set(of.id, place);
    }
    return ranksOf.get(of.id);
  };

  const sorting = () => (asked.get("sort") ?? "").split(" ");

  // apply chooses and orders the rows.
  const apply = () => {
    const tests = columns.map(testOf).filter(Boolean);
    if (sideBySide()) {
      const some = columns.filter((c) => c.of.id === "outcome"); // one for each tool
      tests.push((row) => some.some((c) => c.run(row) >= 0));
    }
    const all = sideBySide() ? pairs.first.length : head.rows;
    shown = [];
    for (let row = 0; row < all; row++) if (tests.every((t) => t(row))) shown.push(row);
    const [id, way] = sorting();
    const c = columns.find((x) => x.id === id);
    if (!c) return;
    const sign = way === "down" ? -1 : 1;
    const place = c.of.value ? null : ranks(c.of);
    const keys = new Float64Array(all);
    for (const row of shown) {
      const r = c.run(row), k = r < 0 ? NaN : place ? place[c.of.number(r)] : c.of.value(r);
      keys[row] = Number.isNaN(k) ? Infinity : sign * k;
    }
    shown.sort((a, b) => (keys[a] === keys[b] ? a - b : keys[a] - keys[b]));
  };

  // pathOf leads to the run of a cell, or to the examination on the page of its instance.
  const pathOf = (c, row) => {
    const r = c.run(row);
    if (r < 0) return null;
    const tool = sideBySide() && c.tool === undefined ? "" : "." + head.tool_files[data.tool[r]];
    return `instances/${encodeURIComponent(head.instance_files[data.instance[r]])}.html#${encodeURIComponent(head.examination_files[data.examination[r]] + tool)}`;
  };

  // placeOf names a cell in the address, whatever the order of rows: it is where its run has its page.
  const placeOf = (c, row) => {
    const r = sideBySide() ? pairs.first[row] : row;
    return [head.instance_files[data.instance[r]], head.examination_files[data.examination[r]], sideBySide() ? "" : head.tool_files[data.tool[r]], c.id].join(",");
  };

  const paint = () => {
    const box = by("scroll"), cols = visible();
    const first = paper ? 0 : Math.max(0, Math.floor(box.scrollTop / height) - 5);
    const last = Math.min(shown.length, paper ? mostPrinted : first + Math.ceil(box.clientHeight / height) + 12);
    const hadFocus = by("body").contains(document.activeElement);
    const rows = [];
    const space = (n) => {
      const row = make("tr", undefined, { "aria-hidden": "true" });
      const td = make("td", "", { colspan: String(cols.length), class: "space" });
      td.style.height = n * height + "px";
      row.append(td);
      return row;
    };
    if (first > 0) rows.push(space(first));
    for (let i = first; i < last; i++) {
      const row = make("tr", undefined, { "aria-rowindex": String(i + 3) });
      cols.forEach((c, k) => {
        const td = make("td", undefined, { tabindex: "-1", class: (c.of.value ? "num" : "") + (k > 0 && c.tool !== cols[k - 1].tool ? " next" : "") });
        const path = pathOf(c, shown[i]);
        if (path) td.append(make("a", cellText(c, shown[i]), { href: path, tabindex: "-1" }));
        if (cell && cell.row === i && cell.column === k) {
          td.classList.add("here");
          td.id = "here";
        }
        row.append(td);
      });
      rows.push(row);
    }
    if (last < shown.length && !paper) rows.push(space(shown.length - last));
    by("body").replaceChildren(...rows);
    if (hadFocus) (by("here") ?? box).focus({ preventScroll: true });
  };

  // tell says which cell is chosen.
  const tell = () => {
    const line = by("cell");
    if (!cell) { line.replaceChildren(); return; }
    const c = visible()[cell.column], row = shown[cell.row], r = sideBySide() ? pairs.first[row] : row;
    const tool = sideBySide() ? c.tool : data.tool[r];
    line.replaceChildren((tool === undefined ? "" : head.tools[tool] + " on ") + `${head.examinations[data.examination[r]]} of ${head.instances[data.instance[r]]}, ${c.title}: ${cellText(c, row) || "none"}. `);
    const path = pathOf(c, row);
    if (path) line.append(make("a", tool === undefined ? "Its runs" : "Its run", { href: path }), " \u00b7 ");
    line.append(make("a", "Address of this cell", { href: location.href }));
  };

  // choose makes a cell the chosen one; the address leads to it.
  const choose = (row, column) => {
    const cols = visible();
    if (shown.length === 0) return;
    cell = { row: Math.min(Math.max(row, 0), shown.length - 1), column: Math.min(Math.max(column, 0), cols.length - 1) };
    asked.set("at", placeOf(cols[cell.column], shown[cell.row]));
    address();
    const box = by("scroll"), top = cell.row * height, room = box.clientHeight - by("heads").parentElement.offsetHeight - by("totals").offsetHeight - 40;
    if (top < box.scrollTop) box.scrollTop = top;
    if (top + height > box.scrollTop + room) box.scrollTop = top + height - room;
    paint();
    by("here").focus({ preventScroll: true });
    by("here").scrollIntoView({ block: "nearest", inline: "nearest" });
    tell();
  };

  // find comes to the cell of the address, where it is among those that are shown.
  const find = () => {
    cell = null;
    const at = asked.get("at");
    if (at === null) return true;
    const [instance, examination, tool, id] = at.split(",");
    const i = head.instance_files.indexOf(instance), e = head.examination_files.indexOf(examination), t = head.tool_files.indexOf(tool);
    const row = shown.findIndex((x) => {
      const r = sideBySide() ? pairs.first[x] : x;
      return data.instance[r] === i && data.examination[r] === e && (sideBySide() || data.tool[r] === t);
    });
    const column = visible().findIndex((c) => c.id === id);
    if (row < 0 || column < 0) return false;
    cell = { row, column };
    return true;
  };

  const totals = () => {
    by("totals").replaceChildren(...visible().map((c, k) => {
      const rows = (n) => number(n, 0) + (sideBySide() ? (n === 1 ? " row" : " rows") : n === 1 ? " run" : " runs");
      if (k === 0) return make("th", rows(shown.length), { scope: "row" });
      if (c.tool !== undefined && c.of.id === "outcome") {
        const n = shown.reduce((sum, row) => sum + (c.run(row) >= 0 ? 1 : 0), 0);
        return make("td", number(n, 0) + (n === 1 ? " run" : " runs"));
      }
      if (!c.of.sum) return make("td", "");
      let sum = 0;
      for (const row of shown) { const x = valueOf(c, row); if (!Number.isNaN(x)) sum += x; }
      return make("td", number(sum, c.of.digits), { class: "num" });
    }));
    by("printed").textContent = shown.length > mostPrinted ? `The first ${mostPrinted} of ${number(shown.length, 0)} rows are printed. The page itself has all of them, and gives them as CSV.` : "";
    by("table").setAttribute("aria-rowcount", String(shown.length + 3));
    const tools = sideBySide() && sideTools().length < head.tools.length ? ` ${sideTools().length} of ${head.tools.length} tools: choose others under Tools.` : "";
    const refused = columns.filter((c) => c.of.value && (asked.get(c.id) ?? "").trim() !== "" && !condition(asked.get(c.id)));
    const unread = refused.map((c) => ` ${longTitle(c)}: \u201c${asked.get(c.id)}\u201d is not a number and filters nothing: write >60, <=2.5 or 10..20.`).join("");
    by("state").classList.toggle("invalid", refused.length > 0);
    by("state").textContent = `${number(shown.length, 0)} of ${number(sideBySide() ? pairs.first.length : head.rows, 0)} ${sideBySide() ? "examinations of instances" : "runs"}.${tools}${unread}`;
  };

  // figures says what the runs that are shown took, where it was measured.
  const figures = () => {
    const cpu = known.find((k) => k.id === "cpu"), tools = sideBySide() ? columns.filter((c) => c.of.id === "cpu") : [{ run: (row) => row }];
    let times = new Float64Array(shown.length * tools.length), n = 0, left = 0, sum = 0;
    for (const row of shown) {
      for (const c of tools) {
        const r = c.run(row), x = r < 0 ? 0 : cpu.value(r);
        if (Number.isNaN(x)) left++;
        else if (r >= 0) sum += times[n++] = x;
      }
    }
    times = times.subarray(0, n).sort();
    const says = (x) => number(x, 3) + "\u00a0s";
    by("figures").textContent = n === 0 ? "" : `CPU time of what is shown: sum ${says(sum)}, mean ${says(sum / n)}, median ${says((times[(n - 1) >> 1] + times[n >> 1]) / 2)}, least ${says(times[0])}, greatest ${says(times[n - 1])}`
      + (left > 0 ? `; of ${number(left, 0)} ${left === 1 ? "run" : "runs"} it was not measured.` : ".");
  };

  const refresh = () => {
    makeColumns();
    apply();
    const found = find();
    totals();
    figures();
    by("scroll").scrollTop = cell ? Math.max(0, cell.row * height - by("scroll").clientHeight / 2) : 0;
    paint();
    by("here")?.scrollIntoView({ block: "center", inline: "nearest" });
    tell();
    if (!found) by("cell").textContent = "The cell of this address is not among those that are shown.";
    document.body.dataset.shown = String(shown.length);
  };

  // address puts the question into the address, without an entry in the history for each key.
  const address = () => {
    const text = asked.toString();
    history.replaceState(null, "", text === "" ? location.pathname + location.search : "#" + text);
  };
  const say = () => {
    asked.delete("at");
    address();
    refresh();
  };
  const set = (key, value) => {
    if (value === "") asked.delete(key); else asked.set(key, value);
    say();
  };

  // filterOf makes the filter of a column, which stands in its head or above the table.
  const filterOf = (id, of, title) => {
    const attributes = { "aria-label": "Filter by " + title, "data-filters": id };
    let input;
    if (of.value || of.part) {
      input = make("input", undefined, { ...attributes, type: "search", size: of.value ? "6" : "16", placeholder: of.value ? ">0" : "part of a name" });
    } else {
      const place = ranks(of);
      const list = of.names().filter((name) => name !== "").sort((a, b) => place[of.names().indexOf(a)] - place[of.names().indexOf(b)]);
      input = make("select", undefined, attributes);
      input.append(make("option", "all", { value: "" }), ...list.map((name) => make("option", name, { value: name })));
      if (asked.getAll(id).length > 1) input.prepend(make("option", "several", { value: asked.get(id) }));
    }
    input.value = asked.get(id) ?? "";
    const check = () => { if (of.value) input.setAttribute("aria-invalid", String(input.value.trim() !== "" && !condition(input.value))); };
    check();
    input.addEventListener(input.localName === "select" ? "change" : "input", () => {
      check();
      set(id, input.value);
      for (const other of document.querySelectorAll("[data-filters]")) if (other.dataset.filters === id) other.value = input.value;
      if (id === "tool") toolChoices();
    });
    return input;
  };

  const heads = () => {
    const [id, way] = sorting();
    const cols = visible();
    by("groups").hidden = !sideBySide();
    const groups = [];
    for (const c of cols) {
      if (groups.length > 0 && groups.at(-1).tool === c.tool) groups.at(-1).n++; else groups.push({ tool: c.tool, n: 1 });
    }
    by("groups").replaceChildren(...groups.map((g) => {
      const title = g.tool === undefined ? "" : head.tools[g.tool];
      return make(title === "" ? "td" : "th", title, { colspan: String(g.n), ...(title === "" ? {} : { scope: "colgroup", class: "next" }) });
    }));
    by("heads").replaceChildren(...cols.map((c, k) => {
      const th = make("th", undefined, { scope: "col", class: (c.of.value ? "num" : "") + (k > 0 && c.tool !== cols[k - 1].tool ? " next" : "") });
      if (head.meanings[c.of.id]) th.title = head.meanings[c.of.id];
      if (c.id === id) th.setAttribute("aria-sort", way === "down" ? "descending" : "ascending");
      const button = make("button", c.title, { type: "button" });
      if (c.tool !== undefined) button.setAttribute("aria-label", longTitle(c));
      button.addEventListener("click", () => {
        const down = c.id === id ? way !== "down" : Boolean(c.of.value);
        set("sort", c.id + (down ? " down" : ""));
        heads();
        by("heads").querySelectorAll("button")[visible().findIndex((x) => x.id === c.id)].focus();
      });
      th.append(button);
      return th;
    }));
    by("filters").replaceChildren(...cols.map((c) => {
      const td = make("td", undefined, { class: c.of.value ? "num" : "" });
      td.append(filterOf(c.id, c.of, longTitle(c)));
      return td;
    }));
  };

  const tick = (title, checked, change) => {
    const label = make("label"), box = make("input", undefined, { type: "checkbox" });
    box.checked = checked;
    box.addEventListener("change", () => change(box.checked));
    label.append(box, " ", title);
    return label;
  };

  // change takes names out of a part of the question and puts others in.
  const change = (key, name, present) => {
    const names = new Set(asked.getAll(key));
    if (present) names.add(name); else names.delete(name);
    asked.delete(key);
    for (const n of names) asked.append(key, n);
  };

  const toolChoices = () => by("tool-choices").replaceChildren(...head.tools.map((name) => tick(name, asked.getAll("tool").includes(name), (on) => {
    change("tool", name, on);
    say();
    heads();
  })));

  const follow = () => {
    const said = location.hash.slice(1);
    if (said === "" || said.includes("=")) asked = new URLSearchParams(said);
    else address(); // it named a place on the page, which asks nothing
    makeColumns();
    heads();
    toolChoices();
    by("columns").replaceChildren(...known.slice(1).map((k) => tick(k.title, isOn(k), (on) => {
      change("hide", k.id, !on);
      change("show", k.id, on);
      say();
      heads();
    })));
    by("picks").replaceChildren(...facets.map((id) => known.find((k) => k.id === id)).filter((k) => k?.names().length > 1).map((k) => {
      const label = make("label", k.title + " ");
      label.append(filterOf(k.id, k, k.title));
      return label;
    }));
    by("with").hidden = sideBySide();
    by("with").replaceChildren("Runs with ", ...Object.entries(withAny).map(([id, title]) => tick(title, asked.get(id) === ">0", (on) => {
      if (known.find((k) => k.id === id).off) change("show", id, on);
      set(id, on ? ">0" : "");
      heads();
    })));
    by("form").value = sideBySide() ? "tools" : "";
    refresh();
  };

  // csv is what is seen, as exact as it is known. A text that a spreadsheet would run
  // gets an apostrophe before it.
  const csv = () => {
    const cols = visible();
    const quote = (text) => {
      const safe = /^[=+\-@\t\r]/.test(text) ? "'" + text : text;
      return /[",\n\r]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
    };
    const lines = [cols.map((c) => quote(longTitle(c))).join(",")];
    for (const row of shown) lines.push(cols.map((c) => (c.of.value ? (Number.isNaN(valueOf(c, row)) ? "" : String(valueOf(c, row))) : quote(textOf(c, row)))).join(","));
    return lines.join("\n") + "\n";
  };

  // The keys that go from cell to cell: by how many rows and columns.
  const keys = (page) => ({ ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], PageDown: [page, 0], PageUp: [-page, 0], Home: [-Infinity, 0], End: [Infinity, 0] });
  const press = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.target === by("scroll") || by("body").contains(event.target))) return;
    if (event.key === "Enter" && cell) {
      by("here")?.querySelector("a")?.click();
      return;
    }
    const step = keys(Math.max(1, Math.floor(by("scroll").clientHeight / height) - 4))[event.key];
    if (!step) return;
    event.preventDefault();
    if (cell) choose(cell.row + step[0], cell.column + step[1]); else choose(Math.ceil(by("scroll").scrollTop / height), 0);
  };

  // unpackRuns reads the head, and puts the bytes of each column together again.
  const unpackRuns = (bytes) => {
    const end = bytes.indexOf(10) + 1;
    head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
    data = {};
    let at = end;
    for (const column of head.columns) {
      const values = column.bytes > 4 ? new Float64Array(head.rows) : new Uint32Array(head.rows);
      for (let k = 0, worth = 1; k < column.bytes; k++, worth *= 256, at += head.rows) {
        for (let r = 0; r < head.rows; r++) values[r] += bytes[at + r] * worth;
      }
      data[column.name] = values;
    }
    const first = [], tools = head.tools.length;
    for (let r = 0; r < head.rows; r++) if (r === 0 || data.instance[r] !== data.instance[r - 1] || data.examination[r] !== data.examination[r - 1]) first.push(r);
    const runs = new Int32Array(first.length * tools).fill(-1);
    first.forEach((from, p) => { for (let r = from; r < (first[p + 1] ?? head.rows); r++) runs[p * tools + data.tool[r]] = r; });
    const of = new Uint32Array(head.rows), best = new Float64Array(first.length).fill(-Infinity);
    first.forEach((from, p) => {
      for (let r = from; r < (first[p + 1] ?? head.rows); r++) {
        of[r] = p;
        best[p] = Math.max(best[p], head.points[data.points[r]]);
      }
    });
    pairs = { first, runs, of, best };
  };

  const begin = async () => {
    by("state").textContent = "loading the runs \u2026";
    unpackRuns(await podiumPages.unpack(self.podiumRuns));
    self.podiumRuns = undefined;
    known = known.filter((k) => !k.names || k.names().some((name) => name !== "")); // tasks have no models
    by("choose").hidden = by("tools").hidden = false;
    by("more-filters").open = !matchMedia("(max-width: 40rem)").matches;
    follow();
    let asleep = true;
    by("scroll").addEventListener("scroll", () => {
      if (!asleep) return;
      asleep = false;
      requestAnimationFrame(() => { asleep = true; paint(); });
    });
    by("scroll").addEventListener("keydown", press);
    by("body").addEventListener("click", (event) => {
      const td = event.target.closest("td"), row = Number(td?.parentElement.getAttribute("aria-rowindex"));
      if (row && !event.target.closest("a")) choose(row - 3, td.cellIndex);
    });
    addEventListener("hashchange", follow);
    addEventListener("resize", paint);
    const print = (on) => { paper = on; paint(); };
    addEventListener("beforeprint", () => print(true));
    addEventListener("afterprint", () => print(false));
    matchMedia("print").addEventListener("change", (event) => print(event.matches));
    by("form").addEventListener("change", () => { set("form", by("form").value); follow(); });
    by("clear").addEventListener("click", () => { history.replaceState(null, "", location.pathname + location.search); follow(); });
    by("download").addEventListener("click", () => {
      const url = URL.createObjectURL(new Blob([csv()], { type: "text/csv" }));
      const link = make("a", "", { href: url, download: "runs.csv" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 10000);
    });
    self.podiumTable = { csv };
  };
  begin().catch((e) => { by("state").textContent = "This table cannot be shown: " + e.message; });
})();
