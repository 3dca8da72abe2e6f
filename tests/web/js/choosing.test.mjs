import assert from "node:assert/strict";
import test from "node:test";
import { Choosing } from "./board/choosing.js";
import { ordersOf, placeOn } from "./board/halves.js";

test("an action is complete with its last key", () => {
  const choosing = new Choosing({ 3: ["a", "b"], 4: ["a", "c"], 5: ["d"] });
  assert.deepEqual([...choosing.open], ["a", "d"]);
  assert.equal(choosing.click("a"), null);
  assert.deepEqual([...choosing.open], ["b", "c"]);
  assert.equal(choosing.click("c"), 4);
});

test("a second click on the first key takes it back, another first key takes its place", () => {
  const choosing = new Choosing({ 1: ["a", "b"], 2: ["c", "b"] });
  choosing.click("a");
  choosing.click("a");
  assert.deepEqual(choosing.chosen, []);
  choosing.click("a");
  choosing.click("c");
  assert.deepEqual(choosing.chosen, ["c"]);
  choosing.click("z");
  assert.deepEqual(choosing.chosen, []);
});

test("parts are chosen in any order, and taken back one by one", () => {
  const choosing = new Choosing({ 7: ["p8", "p5", "p6", "p5"] }, true);
  assert.deepEqual([...choosing.open], ["p8", "p6"]);
  for (const key of ["p6", "p5", "p8"]) assert.equal(choosing.click(key), null);
  assert.deepEqual(choosing.whole, ["p6", "p5"]);
  choosing.back();
  assert.deepEqual(choosing.chosen, ["p6", "p5"]);
  choosing.back();
  assert.deepEqual(choosing.chosen, []);
  for (const key of ["p8", "p5", "p6"]) choosing.click(key);
  assert.equal(choosing.click("p5"), 7);
});

test("a click beside keeps the parts that are complete", () => {
  const choosing = new Choosing({ 7: ["p8", "p5", "p6", "p5"] }, true);
  for (const key of ["p8", "p5", "p6", "p1"]) choosing.click(key);
  assert.deepEqual(choosing.chosen, ["p8", "p5"]);
});

test("a man that goes on waits for its first part, and the bar comes first", () => {
  assert.deepEqual(ordersOf(["p8", "p5", "p5", "p4"]), [["p8", "p5", "p5", "p4"]]);
  assert.deepEqual(ordersOf(["bar-1", "p20", "p6", "p5"]), [["bar-1", "p20", "p6", "p5"]]);
  assert.deepEqual(ordersOf(["pass"]), [["pass"]]);
  assert.equal(ordersOf(["a", "b", "c", "d", "e", "f", "g", "h"]).length, 24);
  assert.equal(ordersOf(["a", "b", "a", "b", "a", "b", "a", "b"]).length, 1); // a double with four men of one point
});

test("a man comes to lie on the others of a point", () => {
  assert.deepEqual(placeOn({ x: 10, y: 155, h: 250 }, { height: 620 }, 28, 0), [10, 60]);
  assert.ok(placeOn({ x: 10, y: 155, h: 250 }, { height: 620 }, 28, 1)[1] > 60);
  assert.deepEqual(placeOn({ x: 10, y: 465, h: 250 }, { height: 620 }, 28, 0), [10, 560]);
});
