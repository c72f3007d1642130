// Sorting and filtering of tables. Pages are complete without it.
"use strict";
(() => {
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell?.dataset.v ?? cell?.textContent.trim() ?? "";
  };
  const number = (text) => (text !== "" && !isNaN(text) ? Number(text) : NaN);
  const compare = (a, b) => {
    const x = number(a), y = number(b);
    if (!isNaN(x) && !isNaN(y)) return x - y;
    return a.localeCompare(b, "en", { numeric: true });
  };

  const sortBy = (table, head, column) => {
    const down = head.getAttribute("aria-sort") === "ascending"
      || (head.getAttribute("aria-sort") !== "descending" && head.classList.contains("num"));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row, at) => ({ row, at, key: key(row, column) }));
    rows.sort((a, b) => (down ? compare(b.key, a.key) : compare(a.key, b.key)) || a.at - b.at);
    body.append(...rows.map((r) => r.row));
  };

  // sorts makes the heads of a table sort it.
  const sorts = (table) => {
    if (!table.tHead || !table.tBodies[0] || table.tBodies[0].rows.length < 2) return;
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      if (head.dataset.nosort) return;
      const button = document.createElement("button");
      button.type = "button";
      if (head.querySelector("a")) {
        button.setAttribute("aria-label", "Sort by " + head.textContent.trim());
        head.append(" ", button);
      } else {
        button.append(...head.childNodes);
        head.append(button);
      }
      button.addEventListener("click", () => sortBy(table, head, column));
    });
  };

  // grouped shows a number as all pages do: a thin space between groups of digits, and so many decimals at most.
  const grouped = (n, digits = 6) => n.toLocaleString("en", { useGrouping: "min2", maximumFractionDigits: digits }).replaceAll(",", "\u202f").replace("-", "\u2212");

  // totals gives the foot of a table of runs the sums of the rows that are left: right and
  // wrong answers, which the masks of the runs show. The page itself has those of all rows.
  const totals = (table) => {
    const foot = Array.from(table.tFoot?.rows[0]?.cells ?? []);
    const whole = foot.map((cell) => Array.from(cell.childNodes));
    return (rows, left) => foot.forEach((cell, i) => {
      if (left === rows.length) { cell.replaceChildren(...whole[i]); return; }
      if (i === 0) { cell.textContent = left + " of " + rows.length + " rows"; return; }
      const column = foot.slice(0, i).reduce((sum, c) => sum + c.colSpan, 0);
      const marks = (kind) => rows.reduce((sum, row) => (row.hidden ? sum
        : Array.from(row.cells[column].querySelectorAll(".mask ." + kind)).reduce((n, b) => n + b.textContent.length, sum)), 0);
      cell.textContent = grouped(marks("right")) + " right, " + grouped(marks("wrong")) + " wrong";
    });
  };

  // The address holds what was chosen, where a column has a name there.
  const asked = () => new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
  const ask = (name, word) => {
    const all = asked();
    if (word === "") all.delete(name); else all.set(name, word);
    history.replaceState(null, "", "#" + all);
  };

  // choice makes a list of the words of a column, to keep the rows with one of them. It
  // returns null where there is nothing to choose.
  const choice = (head, rows, apply) => {
    const of = (row) => { const cell = row.cells[head.cellIndex]; return cell.dataset.words?.split("; ") ?? [cell.textContent.trim()]; };
    const words = Array.from(new Set(rows.flatMap(of)), (word) => word).filter(Boolean);
    if (words.length < 2) return null;
    const name = head.dataset.choice, title = head.textContent.trim();
    const select = document.createElement("select");
    select.setAttribute("aria-label", "Filter by " + title);
    select.append(new Option(title + ": all", ""), ...words.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).map((word) => new Option(word)));
    select.addEventListener("change", () => {
      if (name) ask(name, select.value);
      apply();
    });
    const follow = () => {
      const word = name ? asked().get(name) : select.value;
      select.value = words.includes(word) ? word : "";
    };
    follow();
    return { select, follow, fits: (row) => select.value === "" || of(row).includes(select.value) };
  };

  // filters puts a field before a table that keeps the rows with some words, and a choice
  // for each column that has one.
  const filters = (table) => {
    const rows = table.tBodies[0] ? Array.from(table.tBodies[0].rows) : [];
    const choices = Array.from(table.tHead?.rows[0].cells ?? []).filter((head) => head.dataset.choice !== undefined).map((head) => choice(head, rows, () => apply())).filter(Boolean);
    if (rows.length < 8 && choices.length === 0) return;
    const box = document.createElement("p");
    box.className = "filter";
    const input = document.createElement("input");
    input.type = "search";
    input.placeholder = table.dataset.filter;
    input.setAttribute("aria-label", table.dataset.filter);
    const shown = document.createElement("output");
    box.append(input, ...choices.map((c) => c.select), shown);
    table.closest(".scroll").before(box);
    const addUp = totals(table);
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const apply = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let left = 0;
      rows.forEach((row, i) => {
        const fits = words.every((word) => texts[i].includes(word)) && choices.every((c) => c.fits(row));
        row.hidden = !fits;
        if (fits) left++;
      });
      addUp(rows, left);
      shown.textContent = left < rows.length ? left + " of " + rows.length + " rows" : rows.length + " rows";
    };
    const show = () => {
      apply();
      if (choices.some((c) => c.select.value !== "")) box.scrollIntoView();
    };
    input.addEventListener("input", apply);
    addEventListener("hashchange", () => {
      for (const c of choices) c.follow();
      show();
    });
    show();
  };

  // pairs offers a choice of two where there is a figure of each pair. The address holds it.
  const pairs = (gallery) => {
    const figures = Array.from(gallery.children);
    const names = Array.from(new Set(figures.flatMap((f) => [f.dataset.x, f.dataset.y]))).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    if (names.length < 3) return;
    const box = document.createElement("p");
    box.className = "plot-choice";
    const [x, y] = ["x", "y"].map((key, i) => {
      const label = document.createElement("label"), select = document.createElement("select");
      select.append(...names.map((name) => new Option(name)));
      select.addEventListener("change", () => { ask(key, select.value); show(); });
      label.append(i === 0 ? "Tool " : "against ", select);
      box.append(label);
      return select;
    });
    const show = () => {
      for (const f of figures) f.hidden = !(f.dataset.x === x.value && f.dataset.y === y.value || f.dataset.x === y.value && f.dataset.y === x.value);
      for (const option of y.options) option.disabled = option.value === x.value;
      if (x.value === y.value) { y.value = names.find((name) => name !== x.value); show(); }
    };
    const follow = () => {
      [x, y].forEach((select, i) => { const name = asked().get("xy"[i]); select.value = names.includes(name) ? name : figures[0].dataset["xy"[i]]; });
      show();
      if (asked().has("x")) box.scrollIntoView();
    };
    gallery.before(box);
    gallery.classList.add("one");
    addEventListener("hashchange", follow);
    follow();
  };

  // finder makes the search of the site: names are loaded when somebody types, and the first few that
  // have all words are shown, those that begin with them first.
  const finder = (box) => {
    const input = document.createElement("input"), list = document.createElement("ul"), says = document.createElement("p");
    input.type = "search";
    input.placeholder = "Find a model, an instance, a tool";
    input.setAttribute("aria-label", "Find a page by its name");
    list.hidden = true;
    says.className = "says";
    says.setAttribute("role", "status");
    box.append(input, list, says);
    let names; // with their pages, and in lower case; undefined before they are asked for
    const search = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const rank = (name) => (name.startsWith(words[0]) ? 0 : 1);
      const found = words.length === 0 ? [] : (names ?? []).filter(({ key }) => words.every((w) => key.includes(w))).sort((a, b) => rank(a.key) - rank(b.key));
      list.replaceChildren(...found.slice(0, 12).map(({ name, path }) => {
        const item = document.createElement("li"), link = document.createElement("a");
        link.textContent = name;
        link.href = box.dataset.root + path;
        item.append(link);
        return item;
      }));
      list.hidden = found.length === 0;
      says.textContent = words.length === 0 || !names ? "" : found.length === 0 ? "No page has this name." : found.length > 12 ? found.length + " pages; the first 12" : "";
    };
    const load = () => {
      input.removeEventListener("input", load);
      const script = document.createElement("script");
      script.src = box.dataset.names;
      script.onload = () => {
        names = self.podiumNames.map(([name, path]) => ({ name, path, key: name.toLowerCase() }));
        search();
      };
      script.onerror = () => { says.textContent = "The names cannot be loaded."; };
      document.head.append(script);
    };
    input.addEventListener("input", load);
    input.addEventListener("input", search);
    box.addEventListener("keydown", (e) => {
      const links = Array.from(list.querySelectorAll("a")), step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      if (e.key === "Enter" && e.target === input && links.length > 0) location.assign(links[0].href);
      if (e.key === "Escape") { input.value = ""; search(); }
      if (!step) return;
      e.preventDefault();
      (links[links.indexOf(document.activeElement) + step] ?? input).focus();
    });
    box.addEventListener("focusout", (e) => { if (!box.contains(e.relatedTarget)) list.hidden = true; });
    input.addEventListener("focus", () => { list.hidden = list.children.length === 0; });
  };

  const find = document.getElementById("find");
  if (find) finder(find);
  for (const gallery of document.querySelectorAll("[data-choose]")) pairs(gallery);
  for (const table of document.querySelectorAll("table.sortable")) sorts(table);
  for (const table of document.querySelectorAll("table[data-filter]")) filters(table);
  self.podiumTables = { sorts, filters, grouped };

  // The details of a run open when its address is followed.
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) {
      target.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", open);
  open();
})();
