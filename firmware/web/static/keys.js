// The keys, pressed by mouse, touch, pen, keyboard or a screen reader: once for each press, and in their order.

import { changed, h, say } from "./dom.js";

const HOLD_MS = 600;
const LATE_MS = 5000;

const KEYPAD = [
  ["1"], ["2"], ["3"], ["A", "♠", "muggins", "spade"],
  ["4"], ["5"], ["6"], ["B", "♥", "adjust", "heart"],
  ["7"], ["8"], ["9"], ["C", "♣", "why?", "club"],
  ["*", "*", "erase · undo"], ["0"], ["#", "#", "yes · go"], ["D", "♦", "scores", "diamond"],
];

// Words for a screen reader, where the eye has a sign.
const unseen = (text) => h("span", { class: "quiet" }, text);

const TYPED = {
  Enter: "#", Backspace: "*", Escape: "*", "*": "*", "#": "#",
  a: "A", b: "B", c: "C", d: "D", s: "A", h: "B",
};

// Each key waits for the one before it: two requests at once could overtake each other.
export class Sender {
  constructor(onTrouble) {
    this.onTrouble = onTrouble;
    this.last = Promise.resolve();
    this.able = true; // until the board says that this page only watches
    this.moment = undefined; // the one that the page shows: a press belongs to it
    this.window = Array.from(crypto.getRandomValues(new Uint32Array(2)), (word) => word.toString(36)).join("-");
  }

  press(key) {
    if (!this.able) return void this.onTrouble("This page only watches. To press keys, pair this device.", "refused");
    const body = JSON.stringify({ key, seen: this.moment, window: this.window });
    this.last = this.last.then(() => this.send(key, body));
  }

  async send(key, body) {
    try {
      const answer = await fetch("/key", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
        signal: AbortSignal.timeout(LATE_MS),
      });
      if (answer.status === 403) this.onLost?.();
      if (answer.ok) this.onTrouble(null);
      else this.onTrouble((await answer.json()).error, answer.status < 500 ? "refused" : "fault");
    } catch {
      this.onTrouble(`${key} may not have reached the board. Look at the screen, then press it again.`);
    }
  }
}

// Calls `down` at the first touch, for speed, and `up` when it ends. A click that no pointer made comes from the keyboard
// or a screen reader, and is a press too; a pointer's own click comes after its touch, and is not.
function pressable(button, down, up = () => {}) {
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    button.classList.add("down");
    down(event);
    const end = (ending) => {
      if (ending.pointerId !== event.pointerId) return;
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      button.classList.remove("down");
      up(ending.type === "pointerup");
    };
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  });
  button.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays where it was
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("click", (event) => {
    if (event.pointerType || event.detail !== 0) return;
    flash(button);
    down(event);
    up(true);
  });
}

function flash(button) {
  button?.classList.add("down");
  setTimeout(() => button?.classList.remove("down"), 140);
}

export class Keypad {
  constructor(place, sender) {
    this.sender = sender;
    this.buttons = new Map();
    for (const [key, face = key, sub = "", suit = ""] of KEYPAD) {
      const kind = /\d/.test(key) ? "digit" : key === "#" ? "yes" : key === "*" ? "erase" : "suit";
      const sign = suit ? [h("b", {}, key), unseen(` ${suit}, or `), h("i", { "aria-hidden": "true" }, face)] : [face];
      const button = h(
        "button",
        { type: "button", class: `key ${kind}`, "data-key": key },
        h("span", { class: "cap" }, ...sign),
        sub ? " " : "",
        sub ? h("span", { class: "sub" }, sub) : "",
      );
      pressable(button, () => sender.press(key));
      this.buttons.set(key, button);
      place.append(button);
    }
    document.addEventListener("keydown", (event) => this.typed(event));
  }

  typed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    // A button reached with Tab takes its own Enter.
    if (event.key === "Enter" && event.target.closest?.("button, a, summary")) return;
    // The number block counts whatever NumLock says.
    const block = /^Numpad(\d)$/.exec(event.code);
    const plain = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const key = block ? block[1] : /^\d$/.test(plain) ? plain : TYPED[plain];
    if (!key) return;
    event.preventDefault();
    if (event.repeat) return;
    flash(this.buttons.get(key));
    this.sender.press(key);
  }
}

// What a tap on a seat's button, which is #, means now.
const means = (state) => (state.go ? "go" : "yes");

// A seat's button: a tap is # from that seat, a hold is muggins.
export class Seats {
  constructor(place, sender) {
    this.place = place;
    this.sender = sender;
  }

  show(state) {
    for (const tap of this.place.querySelectorAll(".tap b")) say(tap, means(state));
    if (!changed(this.place, state.seats.map((seat) => [seat.name, state.sides[seat.side]?.colour]))) return;
    this.place.dataset.count = state.seats.length;
    this.place.replaceChildren(...state.seats.map((seat, at) => this.button(seat, at + 1, state.sides[seat.side]?.colour, means(state))));
  }

  button(seat, number, colour, tapped) {
    const button = h(
      "button",
      { type: "button", class: "key seat", "data-key": `@${number}`, "data-colour": colour },
      unseen(`Seat ${number}, `),
      h("span", { class: "cap", title: seat.name }, seat.name),
      " ",
      h("span", { class: "sub" }, h("span", { class: "tap" }, "tap: ", h("b", {}, tapped), " · "), "hold: muggins"),
      unseen(", or Shift and Enter"),
    );
    let timer = 0;
    let held = false;
    pressable(
      button,
      (event) => {
        held = false;
        clearTimeout(timer);
        if (event.type === "click") {
          held = event.shiftKey;
          if (held) this.sender.press(`hold(@${number})`);
          return;
        }
        timer = setTimeout(() => {
          held = true;
          button.classList.add("held");
          this.sender.press(`hold(@${number})`);
        }, HOLD_MS);
      },
      (complete) => {
        clearTimeout(timer);
        button.classList.remove("held");
        if (complete && !held) this.sender.press(`@${number}`);
      },
    );
    return button;
  }
}
