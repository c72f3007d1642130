// Sorting and filtering of tables. Pages are complete without it.
"use strict";
(() => {
  const key = (row, column) => {
    const cell = row.cells[column];
    if (!cell) return "";
    const text = cell.dataset.v ?? cell.textContent.trim();
    return text;
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

  // totals gives the foot of a table of runs the sums of the rows that are left: right and
  // wrong answers, which the masks of the runs show. The page itself has those of all rows.
  const grouped = (n) => (n < 10000 ? String(n) : String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f"));
  const totals = (table) => {
    const foot = Array.from(table.tFoot?.rows[0]?.cells ?? []);
    const whole = foot.map((cell) => cell.textContent);
    return (rows, left) => foot.forEach((cell, i) => {
      if (left === rows.length) { cell.textContent = whole[i]; return; }
      if (i === 0) { cell.textContent = left + " of " + rows.length + " rows"; return; }
      const column = foot.slice(0, i).reduce((sum, c) => sum + c.colSpan, 0);
      const marks = (kind) => rows.reduce((sum, row) => (row.hidden ? sum
        : Array.from(row.cells[column].querySelectorAll(".mask ." + kind)).reduce((n, b) => n + b.textContent.length, sum)), 0);
      cell.textContent = grouped(marks("right")) + " right, " + grouped(marks("wrong")) + " wrong";
    });
  };

  // filters puts a field before a table that keeps the rows with some words.
  const filters = (table) => {
    const rows = table.tBodies[0] ? Array.from(table.tBodies[0].rows) : [];
    if (rows.length < 8) return;
    const box = document.createElement("p");
    box.className = "filter";
    const input = document.createElement("input");
    input.type = "search";
    input.placeholder = table.dataset.filter;
    input.setAttribute("aria-label", table.dataset.filter);
    const shown = document.createElement("output");
    box.append(input, shown);
    table.closest(".scroll").before(box);
    const addUp = totals(table);
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const apply = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let left = 0;
      rows.forEach((row, i) => {
        const fits = words.every((word) => texts[i].includes(word));
        row.hidden = !fits;
        if (fits) left++;
      });
      addUp(rows, left);
      shown.textContent = words.length ? left + " of " + rows.length + " rows" : rows.length + " rows";
    };
    input.addEventListener("input", apply);
    apply();
  };

  for (const table of document.querySelectorAll("table.sortable")) sorts(table);
  for (const table of document.querySelectorAll("table[data-filter]")) filters(table);
  self.podiumTables = { sorts, filters };

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
