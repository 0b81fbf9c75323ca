// The board: every hole in the colour its light has now, and the pegs on top.

import { changed, s } from "./dom.js";
import { layout } from "./geometry.js";
import { LOOK, light } from "./light.js";

const WIDE_PX = 620;
const TALL = 0.6; // a place higher than this part of its width has room for more rows
const APART = 2.4; // two holes further from each other than this are not beside each other
const LANES = ["blue", "amber", "white"];
const SHAPES = { blue: "round", amber: "diamond", white: "triangle" };

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const HEX = { blue: [0, 0, 255], amber: [255, 140, 0], white: [255, 255, 255] };

function steady(hole, front, back, colour) {
  const strength = hole === front ? 1 : hole === back ? 0.25 : hole > back && hole < front ? 0.08 : 0;
  return colour.map((part) => Math.round(part * strength).toString(16).padStart(2, "0")).join("");
}

const onLane = (hole, lap) => (lap ? ((hole - 1) % lap) + 1 : hole);
const round = (value) => Math.round(value * 1000) / 1000;

// The pegs differ in shape as well as in colour.
export function pegShape(colour, r) {
  if (SHAPES[colour] === "diamond") {
    const d = r * 1.18;
    return s("path", { d: `M0 ${-d}L${d} 0L0 ${d}L${-d} 0Z`, "stroke-linejoin": "round" });
  }
  if (SHAPES[colour] === "triangle") {
    const d = r * 1.25;
    return s("path", { d: `M0 ${-d}L${d} ${d * 0.75}L${-d} ${d * 0.75}Z`, "stroke-linejoin": "round" });
  }
  return s("circle", { r });
}

export class Board {
  // `fills` where the place has a height of its own, that does not follow from the drawing.
  constructor(place, fills = false) {
    this.place = place;
    this.fills = fills;
    this.state = null;
    this.lanes = [];
    this.built = "";
    new ResizeObserver(() => this.draw()).observe(place);
    STILL.addEventListener("change", () => this.draw());
  }

  show(state) {
    this.state = state;
    this.draw();
  }

  light(event) {
    this.lanes = event.lanes;
    this.draw();
  }

  // Whoever wants no motion sees no sweep and no blink: the pegs' own places, lit steadily.
  shown(lane) {
    const lights = this.lanes[lane] ?? "";
    if (!STILL.matches) return lights;
    const side = (this.state?.sides ?? [])[lane];
    if (!side || this.state.shared_lane) return "";
    const { front_hole: front = side.front, back_hole: back = side.back } = side;
    return Array.from({ length: lights.length / 6 }, (_, at) => steady(at + 1, front, back, HEX[side.colour])).join("");
  }

  draw() {
    if (!this.state && !this.lanes.length) return;
    const width = this.place.clientWidth;
    if (!width) return;
    const tall = this.fills ? round(this.place.clientHeight / width) : 0;
    this.build(width >= WIDE_PX, tall > TALL ? tall : 0);
    this.paint();
    this.setPegs();
    this.label();
  }

  // The drawing is made anew only when its shape changes.
  build(wide, tall) {
    const state = this.state ?? { sides: [], target: 121, shared_lane: false, lap_holes: 0, marks: { streets: 5, skunks: [] } };
    const lap = state.lap_holes ?? 0;
    const sides = state.sides.length;
    const lit = this.lanes.length || sides || 2;
    const lanes = state.shared_lane ? 1 : Math.max(1, sides ? Math.min(sides, Math.max(lit, sides)) : Math.min(lit, 2));
    const lengths = this.lanes.map((lane) => lane.length / 6);
    // A game longer than the lanes goes round them again.
    const holes = lap ? Math.max(lap + 1, ...lengths.slice(0, lanes)) : Math.max(state.target, ...lengths.slice(0, lanes));
    const names = state.shared_lane ? [] : state.sides.map((side) => [side.name, side.colour]);
    const form = JSON.stringify([wide, tall, lanes, holes, state.target, lap, state.marks, names]);
    if (form === this.built) return;
    this.built = form;
    this.plan = layout(lanes, holes, wide, tall);
    const { box } = this.plan;
    this.holes = [];
    this.svg = s("svg", {
      viewBox: [box.x, box.y, box.w, box.h].map(round).join(" "),
      role: "img",
      class: `holes ${this.plan.kind}`,
    });
    this.defs = s("defs");
    this.hues = new Map();
    const halos = s("g", { class: "halos" });
    const pits = s("g", { class: "pits" });
    this.svg.append(this.defs, this.track(), this.marks(state, names), halos, pits);
    const last = lap ? { game: onLane(state.target, lap), end: lap } : { game: state.target, end: state.target };
    for (let lane = 0; lane < lanes; lane++) this.holes.push(this.lane(lane, holes, last, lap > 0, halos, pits));
    this.pegs = s("g", { class: "pegs" });
    this.svg.append(this.pegs);
    this.place.replaceChildren(this.svg);
    this.svg.style.setProperty("--edge", 2 * this.plan.edge);
  }

