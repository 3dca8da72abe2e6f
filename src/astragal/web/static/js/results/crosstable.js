// Everybody against everybody, one table a game.

import { element } from "../dom.js";
import { percent, whole } from "../words.js";

const signedElo = (elo) => `${elo >= 0 ? "+" : "−"}${Math.abs(Math.round(elo))}`;

export function crosstable({ game, players, cells, ratings }) {
  const rated = new Map((ratings ?? []).map((each) => [each.player, each]));
  const letters = players.map((_, i) => String(i + 1));
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "player"),
    letters.map((letter, i) => element("th", { scope: "col", class: "number", title: players[i] }, letter)),
    rated.size ? element("th", { scope: "col", class: "number" }, "Elo") : null,
  );
  const rows = players.map((name, i) => {
    const rating = rated.get(name);
    const elo = rated.size
      ? element(
          "td",
          { class: "number" },
          rating
            ? [
                signedElo(rating.elo),
                element("span", { class: "soft" }, ` (${signedElo(rating.low)} to ${signedElo(rating.high)})`),
              ]
            : "",
        )
      : null;
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, element("span", { class: "soft number" }, `${letters[i]} `), name),
      cells[i].map((cell) => cellOf(cell)),
      elo,
    );
  });
  return element(
    "div",
    { class: "scroll" },
    element(
      "table",
      { class: "crosstable" },
      element("caption", {}, game),
      element("thead", {}, head),
      element("tbody", {}, rows),
    ),
  );
}

/** A share of wins, the warmer the more it differs from the half. */
function cellOf(cell) {
  if (!cell) return element("td", { class: "number empty", "aria-label": "not played" }, "·");
  const title = `${percent(cell.low)} to ${percent(cell.high)} in ${whole(cell.games)} games`;
  const made = element(
    "td",
    { class: "number", title },
    percent(cell.rate),
    element("span", { class: "soft block" }, `${whole(cell.games)}`),
  );
  const sure = cell.low > 0.5 ? "ahead" : cell.high < 0.5 ? "behind" : "";
  if (sure) made.classList.add(sure);
  return made;
}
