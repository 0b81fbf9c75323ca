// The last state seen, kept by the browser: what the page shows while the board does not answer.

const KEY = "muggins.last";

// A browser may keep nothing (private windows, full storage): then the page has only what it has seen itself.
export function keep(seen) {
  try {
    localStorage.setItem(KEY, JSON.stringify(seen));
  } catch {
    // nothing to be done, and nothing lost
  }
}

export function kept(version) {
  try {
    const seen = JSON.parse(localStorage.getItem(KEY));
    return seen?.version === version && seen.state ? seen : null;
  } catch {
    return null;
  }
}
