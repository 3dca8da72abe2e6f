// What happens in a game, in words: who is who, whose move it is, and what came since somebody moved last.

import { PERSON } from "../forms/player.js";

const MOST = 8; // steps of a turn that are told

/** What a seat is called in a sentence. */
export function nameOf(session, seat) {
  const people = session.seats.filter((spec) => spec === PERSON).length;
  return session.seats[seat - 1] === PERSON && people === 1 ? "You" : `Player ${seat}`;
}

/** Steps in turns: whose each is, and its steps. */
export function turnsOf(steps) {
  const turns = [];
  for (const step of steps) {
    const of = step.of ?? step.player;
    if (!turns.length || turns.at(-1).of !== of) turns.push({ of, steps: [] });
    turns.at(-1).steps.push(step);
  }
  return turns;
}

/** What happened since a person chose last, that choice with it; of several people, the last one of each. */
export function whatHappened(session) {
  const { steps, seats } = session;
  const waited = new Set(seats.flatMap((spec, seat) => (spec === PERSON ? [seat + 1] : [])));
  const people = waited.size > 0;
  let from = steps.length;
  while (from > 0 && (waited.size > 0 || !people)) {
    from -= 1;
    waited.delete(steps[from].player);
  }
  const recent = people ? steps.slice(Math.max(0, from)) : (turnsOf(steps).at(-1)?.steps ?? []);
  return turnsOf(recent)
    .map(({ of, steps: turn }) => `${of ? nameOf(session, of) : "Chance"} ${toldOf(turn)}.`)
    .join(" ");
}

function toldOf(turn) {
  const told = turn.slice(-MOST).map((step) => step.event ?? (step.player ? `played ${step.name}` : `rolled ${step.name}`));
  return `${turn.length > MOST ? "… " : ""}${told.join(", ")}`;
}

/** Whose move it is. */
export function statusOf(session, { waits, dice, resigned, levels }) {
  const { position, to_move: toMove, seats } = session;
  if (resigned !== null) return `${nameOf(session, resigned)} resigned.`;
  if (position.kind === "end") return verdictOf(session);
  if (position.kind === "chance") {
    const roller = toMove.roller && nameOf(session, toMove.roller);
    if (!roller) return "Chance decides.";
    if (waits) return roller === "You" ? `Your turn: ${dice ? "roll the dice" : "see what comes"}.` : `${roller} is to roll.`;
    return roller === "You" ? "Your roll." : `${roller} rolls.`;
  }
  const name = nameOf(session, position.player);
  if (toMove.person) return name === "You" || seats.length === 1 ? "Your move." : `${name}: your move.`;
  const level = levels.find((each) => each.player === toMove.player)?.name;
  return `${name} (${level ?? toMove.player}) is thinking.`;
}

/** How it ended; with one person at the board, for that one. */
function verdictOf(session) {
  const { utilities } = session.position;
  if (session.seats.length === 1) return session.verdict;
  const mine = session.seats.findIndex((_, i) => nameOf(session, i + 1) === "You");
  const best = Math.max(...utilities);
  const winners = utilities.filter((each) => each === best).length;
  if (mine >= 0 && utilities[mine] === best && winners === 1) return "You win.";
  return session.verdict;
}
