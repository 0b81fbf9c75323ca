// The OLED: the panel's own pixels, each drawn as a square of whole device pixels.

const LIT = [214, 240, 255];
const DARK = [4, 7, 10];
const MOST = 5;

export class Glass {
  constructor(canvas, bezel) {
    this.canvas = canvas;
    this.bezel = bezel;
    new ResizeObserver(() => this.fit()).observe(bezel.parentElement);
  }

  show({ w, h, bits }) {
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
      this.fit();
    }
    const packed = Uint8Array.from(atob(bits), (letter) => letter.charCodeAt(0));
    const stride = Math.ceil(w / 8);
    const context = this.canvas.getContext("2d");
    const image = context.createImageData(w, h);
    for (let y = 0; y < h; y++) {
      for (let x = 0; x < w; x++) {
        const on = packed[y * stride + (x >> 3)] & (0x80 >> (x & 7));
        const at = 4 * (y * w + x);
        image.data.set(on ? LIT : DARK, at);
        image.data[at + 3] = 255;
      }
    }
    context.putImageData(image, 0, 0);
  }

  describe(words) {
    const text = `Screen: ${words || "dark"}`;
    if (this.canvas.getAttribute("aria-label") !== text) this.canvas.setAttribute("aria-label", text);
  }

  // A scale that is not whole would draw some rows thicker than others.
  fit() {
    const style = getComputedStyle(this.bezel);
    const room = this.bezel.parentElement.clientWidth - 2 * (parseFloat(style.paddingLeft) + parseFloat(style.borderLeftWidth));
    const most = parseFloat(style.getPropertyValue("--most")) || MOST;
    const dpr = window.devicePixelRatio || 1;
    const scale = Math.max(1, Math.min(Math.floor((room * dpr) / this.canvas.width), Math.floor(most * dpr))) / dpr;
    this.canvas.style.width = `${this.canvas.width * scale}px`;
    this.canvas.style.height = `${this.canvas.height * scale}px`;
  }
}
