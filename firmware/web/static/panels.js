// Scores, the state of the deal, what is wrong, and the parts.

import { byId, changed, h, s, say } from "./dom.js";
import { pegShape } from "./board.js";
import { LOOK } from "./light.js";

const PHASES = {
  "set-up": "Set up", cut: "Cut for deal", deal: "The deal", starter: "The starter",
  play: "The play", show: "The show", crib: "The crib", end: "Game over",
};
const SUITS = { S: ["♠", "spades"], H: ["♥", "hearts"], D: ["♦", "diamonds"], C: ["♣", "clubs"] };
const RANKS = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };
const LEVELS = { teach: "T", flag: "F", call: "C", off: "O" };
const NOTICES = { refused: "Refused", info: "Note", fault: "Fault" };

export function badge(colour) {
  const shape = pegShape(colour, 0.72);
  return s("svg", { viewBox: "-1 -1 2 2", class: "badge", "aria-hidden": "true", fill: LOOK[colour] ?? "currentColor" }, shape);
}

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
  if (!changed(place, [state.sides, state.seats, state.dealer, state.turn, state.target])) return;
  place.dataset.count = state.sides.length;
  place.replaceChildren(
    ...state.sides.map((side, at) => {
      const seats = state.seats.filter((seat) => seat.side === at).map((seat) => seat.name);
      const has = (name) => name !== null && (seats.includes(name) || name === side.name);
      const partners = seats.length > 1 || (seats.length === 1 && seats[0] !== side.name);
      const meter = h("div", { class: "meter", "aria-hidden": "true" }, h("i"));
      meter.firstChild.style.width = `${Math.min(100, (100 * side.score) / state.target)}%`;
      return h(
        "article",
        { class: `side${has(state.turn) ? " turn" : ""}`, "data-colour": side.colour },
        h("h2", {}, badge(side.colour), h("span", { class: "name" }, side.name), h("abbr", { class: "level", title: `referee level ${side.level}` }, LEVELS[side.level] ?? side.level)),
        h("p", { class: "score" }, String(side.score)),
        h("p", { class: "togo" }, h("b", {}, String(side.to_go)), " to go"),
        h(
          "p",
          { class: "tags" },
          has(state.dealer) ? h("span", { class: "tag deals" }, partners ? `${state.dealer} deals` : "deals") : "",
          has(state.turn) ? h("span", { class: "tag acts" }, partners ? `${state.turn} to act` : "to act") : "",
          side.games ? h("span", { class: "tag won" }, `${side.games} ${side.games === 1 ? "game" : "games"} won`) : "",
        ),
        partners ? h("p", { class: "partners" }, seats.join(" and ")) : "",
        meter,
      );
    }),
  );
}

export function showTable(state) {
  const place = byId("table");
  if (!changed(place, [state.phase, state.count, state.starter, state.target])) return;
  const items = [];
  if (state.phase === "play") items.push(fact("count", h("strong", {}, String(state.count))));
  if (state.starter) items.push(fact("starter", playingCard(state.starter)));
  items.push(fact("game hole", String(state.target)));
  place.replaceChildren(...items);
}

function fact(label, value) {
  const name = label.replace(" ", "-");
  return h("p", { class: `fact ${name}` }, h("span", { class: "what" }, label), h("span", { class: "value" }, value));
}

function playingCard(code) {
  const [glyph, suit] = SUITS[code.slice(-1)] ?? ["", ""];
  const rank = code.slice(0, -1);
  return h(
    "span",
    { class: `card ${suit}`, role: "img", "aria-label": `${RANKS[rank] ?? rank} of ${suit}` },
    h("b", { "aria-hidden": "true" }, rank === "T" ? "10" : rank),
    h("i", { "aria-hidden": "true" }, glyph),
  );
}

export function showNotice(notice) {
  const place = byId("notice");
  if (!changed(place, notice)) return;
  place.className = `notice ${notice?.kind ?? ""}`;
  place.replaceChildren();
  if (notice) place.append(h("b", {}, `${NOTICES[notice.kind] ?? "Note"}: `), notice.text);
}

// What the table has to know even when it looks at nothing else.
export function showAlarms(state, connected) {
  const alarms = [];
  if (!connected) alarms.push(["lost", "Connection lost. ", "What you see may be old. The page keeps trying, and shows the present state when the board answers."]);
  if (state && !state.saved) alarms.push(["unsaved", "NOT SAVED. ", "The board cannot write the game down just now; it plays on, and saves as soon as it can."]);
  for (const part of state?.parts ?? []) {
    if (part.state === "missing") alarms.push(["missing", `Missing: ${part.name}. `, part.say]);
  }
  const place = byId("alarms");
  if (!changed(place, alarms)) return;
  place.replaceChildren(...alarms.map(([kind, lead, text]) => h("p", { class: `alarm ${kind}` }, h("b", {}, lead), text)));
}

export function showParts(state) {
  const place = byId("parts");
  if (!changed(place, [state.parts, state.saved])) return;
  place.replaceChildren(
    h("span", { class: `part ${state.saved ? "ok" : "missing"}` }, state.saved ? "game saved" : "NOT SAVED"),
    ...state.parts.filter((part) => part.state !== "off").map((part) => h("span", { class: `part ${part.state}`, title: part.say }, `${part.name}: ${part.state}`)),
  );
}
