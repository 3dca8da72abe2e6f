// Pan and zoom, by mouse, touch and keys. Says where things are on the screen; what is drawn is not its business.

const LEAST = 0.01;
const MOST = 20;
const PAN = 60; // of a key, in pixels
const ZOOM = 1.25; // of a key or button

export class Camera {
  /** `surface` is what the pointer acts on; `onchange` is called after every change. */
  constructor(surface, onchange) {
    this.surface = surface;
    this.onchange = onchange;
    this.x = 0; // of the place in the middle
    this.y = 0;
    this.scale = 1;
    this.pointers = new Map();
    this.moved = false; // whether the pointer that is down was dragged
    surface.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    surface.addEventListener("pointerdown", (event) => this.down(event));
    surface.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) surface.addEventListener(end, (event) => this.up(event));
  }

  get width() {
    return this.surface.clientWidth;
  }

  get height() {
    return this.surface.clientHeight;
  }

  onScreen(x, y) {
    return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.scale + this.height / 2];
  }

  inWorld(screenX, screenY) {
    return [(screenX - this.width / 2) / this.scale + this.x, (screenY - this.height / 2) / this.scale + this.y];
  }

  /** Show a whole frame, with a margin. */
  fit(frame, margin = 32) {
    this.x = (frame.left + frame.right) / 2;
    this.y = (frame.top + frame.bottom) / 2;
    const across = (this.width - 2 * margin) / Math.max(1, frame.right - frame.left);
    const down = (this.height - 2 * margin) / Math.max(1, frame.bottom - frame.top);
    this.scale = clamp(Math.min(across, down), LEAST, 2.5);
    this.onchange();
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.onchange();
  }

  /** Zoom about a place on the screen, by default the middle. */
  zoom(factor, screenX = this.width / 2, screenY = this.height / 2) {
    const [x, y] = this.inWorld(screenX, screenY);
    this.scale = clamp(this.scale * factor, LEAST, MOST);
    const [newX, newY] = this.inWorld(screenX, screenY);
    this.x += x - newX;
    this.y += y - newY;
    this.onchange();
  }

  /** Move just as much as brings a place into sight. */
  bringIn(x, y, margin = 48) {
    const [screenX, screenY] = this.onScreen(x, y);
    const dx = clamp(screenX, margin, this.width - margin) - screenX;
    const dy = clamp(screenY, margin, this.height - margin) - screenY;
    if (dx || dy) this.pan(dx, dy);
  }

  /** Acts on + − and shifted arrows; says whether it did. */
  key(event) {
    const steps = { ArrowLeft: [PAN, 0], ArrowRight: [-PAN, 0], ArrowUp: [0, PAN], ArrowDown: [0, -PAN] };
    if (event.shiftKey && steps[event.key]) this.pan(...steps[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(ZOOM);
    else if (event.key === "-") this.zoom(1 / ZOOM);
    else return false;
    return true;
  }

  wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    const factor = Math.exp(-clamp(event.deltaY * lines, -200, 200) * (event.ctrlKey ? 0.008 : 0.0018));
    this.zoom(factor, event.offsetX, event.offsetY);
  }

  down(event) {
    if (event.button) return;
    this.surface.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this.pointers.size === 1) {
      this.moved = false;
      this.travelled = 0;
    }
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.offsetX, y: event.offsetY };
    this.travelled += Math.hypot(now.x - before.x, now.y - before.y);
    if (this.travelled > 4) this.moved = true;
    if (this.pointers.size === 2) this.pinch(event.pointerId, before, now);
    else if (this.moved) this.pan(now.x - before.x, now.y - before.y);
    this.pointers.set(event.pointerId, now);
  }

  pinch(id, before, now) {
    const other = [...this.pointers].find(([key]) => key !== id)[1];
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(now.x - other.x, now.y - other.y);
    this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    if (was > 0) this.zoom(is / was, (now.x + other.x) / 2, (now.y + other.y) / 2);
  }

  up(event) {
    this.pointers.delete(event.pointerId);
  }
}

function clamp(value, low, high) {
  return Math.max(low, Math.min(high, value));
}
