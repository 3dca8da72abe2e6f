import assert from "node:assert/strict";
import test from "node:test";
import { fileName, gamesOf, limitOf, spoken, sprtWords } from "./work/words.js";

test("the games of all contests of a piece of work, never more than were asked for", () => {
  assert.equal(gamesOf({ contests: [{ games: 3 }, { games: 4 }], wanted: 20 }).words, "7 of 20 games");
  assert.equal(gamesOf({ contests: [{ games: 30 }], wanted: 20 }).words, "20 of 20 games");
  assert.equal(gamesOf({ contests: [], wanted: 0 }).words, "");
});

test("a sequential test says what it accepts, or how far it is", () => {
  const test = { elo0: 0, elo1: 20, llr: 1.234, lower: -2.94, upper: 2.94, decision: null, pairs: 1 };
  assert.match(sprtWords(test), /undecided after 1 pair \(log-likelihood ratio 1.23/);
  assert.match(sprtWords({ ...test, decision: "accept H1", pairs: 9 }), /accepts 20 Elo after 9 pairs/);
  assert.match(sprtWords({ ...test, decision: "accept H0" }), /accepts 0 Elo/);
});

test("a limit is a number of its kind, or each player's own", () => {
  assert.deepEqual(limitOf("time", "0.5"), { time: 0.5 });
  assert.deepEqual(limitOf("", "0.5"), {});
});

test("a file's name is made of a game's text", () => {
  assert.equal(fileName("pig:goal=20"), "pig-goal-20");
  assert.equal(fileName("::"), "model");
});

test("what a screen reader says of a piece of work", () => {
  assert.equal(spoken({ kind: "match", title: "pig: a – b", state: "stopping" }), "Match, pig: a – b: stopping after what is under way");
});
