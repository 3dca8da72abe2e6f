// What the server is asked, one function a question. Errors carry the server's own sentence.

export class Refused extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.sentence = sentence;
    this.status = status;
  }
}

async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Refused("The server does not answer. Is `astragal web` still running?", 0);
  }
  if (!answer.ok) throw new Refused(await sentenceOf(answer), answer.status);
  return answer;
}

async function sentenceOf(answer) {
  try {
    return (await answer.json()).error || `The server answered ${answer.status}.`;
  } catch {
    return `The server answered ${answer.status}.`;
  }
}

const get = async (path, options = {}) => (await ask(path, options)).json();

function sending(body, signal) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
}

const post = async (path, body = {}) => (await ask(path, sending(body))).json();

function query(values) {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return kept.length ? `?${new URLSearchParams(kept)}` : "";
}

const once = new Map();

/** The same answer to the same question, as long as the page lives. */
function remembered(path) {
  if (!once.has(path))
    once.set(
      path,
      get(path).catch((problem) => (once.delete(path), Promise.reject(problem))),
    );
  return once.get(path);
}

/** Ask anew from now on: what there is has changed. */
export const forget = () => once.clear();

// What there is

export const about = () => remembered("/api/about");
export const games = async () => (await remembered("/api/games")).games;
export const gameFacts = (game) => remembered(`/api/game${query({ game })}`);
export const cards = async (wanted) => (await remembered(`/api/cards${query(wanted)}`)).cards;
export const levels = async (game) => (await remembered(`/api/players${query({ game })}`)).levels;
export const players = async (game) => (await remembered(`/api/players${query({ game })}`)).players;

// Sessions

const at = (id, rest = "") => `/api/sessions/${encodeURIComponent(id)}${rest}`;

export const newSession = ({ game, seats, position = null, seed = null, steps = null }) =>
  post("/api/sessions", { game, seats, position, seed, steps: steps ? String(steps).split(".").map(Number) : null });
export const session = (id) => get(at(id));
export const play = (id, action, ply) => post(at(id, "/play"), { action, ply });
export const deal = (id, outcome) => post(at(id, "/deal"), outcome === undefined ? {} : { outcome });
export const undo = (id, ply) => post(at(id, "/undo"), ply === undefined ? {} : { ply });
export const setPosition = (id, position) => post(at(id, "/position"), { position });
export const setSeats = (id, seats) => post(at(id, "/seats"), { seats });
export const stop = (id, all = true) => post(at(id, "/stop"), { all });
export const exact = (id, position) => get(at(id, `/exact${query({ position })}`));
export const positionAfter = (id, ply) => get(at(id, `/at${query({ ply })}`));

/** Tell the server that a session is not needed any more; the page may be going away. */
export function endSession(id) {
  fetch(at(id), { method: "DELETE", keepalive: true }).catch(() => {});
}

export const move = (id, listen, signal) => stream(at(id, "/move"), {}, listen, signal);
export const analyse = (id, request, listen, signal) => stream(at(id, "/analyse"), request, listen, signal);

export const review = (id, wanted, listen, signal) => stream(at(id, "/review"), wanted, listen, signal);
export const gameFile = async (id, mat = false) => (await ask(at(id, `/file${mat ? "?mat=true" : ""}`))).text();
export const readMat = (text) => post("/api/sessions/mat", { text });
export const pictureFile = async (id, ply, theme) => (await ask(at(id, `/picture.svg${query({ ply, theme })}`))).text();

/** Read the events of an answer while they come; `listen` is called with each one's name and data. */
async function stream(path, body, listen, signal) {
  const answer = await ask(path, sending(body, signal));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value.replaceAll("\r", "");
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = parseEvent(text.slice(0, end));
      text = text.slice(end + 2);
      if (event) listen(event.name, event.data);
    }
  }
}

/** An event of a stream; null for a heartbeat. */
export function parseEvent(text) {
  let name = "message";
  const data = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  return data.length ? { name, data: JSON.parse(data.join("\n")) } : null;
}

// Trees

export const tree = (id, index, limit) => get(at(id, `/tree${query({ index, limit })}`));
export const treeChildren = (id, node, index, limit) => get(at(id, `/tree/${node}/children${query({ index, limit })}`));
export const treeNode = (id, node, index, signal) => get(at(id, `/tree/${node}${query({ index })}`), { signal });

// Searches step by step

export const walkable = (id) => get(at(id, "/steps/searches"));
export const steps = (id, search, size) => get(at(id, `/steps${query({ search, size })}`));
export const stepsPosition = (id, text) => get(at(id, `/steps/position${query({ text })}`));

// Results

export const contests = () => get("/api/results");
export const contest = (number) => get(`/api/results/${number}`);
export const gamesOf = (number, offset, limit) => get(`/api/results/${number}/games${query({ offset, limit })}`);
const oneGame = (number, pair, game) => `/api/results/${number}/games/${pair}/${game}`;
export const gameRecord = (number, pair, game) => get(oneGame(number, pair, game));
export const recordFile = async (number, pair, game) => (await ask(`${oneGame(number, pair, game)}/file`)).text();
export const reviewRecord = (number, pair, game, wanted, listen, signal) =>
  stream(`${oneGame(number, pair, game)}/review`, wanted, listen, signal);
export const recordAt = (number, pair, game, ply) => get(`${oneGame(number, pair, game)}/at${query({ ply })}`);
export const crosstables = () => get("/api/results/crosstable");
export const curves = (wanted) => get(`/api/results/curves${query(wanted)}`);

/** Hear of a running contest's progress, until the returned function is called. */
export function followResults(listen) {
  const source = new EventSource("/api/results/live");
  source.addEventListener("progress", (event) => listen(JSON.parse(event.data).contests));
  return () => source.close();
}

// Learned evaluations

export const models = () => get("/api/models");

// Work in the queue

export const work = () => get("/api/work");
export const startWork = (kind, body) => post(`/api/work/${kind}`, body);
export const stopWork = (number) => post(`/api/work/${number}/stop`);
export const resumeWork = (number) => post(`/api/work/${number}/resume`);
export const removeWork = (number) => ask(`/api/work/${number}`, { method: "DELETE" });
