// What the page knows of the board: the present state while it answers, the last one, marked as old, while it does not.

import { byId, say } from "./dom.js";
import { Feed } from "./feed.js";
import { keep, kept } from "./memory.js";
import { VERSION, keepShell, renew } from "./shell.js";

export class Link {
  // `handlers` has state(state), glass(event), lights(event); `onLink(state, since)` hears of a loss and of a return.
  constructor(handlers, onLink) {
    this.handlers = handlers;
    this.onLink = onLink;
    this.seen = {};
    this.heardAt = 0;
    this.since = 0;
    const take = (name) => (event) => {
      this.seen[name] = event;
      handlers[name]?.(event);
      if (name === "state") this.keep();
    };
    window.addEventListener("pagehide", () => this.keep());
    this.feed = new Feed("/events", { state: take("state"), glass: take("glass"), lights: take("lights") }, (live) => this.link(live));
    keepShell();
  }

  keep() {
    if (this.seen.state) keep({ ...this.seen, version: VERSION, at: this.heardAt });
  }

  link(live) {
    const word = live ? "live" : "lost";
    if (live) this.heardAt = Date.now();
    if (document.body.dataset.link === word) return;
    const again = live && document.body.dataset.link === "lost";
    document.body.dataset.link = word;
    if (!live) this.recall();
    this.since = live ? 0 : this.heardAt || Date.now();
    say(byId("link"), live ? "Connected" : "Connection lost");
    this.onLink(this.seen.state ?? null, this.since);
    if (again) renew();
  }

  // A page that was opened while the board is away shows what it saw the last time.
  recall() {
    const old = this.seen.state ? null : kept(VERSION);
    if (!old) return;
    this.heardAt = old.at;
    for (const name of ["state", "glass", "lights"]) {
      if (!old[name]) continue;
      this.seen[name] = old[name];
      this.handlers[name]?.(old[name]);
    }
  }
}