  track() {
    const wide = round(2 * this.plan.edge);
    const group = s("g", { class: "track" });
    if (this.plan.thread) group.append(s("path", { d: this.plan.thread, class: "thread" }));
    for (const d of this.plan.tracks) group.append(s("path", { d, class: "rim", "stroke-width": wide + 0.16 }));
    for (const d of this.plan.tracks) group.append(s("path", { d, class: "groove", "stroke-width": wide }));
    return group;
  }

  marks(state, names) {
    const { plan } = this;
    const group = s("g", { class: "marks" });
    const streets = state.marks?.streets || 5;
    for (let n = streets; n < plan.holes; n += streets) {
      const kind = n % 30 === 0 ? "street thirty" : "street";
      group.append(s("line", { ...plan.line(n, n % 30 === 0 ? -0.1 : -0.42), class: kind }));
    }
    const lap = state.lap_holes ?? 0;
    for (let n = 10; n < plan.holes; n += 10) {
      const where = plan.number(n);
      const at = { x: round(where.x), y: round(where.y) };
      const second = lap && n <= lap && lap + n < state.target;
      const steep = plan.kind === "clip" && Math.abs(Math.sin(plan.at(n, 0).angle)) > 0.5; // no room beside it
      const again = s("tspan", { class: "again", ...(steep ? { x: at.x, dy: "1.1em" } : {}) }, steep ? String(lap + n) : ` · ${lap + n}`);
      group.append(s("text", { ...at, class: "number", "font-size": plan.label }, String(n), second ? again : ""));
    }
    const skunks = [...(state.marks?.skunks ?? [])].filter((hole) => hole > 1 && hole < state.target).sort((a, b) => b - a);
    for (const hole of skunks) {
      const passed = onLane(hole - 1, lap);
      const line = plan.line(passed, plan.kind === "clip" ? 0.34 : 0.2);
      group.append(s("line", { ...line, class: "skunk" }));
      if (plan.kind !== "clip") continue;
      const back = plan.at(passed + 1, 0).angle > 1;
      const word = hole === skunks[0] ? "skunk" : "double skunk";
      group.append(
        s("text", { x: line.x1 + (back ? -0.4 : 0.4), y: line.y1 + (back ? 0.1 : 0.4), class: `word ${back ? "back" : ""}` }, word),
      );
    }
    if (plan.kind === "clip") {
      names.slice(0, plan.lanes).forEach(([name, colour], lane) => {
        const where = plan.hole(lane, -1);
        const at = { x: round(where.x - 1.1), y: round(where.y + 0.28) };
        group.append(s("text", { ...at, class: "lane", fill: LOOK[colour] }, name.slice(0, 1)));
      });
    }
    return group;
  }

  // `last` has the game's last hole and the last that is played on; past a lap the lane's end is the lap's lamp.
  lane(lane, holes, last, laps, halos, pits) {
    const made = [];
    for (const n of [-1, 0]) {
      const where = this.plan.hole(lane, n);
      pits.append(s("circle", { cx: round(where.x), cy: round(where.y), r: 0.2, class: "start" }));
    }
    for (let n = 1; n <= holes; n++) {
      const where = this.plan.hole(lane, n);
      const at = { cx: round(where.x), cy: round(where.y) };
      const game = n === last.game;
      const kind = game ? "pit game" : n <= last.end ? "pit" : laps && n === holes ? "pit lamp" : "pit past";
      const halo = s("circle", { ...at, r: game ? 1.35 : 1.02, opacity: 0 });
      const pit = s("circle", { ...at, r: game ? 0.42 : 0.31, class: kind });
      const led = s("circle", { ...at, r: game ? 0.4 : 0.3, class: "led", opacity: 0, "data-lane": lane, "data-hole": n });
      halos.append(halo);
      pits.append(pit, led);
      made.push({ halo, led, shown: "000000" });
    }
    return made;
  }

  paint() {
    this.holes.forEach((lane, at) => {
      const lights = this.shown(at);
      lane.forEach((hole, index) => {
        const hex = lights.slice(index * 6, index * 6 + 6) || "000000";
        if (hex === hole.shown) return;
        hole.shown = hex;
        hole.led.dataset.rgb = hex;
        const seen = light(hex);
        if (seen) {
          hole.led.setAttribute("fill", seen.hue);
          hole.halo.setAttribute("fill", `url(#${this.hue(seen.hue)})`);
        }
        hole.led.setAttribute("opacity", seen ? round(seen.strength) : 0);
        hole.halo.setAttribute("opacity", seen ? round(seen.strength * 0.85) : 0);
      });
    });
  }

