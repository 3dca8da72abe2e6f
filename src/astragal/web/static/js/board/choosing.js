// Clicks on keys of a picture, until they make an action; no element of the page is touched here.

import { ordersOf } from "./halves.js";

export class Choosing {
  /**
   * `moves`: for each action's number the keys to click, in order; none is the beginning of another. Where they are
   * `paired`, they are parts from one place to another, which may be chosen in any order, and taken back one by one.
   */
  constructor(moves = {}, paired = false) {
    this.paired = paired;
    const listed = Object.entries(moves).filter(([, keys]) => keys.length);
    this.sequences = paired ? listed.flatMap(([number, keys]) => ordersOf(keys).map((order) => [number, order])) : listed;
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
    const { whole } = this;
    const again = this.chosen.length === whole.length + 1 && this.chosen.at(-1) === key;
    if (this.open.has(key)) this.chosen = [...this.chosen, key];
    else this.chosen = !again && this.#going([...whole, key]).length ? [...whole, key] : whole;
    const done = this.#going(this.chosen).find(([, keys]) => this.chosen.length && keys.length === this.chosen.length);
    return done ? Number(done[0]) : null;
  }

  /** Whether a click on a key would make an action now. */
  completes(key) {
    return this.#going([...this.chosen, key]).some(([, keys]) => keys.length === this.chosen.length + 1);
  }

  /** The keys of the parts that are complete. */
  get whole() {
    return this.paired ? this.chosen.slice(0, this.chosen.length - (this.chosen.length % 2)) : [];
  }

  /** Forget a part that was begun; what is complete stays. */
  forget() {
    this.chosen = this.whole;
  }

  /** Take back the last part. */
  back() {
    this.chosen = this.chosen.length % 2 ? this.whole : this.whole.slice(0, -2);
  }

  #going(chosen) {
    return this.sequences.filter(([, keys]) => chosen.every((key, i) => keys[i] === key));
  }
}
