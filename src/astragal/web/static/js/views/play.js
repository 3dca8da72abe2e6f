// The view for playing: a game under way, with people and players in its seats.

import * as api from "../api.js";
import { announce, attempt } from "../announce.js";
import { keepCurrent } from "../current.js";
import { button, calm, element, refill } from "../dom.js";
import { keepsFocus, keyFocusIn } from "../focus.js";
import { firstGame } from "../forms/game.js";
import { PERSON, usualPlayer } from "../forms/player.js";
import { parseSpec } from "../forms/spec.js";
import { copyButton } from "../parts/copy.js";
import { FoundView } from "../parts/found.js";
import { Notation } from "../parts/notation.js";
import { PositionView } from "../parts/position.js";
import { StepList } from "../play/history.js";
import { MoveList } from "../play/moves.js";
import { NewGame } from "../play/new-game.js";
import { SeatStrip } from "../play/seats.js";
import { rememberRoute, routeTo, wholeLink } from "../route.js";
import { closeSession, openSession, quietSession } from "../sessions.js";
import { capital, compilingText, nameAndAbout } from "../words.js";

const PAUSE = 120; // between steps that nobody clicked

let kept = null; // the session, while other views are looked at

export function show(root, options) {
  const view = new PlayView(root);
  attempt(() => view.begin(options));
  return view;
}

class PlayView {
  constructor(root) {
    this.position = new PositionView({ onaction: (action) => this.act(action) });
    this.seats = new SeatStrip();
    this.status = element("p", { class: "status" });
    this.moves = new MoveList((number) => this.act(number));
    this.steps = new StepList((ply) => this.look(ply));
    this.notation = new Notation((text) => this.change((id) => api.setPosition(id, text)));
    this.thinking = element("section", { class: "panel", hidden: true });
    this.round = 0; // counts what was begun, so that what is overtaken ends quietly
    this.root = this.frame();
    this.root.inert = true; // until there is a game
    root.append(this.root);
  }

  frame() {
    this.undo = button("Undo", () => this.change((id) => api.undo(id)), { accesskey: "u" });
    this.again = button("New game", () => this.start({ game: this.session.game, seats: this.session.seats }));
    this.stop = button("Move now", () => attempt(() => api.stop(this.session.id)), { hidden: true });
    this.pause = button("Pause", () => this.togglePause(), { "aria-pressed": "false" });
    this.back = button("Back to the game", () => this.refresh(), { class: "main", hidden: true });
    this.byHand = element("input", { type: "checkbox", onchange: () => this.goOn() });
    this.dice = element("label", { class: "tick small" }, this.byHand, " I roll the dice myself");
    this.inside = element("a", { class: "button quiet" }, "Look inside");
    this.setup = element("details", { class: "panel setup" }, element("summary", {}, "Game and players"));
    this.rules = element(
      "details",
      { class: "panel rules" },
      element("summary", {}, "Rules"),
      element("div", { class: "prose" }),
    );
    this.title = element("h1");
    this.about = element("span", { class: "soft small" });
    const tools = element(
      "div",
      { class: "row tools" },
      this.undo,
      this.again,
      this.stop,
      this.pause,
      this.back,
      this.inside,
    );
    const left = element(
      "div",
      { class: "stack" },
      element("div", { class: "panel table" }, this.seats.element, this.status, this.position.element, tools),
    );
    const link = copyButton("Copy link", () => wholeLink("play", this.session.link));
    const text = element(
      "section",
      { class: "panel" },
      element("h2", {}, "Position"),
      this.notation.element,
      element("div", { class: "row" }, link, this.dice),
    );
    const right = element(
      "div",
      { class: "stack" },
      this.setup,
      this.moves.element,
      this.thinking,
      this.steps.element,
      text,
      this.rules,
    );
    return element(
      "div",
      { class: "play-view" },
      element("div", { class: "row heading" }, this.title, this.about),
      left,
      right,
    );
  }

  // Beginning

  async begin(options) {
    this.games = await api.games();
    const isKept = kept && (!options.has("game") || location.hash === routeTo("play", kept.link)); // come back to it
    if (isKept) await this.take(kept);
    else await this.start(await this.wantedBy(options));
    if (!this.session) await this.start(await this.filled({ game: firstGame(this.games), seats: [] }));
  }

