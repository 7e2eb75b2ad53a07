// The page's colors: the system's, or light or dark as chosen with a button. Loaded before the page, so
// that nothing is painted in other colors first.
"use strict";

const THEME = "hanabi-theme"; // where the browser keeps the choice
const THEMES = { auto: ["◐", "Auto"], light: ["☀\ufe0e", "Light"], dark: ["☾\ufe0e", "Dark"] };

/** Applies a theme; anything else than light or dark means the system's. */
function applyTheme(name) {
  document.documentElement.dataset.theme = name in THEMES ? name : "auto";
}

try {
  applyTheme(localStorage.getItem(THEME));
} catch {
  applyTheme("auto"); // a browser may keep nothing
}

/** A button that goes from one theme to the next. */
class ThemeButton extends HTMLElement {
  connectedCallback() {
    this.button = document.createElement("button");
    this.button.type = "button";
    this.button.append(document.createElement("span"), " ", document.createElement("span"));
    this.button.addEventListener("click", () => this.turn());
    this.replaceChildren(this.button);
    addEventListener("storage", (event) => {
      if (event.key !== THEME) return;
      applyTheme(event.newValue);
      this.show();
    });
    this.show();
  }

  turn() {
    const names = Object.keys(THEMES);
    const next = names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length];
    applyTheme(next);
    try {
      localStorage.setItem(THEME, next);
    } catch {
      // It holds until the page is left.
    }
    this.show();
  }

  show() {
    const [sign, word] = THEMES[document.documentElement.dataset.theme];
    this.button.firstChild.textContent = sign;
    this.button.lastChild.textContent = word;
    this.button.firstChild.setAttribute("aria-hidden", "true");
    this.button.setAttribute("aria-label", `Colors: ${word}`);
    this.button.title = "Colors: auto (as your system), light or dark";
  }
}

customElements.define("theme-button", ThemeButton);
