// The log of awards, newest first; an entry that was undone leaves it.

import { changed, h } from "./dom.js";

// A finding that moves no peg has no points.
const signed = (points) => (points === null ? "·" : points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

export class Log {
  constructor(place) {
    this.place = place;
    this.rows = new Map();
    this.filled = false;
  }

  show(state) {
    if (!changed(this.place, [state.log, state.sides.map((side) => side.colour)])) return;
    const kept = new Map();
    const rows = [...state.log].reverse().map((entry) => {
      const text = JSON.stringify(entry);
      const old = this.rows.get(entry.n);
      const row = old?.text === text ? old : { text, node: this.row(entry, state) };
      if (row !== old && this.filled) row.node.classList.add("new");
      kept.set(entry.n, row);
      return row.node;
    });
    this.rows = kept;
    this.filled = true;
    // Rows that stay in place are not moved, so that a reader keeps its line.
    rows.forEach((node, at) => {
      if (this.place.children[at] !== node) this.place.insertBefore(node, this.place.children[at] ?? null);
    });
    while (this.place.children.length > rows.length) this.place.lastChild.remove();
    if (!rows.length) this.place.append(h("li", { class: "empty" }, "Nothing pegged yet."));
  }

  row(entry, state) {
    const seat = state.seats.find((one) => one.name === entry.who);
    const side = seat ? state.sides[seat.side] : state.sides.find((one) => one.name === entry.who);
    const named = entry.why.startsWith(entry.who); // some reasons begin with the name
    return h(
      "li",
      { value: entry.n, "data-colour": side?.colour, "data-n": entry.n },
      h("span", { class: `points${entry.points ? "" : " none"}` }, signed(entry.points)),
      h("span", { class: "text" }, h("b", {}, entry.who), named ? entry.why.slice(entry.who.length) : ` ${entry.why}`),
      h("span", { class: "after", title: "the scores after it" }, (entry.scores ?? []).join("–")),
    );
  }
}
