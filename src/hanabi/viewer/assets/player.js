// Leafs through the figures of every section with data-player; knows nothing of Hanabi.
(function () {
  "use strict";

  var PACE = 1100; // milliseconds a move while playing

  function start(root) {
    var kept = root.querySelector("template[data-frames]");
    var holder = kept ? kept.content : root;
    var figures = Array.prototype.slice.call(holder.querySelectorAll("figure[data-words]"));
    var links = Array.prototype.slice.call(root.querySelectorAll("[data-moves] a"));
    var stage = root.querySelector("[data-stage]");
    var list = root.querySelector("[data-moves]");
    var slider = root.querySelector("[data-slider]");
    var count = root.querySelector("[data-count]");
    var words = root.querySelector("[data-words][aria-live]");
    var buttons = {};
    var last = figures.length - 1;
    var now = -1;
    var standing = null; // the figure that was copied from the template
    var defs = null; // what such figures have referred to
    var pieces = {}; // what they may refer to, by its name
    if (kept && holder.querySelector("defs")) {
      Array.prototype.forEach.call(holder.querySelectorAll("defs > [id]"), function (piece) {
        pieces["#" + piece.id] = piece;
      });
      defs = document.importNode(holder.querySelector("svg"), false);
      stage.appendChild(defs);
      defs = defs.appendChild(document.importNode(holder.querySelector("defs"), false));
    }
    var timer = null;

    function addressed() {
      var match = /^#move-([0-9]{1,6})$/.exec(window.location.hash);
      return match ? Math.min(Number(match[1]), last) : null;
    }

    // Moves what an element refers to from the template into the page.
    function bring(element) {
      (element.outerHTML.match(/#[A-Za-z][\w-]*/g) || []).forEach(function (name) {
        var piece = pieces[name];
        if (piece) {
          delete pieces[name];
          defs.appendChild(piece);
          bring(piece);
        }
      });
    }

    function show(number) {
      number = Math.max(0, Math.min(last, number));
      if (number === now) {
        return;
      }
      if (kept) {
        if (standing) {
          stage.removeChild(standing);
        }
        bring(figures[number]);
        standing = stage.appendChild(document.importNode(figures[number], true));
      } else if (now < 0) {
        figures.forEach(function (figure, at) {
          figure.hidden = at !== number;
        });
      } else {
        figures[now].hidden = true;
        figures[number].hidden = false;
      }
      if (links[now]) {
        links[now].removeAttribute("aria-current");
      }
      now = number;
      if (links[now]) {
        links[now].setAttribute("aria-current", "step");
        var item = links[now].parentNode;
        var top = item.offsetTop;
        if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
          list.scrollTop = top - list.clientHeight / 2;
        }
      }
      var told = figures[now].getAttribute("data-words");
      count.textContent = "Move " + now + " of " + last;
      words.textContent = "Move " + now + ": " + told;
      slider.value = String(now);
      slider.setAttribute("aria-valuetext", "Move " + now + ": " + told);
      buttons.first.disabled = buttons.back.disabled = now === 0;
      buttons.next.disabled = buttons.last.disabled = now === last;
      if (addressed() !== now && (now || window.location.hash)) {
        try {
          window.history.replaceState(null, "", "#move-" + now);
        } catch (error) {
          // A page that is no document of its own has no address to keep.
        }
      }
    }

    function pause() {
      if (timer !== null) {
        window.clearInterval(timer);
        timer = null;
      }
      buttons.play.textContent = "Play";
      buttons.play.setAttribute("aria-pressed", "false");
    }

    function play() {
      if (now === last) {
        show(0);
      }
      timer = window.setInterval(function () {
        show(now + 1);
        if (now === last) {
          pause();
        }
      }, PACE);
      buttons.play.textContent = "Pause";
      buttons.play.setAttribute("aria-pressed", "true");
    }

    function go(where) {
      if (where === "play") {
        if (timer === null) {
          play();
        } else {
          pause();
        }
        return;
      }
      pause();
      show({ first: 0, back: now - 1, next: now + 1, last: last }[where]);
    }

    Array.prototype.forEach.call(root.querySelectorAll("[data-go]"), function (button) {
      var where = button.getAttribute("data-go");
      buttons[where] = button;
      button.addEventListener("click", function () {
        go(where);
      });
    });
    slider.addEventListener("input", function () {
      pause();
      show(Number(slider.value));
    });
    window.addEventListener("hashchange", function () {
      var number = addressed();
      if (number !== null) {
        pause();
        show(number);
        stage.scrollIntoView({ block: "nearest" }); // a link leads to what it names
      }
    });
    document.addEventListener("keydown", function (event) {
      var keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
      var tag = event.target.tagName;
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
        return;
      }
      if (tag === "INPUT" || tag === "TEXTAREA" || tag === "SELECT") {
        return;
      }
      if (keys[event.key]) {
        event.preventDefault();
        go(keys[event.key]);
      } else if (event.key === " " && (tag === "BODY" || tag === "HTML")) {
        event.preventDefault();
        go("play");
      }
    });

    root.querySelector("[data-controls]").hidden = false;
    root.classList.add("hp-ready");
    show(addressed() || 0);
  }

  Array.prototype.forEach.call(document.querySelectorAll("[data-player]"), start);
})();