  hue(colour) {
    if (!this.hues.has(colour)) {
      const id = `hue-${colour.slice(1)}`;
      this.hues.set(colour, id);
      this.defs.append(
        s(
          "radialGradient",
          { id },
          s("stop", { offset: 0, "stop-color": colour, "stop-opacity": 0.85 }),
          s("stop", { offset: 0.35, "stop-color": colour, "stop-opacity": 0.38 }),
          s("stop", { offset: 1, "stop-color": colour, "stop-opacity": 0 }),
        ),
      );
    }
    return this.hues.get(colour);
  }

  setPegs() {
    const sides = this.state?.sides ?? [];
    const shared = this.state?.shared_lane ?? false;
    const lit = (lane, n) => n < 1 || (this.holes[lane]?.[n - 1]?.shown ?? "000000") !== "000000";
    const wanted = sides.map((side, at) => {
      const lane = shared ? 0 : Math.min(at, this.plan.lanes - 1);
      const { front_hole: front = side.front, back_hole: back = side.back, lap = 0, name, colour } = side;
      return { name, colour, front, back, lap, lane, aside: shared ? (at - (sides.length - 1) / 2) * 0.36 : 0, lit: lit(lane, front) };
    });
    if (!changed(this.pegs, [this.built, wanted])) return;
    this.pegs.replaceChildren();
    for (const side of wanted) {
      const colour = LOOK[side.colour] ?? LOOK[LANES[0]];
      this.pegs.append(...this.stretch(side).map((d) => s("path", { d, class: "stretch", stroke: colour, "data-side": side.name })));
    }
    for (const side of wanted) {
      const colour = LOOK[side.colour] ?? LOOK[LANES[0]];
      const back = this.spot(side.lane, side.back > 0 ? side.back : -1, side.aside);
      const front = this.spot(side.lane, side.front, side.aside);
      const r = shared ? 0.34 : 0.42;
      this.pegs.append(
        s(
          "g",
          { class: "peg back", transform: back, "data-side": side.name, "data-hole": side.back, stroke: colour },
          pegShape(side.colour, r * 0.72),
        ),
        s(
          "g",
          { class: `peg front${side.lit ? " lit" : ""}`, transform: front, "data-side": side.name, "data-hole": side.front, fill: colour },
          pegShape(side.colour, r),
          side.lap
            ? s("text", { y: round(r * 0.42), "font-size": round(r * 1.25), class: "lap" }, String(side.lap + 1))
            : s("circle", { r: r * 0.3, cx: -r * 0.22, cy: -r * 0.22, class: "shine" }),
        ),
      );
    }
  }

  at(lane, n, aside) {
    const where = this.plan.hole(lane, Math.min(n, this.plan.holes));
    return { x: round(where.x - Math.sin(where.angle) * aside), y: round(where.y + Math.cos(where.angle) * aside) };
  }

  spot(lane, n, aside) {
    const { x, y } = this.at(lane, n, aside);
    return `translate(${x} ${y})`;
  }

  // From the back peg to the front one, broken where the board turns or a new lap begins.
  stretch({ lane, back, front, aside }) {
    const end = back > front ? this.plan.holes - 1 : front;
    const parts = [this.run(lane, Math.max(back, 1), end, aside)];
    if (back > front) parts.push(this.run(lane, 1, front, aside));
    return parts.flat();
  }

  run(lane, from, to, aside) {
    const lines = [];
    for (let n = from; n <= to; n++) {
      const here = this.at(lane, n, aside);
      const before = n > from ? this.at(lane, n - 1, aside) : null;
      if (before && Math.hypot(here.x - before.x, here.y - before.y) < APART) lines.push(`${lines.pop()}L${here.x} ${here.y}`);
      else lines.push(`M${here.x} ${here.y}`);
    }
    return lines.filter((line) => line.includes("L"));
  }

  label() {
    const lap = (side) => (this.state.lap_holes ? `, lap ${side.lap + 1}` : "");
    const words = (this.state?.sides ?? []).map((side) => `${side.name}: front peg ${side.front}, back peg ${side.back}${lap(side)}`);
    const text = words.length ? `${words.join("; ")}; game hole ${this.state.target}` : "The board, no pegs yet";
    if (this.svg.getAttribute("aria-label") !== text) this.svg.setAttribute("aria-label", text);
  }
}
