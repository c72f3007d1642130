// The table of all runs. Its rows lie in columns of numbers; only those that are in
// sight become elements. Texts are only ever set as texts.
"use strict";
(() => {
  const { by, make } = podiumPages;
  const height = 34; // of a row, in pixels, as the style sheet says
  const types = { u16: Uint16Array, u32: Uint32Array, f64: Float64Array };
  let head, data, order, shown = [];

  // The columns of the table: how a row's cell reads, what it is sorted by, and its kind.
  const columns = [
    { id: "tool", title: "Tool", text: (r) => head.tools[data.tool[r]], names: () => head.tools },
    { id: "instance", title: "Instance", text: (r) => head.instances[data.instance[r]] },
    { id: "examination", title: "Examination", text: (r) => head.examinations[data.examination[r]], names: () => head.examinations },
    { id: "outcome", title: "Outcome", text: (r) => head.outcomes[data.outcome[r]], names: () => head.outcomes },
    { id: "points", title: "Points", value: (r) => data.points[r], digits: 2, sum: true },
    { id: "right", title: "Right", value: (r) => data.right[r], digits: 0, sum: true },
    { id: "wrong", title: "Wrong", value: (r) => data.wrong[r], digits: 0, sum: true },
    { id: "asked", title: "Asked", value: (r) => data.asked[r], digits: 0, sum: true },
    { id: "cpu", title: "CPU, s", value: (r) => (data.cpu[r] < 0 ? NaN : data.cpu[r]), digits: 3, sum: true },
    { id: "wall", title: "Wall, s", value: (r) => (data.wall[r] < 0 ? NaN : data.wall[r]), digits: 3, sum: true },
    { id: "memory", title: "Memory, MB", value: (r) => (data.memory[r] < 0 ? NaN : data.memory[r] / 1e6), digits: 1, sum: false },
  ];
  const byId = Object.fromEntries(columns.map((c) => [c.id, c]));

  // The question of the page: filters by column, hidden columns, order.
  let asked = new URLSearchParams();
  const visible = () => columns.filter((c) => !asked.getAll("hide").includes(c.id));

  const number = (x, digits) => (Number.isNaN(x) ? "" : x.toLocaleString("en", { maximumFractionDigits: digits }).replaceAll(",", "\u202f").replace("-", "\u2212"));
  const cellText = (c, r) => (c.value ? number(c.value(r), c.digits) : c.text(r));

  // condition reads what stands in the filter of a column of numbers, null when it says nothing.
  const condition = (text) => {
    const range = text.match(/^\s*(-?[\d.]+)\s*\.\.\s*(-?[\d.]+)\s*$/);
    if (range) return (x) => x >= Number(range[1]) && x <= Number(range[2]);
    const one = text.match(/^\s*(<=|>=|<|>|=)?\s*(-?[\d.]+)\s*$/);
    if (!one) return null;
    const n = Number(one[2]);
    return { "<": (x) => x < n, ">": (x) => x > n, "<=": (x) => x <= n, ">=": (x) => x >= n }[one[1]] ?? ((x) => x === n);
  };

  // apply chooses and orders the rows.
  const apply = () => {
    const tests = [];
    for (const c of columns) {
      const text = asked.get(c.id);
      if (text === null || text.trim() === "") continue;
      if (c.value) {
        const test = condition(text);
        if (test) tests.push((r) => test(c.value(r)));
      } else if (c.names) {
        const at = c.names().indexOf(text);
        const column = data[c.id];
        tests.push((r) => column[r] === at);
      } else {
        const part = text.toLowerCase();
        const fits = head.instances.map((name) => name.toLowerCase().includes(part));
        tests.push((r) => fits[data.instance[r]]);
      }
    }
    shown = [];
    for (let r = 0; r < head.rows; r++) if (tests.every((t) => t(r))) shown.push(r);
    const [id, way] = (asked.get("sort") ?? "").split(" ");
    const by = byId[id];
    if (by) {
      const sign = way === "down" ? -1 : 1;
      const key = by.value ?? ((r) => data[by.id][r]); // names are in their order
      const keys = new Float64Array(head.rows);
      for (const r of shown) { const k = key(r); keys[r] = Number.isNaN(k) ? Infinity : sign * k; }
      shown.sort((a, b) => keys[a] - keys[b] || a - b);
    }
  };

  const paint = () => {
    const box = by("scroll");
    const first = Math.max(0, Math.floor(box.scrollTop / height) - 5);
    const last = Math.min(shown.length, first + Math.ceil(box.clientHeight / height) + 12);
    const cols = visible();
    const rows = [];
    const space = (n) => {
      const row = make("tr", undefined, { "aria-hidden": "true" });
      const cell = make("td", "", { colspan: String(cols.length), class: "space" });
      cell.style.height = n * height + "px";
      row.append(cell);
      return row;
    };
    if (first > 0) rows.push(space(first));
    for (let i = first; i < last; i++) {
      const r = shown[i];
      const row = make("tr", undefined, { "aria-rowindex": String(i + 3) });
      cols.forEach((c, k) => {
        const cell = make("td", undefined, c.value ? { class: "num" } : {});
        if (k === 0) {
          cell.append(make("a", cellText(c, r), { href: `instances/${encodeURIComponent(head.instance_files[data.instance[r]])}.html#${encodeURIComponent(head.examination_files[data.examination[r]] + "." + head.tool_files[data.tool[r]])}` }));
        } else {
          cell.textContent = cellText(c, r);
        }
        row.append(cell);
      });
      rows.push(row);
    }
    if (last < shown.length) rows.push(space(shown.length - last));
    by("body").replaceChildren(...rows);
  };

  const totals = () => {
    by("totals").replaceChildren(...visible().map((c, k) => {
      if (k === 0) return make("th", number(shown.length, 0) + (shown.length === 1 ? " run" : " runs"), { scope: "row" });
      if (!c.sum) return make("td", "");
      let sum = 0;
      for (const r of shown) { const x = c.value(r); if (!Number.isNaN(x)) sum += x; }
      return make("td", number(sum, c.digits), { class: "num" });
    }));
    by("table").setAttribute("aria-rowcount", String(shown.length + 3));
    by("state").textContent = `${number(shown.length, 0)} of ${number(head.rows, 0)} runs.`;
  };

  const refresh = () => {
    apply();
    by("scroll").scrollTop = 0;
    totals();
    paint();
    document.body.dataset.shown = String(shown.length);
  };

  // say puts the question into the address, without an entry in the history for each key.
  const say = () => {
    const text = asked.toString();
    history.replaceState(null, "", text === "" ? location.pathname + location.search : "#" + text);
    refresh();
  };
  const set = (key, value) => {
    if (value === "") asked.delete(key); else asked.set(key, value);
    say();
  };

  const heads = () => {
    const [id, way] = (asked.get("sort") ?? "").split(" ");
    by("heads").replaceChildren(...visible().map((c) => {
      const cell = make("th", undefined, { scope: "col", class: c.value ? "num" : "" });
      if (c.id === id) cell.setAttribute("aria-sort", way === "down" ? "descending" : "ascending");
      const button = make("button", c.title, { type: "button" });
      button.addEventListener("click", () => {
        const down = c.id === id ? way !== "down" : Boolean(c.value);
        set("sort", c.id + (down ? " down" : ""));
        heads();
        by("heads").querySelectorAll("button")[visible().indexOf(c)].focus();
      });
      cell.append(button);
      return cell;
    }));
    by("filters").replaceChildren(...visible().map((c) => {
      const cell = make("td", undefined, { class: c.value ? "num" : "" });
      let input;
      if (c.names) {
        input = make("select", undefined, { "aria-label": "Filter by " + c.title });
        input.append(make("option", "all", { value: "" }), ...c.names().map((name) => make("option", name, { value: name })));
      } else {
        input = make("input", undefined, { type: "search", size: c.value ? "6" : "16", "aria-label": "Filter by " + c.title, placeholder: c.value ? ">0" : "part of a name" });
      }
      input.value = asked.get(c.id) ?? "";
      input.addEventListener(c.names ? "change" : "input", () => {
        if (c.value) input.setAttribute("aria-invalid", String(input.value.trim() !== "" && !condition(input.value)));
        set(c.id, input.value);
      });
      cell.append(input);
      return cell;
    }));
  };

  const follow = () => {
    asked = new URLSearchParams(location.hash.slice(1));
    heads();
    by("columns").replaceChildren(...columns.slice(1).map((c) => {
      const label = make("label");
      const box = make("input", undefined, { type: "checkbox" });
      box.checked = !asked.getAll("hide").includes(c.id);
      box.addEventListener("change", () => {
        const hidden = new Set(asked.getAll("hide"));
        if (box.checked) hidden.delete(c.id); else hidden.add(c.id);
        asked.delete("hide");
        for (const h of hidden) asked.append("hide", h);
        heads();
        say();
      });
      label.append(box, " ", c.title);
      return label;
    }));
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
    const lines = [cols.map((c) => quote(c.title)).join(",")];
    for (const r of shown) lines.push(cols.map((c) => (c.value ? (Number.isNaN(c.value(r)) ? "" : String(c.value(r))) : quote(c.text(r)))).join(","));
    return lines.join("\n") + "\n";
  };

  const begin = async () => {
    by("state").textContent = "loading the runs \u2026";
    const bytes = await podiumPages.unpack(self.podiumRuns);
    self.podiumRuns = undefined;
    const end = bytes.indexOf(10) + 1;
    head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
    data = {};
    let at = end;
    for (const [name, type] of head.columns) {
      const size = head.rows * types[type].BYTES_PER_ELEMENT;
      data[name] = new types[type](bytes.slice(at, at + size).buffer);
      at += size;
    }
    follow();
    by("choose").hidden = by("tools").hidden = false;
    let asleep = true;
    by("scroll").addEventListener("scroll", () => {
      if (!asleep) return;
      asleep = false;
      requestAnimationFrame(() => { asleep = true; paint(); });
    });
    addEventListener("hashchange", follow);
    addEventListener("resize", paint);
    by("clear").addEventListener("click", () => { location.hash = ""; asked = new URLSearchParams(); follow(); });
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
