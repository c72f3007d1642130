// The token game: a small net is shown, and transitions that are enabled fire when they are
// chosen. It is a part of the workbench, and a page of its own. Texts are only ever set as
// texts.
"use strict";
(() => {
  const { by, make } = podiumPages;
  const counted = (n, one, many) => n + " " + (n === 1 ? one : many);

  // picture makes an element of the picture of a net.
  const picture = (text) => {
    const out = make("figure", undefined, { class: "net", tabindex: "0" });
    const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    out.append(document.importNode(svg, true));
    return out;
  };

  const svg = (name, attributes) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    return e;
  };

  // A board shows a marking of a net and which transitions are enabled; fire(t) is
  // called when transition t is chosen. This one is the picture of the net.
  const pictureBoard = (net, fire) => {
    const element = picture(net.picture);
    element.classList.add("game");
    element.firstChild.setAttribute("role", "group");
    const nodes = Array.from(element.querySelectorAll("[data-node]"));
    const places = nodes.slice(0, net.places.length), transitions = nodes.slice(net.places.length);
    transitions.forEach((g, t) => {
      const box = g.querySelector("rect");
      g.setAttribute("role", "button");
      g.setAttribute("tabindex", "0");
      g.setAttribute("aria-label", net.transitions[t].name);
      // A bar is small: what is hit is larger.
      g.prepend(svg("rect", { class: "hit", x: box.x.baseVal.value - 3, y: box.y.baseVal.value - 9, width: 26, height: 24, rx: 4 }));
      g.addEventListener("click", () => fire(t));
      g.addEventListener("keydown", (e) => {
        if (e.key !== "Enter" && e.key !== " ") return;
        e.preventDefault();
        fire(t);
      });
    });
    const show = (marking, enabled) => {
      places.forEach((g, p) => {
        const n = marking[p], ring = g.querySelector(".place"), x = ring.getAttribute("cx"), y = ring.getAttribute("cy");
        for (const old of g.querySelectorAll(".token, .tokens")) old.remove();
        if (n === 1) ring.after(svg("circle", { class: "token", cx: x, cy: y, r: 3.4 }));
        if (n > 1) {
          const text = svg("text", { class: "tokens", x, y: Number(y) + 3.6 });
          text.textContent = String(n).length > 4 ? String(n).slice(0, 3) + "\u2026" : n;
          ring.after(text);
        }
        g.setAttribute("role", "img");
        g.setAttribute("aria-label", `${net.places[p].name}: ${counted(n, "token", "tokens")}`);
        g.querySelector("title").textContent = g.getAttribute("aria-label");
      });
      transitions.forEach((g, t) => g.setAttribute("aria-disabled", String(!enabled[t])));
    };
    return { element, show };
  };

  // listBoard is a button for each transition, and a table of the marking.
  const listBoard = (net, fire, title) => {
    const element = make("div", undefined, { class: "board" }), places = make("div"), transitions = make("div", undefined, { class: "choices" });
    const buttons = net.transitions.map((t, i) => {
      const b = make("button", t.name, { type: "button" });
      b.addEventListener("click", () => fire(i));
      return b;
    });
    transitions.append(...buttons);
    element.append(transitions, places);
    const show = (marking, enabled) => {
      buttons.forEach((b, t) => { b.disabled = !enabled[t]; });
      places.replaceChildren(podiumPages.table("Marking of " + title, [["Place", ""], ["Tokens", ""]], net.places.map((p, i) => [[p.name], [String(marking[i])]]).filter((r) => r[1][0] !== "0")));
    };
    return { element, show };
  };

  // game lets a small net be played: a transition that is enabled fires when it is chosen.
  const game = (net, title, heading = "h3") => {
    const out = make("section");
    const status = make("p", "", { role: "status", class: "dim" });
    const back = make("button", "Back to the start", { type: "button" });
    let marking, fired;
    const able = () => net.transitions.map((t) => t.in.every(([p, n]) => marking[p] >= n));
    const show = () => {
      const enabled = able(), count = enabled.filter((e) => e).length;
      board.show(marking, enabled);
      status.textContent = `${counted(fired.length, "firing", "firings")}${fired.length > 0 ? ", the last is " + fired.at(-1) : ""}; ${count === 0 ? "a deadlock: nothing is enabled" : counted(count, "transition is", "transitions are") + " enabled"}.`;
    };
    const board = (net.picture ? pictureBoard : listBoard)(net, (t) => {
      if (!able()[t]) return;
      for (const [p, n] of net.transitions[t].in) marking[p] -= n;
      for (const [p, n] of net.transitions[t].out) marking[p] += n;
      fired.push(net.transitions[t].name);
      show();
    }, title);
    const start = () => {
      marking = net.places.map((p) => p.tokens);
      fired = [];
      show();
    };
    back.addEventListener("click", start);
    start();
    out.append(make(heading, "Token game"), make("p", net.picture ? "Circles are places, bars are transitions. Choose a transition that is enabled (green), by a click or by the keyboard: it fires." : "Choose a transition that is enabled: it fires."), status, board.element, back);
    return out;
  };

  Object.assign(self.podiumPages, { counted, picture, game });
  if (by("game-net")) by("game").append(game(JSON.parse(by("game-net").textContent), by("game").dataset.title, "h2"));
})();
