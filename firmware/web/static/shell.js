// The page's own files: kept for when the board is away, and made anew when the board has newer ones.

export const VERSION = document.querySelector("meta[name=page-version]")?.content ?? "";

const TRIED = "muggins.reloaded";

// Only a secure context (this machine, or TLS) has service workers.
export function keepShell() {
  navigator.serviceWorker?.register("/sw.js").catch(() => {});
}

// After the board was away it may be a newer one: its page is then loaded anew, once.
export async function renew() {
  try {
    const answer = await fetch("/version", { cache: "no-store" });
    const { page } = await answer.json();
    if (!answer.ok || !page || page === VERSION || sessionStorage.getItem(TRIED) === page) return;
    sessionStorage.setItem(TRIED, page);
    location.reload();
  } catch {
    // the board went again: the next connection asks anew
  }
}
