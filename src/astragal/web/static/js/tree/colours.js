// Values as colours: from one player's colour over a neutral one to the other's, in a few steps that are painted together.

import { worthOf } from "./model.js";

const STEPS = 6; // on either side
const MOST = 0.9; // of the nodes differ in colour; beyond, few ends of the game would leave all others pale

/** Between three colours, at -STEPS, 0 and STEPS. */
export function mixed([low, middle, high], step) {
  const [from, to] = [middle, step < 0 ? low : high].map(channels);
  const part = Math.abs(step) / STEPS;
  return `rgb(${from.map((each, i) => Math.round(each + (to[i] - each) * part)).join(" ")})`;
}

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** How the nodes of a tree are coloured by what they are worth. */
export class Tint {
  constructor(nodes, players) {
    this.players = players;
    const known = [...nodes].filter((node) => node.value !== null).map((node) => Math.abs(node.value));
    known.sort((a, b) => a - b);
    this.most = Math.max(1e-9, known[Math.floor(MOST * known.length)] ?? 0);
  }

  step(node) {
    const value = worthOf(node, this.players);
    if (value === null) return "none";
    return String(Math.round(STEPS * Math.max(-1, Math.min(1, value / this.most))));
  }

  /** Of two, player 1 has the colour of good values; of several, all have the same. */
  ends(colours) {
    return this.players === 2 ? [colours.player2, colours.even, colours.player1] : [colours.end, colours.even, colours.root];
  }
}
