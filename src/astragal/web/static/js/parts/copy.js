// Copying to the clipboard, with a word that it was done.

import { announce } from "../announce.js";
import { button } from "../dom.js";

export function copyButton(words, textOf) {
  const made = button(words, async () => {
    const text = textOf();
    const done = await copied(text);
    announce(done ? "Copied." : "The browser does not allow copying.");
    made.textContent = done ? "Copied" : "Not allowed";
    setTimeout(() => (made.textContent = words), 1400);
  });
  return made;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
