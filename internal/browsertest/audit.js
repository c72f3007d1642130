// What a page owes to readers who do not see it or have no mouse: a list of findings,
// empty when all is well. The rules are those of WCAG 2.1 that a program can decide.
(() => {
  const found = [];
  const say = (e, text) => found.push(`<${e.tagName.toLowerCase()}${e.id ? " #" + e.id : ""}> ${text}: ${(e.textContent || "").trim().slice(0, 30)}`);
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const seen = (e) => e.checkVisibility();

  if (!document.documentElement.lang) found.push("the page has no language (3.1.1)");
  if (!document.title.trim()) found.push("the page has no title (2.4.2)");
  for (const one of ["main", "h1"]) {
    const n = all(one).filter(seen).length;
    if (n !== 1) found.push(`the page has ${n} <${one}> (1.3.1)`);
  }
  const outside = Array.from(document.body.children).filter((e) => seen(e) && !e.matches("main, nav, header, footer, aside, script, dialog, a.skip"));
  for (const e of outside) say(e, "stands in no landmark (1.3.1)");

  let level = 1;
  for (const e of all("h1, h2, h3, h4, h5, h6").filter(seen)) {
    const now = Number(e.tagName[1]);
    if (now > level + 1) say(e, `follows a heading of level ${level} (1.3.1)`);
    level = now;
  }

  const ids = new Set();
  for (const e of all("[id]")) {
    if (ids.has(e.id)) say(e, "has the id of another element (4.1.1)");
    ids.add(e.id);
  }
  for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "for"]) {
    for (const e of all(`[${name}]`)) {
      for (const id of e.getAttribute(name).split(/\s+/)) if (!ids.has(id)) say(e, `${name} names nothing (1.3.1)`);
    }
  }

  // What a screen reader calls an element.
  const nameOf = (e) => {
    const by = e.getAttribute("aria-labelledby");
    if (by) return by.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
    if (e.getAttribute("aria-label")) return e.getAttribute("aria-label").trim();
    if (e.labels && e.labels.length) return Array.from(e.labels, (l) => l.textContent).join(" ").trim();
    const text = Array.from(e.childNodes, (n) => (n.nodeType === 3 ? n.textContent : n.tagName === "IMG" ? n.alt : n.nodeType === 1 && n.getAttribute("aria-hidden") !== "true" ? nameOf(n) : "")).join(" ").trim();
    return text || (e.getAttribute("title") ?? "").trim();
  };
  for (const e of all("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0'], nav").filter(seen)) {
    if (!nameOf(e)) say(e, "has no name (4.1.2)");
  }
  for (const e of all("[tabindex]")) if (Number(e.getAttribute("tabindex")) > 0) say(e, "breaks the order of the keyboard (2.4.3)");
  for (const e of all("[aria-hidden=true] a[href], [aria-hidden=true] button")) say(e, "is reached by the keyboard and hidden from readers (4.1.2)");
  for (const e of all("img:not([alt])")) say(e, "has no alternative text (1.1.1)");
  for (const e of all("svg:not([aria-hidden=true])").filter(seen)) if (!nameOf(e) && !e.closest("[aria-hidden=true]")) say(e, "has no alternative text (1.1.1)");
  for (const e of all("table").filter(seen)) {
    if (!e.caption?.textContent.trim() && !nameOf(e)) say(e, "has no caption (1.3.1)");
    for (const th of e.querySelectorAll("th")) if (!th.hasAttribute("scope")) { say(th, "has no scope (1.3.1)"); break; }
  }
  for (const e of all("ul > *, ol > *")) if (!e.matches("li, script, template")) say(e, "is no item of its list (1.3.1)");
  for (const e of all("dl > *")) if (!e.matches("dt, dd, div, script, template")) say(e, "is no part of its list (1.3.1)");
  // What scrolls must be reachable without a mouse.
  for (const e of all("body *").filter((e) => seen(e) && e.scrollWidth > e.clientWidth + 1 && ["auto", "scroll"].includes(getComputedStyle(e).overflowX))) {
    if (e.tabIndex < 0 && !e.querySelector("a[href], button, input, select")) say(e, "scrolls for the mouse alone (2.1.1)");
  }
  return found.slice(0, 8).join("\n");
})()
