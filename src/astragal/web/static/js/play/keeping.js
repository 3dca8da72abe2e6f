// Keeping a game: a link, a file to save and load, and the position as a picture.

import * as api from "../api.js";
import { attempt } from "../announce.js";
import { button, element } from "../dom.js";
import { copyButton } from "../parts/copy.js";

const LARGEST = 5_000_000; // characters of a file
const SCALE = 2; // pixels of a PNG for one of the picture

export class Keeping {
  /** `link` gives the address, `shown` {id, ply, game}; `onload` is told a game that was read from a file. */
  constructor({ link, shown, onload }) {
    this.shown = shown;
    this.input = element("input", {
      type: "file",
      accept: ".json,.mat,application/json",
      class: "unseen",
      "aria-label": "A game's file",
      tabindex: -1,
      onchange: () => attempt(() => this.load(onload)),
    });
    this.mat = button("MAT", () => attempt(() => this.save(true)), {
      "aria-label": "Save the game for other Backgammon programs",
      title: "For GNU Backgammon and other programs",
      hidden: true,
    });
    this.element = element(
      "div",
      { class: "row" },
      copyButton("Copy link", link),
      button("Save game", () => attempt(() => this.save())),
      this.mat,
      button("Load game", () => this.input.click()),
      button("SVG", () => attempt(() => this.picture("svg")), { "aria-label": "Save the picture as SVG" }),
      button("PNG", () => attempt(() => this.picture("png")), { "aria-label": "Save the picture as PNG" }),
      this.input,
    );
  }

  /** What can be saved of a game. */
  fit(game) {
    this.mat.hidden = game !== "backgammon";
  }

  async save(mat = false) {
    const { id, game } = this.shown();
    if (mat) download(`${fileName(game)}.mat`, "text/plain", await api.gameFile(id, true));
    else saveGame(game, await api.gameFile(id));
  }

  async load(onload) {
    const [file] = this.input.files;
    this.input.value = "";
    if (!file) return undefined;
    const text = file.size > LARGEST ? "" : await file.text();
    if (!file.name.toLowerCase().endsWith(".mat")) return onload(readGame(text, file.name));
    const { steps, ...told } = await api.readMat(text);
    return onload({ ...told, seed: null, steps: steps.join(".") || null });
  }

  async picture(kind) {
    const { id, ply, game } = this.shown();
    const theme = document.documentElement.dataset.theme === "dark" ? "dark" : "light";
    const svg = await api.pictureFile(id, ply, theme);
    if (kind === "svg") download(`${fileName(game)}.svg`, "image/svg+xml", svg);
    else download(`${fileName(game)}.png`, "image/png", await asPng(svg));
  }
}

/** Give the file of a game to the browser to keep. */
export function saveGame(game, text) {
  download(`${fileName(game)}.json`, "application/json", text);
}

/** What a file's text says: {game, seats, position, seed, steps}, or an error with a sentence. */
export function readGame(text, name) {
  let told;
  try {
    told = JSON.parse(text);
  } catch {
    throw new Error(`${name} is not a game: it is not JSON.`);
  }
  if (told?.format !== "astragal game" || !Array.isArray(told.steps)) throw new Error(`${name} is not a game of Astragal.`);
  if (told.version !== 1) throw new Error(`${name} has version ${told.version}; this page reads 1.`);
  return {
    game: idOf(told.game),
    seats: told.seats,
    position: told.start,
    seed: Number.isSafeInteger(told.seed) ? told.seed : null, // of the arena's, the page's numbers cannot hold all digits
    steps: told.steps.map((step) => step.number).join(".") || null,
  };
}

/** What the page calls a game that a file names; one in a file of its own, path.py:Class:settings, by its class. */
function idOf(game) {
  const own = /\.py:(\w+)(:.*)?$/.exec(game);
  return own ? `${own[1]}${own[2] ?? ""}` : game.split("/").at(-1);
}

const fileName = (game) => game.replace(/\W+/g, "-").slice(0, 40);

function download(name, type, content) {
  const link = element("a", { download: name });
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function asPng(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = element("canvas", { width: SCALE * image.width, height: SCALE * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
