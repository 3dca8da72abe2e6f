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

addEventListener("pagehide", (event) => {
  if (event.persisted) return; // it may be shown again
  for (const id of open) api.endSession(id);
});
