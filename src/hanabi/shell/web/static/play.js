// What a game has beyond links and forms: keys as on hanab.live, lit cards, notes, tones, and partners
// who move one by one. All of it can be done without.
"use strict";

const BETWEEN = 900; // milliseconds from one move to the next
const COLORS = "qwertyuiop";
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const table = () => document.querySelector(".table[data-play]");
const say = (words) => document.querySelector("page-turner").say(words, true);

/** Turns to its page after a moment, as if time went by; at once if motion is reduced. */
class NextPage extends HTMLElement {
  connectedCallback() {
    const turner = this.closest("page-turner");
    const address = isCalm() ? "/play" : this.getAttribute("href");
    this.timer = setTimeout(() => turner.turn(address, {}, true), isCalm() ? 0 : BETWEEN);
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }
}

// Whoever can see the moves one by one asks for that.
document.addEventListener("formdata", (event) => {
  if (event.target.matches("[data-move]") && table() && !isCalm()) event.formData.set("slow", "1");
});

// The cards that a clue would touch: those in whose menu it is.
function light(event) {
  const button = event.target.closest?.(".clues button[name=action]");
  const hand = button?.closest(".hand");
  for (const each of document.querySelectorAll(".cards li.lit")) each.classList.remove("lit");
  for (const each of hand?.querySelectorAll(`.menu button[value="${button.value}"]`) ?? [])
    each.closest("li").classList.add("lit");
}
document.addEventListener("mouseover", light);
document.addEventListener("focusin", light);

/** What was begun by a key: "play" or "discard", which wait for a card. */
let begun = "";

function partners() {
  return [...document.querySelectorAll(".hand")].filter((hand) => hand.querySelector(".clues"));
}

/** Chooses a clue by its place among those of its kind, for the chosen partner. */
function choose(isRank, place) {
  const hand = document.querySelector(".hand.target") ?? partners()[0];
  if (!hand) return say("No clue can be given now.");
  const buttons = [...hand.querySelectorAll(".clues button[name=action]")];
  const isOf = (button) => /^\d/.test(button.textContent.trim()) === isRank;
  const some = buttons.filter(isOf);
  const found = isRank ? some.find((each) => each.textContent.trim().startsWith(place)) : some[place];
  if (!found) return say("That clue touches no card there, or does not exist.");
  found.focus();
  say(`${found.getAttribute("aria-label")}: Ctrl+Enter gives it.`);
}

function nextPartner() {
  const all = partners();
  if (!all.length) return;
  const from = Math.max(0, all.findIndex((hand) => hand.matches(".target")));
  all[from].classList.remove("target");
  const hand = all[(from + 1) % all.length];
  hand.classList.add("target");
  say(`Clues for ${hand.getAttribute("aria-label").replace("'s hand", "")}.`);
}

document.addEventListener("keydown", (event) => {
  const { key } = event;
  const skip = document.getElementById("skip");
  if (skip && key === "Escape") return skip.click();
  if (!table() || event.target.closest("input, textarea, select, [contenteditable]")) return;
  const focused = document.activeElement;
  if (event.ctrlKey && key === "Enter" && focused.matches(".clues button[name=action]")) {
    event.preventDefault();
    return focused.click();
  }
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const kind = { a: "play", "+": "play", d: "discard", "-": "discard" }[key];
  if (kind) {
    begun = kind;
    say(`${kind === "play" ? "Play" : "Discard"} which card? Its number, 1 is the newest.`);
  } else if (begun && /^[1-9]$/.test(key)) {
    const button = document.querySelector(`.hand.now [id$="-${key}-${begun}"]`);
    if (button) button.click();
    else say(`Card ${key} cannot be ${begun === "play" ? "played" : "discarded"}.`);
    begun = "";
  } else if (/^[1-9]$/.test(key)) choose(true, key);
  else if (key === ";") nextPartner();
  else if (COLORS.includes(key)) choose(false, COLORS.indexOf(key));
  else {
    if (key === "Escape") begun = "";
    return;
  }
  event.preventDefault();
});

// Escape takes back the meaning of a word, and nothing else.
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || !event.target.matches("dfn")) return;
    event.stopPropagation();
    event.target.blur();
  },
  true,
);

