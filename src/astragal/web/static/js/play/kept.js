// The game that is under way in this tab, while other views are shown.

let session = null;

export const keptGame = () => session;

export function keepGame(game) {
  session = game;
}
