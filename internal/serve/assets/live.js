// News from the server, put into the page where it differs. The page is complete
// without it, as of the time when it was loaded.
"use strict";
(() => {
  const line = document.getElementById("line");
  const say = (text, lost) => {
    line.classList.toggle("lost", !!lost);
    if (line.textContent !== text) line.textContent = text;
  };

  // Makes one tree as another, and leaves alone what is the same: what is scrolled
  // or has the focus stays so.
  const renew = (old, fresh) => {
    if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) {
      old.replaceWith(document.importNode(fresh, true));
      return;
    }
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== fresh.data) old.data = fresh.data;
      return;
    }
    for (const a of Array.from(old.attributes)) if (!fresh.hasAttribute(a.name)) old.removeAttribute(a.name);
    for (const a of fresh.attributes) if (old.getAttribute(a.name) !== a.value) old.setAttribute(a.name, a.value);
    if (old.dataset.since) return; // its text is ours
    const have = Array.from(old.childNodes), want = Array.from(fresh.childNodes);
    for (let i = 0; i < want.length; i++) {
      if (i < have.length) renew(have[i], want[i]);
      else old.append(document.importNode(want[i], true));
    }
    for (let i = want.length; i < have.length; i++) have[i].remove();
  };

  const two = (n) => String(n).padStart(2, "0");
  let ahead = 0; // of the clock of this computer before that of the server, in milliseconds
  const tick = () => {
    for (const cell of document.querySelectorAll("[data-since]")) {
      const s = Math.max(0, Math.floor((Date.now() - ahead - Date.parse(cell.dataset.since)) / 1000));
      const text = s < 3600 ? Math.floor(s / 60) + ":" + two(s % 60) : Math.floor(s / 3600) + ":" + two(Math.floor(s / 60) % 60) + ":" + two(s % 60);
      if (cell.textContent !== text) cell.textContent = text;
    }
  };

  let events = null, wait = 2000, timer = 0, last = "";
  const close = () => {
    clearTimeout(timer);
    if (events) events.close();
    events = null;
  };
  const open = () => {
    close();
    events = new EventSource("live/events" + (last ? "?since=" + encodeURIComponent(last) : ""));
    events.addEventListener("open", () => {
      wait = 2000;
      say("News arrives by itself.");
    });
    events.addEventListener("part", (e) => {
      last = e.lastEventId;
      const news = JSON.parse(e.data);
      const part = document.getElementById("part-" + news.id);
      const fresh = new DOMParser().parseFromString("<div>" + news.html + "</div>", "text/html").body.firstChild;
      fresh.className = "part";
      fresh.id = "part-" + news.id;
      if (part) renew(part, fresh);
      tick();
    });
    events.addEventListener("time", (e) => { ahead = Date.now() - Number(e.data); });
    events.addEventListener("end", () => {
      close();
      done = true;
      say("The server has stopped. This is the last that it said.");
    });
    events.addEventListener("error", () => {
      say("The server does not answer. This is the last that it said; the page goes on trying.", true);
      if (events && events.readyState === EventSource.CLOSED) { // refused, and not tried again by the browser
        close();
        timer = setTimeout(open, wait);
        wait = Math.min(2 * wait, 60000);
      }
    });
  };

  // A browser has few connections to a server for all its pages: one that nobody sees
  // needs none.
  let done = false;
  const seen = () => {
    if (done) return;
    if (document.visibilityState === "visible") open();
    else close();
  };
  document.addEventListener("visibilitychange", seen);
  addEventListener("pagehide", close);
  addEventListener("pageshow", (e) => { if (e.persisted) seen(); });
  setInterval(tick, 1000);
  tick();
  seen();
})();
