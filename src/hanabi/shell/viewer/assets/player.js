// Steps through the figures of the element hanabi-player; knows nothing of the rules of Hanabi.
// With a server behind the page, it fetches verdicts, the values of actions, and moves to try.
// The class Lines stands before it.

(() => {
  const PACE = 1100; // milliseconds a move while playing
  const REST = 120; // milliseconds on a position before its actions are judged
  const POLL = 250;
  const TOO_MUCH = [429, 503]; // answers that nothing was done, as too much is being asked
  const AGAIN = 1000; // milliseconds until it is asked again
  const SWIPE = 40; // pixels
  const WHEEL = 60; // pixels of scrolling a move
  const COPIES =
    "Copies a link to this turn on hanab.live, in a tried line with the moves of that line; " +
    "if hanab.live has no table for it, the address of this page";
  const NOT_KEPT = "; what follows is not in this file";
  const SILENT = "The page does not answer: is hanabi serve still running?";
  const NARROW = matchMedia("(max-width: 859px)"); // where remarks are folded
  const SLOTS = ["told", "ahead"]; // what verdicts bring into an entry and its caption
  const CONTROLS = "a, button, input, select, textarea, summary, dialog, [contenteditable], [role=button]";

  const all = (root, query) => [...root.querySelectorAll(query)];

  class Player extends HTMLElement {
    connectedCallback() {
      this.ending = new AbortController();
      this.root = this.querySelector("[data-player]");
      this.data = this.root.dataset;
      const one = (query) => this.root.querySelector(query);
      [this.stage, this.slider, this.count, this.words, this.help, this.box, this.note, this.seats, this.chops, this.menu, this.best] = [
        "[data-stage]", "[data-slider]", "[data-count]", "[data-words][aria-live]", "[data-help]",
        "[data-card-box]", "[data-note]", "[data-seat]", "[data-chop]", "[data-menu]", "[data-follow]",
      ].map(one);
      this.take();
      this.cards = JSON.parse(this.data.cards || "[]");
      this.buttons = Object.fromEntries(all(this.root, "[data-go]").map((each) => [each.dataset.go, each]));
      this.last = Number(this.slider.max);
      this.now = -1;
      this.startLines();
      if (this.data.here && this.data.here !== location.pathname + location.search)
        history.pushState(null, "", this.data.here);
      this.startNotes();
      this.listen();
      one("[data-controls]").hidden = false;
      if (one("[data-look]")) one("[data-look]").hidden = false;
      this.root.classList.add("hp-ready");
      this.renewed();
      this.showLines();
      const place = this.addressed() ?? (this.data.asked ? Number(this.data.at) : this.start());
      this.isTouched = place !== undefined && (this.addressed() !== null || Boolean(this.data.asked));
      if (this.step) this.showTried(this.stage.querySelector("figure"), this.lines.node.at);
      else this.show(place ?? Number(this.data.at || 0));
      if (this.data.server) this.poll();
    }

    disconnectedCallback() {
      this.ending.abort();
      [this.timer, this.polling, this.asking].forEach(clearTimeout);
      clearInterval(this.playing);
    }

    /** Finds all figures: those in the page, and those that wait in a template. */
    take() {
      this.kept = this.root.querySelector("template[data-frames]");
      const holder = this.kept ? this.kept.content : this.stage;
      this.figures = all(holder, "figure[data-words]");
      this.pieces = {}; // definitions that wait in the template, too, by their names
      if (this.kept && holder.querySelector("defs")) {
        all(holder, "defs > [id]").forEach((piece) => (this.pieces["#" + piece.id] = piece));
        const svg = document.importNode(holder.querySelector("svg"), false);
        this.stage.appendChild(svg);
        this.defs = svg.appendChild(document.importNode(holder.querySelector("defs"), false));
      }
    }

    /** Moves what an element refers to from the template into the page. */
    bring(element) {
      (element.outerHTML.match(/#[A-Za-z][\w-]*/g) || []).forEach((name) => {
        const piece = this.pieces[name];
        if (!piece) return;
        delete this.pieces[name];
        this.defs.appendChild(piece);
        this.bring(piece);
      });
    }

    /** Looks up the parts of the page that verdicts change. */
    renewed() {
      this.entries = all(this.root, "[data-moves] > li");
      this.links = this.entries.map((each) => each.querySelector("a"));
      this.list = this.root.querySelector("[data-moves]");
      this.losses = this.entries.flatMap((each, n) => (each.classList.contains("hp-lost") ? [n - 1] : []));
      ["worse-back", "worse-next"].forEach((name) => (this.buttons[name].hidden = !this.losses.length));
      this.markNotes();
      this.point();
    }

    start() {
      const place = this.root.querySelector("[data-live=story]").dataset.start;
      return place === undefined ? undefined : Number(place);
    }

    /** Returns the position that the address names: `#21` is turn 21, `#move-21` what move 21 led to. */
    addressed() {
      const hash = location.hash.replace(`#${this.data.within || ""}`, "#"); // in a page of many games
      const match = /^#(move-)?([0-9]{1,6})$/.exec(hash);
      return match ? Math.max(0, Math.min(Number(match[2]) - (match[1] ? 0 : 1), this.last)) : null;
    }

    // Steps.

    show(number) {
      number = Math.max(0, Math.min(this.last, number));
      const isBack = this.step > 0;
      if (number === this.now && !isBack) return;
      this.lines.node = null;
      if (this.kept) {
        if (this.defs) this.bring(this.figures[number]);
        this.put(document.importNode(this.figures[number], true));
      } else {
        this.stage.querySelector("figure[id^='tried']")?.remove();
        this.figures.forEach((figure, at) => (figure.hidden = at !== number));
        this.figure = this.figures[number];
      }
      this.mark(number);
      this.dress();
      this.write(number || this.isTouched ? `#${number + 1}` : "");
      this.rest();
    }

    /** Puts a figure in the place of the one that is shown. */
    put(figure) {
      const hadFocus = this.stage.contains(document.activeElement) && document.activeElement !== this.stage;
      if (this.kept) all(this.stage, "figure, [data-own]").forEach((each) => each.remove());
      else {
        this.figures.forEach((each) => (each.hidden = true));
        this.stage.querySelector("figure[id^='tried']")?.remove();
      }
      this.figure = this.stage.appendChild(figure);
      if (hadFocus) this.stage.focus({ preventScroll: true });
    }

    /** Marks a step in the list, the slider and the buttons. */
    mark(number) {
      this.now = number;
      this.line = "";
      this.point();
      all(this.root, "[data-place]").forEach((field) => (field.value = number));
      this.slider.value = String(number);
      const { first, back, next, last } = this.buttons;
      first.disabled = back.disabled = number === 0 && !this.step;
      next.disabled = last.disabled = number === this.last && this.step >= this.tried.length;
      this.box.hidden = true;
      this.markLine();
      this.showNote();
      this.tell();
    }

    /** Points at the step in the list of moves, at the move that was made next, and at its mistake. */
    point() {
      if (this.now < 0) return;
      this.entries.forEach((each, n) => each.classList.toggle("hp-next", n === this.now + 1 && !this.step));
      this.links.forEach((each, n) => (n === this.now && !this.step ? each.setAttribute("aria-current", "step") : each.removeAttribute("aria-current")));
      this.reveal(this.list, this.entries[this.now], this.entries[Math.min(this.now + 1, this.last)]);
      all(this.root, "[data-mistakes] a").forEach((each) => {
        if (Number(each.dataset.move) !== this.now) return each.removeAttribute("aria-current");
        each.setAttribute("aria-current", "true");
        this.reveal(each.closest("[data-mistakes]"), each.parentNode, each.parentNode);
      });
    }

    /** Scrolls a list so far that it shows a row, and another one that follows. */
    reveal(list, row, last) {
      const { scrollTop, clientHeight } = list;
      if (row.offsetTop < scrollTop || last.offsetTop + last.offsetHeight > scrollTop + clientHeight)
        list.scrollTop = row.offsetTop - Math.max(0, clientHeight - row.offsetHeight) / 2; // lines make it high
    }

    /** Names the position as hanab.live does: after 20 moves it is turn 21. */
    place() {
      if (this.step) return `Tried ${this.step} of ${this.tried.length} from turn ${this.now + 1}`;
      if (this.last && this.now === this.last) return `End, after ${this.last} move${this.last === 1 ? "" : "s"}`;
      return `Turn ${this.now + 1}` + (this.last ? ` of ${this.last}` : "");
    }

    /** Says what is shown: the caption, the count, and the words for screen readers. */
    tell() {
      const entry = this.entries[this.now];
      const best = this.step ? "" : entry.dataset.best;
      this.count.textContent = this.place() + (best ? ` · best ${best}` : "");
      for (const name of this.step ? [] : SLOTS) {
        const [slot, told] = [this.figure, entry].map((each) => each.querySelector(`[data-slot=${name}]`));
        slot.replaceChildren(...(told ? [...told.childNodes].map((each) => each.cloneNode(true)) : []));
      }
      // Remarks are open as a person wants them, or else as there is room; a mistake comes first.
      const isFull = NARROW.matches || this.figure.querySelector("[data-slot=ahead] *");
      all(this.figure, "[data-fold]").forEach((each) => {
        each.open = this.isOpen ?? !(each.closest("[data-slot=told]") ? isFull : NARROW.matches);
      });
      const head = this.figure.querySelector(".hp-head")?.textContent ?? "";
      const heard = `${this.step ? "Tried" : `Move ${this.now}`}: ${this.figure.dataset.words}. ${head}`;
      if (this.words.textContent !== heard) this.words.textContent = heard;
      this.slider.setAttribute("aria-valuetext", heard);
    }

    write(hash) {
      const address = new URL(location.href);
      ["at", "try"].forEach((name) => address.searchParams.delete(name));
      const tried = this.data.server ? this.lines.text(this.lines.node) : "";
      if (tried && !this.step) address.searchParams.set("at", this.now);
      if (tried) address.search = `${address.search || "?"}&try=${tried}`.replace("?&", "?");
      all(this.root, "input[data-lines-sent]").forEach((field) => (field.value = tried));
      address.hash = (this.data.within || "") + (tried ? "" : hash.slice(1));
      if (address.href === location.href) return;
      try {
        history.replaceState(history.state, "", address);
      } catch {
        // A page that is no document of its own has no address to keep, and browsers limit how often.
      }
    }

    go(where) {
      if (where === "help") return this.help.open ? this.help.close() : this.help.showModal();
      if (where === "play") return this.playing ? this.pause() : this.play();
      this.pause();
      this.isTouched = true;
      if (this.step) {
        const to = { first: 0, back: this.step - 1, next: this.step + 1, last: this.tried.length }[where];
        if (to !== undefined) return this.goTried(to);
      }
      const seats = Number(this.data.seats || 1);
      const later = this.losses.find((each) => each > this.now) ?? this.losses[0];
      const before = this.losses.filter((each) => each < this.now);
      const earlier = before.length ? before[before.length - 1] : this.losses[this.losses.length - 1];
      const to = {
        first: 0, back: this.now - 1, next: this.now + 1, last: this.last,
        "round-back": this.now - seats, "round-next": this.now + seats,
        "worse-back": earlier, "worse-next": later,
      }[where];
      if (to !== undefined) this.show(to);
    }

    play() {
      if (!this.step && this.now === this.last) this.show(0);
      this.playing = setInterval(() => {
        if (this.step) this.goTried(this.step + 1);
        else this.show(this.now + 1);
        if (this.step ? this.step >= this.tried.length : this.now === this.last) this.pause();
      }, PACE);
      this.buttons.play.setAttribute("aria-pressed", "true");
    }

    pause() {
      clearInterval(this.playing);
      this.playing = null;
      this.buttons.play.setAttribute("aria-pressed", "false");
    }

    // Who sees what.

    /** Turns cards down for the seat that looks, or for their owners while Space is held. */
    dress() {
      const seat = Number(this.seats?.value || 0);
      all(this.figure, "svg[data-cards]").forEach((hand, place) => {
        const isDown = this.isHeld ? !seat || place === seat - 1 : place === seat - 1;
        const cards = all(hand, "use");
        const { cards: names, backs } = hand.dataset;
        const [named, turned] = [names.split(" "), (backs || "").split(" ")];
        cards.forEach((card, at) => {
          card.dataset.card = named[at];
          card.dataset.front ??= card.getAttribute("href");
          card.setAttribute("href", isDown && turned[at] ? `#${turned[at]}` : card.dataset.front);
          card.setAttribute("tabindex", "0");
          card.setAttribute("role", "button");
          card.setAttribute("aria-label", `Card ${at + 1}: when it was drawn, clued and played`);
        });
        hand.querySelector(".hb-chop")?.remove();
        if (this.chops?.checked) this.markChop(cards);
      });
    }

    /** Draws a line under the oldest card that no clue has touched. */
    markChop(cards) {
      const chop = cards.findLast((card) => !this.cards[card.dataset.card]?.[1].some((move) => move <= this.now));
      if (!chop) return;
      const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.setAttribute("class", "hb-chop");
      line.setAttribute("d", `M${Number(chop.getAttribute("x")) + 8} ${Number(chop.getAttribute("y") || 0) + 75}h44`);
      chop.after(line);
    }

    hold(isHeld) {
      if (isHeld === Boolean(this.isHeld)) return;
      this.isHeld = isHeld;
      this.root.classList.toggle("hp-held", isHeld);
      this.dress();
    }

    /** Says where a card was drawn, clued and moved, with a button for each. */
    tellCard(card) {
      const story = this.cards[card.dataset.card];
      if (!story) return;
      const [drawn, clued, moved] = story;
      const rows = [[drawn ? "Drawn" : "Dealt", drawn], ...clued.map((each) => ["Clued", each])];
      if (moved !== null) rows.push(["Left the hand", moved]);
      this.box.replaceChildren(
        ...rows.map(([what, move]) => {
          const button = document.createElement("button");
          button.type = "button";
          button.dataset.move = move;
          button.textContent = move ? `${what}: move ${move}` : what;
          return button;
        }),
        ...(this.cardNotes[card.dataset.card] || []).map((line) => {
          const note = document.createElement("p");
          note.textContent = line;
          return note;
        }),
      );
      const place = card.getBoundingClientRect();
      this.box.hidden = false;
      this.box.style.left = `${Math.max(4, Math.min(place.left, innerWidth - this.box.offsetWidth - 8))}px`;
      const below = place.bottom + 6;
      const fits = below + this.box.offsetHeight < innerHeight;
      this.box.style.top = `${fits ? below : Math.max(4, place.top - this.box.offsetHeight - 6)}px`;
      this.cardBefore = card;
      this.box.querySelector("button").focus({ preventScroll: true });
    }

    // Notes, kept in the browser and in the file.

    startNotes() {
      this.notes = JSON.parse(this.data.notes || "{}");
      this.store = `hanabi-notes-${this.data.key}`;
      try {
        Object.assign(this.notes, JSON.parse(localStorage.getItem(this.store) || "{}"));
      } catch {
        // Some browsers keep nothing for files.
      }
      const field = this.root.querySelector("[data-note-field]");
      if (field) field.hidden = false;
      this.startCardNotes();
    }

    /** Takes notes on cards that came with the game; the address has no place for them. */
    startCardNotes() {
      const store = `hanabi-card-notes-${this.data.key}`;
      this.cardNotes = JSON.parse(this.data.cardNotes || "{}");
      try {
        if (this.data.cardNotes) localStorage.setItem(store, this.data.cardNotes);
        else this.cardNotes = JSON.parse(localStorage.getItem(store) || "{}");
      } catch {
        // As above.
      }
      const number = Object.keys(this.cardNotes).length;
      const told = this.root.querySelector("[data-card-notes-told]");
      if (!told || !number) return;
      told.hidden = false;
      told.textContent = `The players left notes on ${number === 1 ? "a card" : `${number} cards`}: click a card to read them.`;
    }

    showNote() {
      if (!this.note) return;
      this.note.value = this.notes[this.now] || "";
      this.root.querySelector("[data-note-place]").textContent = this.now ? `move ${this.now}` : "the deal";
    }

    keepNote() {
      this.notes[this.now] = this.note.value.trim();
      try {
        localStorage.setItem(this.store, JSON.stringify(this.notes));
      } catch {
        // As above.
      }
      this.markNotes();
    }

    markNotes() {
      this.entries.forEach((each, n) => each.classList.toggle("hp-noted", Boolean(this.notes[n])));
      const sent = this.root.querySelector("input[data-notes-sent]");
      if (sent) sent.value = JSON.stringify({ moves: this.notes, cards: this.cardNotes });
    }

    // What the server adds.

    address(name, more = {}) {
      const query = new URLSearchParams(this.data.query || "");
      Object.entries(more).forEach(([key, value]) => query.set(key, value));
      return `${this.data.server}${name}?${query}`;
    }

    async fetched(address) {
      try {
        let response = await fetch(address, { signal: this.ending.signal });
        while (TOO_MUCH.includes(response.status)) {
          await new Promise((done) => setTimeout(done, AGAIN));
          response = await fetch(address, { signal: this.ending.signal });
        }
        if (this.isSilent) this.say("");
        this.isSilent = false;
        return response;
      } catch (error) {
        if (error.name === "AbortError") return null;
        this.say(SILENT);
        this.isSilent = true;
        return undefined;
      }
    }

    say(words) {
      const place = document.getElementById("news");
      if (!place) return;
      place.textContent = words;
      place.classList.toggle("unseen", !words);
    }

    /** Fetches verdicts until all are there. */
    async poll() {
      const story = this.root.querySelector("[data-live=story]");
      if (!("open" in story.dataset)) return;
      const response = await this.fetched(this.address("/verdicts"));
      const text = response?.ok ? await response.text() : this.told;
      if (text !== this.told) this.renew((this.told = text));
      if (response !== null) this.polling = setTimeout(() => this.poll(), POLL);
    }

    renew(text) {
      const lists = () => all(this.root, "[data-live=story] :is(ol, details), [data-moves]");
      const before = lists().map(({ scrollTop, open }) => ({ scrollTop, open }));
      const part = new DOMParser().parseFromString(text, "text/html");
      all(part, "[data-live]").forEach((fresh) => {
        const old = this.root.querySelector(`[data-live=${fresh.dataset.live}]`);
        if (old.dataset.live !== "moves") return old.replaceWith(document.adoptNode(fresh));
        // The list keeps its place, its focus and its mark.
        all(fresh, "[data-moves] > li").forEach((entry, n) => {
          const known = this.entries[n];
          known.className = entry.className;
          Object.assign(known.dataset, entry.dataset);
          all(known, "[data-slot]").forEach((each) => each.remove());
          all(entry, "[data-slot]").forEach((each) => known.querySelector("a").after(" ", document.adoptNode(each)));
        });
      });
      this.renewed();
      if (lists().length === before.length) lists().forEach((each, n) => Object.assign(each, before[n]));
      this.fillKnown();
      const start = this.start();
      if (start !== undefined && !this.isTouched && !this.step) {
        this.isTouched = true;
        this.show(start);
      }
      this.tell();
    }

    /** Once a position is looked at, has its actions judged. */
    rest() {
      clearTimeout(this.asking);
      if (!this.data.server) this.fillKept();
      else if (!this.fillKnown()) this.asking = setTimeout(() => this.ask(), REST);
    }

    /** Fills in what the review knows of a position; returns whether that is all. */
    fillKnown() {
      const known = !this.step && this.entries[this.now]?.dataset.values;
      if (!known) return false;
      const found = JSON.parse(known);
      this.fill(found);
      return !found.open;
    }

    async ask() {
      const [now, step] = [this.now, this.step];
      const tried = this.tried.slice(0, step).join(".");
      const more = { at: now };
      if (step) more.try = tried;
      const response = await this.fetched(this.address("/values", more));
      if (now !== this.now || step !== this.step || !response?.ok) return;
      const found = await response.json();
      if (now !== this.now || step !== this.step) return;
      this.fill(found);
      if (found.open) this.asking = setTimeout(() => this.ask(), POLL);
    }

    /** Writes on each button what its action keeps; the best are marked. */
    fill(found) {
      this.line = found.line;
      all(this.figure, "button[data-action]").forEach((button) => {
        const value = found.values[button.dataset.action];
        const place = button.querySelector("[data-value]");
        const keeps = value ? value.kept + (value.chance && ` · ${value.chance}`) : "";
        const played = button.classList.contains("hp-played") ? ", played" : "";
        place.textContent = keeps.replace(" %", "\u00a0%") || (found.open ? "…" : "?");
        const people = value?.people ?? "";
        place.dataset.people = people.replace(" %", "\u00a0%");
        const told = (keeps && `: keeps ${keeps}`) + (people && `, ${people} of people`) + played;
        button.setAttribute("aria-label", button.dataset.label + told);
        button.classList.toggle("hp-best", Boolean(value?.best));
        button.classList.toggle("hp-worse", Boolean(value?.worse));
        if (value?.words) button.title = value.words;
      });
      this.best.hidden = !found.line;
      if (found.follow) this.best.textContent = found.follow;
      const told = this.figure.querySelector("figcaption [data-slot=told]");
      if (this.step && told && found.told) told.textContent = found.told;
    }

    // Moves that are tried: a tree of lines.

    startLines() {
      this.lines = new Lines(JSON.parse(this.data.lines || "[]"));
      const kept = this.root.querySelector("template[data-lines]");
      const figures = kept ? [...kept.content.children] : [];
      this.keptLines = new Map(figures.map((each) => [each.dataset.line, each.firstElementChild]));
      all(this.root, "[data-copy]").forEach((each) => (each.title = COPIES));
    }

    /** The codes of the moves of the line that is shown, and how many of them lead to what is shown. */
    get tried() {
      return this.lines.node ? this.lines.line(this.lines.node).map((each) => each.code) : [];
    }

    get step() {
      return this.lines.node ? this.lines.node.depth : 0;
    }

    /** Without a server: shows what the page holds of each action, and enables those it can show. */
    fillKept() {
      const from = this.lines.node ?? this.lines.root(this.now);
      const values = this.entries[this.now].dataset.values;
      const found = this.step ? from.found : values && JSON.parse(values);
      const line = found?.line && this.lines.has(from, found.line.split(".")) ? found.line : "";
      this.fill({ values: {}, told: "", ...found, line });
      all(this.figure, "button[data-action]").forEach((button) => {
        button.disabled = !this.lines.has(from, [button.dataset.action]);
        if (button.disabled) button.title += NOT_KEPT;
      });
    }

    tryAction(code) {
      return this.tryMoves([code]);
    }

    async follow() {
      if (this.line) await this.tryMoves(this.line.split("."));
    }

    /** Goes on by moves from what is shown, to the first of them. */
    async tryMoves(codes) {
      const from = this.lines.node ?? this.lines.root(this.now);
      const known = this.lines.text();
      const moves = this.lines.path(this.lines.add(from, codes));
      if (this.lines.text() !== known) this.listing = this.listLines(moves.find((each) => each.words === "…"));
      await this.goNode(moves[from.depth]);
    }

    /** Goes to a step of the line that is shown; 0 is the position of the game. */
    goTried(step) {
      if (step <= 0) return this.show(this.now);
      const line = this.lines.line(this.lines.node);
      return this.goNode(line[Math.min(step, line.length) - 1]);
    }

    goBeside(by) {
      this.pause();
      this.isTouched = true;
      const to = this.step ? this.lines.beside(this.lines.node, by) : by > 0 && this.lines.roots[this.now]?.next[0];
      if (to) return this.goNode(to);
      if (to === null) this.show(this.now);
    }

    /** Shows the position after a move that is tried; those that are wanted while one is coming add up. */
    async goNode(node) {
      this.lines.show(node);
      if (this.isComing) return;
      this.isComing = true;
      while (this.step) {
        const wanted = this.lines.node;
        const [figure, own] = await this.triedFigure(wanted);
        if (!figure || !this.step) break;
        this.showTried(figure, wanted.at, own);
        if (wanted === this.lines.node) break;
      }
      this.isComing = false;
    }

    /** Returns the figure of a move that is tried, and its definitions: from the page or from the server. */
    async triedFigure(node) {
      const codes = this.lines.path(node).map((each) => each.code).join(".");
      const kept = this.keptLines.get(`${node.at}:${codes}`);
      if (kept && this.defs) this.bring(kept);
      if (kept) return [document.importNode(kept, true)];
      const response = await this.fetched(this.address("/step", { at: node.at, try: codes }));
      if (!response?.ok) return [];
      const part = new DOMParser().parseFromString(await response.text(), "text/html");
      return [document.adoptNode(part.querySelector("figure")), part.querySelector("[data-own]")];
    }

    showTried(figure, at, own) {
      if (figure.parentNode !== this.stage) this.put(figure);
      else this.figure = figure;
      if (own) this.stage.prepend(document.adoptNode(own));
      this.mark(at);
      this.dress();
      this.write(`#${at + 1}`);
      this.rest();
    }

    /** Lists the lines, with the words and links that the server has for them. */
    async listLines(added) {
      this.showLines();
      const text = this.lines.text();
      const response = text && (await this.fetched(this.address("/lines", { try: text })));
      if (added && response?.status === 400) {
        this.say(await response.text()); // as when there are too many for an address
        return this.drop(added);
      }
      const found = response?.ok ? await response.json() : [];
      if (!found.length || text !== this.lines.text()) return;
      this.lines.ends().forEach((end, n) => this.lines.tell(end, found[n]));
      this.showLines();
    }

    drop(node) {
      const isShown = this.step && this.lines.path(this.lines.node).includes(node);
      this.lines.remove(node);
      this.listing = this.listLines();
      if (!isShown) this.write(`#${this.now + 1}`);
      else if (node.up.up) this.goNode(node.up);
      else this.show(this.now);
    }

    /** Puts the lines below the moves from which they branch. */
    showLines() {
      all(this.root, "[data-moves] .hp-line").forEach((each) => each.remove());
      Object.values(this.lines.roots).forEach((root) =>
        root.next.forEach((node) => this.entries[root.at].append(this.lineFrom(node))));
      this.markLine();
    }

    /** Returns the list of a line from one of its moves on, in which other lines branch. */
    lineFrom(node) {
      const list = document.createElement("ol");
      list.className = "hp-line";
      list.start = node.at + node.depth;
      const button = (words, act) => {
        const made = document.createElement("button");
        made.type = "button";
        made.textContent = words;
        made.onclick = act;
        return made;
      };
      for (let each = node; each; each = each.next[0]) {
        const [move, entry] = [each, document.createElement("li")];
        move.button = button(move.words, () => {
          this.pause();
          this.isTouched = true;
          this.goNode(move);
        });
        entry.append(move.button);
        if (move === node && this.data.server) {
          const drop = entry.appendChild(button("×", () => this.drop(node)));
          drop.dataset.drop = "";
          drop.title = drop.ariaLabel = "Remove this line";
        }
        entry.append(...move.next.slice(1).map((other) => this.lineFrom(other)));
        list.append(entry);
      }
      return list;
    }

    /** Marks the move that is shown in its line, and keeps it in view. */
    markLine() {
      all(this.list, ".hp-line [aria-current]").forEach((each) => each.removeAttribute("aria-current"));
      const button = this.lines.node?.button;
      if (!button) return;
      button.setAttribute("aria-current", "step");
      const [place, around] = [button.getBoundingClientRect(), this.list.getBoundingClientRect()];
      if (place.top < around.top || place.bottom > around.bottom)
        this.list.scrollTop += place.top - around.top - this.list.clientHeight / 2;
    }

    /** Puts the picture of the position on the clipboard. */
    async copyPicture(link) {
      const more = { at: this.now };
      if (this.step) more.try = this.tried.slice(0, this.step).join(".");
      const image = new Image();
      image.src = this.address("/board.svg", more);
      try {
        await image.decode();
        const scale = 2;
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.naturalWidth * scale, image.naturalHeight * scale];
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
        await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
        this.flash(link, "Copied");
      } catch {
        open(image.src, "_blank", "noopener"); // as over http from another machine
      }
    }

    async copyLink(button) {
      await this.listing;
      const whole = this.step ? this.lines.line(this.lines.node).at(-1).link : this.data.link;
      const link = whole ? `${whole}#${this.now + this.step + 1}` : location.href;
      const written = await navigator.clipboard?.writeText(link).then(() => true, () => false);
      if (!written) {
        const field = document.createElement("textarea");
        field.value = link;
        button.after(field);
        field.select();
        this.flash(button, document.execCommand("copy") ? "Copied" : "Not copied");
        field.remove();
      } else this.flash(button, "Copied");
    }

    flash(element, words) {
      element.dataset.words ??= element.textContent;
      element.textContent = words;
      setTimeout(() => (element.textContent = element.dataset.words), 2000);
    }

    // What people do.

    listen() {
      const options = { signal: this.ending.signal };
      const on = (target, kind, act, more = {}) => target.addEventListener(kind, act, { ...options, ...more });
      on(this.root, "click", (event) => this.onClick(event));
      on(this.slider, "input", () => {
        this.pause();
        this.isTouched = true;
        this.show(Number(this.slider.value));
      });
      if (this.seats) on(this.seats, "change", () => this.dress());
      if (this.chops) on(this.chops, "change", () => this.dress());
      if (this.note) on(this.note, "input", () => this.keepNote());
      on(window, "hashchange", () => {
        const number = this.addressed();
        if (number === null || (number === this.now && !this.step)) return;
        this.pause();
        this.show(number);
        this.stage.scrollIntoView({ block: "nearest" });
      });
      on(document, "keydown", (event) => this.onKey(event));
      on(document, "keyup", (event) => {
        if (event.key === " ") this.hold(false);
      });
      on(window, "blur", () => this.hold(false));
      on(document, "click", (event) => {
        if (!this.box.contains(event.target) && !event.target.closest?.("use[data-card]")) this.box.hidden = true;
        if (this.menu && !this.menu.contains(event.target)) this.menu.open = false;
      });
      let rolled = 0;
      on(this.stage, "wheel", (event) => {
        if (event.ctrlKey || event.shiftKey || !event.deltaY) return;
        event.preventDefault();
        rolled += event.deltaY;
        while (Math.abs(rolled) >= WHEEL) {
          this.go(rolled > 0 ? "next" : "back");
          rolled -= Math.sign(rolled) * WHEEL;
        }
      }, { passive: false });
      let from = null;
      on(this.stage, "touchstart", (event) => {
        from = event.touches.length === 1 ? [event.touches[0].clientX, event.touches[0].clientY] : null;
      }, { passive: true });
      on(this.stage, "touchend", (event) => {
        if (!from) return;
        const [x, y] = [event.changedTouches[0].clientX - from[0], event.changedTouches[0].clientY - from[1]];
        if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) this.go(x < 0 ? "next" : "back");
        from = null;
      }, { passive: true });
    }

    onClick(event) {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      const target = event.target;
      const go = target.closest("[data-go]");
      if (go) return this.go(go.dataset.go);
      if (target.closest("[data-close]")) return this.help.close();
      const fold = target.closest("[data-fold] > summary");
      if (fold) this.isOpen = !fold.parentNode.open;
      const card = target.closest("use[data-card]");
      if (card) return this.tellCard(card);
      const action = target.closest("button[data-action]");
      const picture = target.closest("[data-picture]");
      const copy = target.closest("[data-copy]");
      const bar = target.closest("a[href^='#']");
      const link = target.closest("[data-move]");
      const place = link ? Number(link.dataset.move) : bar ? Number(bar.getAttribute("href").replace(/\D/g, "")) : null;
      if (!action && !picture && !copy && place === null && !target.closest("[data-follow]")) return;
      event.preventDefault();
      this.pause();
      if (action) this.tryAction(action.dataset.action);
      else if (picture) this.copyPicture(picture);
      else if (copy) this.copyLink(copy);
      else if (target.closest("[data-follow]")) this.follow()?.then?.(() => this.step && this.play());
      else {
        this.isTouched = true;
        this.show(place);
      }
    }

    onKey(event) {
      const isBracket = event.key === "[" || event.key === "]"; // which some keyboards have on AltGr
      if (!isBracket && (event.altKey || event.ctrlKey || event.metaKey)) return;
      const target = event.target;
      if (event.key === "Escape" && !this.box.hidden) {
        this.box.hidden = true;
        this.cardBefore?.focus?.();
        return;
      }
      if (target.matches("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
      if (target.matches("use[data-card]") && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        return this.tellCard(target);
      }
      if (event.key === " ") {
        if (target.closest(CONTROLS)) return;
        event.preventDefault();
        return this.hold(true);
      }
      if (event.key === "?") {
        event.preventDefault();
        return this.go("help");
      }
      if (this.help.open) return;
      if (event.shiftKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
        event.preventDefault();
        return this.goBeside(event.key === "ArrowDown" ? 1 : -1);
      }
      if (event.shiftKey) return;
      const keys = {
        ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last",
        "[": "round-back", "]": "round-next", p: "worse-back", n: "worse-next",
      };
      if (!keys[event.key]) return;
      event.preventDefault();
      this.go(keys[event.key]);
    }
  }

  customElements.define("hanabi-player", Player);
})();
