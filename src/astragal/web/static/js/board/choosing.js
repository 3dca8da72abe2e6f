// Clicks on keys of a picture, until they make an action. Pure: knows nothing of the page.

export class Choosing {
  /** `moves`: for each action's number the keys to click, in order; none is the beginning of another. */
  constructor(moves = {}) {
    this.sequences = Object.entries(moves).filter(([, keys]) => keys.length);
    this.chosen = [];
  }

  /** The keys that may come next. */
  get open() {
    return new Set(this.#going(this.chosen).map(([, keys]) => keys[this.chosen.length]));
  }

  /** Every key that some action names. */
  get all() {
    return new Set(this.sequences.flatMap(([, keys]) => keys));
  }

  /** A click: the number of the action that is complete with it, or null. */
  click(key) {
    const again = this.chosen.length === 1 && this.chosen[0] === key;
    if (this.open.has(key)) this.chosen = [...this.chosen, key];
    else this.chosen = !again && this.#going([key]).length ? [key] : [];
    const done = this.#going(this.chosen).find(([, keys]) => this.chosen.length && keys.length === this.chosen.length);
    return done ? Number(done[0]) : null;
  }

  /** Whether a click on a key would make an action now. */
  completes(key) {
    return this.#going([...this.chosen, key]).some(([, keys]) => keys.length === this.chosen.length + 1);
  }

  forget() {
    this.chosen = [];
  }

  #going(chosen) {
    return this.sequences.filter(([, keys]) => chosen.every((key, i) => keys[i] === key));
  }
}
