// The course of a game: what the server is asked, and how it goes on by itself until a person is to move. Whoever shows
// it extends this, with `draw`, `tell`, `hearThinking` and `prepare`.

import * as api from "../api.js";
import { announce, attempt } from "../announce.js";
import { calm } from "../dom.js";
import { preference, slowness } from "../preferences.js";
import { closeSession, openSession, quietSession } from "../sessions.js";
import { PERSON } from "../forms/player.js";
import { keepGame, keptGame } from "./kept.js";

const PAUSE = 120; // between steps that nobody clicked
const READING = 1500; // for what should not be missed

const rest = (time) => new Promise((resolve) => setTimeout(resolve, time));

export class Course {
  round = 0; // counts what was begun, so that what is overtaken ends quietly
  resigned = null; // the seat that gave up
  paused = false;

  // Beginning

  async start(wanted) {
    if (!wanted) return;
    await attempt(async () => {
      this.overtake();
      const session = await openSession(wanted);
      this.begun();
      closeSession(this.session ?? keptGame());
      await this.take(session);
    });
  }

  async take(session) {
    keepGame(session);
    if (this.left) return; // for when somebody comes back
    const other = this.session?.game !== session.game;
    this.session = session;
    this.resigned = null;
    this.pauseNow(false);
    if (other) await this.prepare(session);
    await this.goOn(false);
  }

  // Going on

  /** Let chance and players move until a person is to move, or the game is over. */
  async goOn(animate = true) {
    if (this.left) return;
    const round = this.overtake();
    await attempt(async () => {
      if (this.broken) await this.alive(() => null);
      if (round !== this.round) return;
      await this.draw(animate);
      while (this.automatic() && round === this.round) {
        await this.pauseFor(this.session.last);
        if (round !== this.round) return;
        this.underWay = this.step();
        const session = await this.underWay;
        if (round !== this.round || !session) return;
        this.underWay = null;
        this.session = session;
        this.tell(session.last);
        await this.draw();
      }
    });
  }

  /** Chance or the player to move. A request that was broken off may have moved later: then the game is taken as it is. */
  async step() {
    const { position, ply } = this.session;
    try {
      return await (position.kind === "chance" ? this.alive((id) => api.deal(id)) : this.think());
    } catch (problem) {
      if (problem.status !== 409) throw problem;
      const session = await quietSession(this.session.id);
      if (session.ply === ply) throw problem;
      return session;
    }
  }

  async pauseFor(step) {
    if (step?.event) await rest(READING * slowness());
    else if (!calm()) await rest(PAUSE * slowness());
  }

  automatic() {
    const { kind } = this.session.position;
    if (kind === "end" || this.paused || this.resigned !== null) return false;
    if (kind === "decision") return this.session.to_move.person === false;
    return !this.byHand.checked && !this.waitsForRoll();
  }

  /** Whether a person is to click the dice. Who has just chosen to roll has done so. */
  waitsForRoll() {
    const { position, to_move: toMove, seats, last } = this.session;
    if (position.kind !== "chance" || preference("roll") !== "click" || !toMove.roller) return false;
    return seats[toMove.roller - 1] === PERSON && last?.player !== toMove.roller;
  }

  /** The player to move thinks, in sight of all. */
  async think() {
    let session = null;
    let problem = null;
    const mine = new AbortController();
    this.aborting = mine;
    const hear = this.hearThinking();
    try {
      await this.alive((id) =>
        api.move(
          id,
          (event, data) => {
            if (event === "failed") problem = data.error;
            if (event === "moved") session = data.session;
            hear(event, data);
          },
          mine.signal,
        ),
      );
    } finally {
      hear("over", {});
      if (this.aborting === mine) this.aborting = null;
    }
    if (problem) {
      this.pauseNow(true);
      throw new Error(problem);
    }
    return session;
  }

  /** Change the session by a request, then let it go on. */
  async change(request, tell = false) {
    this.overtake();
    await attempt(async () => {
      this.session = await this.alive(request);
      keepGame(this.session);
      this.resigned = null;
      if (tell) this.tell(this.session.last);
      else this.takenBack();
      await this.changed();
    });
    await this.goOn();
  }

  /** Ask about the session; if it has expired, begin a new one where it was. */
  async alive(request) {
    try {
      if (this.broken) await this.catchUp();
      return await request(this.session.id);
    } catch (problem) {
      if (problem.status !== 404) throw problem;
      this.session = await openSession(this.session.record);
      announce("The session had expired. The game goes on from here.");
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

  keep() {
    keepGame(this.session);
  }
}