/** Notes on cards, which this browser keeps. */
function placeNotes() {
  const all = document.querySelector("[data-notes]");
  if (!all || all.dataset.hasNotes) return;
  all.dataset.hasNotes = "1";
  for (const card of all.querySelectorAll("li[data-card]")) {
    const key = `hanabi-note:${all.dataset.notes}:${card.dataset.card}`;
    const field = document.createElement("input");
    const shown = document.createElement("p");
    const show = () => {
      shown.textContent = field.value;
      shown.hidden = !field.value;
    };
    field.value = localStorage.getItem(key) ?? "";
    field.maxLength = 80;
    field.placeholder = "Note";
    field.className = "note";
    field.setAttribute("aria-label", `Note on ${card.querySelector("summary").getAttribute("aria-label")}`);
    field.addEventListener("input", () => {
      if (field.value) localStorage.setItem(key, field.value);
      else localStorage.removeItem(key);
      show();
    });
    shown.className = "noted";
    show();
    card.querySelector(".menu").append(field);
    card.append(shown);
  }
}

/** What was unfolded stays so on the pages that follow. */
const unfolded = new Set();
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.matches("[data-stays]")) unfolded[target.open ? "add" : "delete"](target.id);
  },
  true,
);
function unfold() {
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
}

/** Has a list of moves show the present one. */
function showMove() {
  const move = document.querySelector(".log:not([data-shown]) [aria-current]");
  if (!move) return;
  const list = move.closest("ol");
  move.closest(".log").dataset.shown = "1";
  list.scrollTop = move.offsetTop - list.clientHeight / 2;
}

function arrange() {
  placeNotes();
  unfold();
  showMove();
}
new MutationObserver(arrange).observe(document.documentElement, { childList: true, subtree: true });
arrange();

const SOUND = "hanabi-sound";
const TONES = { turn: 660, strike: 165 }; // hertz
let audio;

function sound(frequency) {
  if (!navigator.userActivation?.hasBeenActive) return; // browsers are silent until then
  audio ??= new AudioContext();
  const end = audio.currentTime + 0.4; // seconds
  const wave = new OscillatorNode(audio, { frequency });
  const volume = new GainNode(audio, { gain: 0.15 });
  volume.gain.linearRampToValueAtTime(0, end);
  wave.connect(volume).connect(audio.destination);
  wave.start();
  wave.stop(end);
}

/** Sounds when it is your turn again and when a strike happens, if its switch is on. */
class TurnSound extends HTMLElement {
  static known = {};

  connectedCallback() {
    const { game, turn, strikes } = this.dataset;
    const known = TurnSound.known;
    const isOn = localStorage.getItem(SOUND) === "on";
    if (isOn && game === known.game) {
      if (Number(strikes) > known.strikes) sound(TONES.strike);
      else if (turn && Number(turn) > known.turn) sound(TONES.turn);
    }
    TurnSound.known = { game, turn: Number(turn ?? known.turn), strikes: Number(strikes) };
    const box = this.querySelector("input");
    if (!box) return;
    this.hidden = false;
    box.checked = isOn;
    box.addEventListener("change", () => {
      localStorage.setItem(SOUND, box.checked ? "on" : "off");
      if (box.checked) sound(TONES.turn);
    });
  }
}

// Several files or a folder, dropped anywhere, are games.
const filesOf = async (entry) => {
  if (entry instanceof File) return [entry];
  if (entry.isFile) return [await new Promise((done, fail) => entry.file(done, fail))];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return found;
    for (const each of some) found.push(...(await filesOf(each)));
  }
};

addEventListener(
  "drop",
  async (event) => {
    const items = [...event.dataTransfer.items].filter((each) => each.kind === "file");
    const entries = items.map((each) => each.webkitGetAsEntry?.() ?? each.getAsFile()).filter(Boolean);
    const isMany = entries.length > 1 || entries.some((each) => each.isDirectory || /\.(jsonl|ndjson)$/.test(each.name));
    if (!isMany) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const files = (await Promise.all(entries.map(filesOf))).flat();
    const games = files.filter((each) => /\.(json|jsonl|ndjson|txt)$/.test(each.name));
    games.sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
    const body = new FormData();
    games.forEach((each) => body.append("file", each, each.name));
    document.querySelector("page-turner").turn("/games/new", { method: "POST", body }, true);
  },
  true,
);

customElements.define("next-page", NextPage);
customElements.define("turn-sound", TurnSound);
