// Whose keys this page has: all of them on the board's own machine, a seat's or the table's on a paired phone, else none.

import { byId, changed, h } from "./dom.js";

const HOW = "Watching. To press keys, pair this device: at the board press D D 10 #, then type here the code that it shows.";
const LOST = "This device is paired no more: it was let go at the board, or its thirty days are over.";
const LATE_MS = 5000;

async function post(path, data) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(data),
    signal: AbortSignal.timeout(LATE_MS),
  });
  if (!answer.ok) throw new Error((await answer.json()).error);
}

export class Pairing {
  // `allow(may)` hears whether keys may be pressed from here.
  constructor(place, allow) {
    this.place = place;
    this.allow = allow;
    this.me = null;
    this.state = null;
    this.phones = undefined;
    this.ask();
  }

  async ask() {
    try {
      const answer = await fetch("/me", { cache: "no-store", signal: AbortSignal.timeout(LATE_MS) });
      if (answer.ok) this.me = await answer.json();
    } catch {
      return; // the board is away: asked again when it is back
    }
    this.draw();
  }

  // The board's state: asks anew who we are when a phone has come or gone.
  show(state) {
    this.state = state;
    if (this.phones !== undefined && this.phones !== state.phones) this.ask();
    this.phones = state.phones;
    this.draw();
  }

  draw() {
    const { me } = this;
    if (!me) return;
    document.body.dataset.hand = me.may ? "keys" : "watch";
    this.allow(me.may);
    const seats = [...byId("seats").children];
    for (const [at, button] of seats.entries()) button.hidden = me.seat !== null && at !== me.seat;
    byId("seats").dataset.count = me.seat === null ? seats.length : 1;
    const whose = me.seat === null ? "the table" : (this.state?.seats[me.seat]?.name ?? `seat ${me.seat + 1}`);
    if (!changed(this.place, [me, whose])) return;
    const had = this.place.contains(document.activeElement);
    this.place.replaceChildren(...(me.here ? [] : me.may ? this.paired(whose) : this.watching()));
    if (had) (this.place.querySelector("input") ?? byId("keypad")).focus({ preventScroll: true });
  }

  paired(whose) {
    const holds = `${this.me.name}: the keys of ${whose}.`;
    const said = h("p", { class: "pair-said", role: "status" }, holds);
    const first = h("button", { type: "button", class: "pair-button" }, "Let go");
    const sure = h("button", { type: "button", class: "pair-button plain" }, "Yes, let go");
    const keep = h("button", { type: "button", class: "pair-button" }, "Keep them");
    const row = h("div", { class: "pair-row" }, said, first);
    // Whoever lets go needs a new code from the board: asked once more, and a second tap at the same place keeps the keys.
    first.addEventListener("click", () => {
      said.textContent = `Let go of the keys of ${whose}?`;
      row.replaceChildren(said, keep, sure);
      keep.focus();
    });
    keep.addEventListener("click", () => {
      said.textContent = holds;
      row.replaceChildren(said, first);
      byId("keypad").focus({ preventScroll: true });
    });
    sure.addEventListener("click", () => this.act(sure, "/unpair", {}, said));
    return [row];
  }

  watching() {
    const wrong = h("p", { class: "pair-wrong", id: "pair-wrong", role: "alert" });
    const code = h("input", {
      id: "pair-code", class: "pair-code", inputmode: "numeric", pattern: "[0-9]{6}", maxlength: "6", required: true,
      autocomplete: "one-time-code", "aria-describedby": "pair-wrong",
    });
    const button = h("button", { type: "submit", class: "pair-button" }, "Pair");
    const form = h(
      "form",
      { class: "pair-row", novalidate: true },
      h("label", { for: "pair-code", class: "pair-label" }, "Six-digit code"),
      code,
      button,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const typed = code.value.replace(/\D/g, "");
      if (typed.length === 6) this.act(button, "/pair", { code: typed }, wrong);
      else wrong.textContent = "The code has six digits.";
      code.setAttribute("aria-invalid", "true");
      code.select();
    });
    const lost = this.me.lost ? [h("p", { class: "pair-wrong", role: "alert" }, LOST)] : [];
    return [...lost, h("p", { class: "pair-said" }, HOW), form, wrong];
  }

  async act(button, path, data, told) {
    button.disabled = true;
    try {
      await post(path, data);
      await this.ask();
    } catch (error) {
      told.textContent = error instanceof TypeError || error.name === "TimeoutError" ? "The board did not answer: try again." : error.message;
    }
    button.disabled = false;
  }
}
