// Opens one game of a list in the page: its player waits, packed, in a template. The address holds the game
// and the position, so that a link leads there and Back leads to the list.
"use strict";

(() => {
  const one = (query) => document.querySelector(query);
  const [list, opened, board, heading] = ["[data-list]", "[data-opened]", "[data-game-board]", "h1"].map(one);
  const games = [...document.querySelectorAll("template[data-game]")];
  const title = document.title;
  heading.tabIndex = -1;
  let shown = null; // the template of the game that is open
  let left = 0; // how far the list was scrolled when it was left

  /** Shows what the address names: a game, or the list. */
  function turn() {
    const number = /^#game-([0-9]+)(?:\/|$)/.exec(location.hash)?.[1];
    const game = games.find((each) => each.dataset.game === number) ?? null;
    if (game === shown) return; // the player goes to other positions by itself
    const before = shown;
    if (!before) left = scrollY;
    shown = game;
    board.replaceChildren();
    list.hidden = Boolean(game);
    opened.hidden = !game;
    heading.textContent = game ? game.dataset.name : title;
    document.title = game ? `${game.dataset.name} · ${title}` : title;
    if (!game) {
      scrollTo(0, left);
      one(`[data-list] a[href="${before.dataset.address}"]`)?.focus({ preventScroll: true });
      return;
    }
    const at = games.indexOf(game);
    neighbor("[data-earlier]", games[at - 1]);
    neighbor("[data-later]", games[at + 1]);
    one("[data-place]").textContent = `${at + 1} of ${games.length}`;
    scrollTo(0, 0);
    heading.focus({ preventScroll: true });
    unpacked(game).then(
      (player) => {
        if (game !== shown) return;
        player.querySelector("[data-player]").dataset.within = `game-${number}/`;
        board.append(player);
      },
      () => (board.textContent = "This browser cannot unpack the game: it needs DecompressionStream, as of 2023."),
    );
  }

  async function unpacked(game) {
    const bytes = Uint8Array.from(atob(game.content.textContent), (each) => each.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const page = new DOMParser().parseFromString(await new Response(stream).text(), "text/html");
    return document.adoptNode(page.querySelector("hanabi-player"));
  }

  function neighbor(query, game) {
    const link = one(query);
    if (game) link.href = game.dataset.address;
    else link.removeAttribute("href");
  }

  document.querySelectorAll("[data-earlier], [data-later]").forEach((link) =>
    link.addEventListener("click", (event) => {
      if (!link.href || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      location.replace(link.href); // so that Back leads to the list
    }),
  );
  document.addEventListener("keydown", (event) => {
    const query = { "<": "[data-earlier]", ">": "[data-later]" }[event.key];
    if (!query || !shown || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!event.target.closest("textarea, input:not([type=checkbox], [type=range]), dialog[open]")) one(query).click();
  });
  addEventListener("hashchange", turn);
  turn();
})();
