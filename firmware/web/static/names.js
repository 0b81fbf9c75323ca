// The players' names, typed at the set-up: a field a seat, those known here offered, and those typed here removable.

import { byId, changed, h, say } from "./dom.js";

async function post(path, values) {
  let answer;
  try {
    answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(values) });
  } catch {
    throw new Error("The board does not answer: type it again once it is back.");
  }
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error);
  return found;
}

async function act(path, values, done) {
  try {
    const found = await post(path, values);
    say(byId("names-said"), found.note ?? done);
    return true;
  } catch (error) {
    say(byId("names-said"), error.message);
    return false;
  } finally {
    asked = null;
    await refresh();
  }
}

function field(name, seat, longest) {
  const id = `name-${seat}`;
  const input = h("input", { id, list: "known-names", value: name, maxlength: 2 * longest, autocomplete: "off", spellcheck: "false", enterkeyhint: "done" });
  const form = h("form", {}, h("label", { for: id }, `Seat ${seat}`), input, h("button", {}, "Keep", h("span", { class: "quiet" }, ` the name of seat ${seat}`)));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    // The focus leaves the field at once, so that what is typed next are keys; a name that is refused gets it back.
    const keypad = byId("keypad");
    keypad.focus({ preventScroll: true });
    const taken = await act("/names", { name: input.value, seat }, `Seat ${seat}: ${input.value.trim()}.`);
    if (!taken && document.activeElement === keypad) byId(id)?.focus();
  });
  return form;
}

function kept(name, seats) {
  if (seats.includes(name)) return null;
  const button = h("button", { type: "button" }, `Remove ${name}`);
  button.addEventListener("click", () => act("/names/remove", { name }, `${name} is no longer kept. Games keep the names they were played under.`));
  return h("li", {}, button);
}

let asked = null;

async function refresh() {
  const place = byId("names");
  const me = await fetch("/me", { cache: "no-store" }).then((answer) => answer.json()).catch(() => null);
  const answer = me?.may ? await fetch("/names", { cache: "no-store" }).catch(() => null) : null;
  if (!answer?.ok) {
    place.hidden = true; // a spectator, or the board is away
    return;
  }
  const found = await answer.json();
  place.hidden = !found.seats.length;
  if (!changed(place, found)) return;
  byId("known-names").replaceChildren(...found.offered.map((name) => h("option", { value: name })));
  byId("name-fields").replaceChildren(...found.seats.map((name, at) => field(name, at + 1, found.longest)));
  const removable = found.kept.map((name) => kept(name, found.seats)).filter(Boolean);
  byId("kept-names").replaceChildren(...removable);
  byId("kept-box").hidden = !removable.length;
}

// To be called with every state: asks for the names only when the set-up comes, goes, or its seats change.
export function showNames(state) {
  const now = state.phase === "set-up" ? JSON.stringify(state.agreed) : "";
  if (now === asked) return;
  asked = now;
  if (now) refresh();
  else byId("names").hidden = true;
}
