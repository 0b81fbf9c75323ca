// The board's events, for as long as the page is looked at; connects again by itself.

const SILENCE_MS = 25000; // the board says something every ten seconds
const AGAIN_MS = 1000;

export class Feed {
  constructor(address, handlers, onLink) {
    this.address = address;
    this.handlers = handlers;
    this.onLink = onLink;
    this.stream = null;
    this.timer = 0;
    this.again = 0;
    // A hidden page lets its connection go: a browser has only six for one board.
    document.addEventListener("visibilitychange", () => (document.hidden ? this.rest() : this.open()));
    window.addEventListener("pagehide", () => this.rest());
    window.addEventListener("pageshow", () => this.open());
    window.addEventListener("online", () => this.lost(true));
    this.open();
  }

  open() {
    if (this.stream || document.hidden) return;
    const stream = new EventSource(this.address);
    this.stream = stream;
    for (const [name, handler] of Object.entries(this.handlers)) {
      stream.addEventListener(name, (event) => {
        this.heard();
        handler(JSON.parse(event.data));
      });
    }
    stream.addEventListener("ping", () => this.heard());
    stream.addEventListener("open", () => this.heard());
    stream.addEventListener("error", () => this.lost(stream.readyState === EventSource.CLOSED));
    this.guard();
  }

  rest() {
    clearTimeout(this.timer);
    clearTimeout(this.again);
    this.stream?.close();
    this.stream = null;
  }

  heard() {
    this.onLink(true);
    this.guard();
  }

  guard() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lost(true), SILENCE_MS);
  }

  // The browser tries again by itself unless it has given the stream up.
  lost(givenUp) {
    this.onLink(false);
    if (!givenUp) return;
    this.rest();
    this.again = setTimeout(() => this.open(), AGAIN_MS);
  }
}
