// A position to look into: of any game, set by its notation or by moves on the board. Nobody plays it.

import * as api from "../api.js";
import { attempt } from "../announce.js";
import { keepCurrent } from "../current.js";
import { button, element } from "../dom.js";
import { firstGame, GameChooser } from "../forms/game.js";
import { MoveList } from "../play/moves.js";
import { routeTo } from "../route.js";
import { closeSession, openSession, quietSession } from "../sessions.js";
import { Notation } from "./notation.js";
import { PositionView } from "./position.js";

export class PositionPanel {
  /** `onchange` is called after every change of the position, `ongame` first, if the game is another. */
  constructor({ onchange, ongame }) {
    this.onchange = onchange;
    this.ongame = ongame;
    this.view = new PositionView({ onaction: (number) => this.act(number) });
    this.notation = new Notation((text) => this.change((id) => api.setPosition(id, text)));
    this.moves = new MoveList((number) => this.act(number));
    this.moves.element.classList.remove("panel");
    this.undo = button("Undo", () => this.change((id) => api.undo(id, this.session.ply - 1)));
    this.deal = button("Roll or draw", () => this.change((id) => api.deal(id)));
    this.play = element("a", { class: "button quiet" }, "Play from here");
    this.title = element("summary");
    this.setup = element("details", { class: "setup" }, this.title);
    this.more = element("details", {}, element("summary", {}, "Moves as a list"), this.moves.element);
    const tools = element("div", { class: "row tools" }, this.undo, this.deal, this.play);
    this.element = element(
      "section",
      { class: "panel position-panel stack" },
      this.setup,
      this.view.element,
      tools,
      this.more,
      this.notation.element,
    );
    this.element.inert = true; // until there is a position
  }

  get position() {
    return this.session.position;
  }

  async begin(options) {
    const games = await api.games();
    const game = options.get("game") || firstGame(games);
    await attempt(() => this.open({ game, position: options.get("position") || null }));
    if (!this.session && !this.left) await this.open({ game: firstGame(games) });
    if (this.left) return;
    const onchange = (facts) => attempt(() => this.open({ game: facts.game }));
    this.setup.append(new GameChooser({ games, game: this.session.game, onchange }).element);
  }

  /** A game's position, or its start with what chance has before the first decision: there is something to decide. */
  async open(wanted) {
    let session = await openSession(wanted);
    if (!wanted.position) while (session.position.kind === "chance") session = await api.deal(session.id);
    if (this.left) {
      closeSession(session);
      return;
    }
    closeSession(this.session);
    this.session = session;
    this.facts = await api.gameFacts(session.game);
    this.title.textContent = `Game: ${session.game}`;
    await this.ongame(this.facts);
    if (this.left) return;
    this.element.inert = false;
    this.draw(false);
  }

  act(number) {
    return this.change((id) => (this.position.kind === "chance" ? api.deal(id, number) : api.play(id, number)));
  }

  async change(request) {
    await attempt(async () => {
      this.session = await this.alive(request);
      this.draw();
    });
  }

  /** Ask about the session; if it has expired, begin a new one where it was. */
  async alive(request) {
    try {
      if (this.broken) await quietSession(this.session.id);
      this.broken = false;
      return await request(this.session.id);
    } catch (problem) {
      if (problem.status !== 404) throw problem;
      const { game, position } = this.session.link;
      this.session = await openSession({ game, position });
      return request(this.session.id);
    }
  }

  draw(animate = true) {
    const { position, link } = this.session;
    const chance = position.kind === "chance";
    this.undo.disabled = this.session.ply === 0;
    this.deal.hidden = !chance;
    this.moves.show(chance ? position.outcomes : (position.actions ?? []), { heading: chance ? "What comes?" : "Moves" });
    this.more.hidden = position.kind === "end";
    this.notation.show(position.text);
    this.play.href = routeTo("play", { game: link.game, position: link.position });
    keepCurrent(link.game, link.position);
    this.view.show(position, { last: this.session.last_keys, active: position.kind === "decision", animate });
    this.onchange(this.session);
  }

  leave() {
    this.left = true;
    closeSession(this.session);
  }
}
