// The game report, and what its words mean.

import { byId, changed, h } from "./dom.js";
import { badge } from "./panels.js";

const MEANINGS = [
  ["right", "claims that were the true count, of those whose cards the board knows: hands, cribs, and under call each card of the play (nothing claimed is a claim too)"],
  ["nobody saw", "points missed (+) or claimed too many (−) that no one called, by name and deal"],
  ["at home", "each side in its order: whether it had its share, 29 holes (17 at five-card) for each deal that both had dealt"],
  ["safe", "seven holes or more ahead, when each had dealt as often"],
  ["spread", "the holes by which a side is ahead (+) or behind (−) over the whole match"],
];

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
    meanings(lines),
  );
}

function meanings(lines) {
  const said = lines.map((line) => line.trim());
  const met = (word) => said.some((line) => line === word || (word === "safe" ? line.endsWith(" safe") : line.startsWith(`${word} `)));
  const known = MEANINGS.filter(([word]) => met(word));
  return known.length ? h("div", { class: "glossary" }, ...known.map(([word, meaning]) => h("div", {}, h("b", {}, word), `: ${meaning}`))) : "";
}
