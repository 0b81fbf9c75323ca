// The games kept here: the list, one game deal by deal, importing records, deleting.

import { byId, h } from "./dom.js";

const SAID = "muggins.games.said";
const name = location.pathname.split("/")[2] ?? "";

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, { cache: "no-store", ...options });
  } catch {
    throw new Error("The board does not answer: is it on, and is this device on its network?");
  }
  const found = await answer.json();
  if (!answer.ok) {
    const place = found.line ? `line ${found.line}, column ${found.column}: ` : "";
    throw new Error(place + found.error);
  }
  return found;
}

function told(text, bad = false) {
  byId("said").classList.toggle("bad", bad);
  byId("said").textContent = text;
}

const who = (game) => (game.players.length ? game.players.join(" v ") : "A record that cannot be read");
const pegs = (game) => (game.scores ? game.scores.join("–") : "");
const day = (at) =>
  at.length > 10 ? new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : at;
function state(game) {
  if (game.trouble) return game.trouble;
  if (game.stopped) return "given up";
  if (game.ended) return "ended";
  return game.imported ? "not played out" : "on the board now";
}
const facts = (game) => [day(game.opened_at), game.kind, game.rules, state(game), game.imported ? "imported" : ""].filter(Boolean).join(" · ");

function item(game) {
  const here = !game.ended && !game.imported;
  const link = h(
    "a",
    { href: here ? "/" : `/games/${game.id}`, "aria-current": game.id === name ? "page" : null },
    h("span", { class: "who" }, who(game)),
    h("span", { class: "pegs" }, pegs(game)),
    h("span", { class: "when" }, facts(game)),
  );
  return h("li", {}, link);
}

async function list() {
  const found = await ask("/games.json");
  const newest = [...found.games].reverse().sort((one, other) => other.opened_at.localeCompare(one.opened_at));
  byId("list").replaceChildren(...newest.map(item));
  byId("none").hidden = found.games.length > 0;
  byId("drop").hidden = !found.may_change;
  return found.games;
}

const PARTS = [["play", "Play"], ["hands", "Hands"], ["crib", "Crib"], ["other", "Other"], ["start", "At the start"]];

// A column a side, so that it is as narrow as a phone.
function counts(sides) {
  const met = PARTS.filter(([key]) => key !== "start" || sides.some((side) => side.start));
  const total = (side) => met.reduce((sum, [key]) => sum + side[key], 0);
  const right = (side) => (side.known ? `${side.right} of ${side.known}` : "–");
  const row = (word, cell) => h("tr", {}, h("th", { scope: "row" }, word), ...sides.map((side) => h("td", {}, cell(side))));
  return h(
    "table",
    { class: "counts" },
    h("caption", { class: "quiet" }, "Where the points came from"),
    h("thead", {}, h("tr", {}, h("td", {}), ...sides.map((side) => h("th", { scope: "col", title: side.side }, side.side)))),
    h(
      "tbody",
      {},
      ...met.map(([key, word]) => row(word, (side) => String(side[key]))),
      row("All", (side) => h("b", {}, String(total(side)))),
      row("Counted right", right),
    ),
  );
}

function deal(one) {
  const what = one.deal ? `Deal ${one.deal}: ${one.dealer} deals${one.starter ? `, starter ${one.starter}` : ""}${one.void ? ", void" : ""}` : "Before the first deal";
  const now = Object.entries(one.scores).map(([side, score]) => `${side} ${score}`).join(", ");
  const lines = one.events.map((line) =>
    h("li", { class: line.event === "award" ? null : "found" }, line.words, line.event === "award" && line.points ? h("b", {}, ` ${line.points > 0 ? "+" : "−"}${Math.abs(line.points)}`) : ""),
  );
  return h("details", {}, h("summary", {}, h("span", { class: "what" }, what), h("span", { class: "now" }, now)), h("ol", {}, ...lines));
}

function files(game) {
  const kinds = [
    ["crib", "record (.crib)"],
    ["csv", "table (CSV)"],
    ["json", "everything (JSON)"],
  ];
  return h("ul", { class: "files", "aria-label": "Files of this game" }, ...kinds.map(([end, word]) => h("li", {}, h("a", { href: `/games/${game.id}.${end}`, download: `muggins-${game.id}.${end}` }, word))));
}

function away(game, games) {
  if (!game.may_change) return h("p", { class: "stays away" }, "Deleting is for the devices at the table.");
  if (game.stays) return h("p", { class: "stays away" }, game.stays);
  const button = h("button", { type: "button" }, "Delete this game …");
  button.addEventListener("click", () => sure(game, games));
  return h("p", { class: "away" }, button);
}

function show(game, games) {
  document.title = `${who(game)} – Muggins`;
  byId("shelves").dataset.one = "";
  byId("one").hidden = false;
  byId("one-title").textContent = who(game);
  const open = h("button", { type: "button" }, "Open all deals");
  const deals = h("div", { class: "deals" }, ...game.deals.map(deal));
  open.addEventListener("click", () => {
    const all = [...deals.querySelectorAll("details")];
    const closed = all.some((one) => !one.open);
    for (const one of all) one.open = closed;
    open.textContent = closed ? "Close all deals" : "Open all deals";
  });
  const parts = [h("p", { class: "facts" }, facts(game)), h("p", { class: "won" }, game.sides.map((side, place) => `${side} ${game.scores[place]}`).join(", ")), files(game)];
  if (game.report) {
    parts.push(h("h3", {}, "The game"), counts(game.report.sides), h("ul", { class: "told-words" }, ...game.report.words.map((line) => h("li", {}, line))));
  }
  parts.push(h("h3", {}, "Deal by deal"), h("p", {}, open), deals, away(game, games));
  byId("one-body").replaceChildren(...parts);
}

function sure(game, games) {
  const going = games.filter((one) => game.together.includes(one.id));
  byId("sure-text").textContent = going.length > 1 ? "The games of one match go together, as an undo leads from each into the one before. Nothing brings them back:" : "Nothing brings it back:";
  byId("sure-list").replaceChildren(...going.map((one) => h("li", {}, `${who(one)}, ${pegs(one)} (${day(one.opened_at)})`)));
  byId("delete").onclick = () => remove(game);
  byId("sure").showModal();
}

async function remove(game) {
  byId("sure").close();
  try {
    const done = await ask(`/games/${game.id}/delete`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ games: game.together }) });
    sessionStorage.setItem(SAID, `Deleted for good: ${done.deleted.length === 1 ? "one game" : `${done.deleted.length} games`}. ${done.note ?? ""}`);
    location.assign("/games");
  } catch (error) {
    told(error.message, true);
  }
}

async function takeOver(chosen) {
  const place = byId("taken");
  place.replaceChildren();
  for (const file of chosen) {
    try {
      const done = await ask("/games/import", { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
      const link = h("a", { href: `/games/${done.id}` }, done.there_already ? "it was there already" : "imported");
      place.append(h("li", {}, `${file.name}: `, link));
    } catch (error) {
      place.append(h("li", { class: "refused" }, `${file.name}, ${error.message}`));
    }
  }
  byId("files").value = "";
  await list();
}

byId("keep").addEventListener("click", () => byId("sure").close());
byId("files").addEventListener("change", (event) => takeOver([...event.target.files]));
const drop = byId("drop");
for (const kind of ["dragenter", "dragover"]) {
  drop.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  takeOver([...event.dataTransfer.files]);
});

told(sessionStorage.getItem(SAID) ?? "");
sessionStorage.removeItem(SAID);
try {
  const games = await list();
  if (name) show(await ask(`/games/${name}.json`), games);
} catch (error) {
  told(error.message, true);
}
