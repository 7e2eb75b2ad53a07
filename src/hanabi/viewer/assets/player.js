// Leafs through the figures of every section with data-player; knows nothing of Hanabi.
(function () {
  "use strict";

  var PACE = 1100; // milliseconds a move while playing

  function start(root) {
    var figures = Array.prototype.slice.call(root.querySelectorAll("figure[data-words]"));
    var links = Array.prototype.slice.call(root.querySelectorAll("[data-moves] a"));
    var stage = root.querySelector("[data-stage]");
    var list = root.querySelector("[data-moves]");
    var slider = root.querySelector("[data-slider]");
    var count = root.querySelector("[data-count]");
    var words = root.querySelector("[data-words][aria-live]");
    var buttons = {};
    var last = figures.length - 1;
    var now = -1;
    var timer = null;

    function addressed() {
      var match = /^#move-([0-9]{1,6})$/.exec(window.location.hash);
      return match ? Math.min(Number(match[1]), last) : null;
    }

    function show(number) {
      number = Math.max(0, Math.min(last, number));
      if (number === now) {
        return;
      }
      now = number;
      figures.forEach(function (figure, at) {
        figure.hidden = at !== now;
      });
      links.forEach(function (link, at) {
        if (at === now) {
          link.setAttribute("aria-current", "step");
        } else {
          link.removeAttribute("aria-current");
        }
      });
      if (links[now]) {
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
