// The scoreboard: the same state as the page's, large, and without keys.

import { Board } from "./board.js";
import { playingCard, showLaid } from "./cards.js";
import { byId, changed, h, say } from "./dom.js";
import { Link } from "./link.js";
import { badge, PHASES } from "./panels.js";
import { clock } from "./trouble.js";

const board = new Board(byId("board"), matchMedia("(min-width: 43.75rem)").matches);

function side(one, at, state) {
  const seats = state.seats.filter((seat) => seat.side === at).map((seat) => seat.name);
  const has = (name) => name !== null && (seats.includes(name) || name === one.name);
  const partners = seats.length > 1;
  const meter = h("div", { class: "meter", "aria-hidden": "true" }, h("i"));
  meter.firstChild.style.width = `${Math.min(100, (100 * one.score) / state.target)}%`;
  return h(
    "article",
    { class: `tv-side${has(state.turn) ? " turn" : ""}`, "data-colour": one.colour },
    h("h2", {}, badge(one.colour), h("span", { class: "name", title: one.name }, one.name)),
    h("p", { class: "score" }, String(one.score)),
    h("p", { class: "togo" }, h("b", {}, String(one.to_go)), " to go"),
    h(
      "p",
      { class: "tags" },
      has(state.turn) ? h("span", { class: "tag acts" }, partners ? `${state.turn} to act` : "to act") : "",
      has(state.dealer) ? h("span", { class: "tag" }, partners ? `${state.dealer}'s crib` : "crib") : "",
      one.games ? h("span", { class: "tag" }, one.games === 1 ? "1 game won" : `${one.games} games won`) : "",
    ),
    meter,
  );
}

function showFacts(state) {
  const place = byId("tv-facts");
  if (!changed(place, [state.phase, state.count, state.starter, state.target, state.dealer])) return;
  const fact = (name, what, value) => h("p", { class: `fact ${name}` }, h("span", { class: "what" }, what), h("span", { class: "value" }, value));
  place.replaceChildren(
    state.phase === "play" ? fact("count", "count", String(state.count)) : "",
    state.starter ? fact("starter", "starter", playingCard(state.starter)) : "",
    state.dealer ? fact("crib", "crib", `${state.dealer}'s`) : "",
    fact("to", "game", String(state.target)),
  );
}

function show(state) {
  const brief = state.turn ? `${PHASES[state.phase] ?? state.phase} · ${state.turn} to act` : (PHASES[state.phase] ?? state.phase);
  say(byId("phase"), brief);
  document.title = `${state.sides.map((one) => `${one.name} ${one.score}`).join(" · ")} – Scoreboard`;
  const sides = byId("tv-sides");
  if (changed(sides, [state.sides, state.seats, state.turn, state.dealer, state.target])) {
    sides.replaceChildren(...state.sides.map((one, at) => side(one, at, state)));
  }
  showFacts(state);
  showLaid(state);
  board.show(state);
  say(byId("spoken"), state.caption ?? state.spoken);
}

function link(state, since) {
  const old = since ? (state ? `No connection since ${clock(since)}. This is what stood then.` : "No connection to the board.") : "";
  say(byId("old"), old);
  say(byId("aloud"), old);
}

new Link({ state: show, lights: (event) => board.light(event) }, link);
