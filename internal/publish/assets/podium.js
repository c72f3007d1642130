// Starts the program of the pages, in a worker of its own, so that a page never
// freezes. Pages call podiumPages.start(root) and then ask(name, bytes) of what it
// gives. Nothing is fetched: the program lies in a script beside this one.
"use strict";
(() => {
  const stream = (text, format) => new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream(format));
  const unpack = async (text) => new Uint8Array(await new Response(stream(text, "gzip")).arrayBuffer());

  // unpackPart unpacks what is there of a text that may be cut off, and at most so many bytes.
  const unpackPart = async (text, format, most) => {
    const parts = [], reader = stream(text, format).getReader();
    let length = 0;
    try {
      for (let part = await reader.read(); !part.done && length < most; part = await reader.read()) {
        parts.push(part.value);
        length += part.value.length;
      }
      await reader.cancel();
    } catch {
      // the text ends early: the bytes before are good
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  };

  // load adds a script to the page, once.
  const loaded = new Map();
  const load = (path) => {
    if (!loaded.has(path)) {
      loaded.set(path, new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = path;
        script.onload = () => done();
        script.onerror = () => failed(new Error("cannot load " + path));
        document.head.append(script);
      }));
    }
    return loaded.get(path);
  };

  // What the worker runs, after the script of Go.
  const serve = `
    onmessage = async ({ data }) => {
      if (data.wasm) {
        const go = new Go();
        const { instance } = await WebAssembly.instantiate(data.wasm, go.importObject);
        go.run(instance);
        postMessage({ started: true });
        return;
      }
      try {
        const result = podium(data.name, data.request);
        postMessage(result ? { id: data.id, ...result } : { ended: "out of memory" });
      } catch (e) {
        postMessage({ ended: e.message });
      }
    };`;

  // start gives an object with ask(name, request): request is a text or a
  // Uint8Array; the promise gives the reply as Uint8Array or fails with the error
  // as a sentence. stop() ends the worker, whatever it does.
  const start = async (root) => {
    await load(root + "podium-program.js");
    const glue = new TextDecoder().decode(await unpack(self.podiumProgram.glue));
    const wasm = await unpack(self.podiumProgram.wasm);
    const worker = new Worker(URL.createObjectURL(new Blob([glue, serve], { type: "text/javascript" })));
    const waiting = new Map();
    let count = 0;
    await new Promise((done, failed) => {
      worker.onmessage = done;
      worker.onerror = (e) => failed(new Error(e.message || "the program of this page does not start"));
      worker.postMessage({ wasm }, [wasm.buffer]);
    });
    const endAll = (why) => {
      for (const { failed } of waiting.values()) failed(new Error(why));
      waiting.clear();
    };
    worker.onmessage = ({ data }) => {
      if (data.ended !== undefined) return endAll(`the program of this page has ended (${data.ended}): load the page again`);
      const { done, failed } = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.error !== undefined) failed(new Error(data.error)); else done(data.reply);
    };
    worker.onerror = () => endAll("the program of this page has ended: load the page again");
    return {
      ask: (name, request) => new Promise((done, failed) => {
        const bytes = typeof request === "string" ? new TextEncoder().encode(request) : request;
        waiting.set(++count, { done, failed });
        worker.postMessage({ id: count, name, request: bytes });
      }),
      stop: () => { worker.terminate(); endAll("stopped"); },
    };
  };

  // What pages that compute are made of. Texts are only ever set as texts.
  const by = (id) => document.getElementById(id);
  const make = (name, text, attributes = {}) => {
    const e = document.createElement(name);
    if (text !== undefined) e.textContent = text;
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    return e;
  };

  // table makes a table that scrolls in its own box. A head is its text and its
  // class, a cell its text, its title and where it leads.
  const table = (caption, heads, rows) => {
    const t = make("table");
    t.append(make("caption", caption));
    const head = t.createTHead().insertRow();
    for (const [text, kind] of heads) head.append(make("th", text, { scope: "col", class: kind }));
    const body = t.createTBody();
    for (const row of rows) {
      const line = body.insertRow();
      row.forEach(([text, title, href], i) => {
        const cell = make(i === 0 ? "th" : "td", href ? undefined : text, i === 0 ? { scope: "row" } : { class: heads[i][1] });
        if (href) cell.append(make("a", text, { href }));
        if (title) cell.title = title;
        line.append(cell);
      });
    }
    const scroll = make("div", undefined, { class: "scroll", role: "region", tabindex: "0", "aria-label": caption });
    scroll.append(t);
    return scroll;
  };

  // options fills a choice, and keeps what was chosen if it is still there.
  const options = (id, list) => {
    const before = by(id).value;
    by(id).replaceChildren(...list.map(([value, text]) => make("option", text ?? value, { value })));
    if (list.some(([value]) => value === before)) by(id).value = before;
  };

  // svg makes an element of a drawing.
  const svg = (name, attributes, ...inside) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    e.append(...inside);
    return e;
  };

  // drawing makes a whole drawing of the text of what stands inside of it.
  const drawing = (body, attributes) => {
    const e = svg("svg", attributes);
    fill(e, body);
    return e;
  };
  const fill = (e, body) => {
    const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${body}</svg>`, "image/svg+xml").documentElement;
    e.replaceChildren(...Array.from(parsed.childNodes, (n) => document.importNode(n, true)));
  };

  // root leads from the page to the root of the site. A page that holds this script itself is no part of a site.
  const root = (document.currentScript.getAttribute("src") ?? "").replace(/podium\.js$/, "");
  self.podiumPages = { root, load, start, unpack, unpackPart, by, make, grouped: self.podiumTables?.grouped, table, options, svg, drawing, fill };
})();
