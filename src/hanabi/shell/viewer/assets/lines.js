// The moves that are tried from positions of a game, as a tree; knows nothing of the rules of Hanabi.
"use strict";

class Lines {
  /** Takes lines as the server writes them; one of them may say how many of its moves are shown. */
  constructor(given) {
    this.roots = {}; // by the number of the position of the game
    this.node = null; // the move after which the position is shown, if one that is tried
    given.forEach((line) => {
      const end = this.add(this.root(line.at), line.codes);
      this.tell(end, line);
      if (line.shown) this.show(this.path(end)[line.shown - 1]);
    });
  }

  root(at) {
    return (this.roots[at] ??= { at, depth: 0, up: null, next: [] });
  }

  /** Adds those of some moves that are not there yet, and returns the last of them. */
  add(from, codes) {
    return codes.reduce((up, code) => {
      const known = up.next.find((each) => each.code === code);
      if (known) return known;
      const node = { code, at: up.at, depth: up.depth + 1, up, next: [], words: "…" };
      up.next.push(node);
      return node;
    }, from);
  }

  has(from, codes) {
    const next = from.next.find((each) => each.code === codes[0]);
    return !codes.length || Boolean(next && this.has(next, codes.slice(1)));
  }

  /** Notes the words of the moves that lead to the end of a line, what is known there, and its link. */
  tell(end, { words, link, found }) {
    this.path(end).forEach((each, n) => {
      each.words = words[n];
      each.found = found?.[n];
    });
    end.link = link;
  }

  /** Returns the moves from the game to a node. */
  path(node) {
    return node.up ? [...this.path(node.up), node] : [];
  }

  /** Returns the moves to a node, and those on from there by the way that was taken last. */
  line(node) {
    const line = this.path(node);
    for (let each = node; (each = each.latest ?? each.next[0]); ) line.push(each);
    return line;
  }

  show(node) {
    this.node = node;
    this.path(node).forEach((each) => (each.up.latest = each));
  }

  ends() {
    const below = (node) => (node.next.length ? node.next.flatMap(below) : node.up ? [node] : []);
    return Object.values(this.roots).flatMap(below);
  }

  /** Returns all lines as an address has them: `20:769*.267~20:768`, the star behind the move that is shown. */
  text(shown = null) {
    const last = shown && this.line(shown).at(-1);
    const codes = (end) => this.path(end).map((each) => each.code + (end === last && each === shown ? "*" : ""));
    return this.ends().map((end) => `${end.at}:${codes(end).join(".")}`).join("~");
  }

  /** Returns the next variation, or the previous one; null for the game itself. */
  beside(node, by) {
    for (let each = node; each.up; each = each.up) {
      const to = each.up.next[each.up.next.indexOf(each) + by];
      if (to) return to;
      if (by < 0 && !each.up.up) return null;
    }
    return node;
  }

  remove(node) {
    node.up.next = node.up.next.filter((each) => each !== node);
    if (node.up.latest === node) delete node.up.latest;
  }
}
