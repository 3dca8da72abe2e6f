// What a review says, in words and numbers: no element of the page is made here.

/** An amount of utility: percentage points of the chance to win, or points. */
export function amountIn(value, { measure, unit }, plus = false) {
  return inUnits(value / unit, measure, plus);
}

export function inUnits(amount, measure, plus = false) {
  const text = measure === "win" ? `${(100 * amount).toFixed(1)} %` : amount.toFixed(2);
  const plain = Number.parseFloat(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
  return plus && Number.parseFloat(text) > 0 ? `+${plain}` : plain;
}

/** What a decision lost, with its interval or between two proven bounds; without them it is exact. */
export function lossOf(row, facts) {
  if (row.loss) return row.loss;
  return row.error ? `${amountIn(row.lost, facts)} ± ${amountIn(row.error, facts)}` : amountIn(row.lost, facts);
}

/** What a decision lost, or that it lost nothing. */
export function decisionWords(row, facts) {
  if (row.kind === "not known") return "not known";
  if (row.loss && row.lost <= 0) return row.best === row.played ? row.loss : `${row.loss}; best so far ${row.best}`;
  return row.lost > 0 ? `${lossOf(row, facts)}; best ${row.best}` : "best";
}

/** Who reviewed, and what its numbers are. */
export function reviewedWords({ reviewer }, rows) {
  return `Reviewed by ${reviewer}; ${rows.some((row) => row.proven) ? "bounds are proven" : "± is a 95% interval"}.`;
}

/** What the game came to for one player: by decision and roll where chances are lost, which do not add up. */
export function totalsOf(each, { measure }, percent) {
  const [ofWhat, ofRolls] = measure === "win" ? ["of the chance to win at each decision", " at each roll"] : ["points in the game", " points"];
  const luck = each.rolls ? `, luck ${inUnits(each.luck_each, measure, true)}${ofRolls}` : "";
  const accuracy = `accuracy ${percent(each.accuracy, 0)} of ${each.decisions} decisions`;
  return `${accuracy}, lost ${inUnits(each.lost_each, measure)} ${ofWhat}${luck}`;
}

export function accuracyWords({ measure }) {
  const least = measure === "win" ? "1 % of the chance to win" : "a hundredth of what can be won";
  return `Accuracy is the share of decisions without a mistake. A mistake lost more than ${least}, and more than its ±.`;
}

/** The points of the graph: the value of every position that was judged, and the result. */
export function pointsOf(rows, { steps, result }) {
  const points = rows
    .filter((row) => row.value !== null && row.value !== undefined)
    .map((row) => ({ ply: row.ply - 1, seat: row.player ?? 1, value: row.value, chances: row.chances, mistake: row.mistake }));
  return result ? [...points, { ply: steps, seat: 1, value: result[0], chances: true }] : points;
}
