// A running search of a session: begun, heard, stopped. One at a time.

import * as api from "../api.js";

export class SearchRun {
  constructor(panel) {
    this.panel = panel;
    this.aborting = null;
  }

  get running() {
    return this.aborting !== null;
  }

  /** Search with the players of a request; `hear` is told every event. Resolves when it is over or broken off. */
  async start(request, hear) {
    this.breakOff();
    const mine = new AbortController();
    this.aborting = mine;
    try {
      await this.panel.alive((id) =>
        api.analyse(id, request, (event, data) => mine === this.aborting && hear(event, data), mine.signal),
      );
    } finally {
      if (this.aborting === mine) this.aborting = null;
    }
  }

  /** Let it answer at once with what it has. */
  async stop() {
    if (this.running) await api.stop(this.panel.session.id);
  }

  /** Forget about it. */
  breakOff() {
    if (this.running) this.panel.broken = true;
    this.aborting?.abort();
    this.aborting = null;
  }
}