  /** The game that a link asks for; what it does not say is filled in. Nothing, if there is no such game. */
  async wantedBy(options) {
    const game = options.get("game") || firstGame(this.games);
    const wanted = { game, seats: options.getAll("seats"), position: options.get("position") || null };
    return (await attempt(() => this.filled(wanted))) ?? null;
  }

  /** Seats that nobody has named: a person, and usual players. */
  async filled(wanted) {
    const facts = await api.gameFacts(wanted.game);
    const usual = usualPlayer(await api.players(wanted.game));
    const seats = Array.from({ length: facts.players }, (_, i) => wanted.seats[i] ?? (i ? usual : PERSON));
    return { ...wanted, seats };
  }

  async start(wanted) {
    if (!wanted) return;
    await attempt(async () => {
      this.overtake();
      const session = await openSession(wanted);
      closeSession(this.session ?? kept);
      await this.take(session);
    });
  }

  async take(session) {
    kept = session;
    if (this.left) return; // for when somebody comes back
    const other = this.session?.game !== session.game;
    this.session = session;
    this.pauseNow(false);
    if (other) await this.prepare(session);
    this.setup.open = false;
    this.root.inert = false;
    await this.goOn(false);
  }

  /** What depends on the game alone. */
  async prepare(session) {
    this.facts = await api.gameFacts(session.game);
    this.dice.hidden = !this.facts.chance;
    const listed = this.games.find((each) => each.id === session.game_id) ?? { id: session.game_id, about: "" };
    [this.title.textContent, this.about.textContent] = nameAndAbout(listed);
    const paragraphs = this.facts.rules.split(/\n\s*\n/).map((words) => element("p", {}, words));
    refill(this.rules.querySelector(".prose"), paragraphs);
    const { name } = parseSpec(session.game);
    this.form = new NewGame({
      games: this.games,
      game: session.game,
      seats: session.seats,
      onstart: (wanted) => this.start(wanted),
      onseats: (seats) => this.change((id) => api.setSeats(id, seats)),
    });
    await this.form.follow(session);
    refill(this.setup, element("summary", {}, "Game and players"), this.form.element);
    this.setup.dataset.game = name;
  }

  // The course of a game

  /** Let chance and players move until a person is to move, or the game is over. */
  async goOn(animate = true) {
    if (this.left) return;
    const round = this.overtake();
    await attempt(async () => {
      if (this.broken) await this.alive(() => null);
      if (round !== this.round) return;
      await this.draw(animate);
      while (this.automatic() && round === this.round) {
        if (!calm()) await rest(PAUSE);
        if (round !== this.round) return;
        const { kind } = this.session.position;
        this.underWay = kind === "chance" ? this.alive((id) => api.deal(id)) : this.think();
        const session = await this.underWay;
        if (round !== this.round || !session) return;
        this.underWay = null;
        this.session = session;
        this.tell(session.last);
        await this.draw();
      }
    });
  }

  automatic() {
    const { kind } = this.session.position;
    if (kind === "end" || this.paused) return false;
    return kind === "chance" ? !this.byHand.checked : this.session.to_move.person === false;
  }

  /** The player to move thinks, in sight of all. */
  async think() {
    const { player } = this.session.to_move;
    const found = new FoundView({ title: `${capital(this.mover())}: ${player}`, range: this.facts.utility_range });
    refill(this.thinking, found.element);
    this.thinking.hidden = false;
    this.stop.hidden = false;
    let session = null;
    let problem = null;
    const mine = new AbortController();
    this.aborting = mine;
    try {
      await this.alive((id) =>
        api.move(
          id,
          (event, data) => {
            if (event === "wait") found.say("waiting for the machine …");
            if (event === "begin") found.say("thinking … (the first search of a kind has to be compiled)");
            if (event === "compile") found.say(compilingText(data));
            if (event === "report" || event === "result") found.show(data);
            if (event === "failed") problem = data.error;
            if (event === "moved") session = data.session;
          },
          mine.signal,
        ),
      );
    } finally {
      this.stop.hidden = true;
      if (this.aborting === mine) this.aborting = null;
    }
    if (problem) {
      this.pauseNow(true);
      throw new Error(problem);
    }
    return session;
  }

  mover() {
    return `player ${this.session.position.player}`;
  }

  /** Somebody clicked a move, or an outcome. */
  async act(number) {
    const chance = this.session.position.kind === "chance";
    await this.change((id) => (chance ? api.deal(id, number) : api.play(id, number, this.session.ply)), true);
  }

