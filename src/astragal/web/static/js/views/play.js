// The view for playing: a game under way, with people and players in its seats.

import * as api from "../api.js";
import { announce, attempt } from "../announce.js";
import { keepCurrent } from "../current.js";
import { button, element, refill } from "../dom.js";
import { keepsFocus, keyFocusIn } from "../focus.js";
import { firstGame } from "../forms/game.js";
import { PERSON, usualPlayer } from "../forms/player.js";
import { EvaluationBar, graphOf } from "../parts/evaluation.js";
import { FoundView } from "../parts/found.js";
import { Notation } from "../parts/notation.js";
import { PositionView } from "../parts/position.js";
import { prose } from "../parts/prose.js";
import { ReviewView } from "../parts/review.js";
import { Advice } from "../play/advice.js";
import { Course } from "../play/course.js";
import { frameOf } from "../play/frame.js";
import { StepList } from "../play/history.js";
import { keptGame } from "../play/kept.js";
import { MoveList } from "../play/moves.js";
import { NewGame } from "../play/new-game.js";
import { PlayOptions } from "../play/options.js";
import { SeatStrip } from "../play/seats.js";
import { sound } from "../play/sound.js";
import { nameOf, statusOf, whatHappened } from "../play/telling.js";
import { prefer, preference } from "../preferences.js";
import { rememberRoute, routeTo } from "../route.js";
import { capital, compilingText, nameAndAbout } from "../words.js";

export function show(root, options) {
  const view = new PlayView(root);
  attempt(() => view.begin(options));
  return view;
}

class PlayView extends Course {
  constructor(root) {
    super();
    this.position = new PositionView({
      onaction: (action) => this.act(action),
      onhalf: (made, words) => this.half(made, words),
    });
    this.seats = new SeatStrip();
    this.status = element("p", { class: "status" });
    this.event = element("p", { class: "event" });
    this.bar = new EvaluationBar();
    this.moves = new MoveList(
      (number) => this.act(number),
      (number) => this.pointAt(number),
    );
    this.steps = new StepList((ply) => this.look(ply));
    this.graph = element("section", { class: "panel", hidden: true });
    this.notation = new Notation((text) => this.change((id) => api.setPosition(id, text)));
    this.thinking = element("section", { class: "panel", hidden: true });
    this.advice = new Advice(this);
    this.review = new ReviewView({
      ask: (wanted, listen, signal) => this.alive((id) => api.review(id, wanted, listen, signal)),
      onlook: (ply, moves) => this.look(ply, moves),
      name: (seat) => this.name(seat),
      ongraph: () => this.session && this.evaluated(),
    });
    this.options = new PlayOptions(() => this.goOn());
    this.byHand = this.options.byHand;
    this.thoughts = new Map(); // what was found for a step, by its number
    this.looking = null; // the step whose position is on the board, if it is not the last
    this.levels = [];
    this.root = frameOf(this);
    this.root.inert = true; // until there is a game
    root.append(this.root);
    this.onkey = (event) => this.pressed(event);
    document.addEventListener("keydown", this.onkey);
  }

  // Beginning

  async begin(options) {
    this.games = await api.games();
    const kept = keptGame();
    const isKept = kept && !options.has("new") && (!options.has("game") || location.hash === routeTo("play", kept.record));
    if (isKept) await this.take(kept);
    else await this.start(await this.wantedBy(options));
    if (this.session) return;
    if (options.has("game")) this.leadsNowhere();
    else await this.start(await this.filled({ game: firstGame(this.games), seats: [] }));
  }

  /** A link to a game, a position or players that there are not: the sentence above says which; no other game begins. */
  leadsNowhere() {
    this.root.inert = false;
    const other = element("a", { class: "button main", href: routeTo("") }, "All games");
    refill(this.root, element("div", { class: "panel stack" }, element("h1", {}, "This link leads to no game"), element("p", {}, other)));
  }

  /** The game that a link asks for; what it does not say is filled in. Nothing, if there is no such game. */
  async wantedBy(options) {
    const wanted = {
      game: options.get("game") || firstGame(this.games),
      seats: options.getAll("seats"),
      position: options.get("position") || null,
      steps: options.get("steps"),
      seed: options.has("seed") ? Number(options.get("seed")) : null,
    };
    return (await attempt(() => this.filled(wanted))) ?? null;
  }

