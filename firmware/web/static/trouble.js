// What is wrong, refused or worth knowing, and the parts.

import { byId, changed, h, say } from "./dom.js";
import { scrolls } from "./cards.js";

const NOTICES = { refused: "Refused", info: "Note", fault: "Fault" };
const SIZES = [1, 0.92, 0.84, 0.77, 0.7, 0.64, 0.58, 0.52]; // of the type, for words that need more room

export const clock = (at) => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });

export function showNotice(notice) {
  const place = byId("notice");
  if (!changed(place, notice)) return;
  place.className = `notice ${notice?.kind ?? ""}`;
  place.replaceChildren();
  if (notice) place.append(h("span", {}, h("b", {}, `${NOTICES[notice.kind] ?? "Note"}: `), notice.text));
}

// Each new line once: a refusal or a fault interrupts a screen reader, all else waits until it has finished.
export function sayAloud(text, urgent) {
  if (urgent) say(byId("aloud"), text);
  else {
    say(byId("aloud"), "");
    say(byId("told"), text || byId("told").textContent);
  }
}

// All of the words are in sight at once: what is longer is written smaller, and the box keeps its size.
export function fitWords() {
  const box = byId("words");
  const notice = byId("notice");
  const fits = (place) => place.scrollHeight <= place.clientHeight;
  for (const size of SIZES) {
    box.style.setProperty("--fit", size);
    box.toggleAttribute("data-small", size < 0.8);
    if (fits(notice) && fits(box)) break;
  }
  scrolls(box);
  scrolls(notice);
  box.scrollTop = 0;
}

// What the table has to know even when it looks at nothing else: the worst in one line, all of it when opened.
// `since` is when the board was last heard of; 0 while it answers.
export function showAlarms(state, since) {
  const alarms = [];
  if (since) {
    const stood = state ? `No connection since ${clock(since)}. This is what stood then. ` : "No connection to the board. ";
    alarms.push(["lost", stood, "The page keeps trying, and shows the present state as soon as the board answers."]);
  }
  if (!since && state && !state.saved) alarms.push(["unsaved", "NOT SAVED. ", "The board cannot write the game down just now; it plays on, and saves as soon as it can."]);
  for (const part of since ? [] : (state?.parts ?? [])) {
    if (part.state === "missing") alarms.push(["missing", `Missing: ${part.name}. `, part.say]);
  }
  const place = byId("alarms");
  if (!changed(place, alarms)) return;
  place.hidden = !alarms.length;
  if (!alarms.length) place.open = false;
  place.dataset.worst = alarms[0]?.[0] ?? "";
  const leads = alarms.map(([, lead]) => lead.trim()).join(" ");
  place.firstElementChild.replaceChildren(h("span", {}, leads));
  while (place.children.length > 1) place.lastChild.remove();
  place.append(...alarms.map(([kind, lead, text]) => h("p", { class: `alarm ${kind}` }, h("b", {}, lead), text)));
  const heard = byId("alarmed");
  say(heard, leads);
}

// What is not fitted is left out; a voice that is off can be switched on.
const shown = (part) => part.state !== "off" || part.name === "speaker";

export function showParts(state, since) {
  const place = byId("parts");
  if (!changed(place, [state.parts, state.saved, since])) return;
  if (since) {
    place.replaceChildren(h("span", { class: "part" }, `state of ${clock(since)}`));
    return;
  }
  place.replaceChildren(
    h("span", { class: `part ${state.saved ? "ok" : "missing"}` }, state.saved ? "game saved" : "NOT SAVED"),
    ...state.parts.filter(shown).map((part) => h("span", { class: `part ${part.state}`, title: part.say }, `${part.name}: ${part.state}`)),
  );
}
