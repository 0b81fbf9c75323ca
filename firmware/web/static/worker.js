// Keeps the page's files, never the board's state. While the board answers, everything comes from the board itself:
// what is kept is shown only when it cannot be reached, and then all of it from the one version that was kept together.

const CACHE = "muggins-{{version}}";
const SHELL = {{shell}};
const LATE_MS = 5000;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(SHELL.map((path) => new Request(path, { cache: "reload" }))))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name.startsWith("muggins-") && name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

const away = new Set(); // the windows whose page came from the cache: their files do, too

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin || !SHELL.includes(path)) return;
  if (request.mode === "navigate") event.respondWith(navigated(event, path));
  else if (away.has(event.clientId)) event.respondWith(held(path).then((found) => found ?? fetch(request)));
  else event.respondWith(fetch(request).catch(async (error) => (await held(path)) ?? Promise.reject(error)));
});

async function navigated(event, path) {
  try {
    return await fetch(event.request, { signal: AbortSignal.timeout(LATE_MS) });
  } catch (error) {
    const found = await held(path);
    if (!found) throw error;
    away.add(event.resultingClientId);
    return found;
  }
}

const held = (path) => caches.open(CACHE).then((cache) => cache.match(path));