  /** Seats that the link does not name: a person, and easy opponents. */
  async filled(wanted) {
    const facts = await api.gameFacts(wanted.game);
    const levels = await api.levels(wanted.game);
    const usual = levels[0]?.player ?? usualPlayer(await api.players(wanted.game));
    const seats = Array.from({ length: facts.players }, (_, i) => wanted.seats[i] ?? (i ? usual : PERSON));
    return { ...wanted, seats };
  }

  /** Another game: nothing of the last one stays. */
  begun() {
    this.thoughts.clear();
    this.advice.values.clear();
    this.review.forget();
    this.showThoughts(null);
  }

  /** What depends on the game alone. */
  async prepare(session) {
    this.facts = await api.gameFacts(session.game);
    this.levels = await api.levels(session.game);
    this.measure = { range: this.facts.utility_range, measure: this.facts.measure };
    this.options.fit(this.facts.chance);
    this.keeping.fit(session.game_id);
    this.hint.hidden = this.evaluating.hidden = !this.facts.analyst;
    const listed = this.games.find((each) => each.id === session.game_id) ?? { id: session.game_id, about: "" };
    [this.title.textContent, this.about.textContent] = nameAndAbout(listed);
    refill(this.rules.querySelector(".prose"), prose(this.facts.rules));
    this.form = new NewGame({
      games: this.games,
      game: session.game,
      seats: session.seats,
      onstart: (wanted) => this.start(wanted),
      onseats: (seats) => this.change((id) => api.setSeats(id, seats)),
    });
    await this.form.follow(session);
    refill(this.setup, element("summary", {}, "Game and players"), this.form.element);
    this.setup.open = false;
    this.root.inert = false;
  }

  /** The seats may be others now. */
  async changed() {
    const { form, session } = this;
    if (form.started === session.game && String(form.first) !== String(session.seats)) await form.follow(session);
  }

  // Moves

  hearThinking() {
    const { player } = this.session.to_move;
    const level = this.levels.find((each) => each.player === player);
    const title = `${capital(this.name(this.session.position.player))}: ${level ? `${level.name} (${player})` : player}`;
    const found = new FoundView({ title, ...this.measure });
    this.stop.hidden = false;
    return (event, data) => {
      const tells = event === "report" || event === "compile" || event === "wait" || (event === "result" && data.nodes);
      if (tells && !found.element.isConnected) this.showThoughts(found); // who does not search has nothing to tell
      if (event === "wait") found.say("waiting for the machine …");
      if (event === "begin") found.say("thinking … (the first search of a kind has to be compiled)");
      if (event === "compile") found.say(compilingText(data));
      if (event === "report" || (event === "result" && data.nodes)) found.show(data);
      if (event === "moved" && found.last) this.thoughts.set(data.session.ply, found); // of the step that it led to
      if (event === "over") this.stop.hidden = true;
    };
  }

  /** Somebody clicked a move, or an outcome, or the dice. */
  act(number) {
    if (this.session.position.kind === "chance")
      return this.change((id) => api.deal(id, number < 0 ? undefined : number), true);
    const name = this.session.position.actions.find((each) => each.number === number)?.name;
    const make = () => this.change((id) => api.play(id, number, this.session.ply), true);
    if (preference("confirm") !== "on") return make();
    this.position.board.point([{ number, kind: "best" }]);
    return this.confirm(`Play ${name}?`, make, () => this.goOn(false));
  }

  /** A part of a move was made on the board, or taken back. */
  half(made, words = []) {
    this.undo.disabled = !made && !this.session.can_undo;
    this.undo.textContent = made ? "Undo half" : "Undo";
    if (made) announce(`${words.join(" to ")}.`);
  }

  /** Ask before something is done. */
  confirm(words, then, otherwise = () => {}) {
    const close = (next) => {
      this.sure.hidden = true;
      next();
    };
    const yes = button("Yes", () => close(then), { class: "main" });
    refill(this.sure, element("span", {}, words), yes, button("No", () => close(otherwise)));
    this.sure.hidden = false;
    yes.focus({ preventScroll: true });
  }

