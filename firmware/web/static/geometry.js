// Where the holes are. Unit: the distance of two holes in a street of five.
//
// A wide board is the cribbage player's paper clip: three straights, a wide bend and a narrow one, the game hole within.
// A narrow one is folded into rows of thirty, forth and back; one that is to fill a tall place, into shorter rows.

const STREET = 5;
const GAP = 0.45; // more room between two streets
const START = 3.9; // where the track begins, before the pegs at the start and the lane's letter
const HALF = 0.78; // from the middle of the outer lane to the edge of the track

const along = (k) => k + Math.floor(k / STREET) * GAP;
const point = (x, y, angle, across) => ({ x: x - Math.sin(angle) * across, y: y + Math.cos(angle) * across, angle });

const ROWS = [30, 20, 15, 10];

// `tall` is the height of the place by its width where the board is to fill it, else 0.
export function layout(lanes, holes, wide, tall = 0) {
  const size = ({ box }) => Math.min(1 / box.w, tall / box.h);
  if (tall) return ROWS.map((row) => folded(lanes, holes, row)).reduce((best, one) => (size(one) > size(best) ? one : best));
  const fits = holes >= 61 && (holes - 16) % 15 === 0;
  return wide && fits ? clip(lanes, holes) : folded(lanes, holes);
}

function clip(lanes, holes) {
  const row = (holes - 16) / 3;
  const length = along(row - 1);
  const wideBend = lanes + 2; // radius of the middle line
  const ease = 0.6;
  const narrow = wideBend / 2;
  const edge = (lanes - 1) / 2 + HALF;

  const middle = (n) => {
    let k = n - 1;
    if (k < row) return [along(k), -wideBend, 0];
    k -= row;
    if (k < 10) return bend(length + ease, 0, wideBend, -Math.PI / 2, (k + 0.5) / 10);
    k -= 10;
    if (k < row) return [length - along(k), wideBend, Math.PI];
    k -= row;
    if (k < 5) return bend(-ease, narrow, narrow, Math.PI / 2, (k + 0.5) / 5);
    k -= 5;
    return [k < row ? along(k) : length + 1.7, 0, 0];
  };
  const at = (n, across) => {
    if (n < 1) return { x: -1.75 + n, y: -wideBend + across, angle: 0 };
    const [x, y, angle] = middle(n);
    return point(x, y, angle, across);
  };
  const left = Math.max(START, narrow + ease) + edge;
  const track =
    `M${-START} ${-wideBend}H${length + ease}A${wideBend} ${wideBend} 0 0 1 ${length + ease} ${wideBend}` +
    `H${-ease}A${narrow} ${narrow} 0 0 1 ${-ease} 0H${length + 1.7}`;
  const box = {
    x: -left - 0.9,
    y: -wideBend - edge - 1.5,
    w: left + 0.9 + length + ease + wideBend + edge + 1.4,
    h: 2 * (wideBend + edge + 1.5),
  };
  return finish({ kind: "clip", lanes, holes, at, tracks: [track], thread: "", box, edge, flip: () => -1, label: 0.72 });
}

function bend(cx, cy, radius, from, part) {
  const angle = from + Math.PI * part;
  return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle), angle + Math.PI / 2];
}

function folded(lanes, holes, row = ROWS[0]) {
  const rows = Math.max(1, Math.ceil((holes - 1) / row));
  const length = along(row - 1);
  const edge = (lanes - 1) / 2 + HALF;
  const apart = 2 * edge + 1.35;
  const place = (n) => {
    const last = n === holes;
    const k = last ? n - 2 : n - 1;
    const r = Math.max(0, Math.floor(k / row));
    const back = r % 2 === 1;
    const step = n < 1 ? n * 0.85 - 1.15 : along(k - r * row) + (last ? 1.55 : 0);
    return { x: back ? length - step : step, y: r * apart, angle: back ? Math.PI : 0, back };
  };
  // The first lane is the upper one in every row, whichever way the row runs.
  const at = (n, across) => {
    const where = place(n);
    return { x: where.x, y: where.y + across, angle: where.angle };
  };
  const tracks = [];
  let thread = "";
  for (let r = 0; r < rows; r++) {
    const back = r % 2 === 1;
    const y = r * apart;
    const lead = r === 0 ? 2 : 0;
    const tail = r === rows - 1 ? 1.55 : 0;
    tracks.push(back ? `M${-tail} ${y}H${length}` : `M${-lead} ${y}H${length + tail}`);
    if (r < rows - 1) {
      const x = back ? -edge + 0.25 : length + edge - 0.25;
      const sweep = back ? 0 : 1;
      thread += `M${x} ${y}a.7 ${apart / 2} 0 0 ${sweep} 0 ${apart}`;
    }
  }
  const left = 2 + edge + 0.1;
  const box = { x: -left, y: -edge - 1.35, w: left + length + edge + 0.75, h: 2 * edge + (rows - 1) * apart + 1.75 };
  return finish({ kind: "folded", lanes, holes, at, tracks, thread, box, edge, flip: (a) => (a ? 1 : -1), label: 0.92 });
}

function finish(plan) {
  const across = (lane) => lane - (plan.lanes - 1) / 2;
  return {
    ...plan,
    // Hole n of a lane; 0 and -1 are the start, where the front and the back peg wait.
    hole: (lane, n) => plan.at(n, across(lane)),
    // A line over the track just past hole n, reaching `over` past its edges.
    line(n, over) {
      const a = plan.at(n, 0);
      const b = plan.at(n + 1, 0);
      const same = plan.kind === "clip" || Math.abs(a.y - b.y) < 0.01;
      const x = same ? (a.x + b.x) / 2 : a.x + Math.cos(a.angle) * 0.62;
      const y = same ? (a.y + b.y) / 2 : a.y;
      const angle = same && plan.kind === "clip" ? (a.angle + b.angle) / 2 : a.angle;
      const reach = plan.edge + over;
      const dx = -Math.sin(angle) * reach;
      const dy = Math.cos(angle) * reach;
      return { x1: x + dx, y1: y + dy, x2: x - dx, y2: y - dy };
    },
    // Where the number of hole n stands: outside the track, on the side that is turned away from the next row.
    number(n) {
      const a = plan.at(n, 0);
      if (plan.kind === "folded") return { x: a.x, y: a.y - plan.edge - 0.28 };
      const reach = plan.edge + 0.62;
      return { x: a.x + Math.sin(a.angle) * reach, y: a.y - Math.cos(a.angle) * reach + 0.25 };
    },
  };
}
