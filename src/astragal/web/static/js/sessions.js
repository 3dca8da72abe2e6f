// The sessions of this page. Each tab has its own; they end with the page.

import * as api from "./api.js";

const open = new Set();

/** A new session: a game under way on the server. */
export async function openSession(wanted) {
  const session = await api.newSession(wanted);
  open.add(session.id);
  return session;
}

export function closeSession(session) {
  if (!session || !open.delete(session.id)) return;
  api.endSession(session.id);
}

/** The session as it is once no search of it runs any more: one that was broken off takes a moment to notice. */
export async function quietSession(id) {
  for (;;) {
    const session = await api.session(id);
    if (!session.searching) return session;
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
}

addEventListener("pagehide", (event) => {
  if (event.persisted) return; // it may be shown again
  for (const id of open) api.endSession(id);
});