  /** A new game; before one that is under way is dropped, the person confirms. */
  playAgain() {
    const { game, seats, position, ply } = this.session;
    const begin = () => this.start({ game, seats });
    if (position.kind === "end" || this.resigned !== null || ply === 0 || !seats.includes(PERSON)) return begin();
    return this.confirm("Drop this game and begin a new one?", begin);
  }

  giveUp() {
    const { seats, position } = this.session;
    this.overtake();
    const people = seats.flatMap((spec, i) => (spec === PERSON ? [i + 1] : []));
    this.resigned = people.includes(position.player) ? position.player : people[0];
    this.goOn();
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
    this.keep();
    const over = position.kind === "end" || this.resigned !== null;
    const mine = !over && position.kind === "decision" && session.to_move.person === true;
    const waits = !over && this.waitsForRoll() && !this.byHand.checked;
    const focused = keyFocusIn(this.root);
    const waited = this.position.waits(focused);
    if (focused && !waited) this.byList = this.moves.element.contains(focused);
    this.advice.forget();
    this.looking = null;
    this.showTools(over, mine, waits);
    this.notation.show(position.text);
    this.steps.show(session.steps, null, (seat) => this.name(seat));
    const dealing = position.kind === "chance" && this.byHand.checked;
    const choices = mine ? position.actions : dealing ? position.outcomes : [];
    this.moves.show(choices, { heading: dealing ? "What comes?" : "Moves", stays: !over });
    this.remember();
    Object.assign(this.root.dataset, { ply: session.ply, turn: over ? "end" : turnOf(position, mine), waits });
    const shown = this.position.show(waits ? withDice(position) : position, {
      last: session.last_keys,
      active: mine || waits,
      animate,
    });
    if (focused && (waited || !keepsFocus(document.activeElement))) this.handOn();
    await shown;
    this.evaluated();
    if (preference("evaluation") === "on" && (mine || !session.seats.includes(PERSON))) await this.advice.evaluate();
  }

  showTools(over, mine, waits) {
    const { session } = this;
    const dice = diceOf(session.position).length > 0;
    this.seats.show(session, this.levels);
    this.sure.hidden = true;
    this.roll.hidden = !waits;
    this.roll.textContent = dice ? "Roll the dice" : "See what comes";
    this.hint.disabled = !mine;
    this.undo.disabled = !session.can_undo;
    this.resign.hidden = over || !session.seats.includes(PERSON) || session.players < 2;
    this.review.element.hidden = !over || !this.facts.analyst;
    this.review.offerProofs(this.facts.proves);
    if (!over) this.review.forget();
    this.again.textContent = over ? "Rematch" : "New game";
    this.again.classList.toggle("main", over);
    this.pause.hidden = over || (session.seats.includes(PERSON) && !this.paused);
    this.back.hidden = true;
    this.status.textContent = statusOf(session, { waits, dice, resigned: this.resigned, levels: this.levels });
    this.event.textContent = whatHappened(session);
  }

  /** What had the focus is gone: who plays by the list of moves gets to it again, others to the board. */
  handOn() {
    if (!this.byList || !this.moves.focus()) this.position.focus();
  }

  name(seat) {
    return nameOf(this.session, seat);
  }

  pointAt(number) {
    this.position.board.point(number === null || this.looking !== null ? [] : [{ number, kind: "hover" }]);
  }

  /** What is below must not move up and down again with every search. */
  showThoughts(found) {
    const { height } = this.thinking.getBoundingClientRect();
    this.thinking.style.minHeight = found && height ? `${height}px` : "";
    this.thinking.hidden = !found;
    refill(this.thinking, found?.element);
  }

  /** What was thought of steps that were taken back, or at another position, is of no interest any more. */
  takenBack() {
    for (const ply of this.thoughts.keys()) if (ply > this.session.ply) this.thoughts.delete(ply);
    this.advice.takenBack(this.session.ply);
    this.showThoughts(null);
  }

