// The first view: the games as cards.

import * as api from "../api.js";
import { attempt } from "../announce.js";
import { Board } from "../board/board.js";
import { element, refill } from "../dom.js";
import { routeTo } from "../route.js";
import { nameAndAbout } from "../words.js";
import { keptGame } from "../play/kept.js";

const FIRST = ["backgammon", "ewn", "pig", "kalah", "connect_four", "cant_stop", "ra", "chinese_checkers", "focus", "tic_tac_toe"];

export function show(root) {
  const view = new WelcomeView(root);
  attempt(() => view.begin());
  return view;
}

class WelcomeView {
  constructor(root) {
    this.cards = element("ul", { class: "cards" }, element("li", { class: "soft" }, "Setting up the boards …"));
    const kept = keptGame();
    const onward = kept
      ? element("p", {}, element("a", { class: "button main", href: routeTo("play", kept.record) }, "Go on with your game"))
      : null;
    const lead = "Play a game of dice, tiles or thought against the computer, watch two players, or look at how they think.";
    root.append(
      element("div", { class: "welcome" }, element("h1", {}, "What shall we play?"), element("p", { class: "soft" }, lead), onward, this.cards),
    );
  }

  async begin() {
    const rank = (card) => (card.own ? -1 : FIRST.includes(card.id) ? FIRST.indexOf(card.id) : FIRST.length);
    const cards = [];
    for (const sheets of [false, true]) { // rule sheets have to be read first, which takes a while
      cards.push(...(await api.cards({ sheets })));
      refill(this.cards, [...cards].sort((a, b) => rank(a) - rank(b)).map(cardOf));
    }
  }

  leave() {}
}

function cardOf(card) {
  const [name, about] = nameAndAbout(card);
  return element(
    "li",
    {},
    element(
      "a",
      { class: "card", href: routeTo("new", { game: card.id }) },
      element("div", { class: "card-picture", "aria-hidden": "true" }, pictureOf(card)),
      element("h2", {}, `${name}${card.own ? " (yours)" : ""}`),
      element("p", { class: "small" }, about),
      element("p", { class: "soft small" }, factsOf(card).join(" · ")),
    ),
  );
}

/** Something to look at, not to click. */
export function pictureOf({ picture }) {
  if (!picture) return null;
  const board = new Board({ label: "" });
  board.show({ ...picture, items: picture.items.map((item) => ({ ...item, label: undefined })) });
  board.svg.removeAttribute("tabindex");
  return board.svg;
}

export function factsOf({ players: [low, high], moves, chance }) {
  const seats = high === 1 ? "for one" : low === high ? `${low} players` : `${low} to ${high} players`;
  return [seats, moves ? `about ${moves} moves` : null, chance ? "with luck" : "no luck"].filter(Boolean);
}
