// Focus by keys. What it was on may be gone after a redraw; then something near has it, and not the top of the page.

/** The element within these that was reached by keys, or null. */
export function keyFocusIn(root) {
  const at = document.activeElement;
  return root.contains(at) && at.matches(":focus-visible") ? at : null;
}

/** Whether an element can have the focus still. */
export const keepsFocus = (at) => at !== document.body && !at.disabled && at.checkVisibility();
