// The lines of logs that a page leaves out, on demand, and the addresses of all lines. Logs
// lie packed in a script beside the page, which is loaded when somebody wants to read them.
// Texts are only ever set as texts.
"use strict";
(() => {
  const { by, grouped, load, make, unpackPart } = podiumPages;
  const step = 500; // lines that come at a time
  const longest = 1000; // bytes of a line that are shown, as those of the page
  const most = 256e6; // bytes of a log
  const newline = 10;
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

  // printable is a text in which nothing hides, moves or reverses what is around it.
  const printable = (text) => text.replace(/[\0-\x08\x0b-\x1f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0))).replaceAll("\x7f", "\u2421")
    .replace(/[^\P{C}\t]|[^\P{Z} \u00a0\u202f]/gu, "\ufffd");

  const logs = new Map();
  // whole gives the log of a run, or as much of it as the script has.
  const whole = (run, rest) => {
    if (!logs.has(run)) {
      logs.set(run, (async () => {
        await load(rest);
        return unpackPart(self.podiumLogs[run] ?? "", "deflate-raw", most);
      })());
    }
    return logs.get(run);
  };

  const idOf = (run, at) => `${run}-${at}`;
  const startOf = (log, at) => log.lastIndexOf(newline, at - 1) + 1; // of the line of a byte
  const endOf = (log, at) => { const end = log.indexOf(newline, at); return end < 0 ? log.length : end + 1; };

  // lines makes the lines from a byte of the log to another.
  const lines = (run, log, from, to) => {
    const made = document.createDocumentFragment();
    for (let at = from, end; at < to; at = end) {
      end = Math.min(endOf(log, at), to);
      const line = make("span", printable(utf8.decode(log.subarray(at, Math.min(end, at + longest))).replace(/[\r\n]+$/, "")), { id: idOf(run, at) });
      if (end - at > longest) line.append(make("i", `\u2026 ${grouped(end - at - longest)} bytes more on this line`));
      made.append(line, "\n");
    }
    return made;
  };

  const gapFrom = (gap) => Number(gap.dataset.from);
  const gapTo = (gap) => Number(gap.dataset.to);

  // label says what a gap leaves out, and gives it its buttons.
  const label = (gap) => {
    const button = (text, more) => {
      const b = make("button", text, { type: "button" });
      b.addEventListener("click", () => show(gap, more).catch((e) => gap.append(" ", e.message)));
      return b;
    };
    gap.replaceChildren(`\u2026 ${grouped(gapTo(gap) - gapFrom(gap))} bytes not shown `,
      button("next lines", (log, from, to) => { let end = from; for (let n = 0; n < step && end < to; n++) end = endOf(log, end); return [from, Math.min(end, to)]; }),
      " ", button("lines before the next", (log, from, to) => { let start = to; for (let n = 0; n < step && start > from; n++) start = startOf(log, start - 1); return [Math.max(start, from), to]; }));
  };

  // show puts lines into a gap, which more chooses among those of the gap. What is left
  // before and after them is a gap again.
  const show = async (gap, more) => {
    const run = gap.closest("pre").dataset.run, log = await whole(run, gap.dataset.rest);
    const from = gapFrom(gap), to = Math.min(gapTo(gap), log.length), had = gap.contains(document.activeElement);
    if (!gap.isConnected) return;
    if (from >= to) {
      gap.replaceChildren("\u2026 not on this page: see the zip file \u2026");
      return;
    }
    const [start, end] = more(log, from, to);
    const like = ([a, b]) => {
      const part = make("i", undefined, { class: "gap", "data-rest": gap.dataset.rest, "data-from": String(a), "data-to": String(b) });
      label(part);
      return part;
    };
    gap.before(...[[from, start]].filter(([a, b]) => a < b).map(like), lines(run, log, start, end), ...[[end, gapTo(gap)]].filter(([a, b]) => a < b).map(like));
    gap.remove();
    if (had) by(idOf(run, start)).closest("pre").focus({ preventScroll: true });
  };

  const mark = (line) => {
    document.querySelector(".log .here")?.classList.remove("here");
    line?.classList.add("here");
  };

  // follow comes to the line of the address, also to one that the page leaves out.
  const follow = async () => {
    mark(null);
    const id = decodeURIComponent(location.hash.slice(1));
    const [, run, offset] = id.match(/^(.+)-(\d+)$/) ?? [];
    const pre = run && !by(id) && document.querySelector(`pre[data-run="${CSS.escape(run)}"]`);
    if (!pre) { if (by(id)?.closest(".log")) mark(by(id)); return; }
    const at = Number(offset);
    const gap = Array.from(pre.querySelectorAll(".gap")).find((g) => gapFrom(g) <= at && at < gapTo(g));
    if (!gap) return;
    let found = at;
    await show(gap, (log, from, to) => {
      found = Math.max(from, startOf(log, Math.min(at, to - 1)));
      let start = found, end = found;
      for (let n = 0; n < step / 2 && start > from; n++) start = startOf(log, start - 1);
      for (let n = 0; n < step / 2 && end < to; n++) end = endOf(log, end);
      return [Math.max(start, from), Math.min(end, to)];
    });
    const line = by(idOf(run, found));
    mark(line);
    line?.scrollIntoView({ block: "center" });
  };

  for (const gap of document.querySelectorAll(".log .gap")) label(gap);
  by("more").hidden = false;
  document.addEventListener("click", (event) => {
    const line = event.target.closest(".log [id]");
    if (!line || event.target.closest("button") || !getSelection().isCollapsed) return;
    history.replaceState(null, "", "#" + encodeURIComponent(line.id));
    mark(line);
  });
  const go = () => follow().catch((e) => { by("more").textContent = "The lines between cannot be shown: " + e.message + ". "; });
  addEventListener("hashchange", go);
  go();
})();
