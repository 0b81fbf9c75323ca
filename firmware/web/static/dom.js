// Making and changing elements; text only ever goes in as text.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

export const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

export const s = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

export const byId = (id) => document.getElementById(id);

// Sets text only when it differs, so that a screen reader says a line once.
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// True when this value is new for that element: nothing is drawn twice.
const seen = new WeakMap();
export function changed(node, value) {
  const text = JSON.stringify(value);
  if (seen.get(node) === text) return false;
  seen.set(node, text);
  return true;
}
