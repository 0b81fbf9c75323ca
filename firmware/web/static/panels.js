// The scores, whose turn it is, and what is claimed.

import { byId, changed, h, s, say } from "./dom.js";
import { pegShape } from "./board.js";
import { LOOK } from "./light.js";

export const PHASES = {
  "set-up": "Set up", cut: "Cut for deal", deal: "The deal", starter: "The starter",
  play: "The play", show: "The show", crib: "The crib", end: "Game over",
};
const LEVELS = {
  teach: "The board counts for this side and explains",
  flag: "The board flags a wrong claim at once",
  call: "The board is silent until a claim is called",
  off: "The pegs move by the claims",
};

export function badge(colour) {
  const shape = pegShape(colour, 0.72);
  return s("svg", { viewBox: "-1 -1 2 2", class: "badge", "aria-hidden": "true", fill: LOOK[colour] ?? "currentColor" }, shape);
}

// The referee level of a side: a letter where there is little room, else the word.
const refereed = (level, kind) =>
  h(
    "span",
    { class: `level ${kind}`, title: `Referee: ${level}. ${LEVELS[level] ?? ""}` },
    h("span", { class: "quiet" }, `referee: ${level}`),
    h("span", { class: "letter", "aria-hidden": "true" }, level.slice(0, 1).toUpperCase()),
    h("span", { class: "word", "aria-hidden": "true" }, level),
  );

export function showPhase(state) {
  say(byId("phase"), PHASES[state.phase] ?? state.phase);
  const brief = [state.phase === "play" ? `count ${state.count}` : "", state.turn ? `${state.turn} to act` : ""];
  say(byId("brief"), brief.filter(Boolean).map((word) => ` · ${word}`).join(""));
  document.documentElement.dataset.theme = state.theme;
  document.documentElement.dataset.phase = state.phase;
  const scores = state.sides.map((side) => `${side.name} ${side.score}`).join(" · ");
  document.title = scores ? `${scores} – Muggins` : "Muggins";
}

export function showSides(state) {
  const place = byId("sides");
  if (!changed(place, [state.sides, state.seats, state.dealer, state.turn, state.target, state.lap_holes, state.claims])) return;
  place.dataset.count = state.sides.length;
  const laps = state.lap_holes ? Math.ceil(state.target / state.lap_holes) : 0;
  const much = (side) => side.name.length > 4 || side.games > 0;
  place.dataset.tight = state.sides.length > 2 || state.seats.length > state.sides.length || laps > 0 || state.sides.some(much);
  place.replaceChildren(
    ...state.sides.map((side, at) => {
      const seats = state.seats.filter((seat) => seat.side === at).map((seat) => seat.name);
      const has = (name) => name !== null && (seats.includes(name) || name === side.name);
      const partners = seats.length > 1;
      const level = (kind) => refereed(side.level, kind);
      const claims = (state.claims ?? []).filter((claim) => seats.includes(claim.who));
      const meter = h("div", { class: "meter", "aria-hidden": "true" }, h("i"));
      meter.firstChild.style.width = `${Math.min(100, (100 * side.score) / state.target)}%`;
      return h(
        "article",
        { class: `side${has(state.turn) ? " turn" : ""}`, "data-colour": side.colour },
        h("h2", {}, badge(side.colour), h("span", { class: "name", title: side.name }, side.name), level("beside")),
        h("p", { class: "score" }, String(side.score)),
        h("p", { class: "togo" }, h("b", {}, String(side.to_go)), " to go"),
        h(
          "p",
          { class: "tags" },
          level("below"),
          has(state.dealer) ? h("span", { class: "tag deals" }, partners ? `${state.dealer} deals` : "deals") : "",
          has(state.turn) ? h("span", { class: "tag acts" }, partners ? `${state.turn} to act` : "to act") : "",
          laps ? h("span", { class: "tag lap" }, `lap ${side.lap + 1} of ${laps}`) : "",
          side.games ? h("span", { class: "tag won" }, h("span", { class: "long" }, side.games === 1 ? "1 game" : `${side.games} games`), h("span", { class: "short", "aria-hidden": "true" }, String(side.games)), " won") : "",
          ...claims.map((claim) => h("span", { class: "tag claims" }, claimed(claim, partners))),
        ),
        meter,
      );
    }),
  );
}

// What is claimed and may still be called; never what is true.
const claimed = (claim, named) => `${named ? `${claim.who} ` : ""}claims ${claim.claimed}${claim.called ? ", called" : ""}`;

export function showClaims(state) {
  const open = state.claims ?? [];
  const rest = open.length > 1 ? ` +${open.length - 1}` : "";
  say(byId("claims"), open.length ? claimed(open.at(-1), true) + rest : "");
}