  /** Change the session by a request, then let it go on. */
  async change(request, tell = false) {
    this.overtake();
    const done = await attempt(async () => {
      this.session = await this.alive(request);
      kept = this.session;
      if (tell) this.tell(this.session.last);
      return true;
    });
    if (done && this.form.started === this.session.game && String(this.form.first) !== String(this.session.seats))
      await this.form.follow(this.session);
    await this.goOn();
  }

  /** Ask about the session; if it has expired, begin a new one where it was. */
  async alive(request) {
    try {
      if (this.broken) await this.catchUp();
      return await request(this.session.id);
    } catch (problem) {
      if (problem.status !== 404) throw problem;
      this.session = await openSession(this.session.link);
      announce("The session had expired. The game goes on from this position.");
      return request(this.session.id);
    }
  }

  /** What was broken off may have moved all the same, before it heard. */
  async catchUp() {
    await this.underWay?.catch(() => {});
    this.underWay = null;
    this.session = await quietSession(this.session.id);
    this.broken = false;
  }

  /** Whatever is under way is not heard any more. */
  overtake() {
    if (this.underWay) this.broken = true;
    this.aborting?.abort();
    this.aborting = null;
    this.round += 1;
    return this.round;
  }

  togglePause() {
    this.pauseNow(!this.paused);
    this.goOn();
  }

  pauseNow(paused) {
    this.paused = paused;
    this.pause.setAttribute("aria-pressed", String(paused));
    if (paused) this.pause.hidden = false;
  }

  // What is seen

  async draw(animate = true) {
    const { session } = this;
    const { position } = session;
    kept = session;
    const mine = position.kind === "decision" && session.to_move.person === true;
    const focused = keyFocusIn(this.root);
    const waited = this.position.waits(focused);
    if (focused && !waited) this.byList = this.moves.element.contains(focused);
    this.seats.show(session);
    this.undo.disabled = !session.can_undo;
    this.pause.hidden = position.kind === "end" || (session.seats.includes(PERSON) && !this.paused);
    this.back.hidden = true;
    this.status.textContent = this.statusWords();
    this.notation.show(position.text);
    this.steps.show(session.steps);
    const dealing = position.kind === "chance" && this.byHand.checked;
    this.moves.show(mine ? position.actions : dealing ? position.outcomes : [], dealing ? "What comes?" : "Moves");
    this.remember();
    Object.assign(this.root.dataset, {
      ply: session.ply,
      turn: position.kind === "decision" ? (mine ? "person" : "player") : position.kind,
    });
    const shown = this.position.show(position, { last: session.last_keys, active: mine, animate });
    if (focused && (waited || !keepsFocus(document.activeElement))) this.handOn();
    await shown;
  }

  /** What had the focus is gone: who plays by the list of moves gets to it again, others to the board. */
  handOn() {
    if (!this.byList || !this.moves.focus()) this.position.focus();
  }

  statusWords() {
    const { session } = this;
    if (session.verdict) return session.verdict;
    if (session.position.kind === "chance") return "Chance moves.";
    const { person, player } = session.to_move;
    if (person && session.players === 1) return "Your move.";
    return person ? `${capital(this.mover())}: your move.` : `${capital(this.mover())} (${player}) is thinking.`;
  }

  remember() {
    const { link } = this.session;
    rememberRoute("play", link);
    keepCurrent(link.game, link.position);
    this.inside.href = routeTo("analyse", { game: link.game, position: link.position });
  }

  tell(step) {
    if (!step) return;
    const who = step.player ? `Player ${step.player}` : "Chance";
    const { verdict, position } = this.session;
    announce([`${who}: ${step.name}.`, verdict ?? position.picture?.note ?? ""].join(" ").trim());
  }

  /** Look at an earlier position; the game waits. */
  async look(ply) {
    if (ply === this.session.ply) {
      await this.refresh();
      return;
    }
    this.overtake();
    await attempt(async () => {
      const position = await this.alive((id) => api.positionAfter(id, ply));
      this.steps.show(this.session.steps, ply);
      this.moves.show([]);
      this.back.hidden = false;
      this.status.textContent = `After step ${ply} of ${this.session.ply}.`;
      this.position.show(position, { last: this.session.steps[ply - 1]?.keys ?? [] });
    });
  }

  async refresh() {
    await this.goOn();
  }

  leave() {
    this.left = true;
    this.overtake();
  }
}

const rest = (time) => new Promise((resolve) => setTimeout(resolve, time));
