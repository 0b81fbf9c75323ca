// What a light looks like on a screen: hue and strength apart, and blue lifted, which would drown in the dark.

export const LOOK = { blue: "#5b78ff", amber: "#ff9a1a", white: "#ffffff" };

export function light(hex) {
  const [r, g, b] = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const most = Math.max(r, g, b);
  if (!most) return null;
  const full = [r, g, b].map((part) => part / most);
  const blueness = Math.max(0, full[2] - Math.max(full[0], full[1]));
  const lifted = [full[0] + 0.36 * blueness, full[1] + 0.47 * blueness, full[2]];
  const hue = "#" + lifted.map((part) => Math.round(255 * Math.min(1, part)).toString(16).padStart(2, "0")).join("");
  return { hue, strength: Math.pow(most / 255, 0.45) };
}
