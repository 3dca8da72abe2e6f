// How a piece of work stands, in words; and what its form asks for.

import { plural, whole } from "../words.js";

export const GOING = ["waiting", "running", "stopping"];

const STATES = { waiting: "waiting", running: "running", stopping: "stopping after what is under way", stopped: "stopped", done: "done", failed: "failed" };

export const stateWords = (state) => STATES[state] ?? state;

/** How many games there are of those that were asked for. */
export function gamesOf({ contests, wanted }) {
  const games = contests.reduce((sum, each) => sum + each.games, 0);
  return { games, wanted, words: wanted ? `${whole(Math.min(games, wanted))} of ${plural(wanted, "game")}` : "" };
}

/** A sequential test: which hypothesis it accepts, or how far it is. */
export function sprtWords({ elo0, elo1, llr, lower, upper, decision, pairs }) {
  const hypotheses = { "accept H0": `${elo0} Elo`, "accept H1": `${elo1} Elo` };
  const after = `after ${plural(pairs, "pair")}`;
  if (decision) return `Sequential test of ${elo0} against ${elo1} Elo: it accepts ${hypotheses[decision]} ${after}.`;
  const ratio = `log-likelihood ratio ${llr.toFixed(2)}, between ${lower.toFixed(2)} and ${upper.toFixed(2)}`;
  return `Sequential test of ${elo0} against ${elo1} Elo: undecided ${after} (${ratio}).`;
}

export const LIMITS = [
  ["time", "Seconds"],
  ["nodes", "Nodes"],
  ["sims", "Simulations"],
  ["depth", "Depth"],
  ["", "Each player's own"],
];

/** The limit of a move as the server takes it; nothing where each player has its own. */
export const limitOf = (kind, number) => (kind ? { [kind]: Number(number) } : {});

/** A name for a file, made of a game's text. */
export const fileName = (game) => game.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "model";

const KINDS = { match: "Match", tournament: "Tournament", learn: "Learning", strong: "Make it strong" };

export const kindWords = (kind) => KINDS[kind] ?? kind;

/** What a piece of work is, for a screen reader: "Match, pig: a – b: running". */
export const spoken = ({ kind, title, state }) => `${kindWords(kind)}, ${title}: ${stateWords(state)}`;
