// What the page does beyond links and forms, all of which work without it: pages are turned without
// a flash, keys step through a game, and what is worked out appears when it is there.
"use strict";

const READY = "text/html";
const SILENT = "The page does not answer: is hanabi serve still running?";
const TOO_MUCH = [429, 503]; // answers that nothing was done, as too much is being asked
const AGAIN = 1000; // milliseconds until it is asked again

/** Fetches what a page has to say, once it can be asked. */
async function fetchAnswer(address, options) {
  for (;;) {
    const response = await fetch(address, options);
    if (!TOO_MUCH.includes(response.status)) return response;
    await new Promise((done) => setTimeout(done, AGAIN));
  }
}

/** Turns links and forms into fetches, and puts the new page's main in the old one's place. */
class PageTurner extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => this.onClick(event));
    this.addEventListener("submit", (event) => this.onSubmit(event));
    this.addEventListener("keydown", (event) => this.onKey(event));
    document.addEventListener("keydown", (event) => this.onStep(event));
    this.addEventListener("change", (event) => {
      if (event.target.matches("[data-sends]")) event.target.form.requestSubmit();
    });
    document.addEventListener("paste", (event) => this.onPaste(event));
    document.addEventListener("dragover", (event) => {
      if (event.dataTransfer.types.includes("Files")) event.preventDefault();
    });
    document.addEventListener("drop", (event) => this.onDrop(event));
    this.here = location.href.split("#")[0];
    document.addEventListener("click", (event) => {
      for (const each of this.querySelectorAll(".cards details[open]"))
        if (!each.contains(event.target)) each.open = false;
    });
    addEventListener("popstate", () => {
      // A link within the page changes only what follows "#".
      if (location.href.split("#")[0] !== this.here) this.turn(location.href, {}, false);
    });
  }

  onClick(event) {
    const link = event.target.closest("a[data-turn]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    this.turn(link.href, {}, true);
  }

  onSubmit(event) {
    const form = event.target;
    if (form.hasAttribute("data-whole")) return;
    event.preventDefault();
    // A key that is pressed once more would make the same move of another card.
    if (event.submitter?.name === "action") event.submitter.blur();
    const data = new FormData(form, event.submitter);
    const action = event.submitter?.getAttribute("formaction") ?? form.getAttribute("action");
    if ((form.getAttribute("method") || "get") === "get") {
      this.turn(`${action}?${new URLSearchParams(data)}`, {}, true);
    } else {
      const body = form.getAttribute("enctype") === "multipart/form-data" ? data : new URLSearchParams(data);
      this.turn(action, { method: "POST", body }, true);
    }
  }

  /** Sends a text that is pasted into the empty box, or into no field on a page that has the box. */
  onPaste(event) {
    const box = this.querySelector("[data-paste]");
    const field = document.activeElement?.closest("input, textarea, select, [contenteditable]");
    if (!box || (field && (field !== box || box.value.trim()))) return;
    const text = event.clipboardData.getData("text");
    if (!text.trim()) return;
    event.preventDefault();
    box.value = text;
    box.form.requestSubmit();
  }

  /** Reviews a game whose file is dropped anywhere. */
  onDrop(event) {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    const body = new FormData();
    body.set("file", file);
    this.turn("/review/new", { method: "POST", body }, true);
  }

  onKey(event) {
    if (event.key !== "Escape") return;
    const open = event.target.closest("details[open]");
    if (!open) return;
    open.open = false;
    open.querySelector("summary").focus();
  }

  onStep(event) {
    const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
    if (isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = this.querySelector("[data-step]");
    if (!steps) return;
    const last = Number(steps.dataset.last);
    const from = this.wanted ?? Number(steps.dataset.at);
    const place = { Home: 0, ArrowLeft: from - 1, ArrowRight: from + 1, End: last }[event.key];
    if (place === undefined) return;
    event.preventDefault();
    if (place !== from && place >= 0 && place <= last) this.step(steps.dataset.step, place);
  }

  /** Turns to a step of a game; those that are wanted while a page is coming add up. */
  async step(address, place) {
    const isStepping = this.wanted !== undefined;
    this.wanted = place;
    if (isStepping) return;
    while (this.wanted !== undefined) {
      const wanted = this.wanted;
      await this.turn(address.replace("*", wanted), {}, true, true);
      if (this.wanted === wanted) this.wanted = undefined;
    }
  }

  async turn(address, options, isNew, isStep = false) {
    // A page that is still to come makes way for the next; a form that was sent does not.
    if (this.sending) return;
    if (!isStep) this.wanted = undefined;
    this.sending = options.method === "POST";
    this.coming?.abort();
    const coming = (this.coming = new AbortController());
    this.setAttribute("aria-busy", "true");
    const focused = document.activeElement?.id;
    try {
      const response = await fetchAnswer(address, { ...options, signal: coming.signal });
      if (!(response.headers.get("content-type") || "").startsWith(READY)) {
        if (response.ok) location.assign(response.url);
        else this.say(await response.text(), true);
        return;
      }
      const text = await response.text();
      if (coming !== this.coming) return;
      const page = new DOMParser().parseFromString(text, READY);
      const main = page.querySelector("main");
      document.title = page.title;
      const there = new URL(response.url);
      const isSame = there.pathname === location.pathname;
      // A form that was refused has no page of its own, and a step is no page to go back to.
      const isTurned = isNew && (response.redirected || !this.sending);
      const isStepped = isTurned && isSame && there.searchParams.has("at");
      const isLed = !isNew && response.redirected; // to where what was waited for has its page
      if (isStepped || isLed) history.replaceState(null, "", there);
      else if (isTurned && there.href !== location.href) history.pushState(null, "", there);
      this.here = location.href.split("#")[0];
      // The address comes first: what is in the page may read it.
      this.querySelector("main").replaceWith(document.adoptNode(main));
      let kept = focused && document.getElementById(focused);
      if (kept && !kept.checkVisibility()) kept = kept.closest("details")?.querySelector("summary");
      (kept || main).focus({ preventScroll: true });
      if (!kept && !(isSame && !there.searchParams.has("new"))) scrollTo(0, 0);
      this.say(main.dataset.news);
    } catch (error) {
      if (error.name !== "AbortError") this.say(SILENT, true);
    } finally {
      if (coming === this.coming) {
        this.sending = false;
        this.coming = null;
        this.removeAttribute("aria-busy");
      }
    }
  }

  /** Has words read out, and shown if they are not in the page. */
  say(words, isShown = false) {
    const place = document.getElementById("news");
    place.textContent = words;
    place.classList.toggle("unseen", !isShown);
  }
}

/** A part of the page that is fetched again from `src` until it comes without one. */
class LivePart extends HTMLElement {
  connectedCallback() {
    this.timer = setTimeout(() => this.renew(), Number(this.getAttribute("wait")) || 500);
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  async renew() {
    const source = this.getAttribute("src");
    const turner = this.closest("page-turner");
    if (!source || !turner) return;
    try {
      const response = await fetchAnswer(source);
      if (response.status === 400) return turner.turn(location.href, {}, false); // it says why
      if (!response.ok) return this.connectedCallback();
      if (this.isSilent) turner.say("");
      const page = new DOMParser().parseFromString(await response.text(), READY);
      const part = page.querySelector("live-part");
      if (!part || !this.isConnected) return;
      const focused = this.contains(document.activeElement) && document.activeElement.id;
      this.replaceWith(document.adoptNode(part));
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    } catch {
      turner.say(SILENT, true);
      this.isSilent = true;
      this.connectedCallback();
    }
  }
}

/** A page that is turned to itself until it is another one. */
class LivePage extends HTMLElement {
  connectedCallback() {
    this.timer = setTimeout(() => {
      const turner = this.closest("page-turner");
      if (turner.coming) this.connectedCallback();
      else turner.turn(location.href, {}, false);
    }, 500);
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }
}

/** Puts the text of another element on the clipboard. */
class CopyButton extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector("button");
    button.hidden = false;
    button.addEventListener("click", async () => {
      const place = document.getElementById(this.getAttribute("for"));
      place.select();
      const written = navigator.clipboard?.writeText(place.value).then(() => true, () => false);
      // Other machines reach the page by http, where browsers know only the old way.
      const isCopied = (await written) || document.execCommand("copy");
      button.focus();
      button.textContent = isCopied ? "Copied" : "Not copied: press Ctrl+C there";
      document.querySelector("page-turner").say(`${button.textContent}.`);
      setTimeout(() => (button.textContent = "Copy"), 3000);
    });
  }
}

customElements.define("copy-button", CopyButton);
customElements.define("live-part", LivePart);
customElements.define("live-page", LivePage);
customElements.define("page-turner", PageTurner);
