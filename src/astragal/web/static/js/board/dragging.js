// Dragging a piece from where it can be taken to where it may go, beside clicks on both.

const FAR = 8; // pixels before a press becomes a drag
const SOON = 60; // milliseconds in which a browser tells of a click that was the end of a drag

const keyOf = (group) => group.dataset.acts ?? group.dataset.key;

/** Hear drags on a board. `begin` takes a key up and says what moves with it, if that leads anywhere; `drop` lays it down. */
export function hearDrags(svg, { begin, drop, cancel }) {
  let from = null; // where the pointer went down
  let moving = null; // [{group, transform}] while something is dragged
  let ended = -Infinity;

  svg.addEventListener("pointerdown", (event) => {
    const group = event.target.closest?.(".item.live");
    const usable = group && event.isPrimary && event.button === 0 && event.pointerType !== "touch"; // fingers scroll
    from = usable ? { x: event.clientX, y: event.clientY, key: keyOf(group) } : null;
  });

  svg.addEventListener("pointermove", (event) => {
    if (!event.buttons) from = null;
    if (!from) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!moving && Math.hypot(dx, dy) > FAR) {
      moving = begin(from.key);
      if (moving) svg.setPointerCapture(event.pointerId);
      else from = null;
    }
    const scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    for (const { group, transform } of moving ?? [])
      group.style.transform = `${transform} translate(${dx * scale}px, ${dy * scale}px)`;
  });

  const end = (event) => {
    from = null;
    if (!moving) return;
    for (const { group, transform } of moving) group.style.transform = transform;
    moving = null;
    ended = performance.now();
    const below = document.elementFromPoint(event.clientX, event.clientY)?.closest(".item.live");
    if (event.type === "pointerup" && below && svg.contains(below)) drop(keyOf(below));
    else cancel();
  };
  svg.addEventListener("pointerup", end);
  svg.addEventListener("pointercancel", end);
  svg.addEventListener("click", (event) => performance.now() - ended < SOON && event.stopImmediatePropagation(), {
    capture: true,
  });
}
