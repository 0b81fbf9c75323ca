// Puts the page together: the board's events on one side, the keys on the other.

import { Board } from "./board.js";
import { showLaid, showTable } from "./cards.js";
import { byId, say } from "./dom.js";
import { Glass } from "./glass.js";
import { Keypad, Seats, Sender } from "./keys.js";
import { Link } from "./link.js";
import { Log } from "./log.js";
import { Pairing } from "./pair.js";
import { showNames } from "./names.js";
import { showClaims, showPhase, showSides } from "./panels.js";
import { showReport } from "./report.js";
import { fitWords, sayAloud, showAlarms, showNotice, showParts } from "./trouble.js";

let state = null;
let since = 0;

// `aloud` is what a screen reader says of it: what is spoken holds the board's own notices already.
function tell(notice, aloud) {
  showNotice(notice);
  sayAloud(aloud, notice !== null && notice.kind !== "info");
  fitWords();
}

// A key that did not arrive is told until the next one that does, or until the board speaks.
let trouble = false;
const sender = new Sender((text, kind = "fault") => {
  if (!text && !trouble) return;
  trouble = Boolean(text);
  if (text) tell({ kind, text }, text);
  else tell(state?.notice ?? null, state?.spoken ?? "");
});
const board = new Board(byId("board"));
const glass = new Glass(byId("glass"), byId("bezel"));
const log = new Log(byId("log"));
const seats = new Seats(byId("seats"), sender);
new Keypad(byId("keypad"), sender);
new ResizeObserver(fitWords).observe(byId("words"));
const pairing = new Pairing(byId("pairing"), (may) => (sender.able = may));
sender.onLost = () => pairing.ask();

function show(next) {
  state = next;
  trouble = false;
  sender.moment = state.moment;
  showPhase(state);
  showSides(state);
  showTable(state);
  showLaid(state);
  showClaims(state);
  showReport(state);
  showNames(state);
  board.show(state);
  glass.describe(state.twin ?? state.screen.filter((line) => line.trim()).join(". "));
  say(byId("legend"), state.theme === "big" ? "LARGE FIGURES: HOLES TO GO" : "MUGGINS");
  say(byId("spoken"), state.caption ?? state.spoken);
  tell(state.notice, state.spoken);
  seats.show(state);
  pairing.show(state);
  log.show(state);
  showParts(state, since);
  showAlarms(state, since);
}

function link(seen, lostAt) {
  if (since && !lostAt) pairing.ask();
  since = lostAt;
  if (seen) showParts(seen, since);
  showAlarms(seen, since);
}

new Link({ state: show, glass: (event) => glass.show(event), lights: (event) => board.light(event) }, link);
