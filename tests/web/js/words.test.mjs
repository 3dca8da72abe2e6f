import assert from "node:assert/strict";
import test from "node:test";
import { parseSpec, writeSpec } from "./forms/spec.js";
import { accuracyWords, amountIn, decisionWords, lossOf, pointsOf, reviewedWords, totalsOf } from "./parts/review-words.js";
import { chanceOf } from "./parts/worth.js";
import { turnsOf } from "./play/telling.js";
import { routeTo } from "./route.js";
import { Walk } from "./steps/walk.js";
import { brief, percent, plural, signed } from "./words.js";

const WON = { measure: "win", unit: 200 };
const POINTS = { measure: "score", unit: 1 };

test("losses are percentage points of the chance to win, or points", () => {
  assert.equal(amountIn(50, WON), "25.0 %");
  assert.equal(amountIn(-50, WON, true), "−25.0 %");
  assert.equal(amountIn(50, WON, true), "+25.0 %");
  assert.equal(amountIn(-0.001, POINTS), "0.00");
  assert.equal(lossOf({ lost: 0.5, error: 0.25 }, POINTS), "0.50 ± 0.25");
  assert.equal(lossOf({ lost: 50, error: 0 }, WON), "25.0 %");
});

test("a proven loss lies between two bounds", () => {
  const open = { played: "a1", best: "b2", lost: 0, loss: "between 0.00% and 3.20%", kind: "between" };
  assert.equal(decisionWords(open, WON), "between 0.00% and 3.20%; best so far b2");
  assert.equal(decisionWords({ ...open, best: "a1" }, WON), "between 0.00% and 3.20%");
  assert.equal(decisionWords({ ...open, lost: 6, loss: "between 3.00% and 3.20%" }, WON), "between 3.00% and 3.20%; best b2");
  assert.equal(decisionWords({ ...open, loss: null }, WON), "best");
  assert.equal(reviewedWords({ reviewer: "prove" }, [{ proven: "player 1 wins, proven" }]), "Reviewed by prove; bounds are proven.");
  assert.equal(reviewedWords({ reviewer: "uct" }, [{}]), "Reviewed by uct; ± is a 95% interval.");
});

test("totals of chances are by decision and by roll, of points by game", () => {
  const each = { accuracy: 0.5, decisions: 4, lost_each: 0.3, luck_each: -0.1, rolls: 3 };
  assert.equal(totalsOf(each, WON, percent), "accuracy 50 % of 4 decisions, lost 30.0 % of the chance to win at each decision, luck −10.0 % at each roll");
  assert.equal(totalsOf({ ...each, rolls: 0 }, POINTS, percent), "accuracy 50 % of 4 decisions, lost 0.30 points in the game");
  assert.match(accuracyWords(WON), /1 % of the chance to win/);
});

test("the graph ends with the result", () => {
  const rows = [{ ply: 1, player: 2, value: 5, chances: true, mistake: true }, { ply: 2, value: null }];
  assert.deepEqual(pointsOf(rows, { steps: 2, result: [100, -100] }), [
    { ply: 0, seat: 2, value: 5, chances: true, mistake: true },
    { ply: 2, seat: 1, value: 100, chances: true },
  ]);
  assert.equal(pointsOf(rows, { steps: 2, result: null }).length, 1);
});

test("numbers in words", () => {
  assert.deepEqual([brief(9999), brief(12_345), brief(2_500_000)], ["9,999", "12.3 k", "2.5 M"]);
  assert.deepEqual([signed(-1.5, 1), signed(0.001, 1), signed(null)], ["−1.5", "0.0", "–"]);
  assert.deepEqual([plural(1, "move"), plural(2, "move")], ["1 move", "2 moves"]);
  assert.equal(chanceOf(0, { range: [-100, 100], measure: "win", chances: true }), 0.5);
  assert.equal(chanceOf(0, { range: [-100, 100], measure: "win", chances: false }), null);
});

test("specs and links there and back", () => {
  assert.deepEqual(parseSpec("pig:goal=20,dice=1"), { name: "pig", values: { goal: "20", dice: "1" } });
  assert.equal(writeSpec("pig", { goal: "20" }), "pig:goal=20");
  assert.equal(routeTo("play", { game: "pig", seats: ["person", "random"], position: null }), "#/play?game=pig&seats=person&seats=random");
});

test("steps are told turn by turn", () => {
  const steps = [{ of: 1, ply: 1 }, { of: 1, ply: 2 }, { of: 2, ply: 3 }];
  assert.deepEqual(turnsOf(steps).map((turn) => turn.steps.length), [2, 1]);
});

test("a walk knows what its nodes look like at each event", () => {
  const nodes = [{ id: 0, parent: null, kind: "decision", step: 0 }, { id: 1, parent: 0, kind: "end", step: 3 }];
  const events = [
    { node: 0, nodes: 1, changes: {} },
    { node: 1, nodes: 2, changes: { 1: { value: 1, cut: true } } },
  ];
  const walk = new Walk({ nodes, events });
  assert.equal(walk.at(0).shown.length, 0);
  assert.equal(walk.at(1).value, 1);
  assert.equal(walk.nodes[0].shown.length, 1);
  assert.equal(walk.nextCut(-1), 1);
});
