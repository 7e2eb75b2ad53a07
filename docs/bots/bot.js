// A bot in JavaScript: hanabi simulate "process:node bot.js". It asks for the whole view each turn.
const readline = require("node:readline");

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

function act(view) {
  const next = view.piles.map((ranks) => ranks.length + 1);
  // Play a card whose rank is known, if one of its possible colors waits for that rank.
  for (const [slot, card] of view.hands[view.seat].entries()) {
    const { colors, ranks } = card.possible;
    if (ranks.length === 1 && view.lives > 1 && colors.some((color) => next[color] === ranks[0])) {
      return [{ type: "play", slot }, "its rank is known, and a pile waits for it"];
    }
  }
  // Tell others the rank of a playable card.
  for (const hint of view.legal.filter((action) => action.type === "hint_rank")) {
    const useful = view.hands[hint.seat].some(({ card, possible }) =>
      card.rank === hint.rank && possible.ranks.length > 1 && next[card.color] === card.rank);
    if (useful) return [hint, "shows a playable card"];
  }
  const slot = view.chop[view.seat];
  const discards = view.legal.filter((action) => action.type === "discard");
  const oldest = discards.find((action) => action.slot === slot) ?? discards[0];
  return [oldest ?? view.legal[view.legal.length - 1], "the oldest card without a clue"];
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "hello", protocol: 1, name: "bot.js", view: true });
  if (message.type === "turn") {
    const [action, why] = act(message.view);
    say({ type: "action", turn: message.turn, action, why });
  }
});
