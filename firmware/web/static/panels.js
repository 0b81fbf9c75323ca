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
  if (!changed(place, [state.sides, state.seats, state.dealer, state.turn, state.target, state.lap_holes, state.claims])) return;
  place.dataset.count = state.sides.length;
  const laps = state.lap_holes ? Math.ceil(state.target / state.lap_holes) : 0;
  const much = (side) => side.name.length > 10 || side.games > 0;
  place.dataset.tight = state.sides.length > 2 || state.seats.length > state.sides.length || laps > 0 || state.sides.some(much);
  place.replaceChildren(
    ...state.sides.map((side, at) => {
      const seats = state.seats.filter((seat) => seat.side === at).map((seat) => seat.name);
      const has = (name) => name !== null && (seats.includes(name) || name === side.name);
      const partners = seats.length > 1;
      const level = (kind) => h("abbr", { class: `level ${kind}`, title: `referee level ${side.level}` }, LEVELS[side.level] ?? side.level);
      const claims = (state.claims ?? []).filter((claim) => seats.includes(claim.who));
      const meter = h("div", { class: "meter", "aria-hidden": "true" }, h("i"));
      meter.firstChild.style.width = `${Math.min(100, (100 * side.score) / state.target)}%`;
      return h(
        "article",
        { class: `side${has(state.turn) ? " turn" : ""}`, "data-colour": side.colour },
        h("h2", {}, badge(side.colour), h("span", { class: "name" }, side.name), level("beside")),
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

// The game report: a line that is set in belongs to the one before it that is not.
export function showReport(state) {
  const place = byId("report");
  const lines = state.report ?? [];
  if (!changed(place, [lines, state.sides.map((side) => [side.name, side.colour])])) return;
  const groups = [];
  for (const line of lines) {
    if (!line.startsWith(" ") || !groups.length) groups.push([]);
    groups.at(-1).push(line);
  }
  byId("records").classList.toggle("over", lines.length > 0);
  place.parentElement.hidden = !lines.length;
  place.replaceChildren(
    ...groups.map(([head, ...rest]) => {
      const side = state.sides.find((one) => one.name.slice(0, head.length) === head && rest.length);
      return h("div", { class: "group", "data-colour": side?.colour }, h("p", { class: "head" }, side ? badge(side.colour) : "", side?.name ?? head), ...rest.map((line) => h("p", {}, line)));
    }),
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
