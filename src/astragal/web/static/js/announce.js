// What is said aloud by screen readers, and what is shown when something went wrong.

import { button, element, refill } from "./dom.js";

/** Say a sentence; one that is said twice is heard twice. */
export function announce(sentence) {
  const place = document.getElementById("announcements");
  place.textContent = place.textContent === sentence ? `${sentence} ` : sentence;
}

/** Show a sentence until something else is tried. */
export function complain(problem) {
  if (problem?.name === "AbortError") return;
  const place = document.getElementById("problems");
  const sentence = problem?.message ?? String(problem);
  refill(
    place,
    element("p", {}, sentence),
    button("Close", () => refill(place), { class: "quiet" }),
  );
}

export function forgive() {
  document.getElementById("problems").replaceChildren();
}

/** Run something that may fail, and show its sentence if it does. */
export async function attempt(task) {
  try {
    return await task();
  } catch (problem) {
    if (!problem?.sentence && problem?.name !== "AbortError") console.error(problem);
    complain(problem);
    return undefined;
  }
}
