// Puts the page together: the board's events on one side, the keys on the other.

import { Board } from "./board.js";
import { byId, say } from "./dom.js";
import { Feed } from "./feed.js";
import { Glass } from "./glass.js";
import { Keypad, Seats, Sender } from "./keys.js";
import { Log } from "./log.js";
import { showAlarms, showClaims, showNotice, showParts, showPhase, showReport, showSides, showTable } from "./panels.js";

let state = null;

// A key that did not arrive is told until the next one that does, or until the board speaks.
const sender = new Sender((text) => tell(text ? { kind: "fault", text } : (state?.notice ?? null), Boolean(text)));
const board = new Board(byId("board"));
const glass = new Glass(byId("glass"), byId("bezel"));
const log = new Log(byId("log"));
const seats = new Seats(byId("seats"), sender);
new Keypad(byId("keypad"), sender);

function show(next) {
  state = next;
  showPhase(state);
  showSides(state);
  showTable(state);
  showClaims(state);
  showReport(state);
  board.show(state);
  glass.describe(state.twin ?? state.screen.filter((line) => line.trim()).join(". "));
  say(byId("spoken"), state.spoken);
  tell(state.notice, false);
  seats.show(state);
  log.show(state);
  showParts(state);
  showAlarms(state, true);
}

// The board's own notices are in what is spoken: only the page's are read out from their place.
function tell(notice, aloud) {
  byId("notice").setAttribute("aria-live", aloud ? "polite" : "off");
  showNotice(notice);
}

function link(connected) {
  const word = connected ? "live" : "lost";
  if (document.body.dataset.link === word) return;
  document.body.dataset.link = word;
  say(byId("link"), connected ? "Connected" : "Connection lost");
  showAlarms(state, connected);
}

new Feed("/events", { state: show, glass: (event) => glass.show(event), lights: (event) => board.light(event) }, link);
