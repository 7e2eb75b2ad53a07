// What the page does beyond links and forms, all of which work without it: pages are turned without
// a flash, keys step through a game, and what is worked out appears when it is there.
"use strict";

const READY = "text/html";

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
    document.addEventListener("click", (event) => {
      for (const each of this.querySelectorAll(".cards details[open]"))
        if (!each.contains(event.target)) each.open = false;
    });
    addEventListener("popstate", () => this.turn(location.href, {}, false));
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
    const data = new FormData(form, event.submitter);
    const action = event.submitter?.getAttribute("formaction") ?? form.getAttribute("action");
    if ((form.getAttribute("method") || "get") === "get") {
      this.turn(`${action}?${new URLSearchParams(data)}`, {}, true);
    } else {
      const body = form.getAttribute("enctype") === "multipart/form-data" ? data : new URLSearchParams(data);
      this.turn(action, { method: "POST", body }, true);
    }
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
    const link = this.querySelector(`a[data-key="${CSS.escape(event.key)}"]`);
    if (!link) return;
    event.preventDefault();
    this.turn(link.href, {}, true);
  }

  async turn(address, options, isNew) {
    // A page that is still to come makes way for the next; a form that was sent does not.
    if (this.sending) return;
    this.sending = options.method === "POST";
    this.coming?.abort();
    const coming = (this.coming = new AbortController());
    this.setAttribute("aria-busy", "true");
    const focused = document.activeElement?.id;
    try {
      const response = await fetch(address, { ...options, signal: coming.signal });
      if (!(response.headers.get("content-type") || "").startsWith(READY)) {
        if (response.ok) location.assign(response.url);
        else this.say(await response.text());
        return;
      }
      const text = await response.text();
      if (coming !== this.coming) return;
      const page = new DOMParser().parseFromString(text, READY);
      const main = page.querySelector("main");
      this.querySelector("main").replaceWith(document.adoptNode(main));
      document.title = page.title;
      if (isNew && response.url !== location.href) history.pushState(null, "", response.url);
      let kept = focused && document.getElementById(focused);
      if (kept && !kept.checkVisibility()) kept = kept.closest("details")?.querySelector("summary");
      (kept || main.querySelector("[data-focus]") || main).focus({ preventScroll: Boolean(kept) });
      if (!kept && !main.querySelector("[data-focus]")) scrollTo(0, 0);
      this.say(main.dataset.news);
    } catch (error) {
      if (error.name !== "AbortError")
        this.say("The page does not answer: is hanabi serve still running?");
    } finally {
      if (coming === this.coming) {
        this.sending = false;
        this.coming = null;
        this.removeAttribute("aria-busy");
      }
    }
  }

  say(words) {
    const place = document.getElementById("news");
    place.textContent = words;
    place.classList.toggle("unseen", !/does not answer|refused|too long/.test(words || ""));
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
    if (!source) return;
    try {
      const response = await fetch(source);
      if (!response.ok) return;
      const page = new DOMParser().parseFromString(await response.text(), READY);
      const part = page.querySelector("live-part");
      if (!part || !this.isConnected) return;
      const focused = this.contains(document.activeElement) && document.activeElement.id;
      if (part.dataset.turn) {
        this.closest("page-turner").turn(location.href, {}, false);
        return;
      }
      this.replaceWith(document.adoptNode(part));
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    } catch {
      this.connectedCallback();
    }
  }
}

/** A page that is turned to itself until it is another one. */
class LivePage extends HTMLElement {
  connectedCallback() {
    this.timer = setTimeout(() => {
      this.closest("page-turner").turn(location.href, {}, false);
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
      await navigator.clipboard?.writeText(place.value).catch(() => {});
      document.querySelector("page-turner").say("Copied.");
    });
  }
}

customElements.define("copy-button", CopyButton);
customElements.define("live-part", LivePart);
customElements.define("live-page", LivePage);
customElements.define("page-turner", PageTurner);
