// The starter, the count and the cards played so far, as they lie on the table.

import { byId, changed, h } from "./dom.js";
import { badge } from "./panels.js";

const SUITS = { S: ["♠", "spades"], H: ["♥", "hearts"], D: ["♦", "diamonds"], C: ["♣", "clubs"] };
const RANKS = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };

export function cardName(code) {
  const rank = code.slice(0, 1);
  const suit = SUITS[code.slice(1)];
  return suit ? `${RANKS[rank] ?? rank} of ${suit[1]}` : (RANKS[rank] ?? rank);
}

export function playingCard(code, words = cardName(code)) {
  const [glyph, suit] = SUITS[code.slice(1)] ?? ["", ""];
  const rank = code.slice(0, 1);
  return h(
    "span",
    { class: `card ${suit}`, role: "img", "aria-label": words },
    h("b", { "aria-hidden": "true" }, rank === "T" ? "10" : rank),
    h("i", { "aria-hidden": "true" }, glyph),
  );
}

export function showTable(state) {
  const place = byId("table");
  const games = state.sides.map((side) => side.games);
  if (!changed(place, [state.phase, state.count, state.starter, state.target, games])) return;
  const items = [];
  if (state.phase === "play") items.push(fact("count", h("strong", {}, String(state.count))));
  if (state.starter) items.push(fact("starter", playingCard(state.starter)));
  items.push(fact("game hole", String(state.target)));
  if (games.some((won) => won)) items.push(fact("match", games.join("–")));
  place.replaceChildren(...items);
}

function fact(label, value) {
  const name = label.replace(" ", "-");
  return h("p", { class: `fact ${name}` }, h("span", { class: "what" }, label), h("span", { class: "value" }, value));
}

// The cards of each count, the present one last; every card under the mark of the side that laid it.
export function showLaid(state) {
  const place = byId("laid");
  const plays = state.plays ?? [];
  if (!changed(place, [plays, state.hushed, state.seats, state.sides.map((side) => side.colour)])) return;
  const now = state.phase === "play" ? plays.length - 1 : -1;
  place.toggleAttribute("data-hush", state.hushed ?? false);
  place.toggleAttribute("data-many", plays.flat().length > 8);
  place.replaceChildren(
    ...plays.filter((series) => series.length).map((series, at) => {
      const earlier = at !== now;
      const words = earlier ? `an earlier count, to ${series.at(-1).count}` : "this count";
      return h("ol", { class: `series${earlier ? " earlier" : ""}`, "aria-label": words }, ...series.map((play) => laid(play, state)));
    }),
  );
  place.scrollLeft = place.scrollWidth;
  scrolls(place);
}

function laid({ card, seat, count }, state) {
  const { name, side } = state.seats[seat];
  const colour = state.sides[side]?.colour;
  const by = h("span", { class: "by", "aria-hidden": "true" }, badge(colour), h("span", { class: "initial" }, name.slice(0, 1)));
  return h("li", { class: "lay", "data-colour": colour }, playingCard(card, `${name}: ${cardName(card)}, count ${count}`), by);
}

// What is longer than its box can be scrolled by the keyboard too.
export function scrolls(place) {
  const more = place.scrollWidth > place.clientWidth + 1 || place.scrollHeight > place.clientHeight + 1;
  if (more) place.tabIndex = 0;
  else place.removeAttribute("tabindex");
}