  toggleEvaluation() {
    const on = preference("evaluation") !== "on";
    prefer("evaluation", on ? "on" : "off");
    this.evaluating.setAttribute("aria-pressed", String(on));
    this.goOn(false);
  }

  /** Show who is ahead, as far as that is known. */
  evaluated() {
    const { session } = this;
    const at = this.looking ?? session.ply;
    const known = [...this.advice.values].sort((a, b) => a[0] - b[0]);
    const isOver = this.looking === null && (session.position.kind === "end" || this.resigned !== null);
    const latest = preference("evaluation") === "on" && !isOver ? known.findLast(([ply]) => ply <= at) : null;
    const shared = { seats: session.players, measure: this.measure, name: (seat) => this.name(seat) };
    this.bar.show(latest?.[1], shared);
    const points = known.map(([ply, each]) => ({ ply, ...each }));
    const graph = graphOf(points, { ...shared, plies: session.ply, now: at, onlook: (ply) => this.look(ply) });
    this.graph.hidden = !graph || !this.review.graph.hidden; // a review draws its own
    refill(this.graph, element("h2", {}, "Who was ahead"), graph);
  }

  remember() {
    const { link, record } = this.session;
    rememberRoute("play", record);
    keepCurrent(link.game, link.position);
    this.inside.href = routeTo("analyse", { game: link.game, position: link.position });
  }

  tell(step) {
    if (!step) return;
    const who = step.player ? `Player ${step.player}` : "Chance";
    const { verdict, position } = this.session;
    announce([`${who}: ${step.name}.`, verdict ?? position.picture?.note ?? ""].join(" ").trim());
    sound(verdict ? "end" : step.event ? "event" : step.player ? "move" : "roll");
  }

  // Looking back

  /** Left and right go through the steps, unless what has the focus needs these keys. */
  pressed(event) {
    if (!this.session || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, .board .item, pre")) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const wanted = (this.looking ?? this.session.ply) + by;
    if (!by || wanted < 0 || wanted > this.session.ply) return;
    event.preventDefault();
    this.look(wanted);
  }

  /** Look at an earlier position, with some moves drawn on it; the game waits. */
  async look(ply, moves = []) {
    if (ply === this.session.ply) {
      await this.refresh();
      return;
    }
    this.overtake();
    this.advice.forget();
    await attempt(async () => {
      this.looking = ply;
      const position = await this.alive((id) => api.positionAfter(id, ply));
      if (this.looking !== ply) return; // somebody was quicker
      const { game } = this.session;
      this.notation.show(position.text);
      this.inside.href = routeTo("analyse", { game, position: position.text });
      keepCurrent(game, position.text);
      this.showThoughts(this.thoughts.get(ply));
      this.steps.show(this.session.steps, ply, (seat) => this.name(seat));
      this.moves.show([], { stays: true });
      this.roll.hidden = this.sure.hidden = true;
      this.hint.disabled = true;
      this.back.hidden = false;
      this.status.textContent = `After step ${ply} of ${this.session.ply}.`;
      this.evaluated();
      this.position.show(position, { last: this.session.steps[ply - 1]?.keys ?? [] });
      this.position.board.point(moves);
    });
  }

  async refresh() {
    this.showThoughts(this.thoughts.get(this.session.ply) ?? this.thoughts.get(this.session.ply - 1));
    await this.goOn();
  }

  leave() {
    this.left = true;
    document.removeEventListener("keydown", this.onkey);
    this.advice.stop();
    this.review.forget();
    this.overtake();
  }
}

function turnOf({ kind }, mine) {
  return kind === "decision" ? (mine ? "person" : "player") : kind;
}

const diceOf = ({ picture }) => (picture?.items ?? []).filter((item) => item.kind === "die");

/** The same position with dice that can be clicked. */
function withDice(position) {
  const moves = Object.fromEntries(diceOf(position).map((item, i) => [String(-1 - i), [item.key]]));
  const items = position.picture?.items.map((item) => (item.kind === "die" ? { ...item, label: "the dice, to roll" } : item));
  return { ...position, picture: position.picture && { ...position.picture, items, moves } };
}
