"""A language model as a player: hanabi play docs/bots/language_model.py:Talker --show.

A model is any function from text to text. Talker asks a server, on this machine or elsewhere, that
speaks the protocol of OpenAI's chat completions: LANGUAGE_MODEL_URL=http://localhost:8080.
"""

import json
import os
import urllib.request
from functools import lru_cache

RULES = """You play Hanabi, a cooperative game. On each color's pile, ranks go up from 1. You do not
see your own cards. A hint costs a token and shows a seat all its cards of a color or a rank; a
discard gives a token back. A card that does not fit its pile costs a life."""
FORM = 'Reply with one line of JSON: {"move": its number, "why": "one short sentence"}'


def ask_server(prompt):
    """Return the reply of a model behind an HTTP server; it must always be the same."""
    url = os.environ["LANGUAGE_MODEL_URL"].rstrip("/") + "/v1/chat/completions"
    body = {"messages": [{"role": "user", "content": prompt}], "temperature": 0, "seed": 1}
    body["model"] = os.environ.get("LANGUAGE_MODEL", "default")
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)  # noqa: S310
    with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310
        return json.load(answer)["choices"][0]["message"]["content"]


def prompt_of(view):
    """Describe a view, its past and the legal moves."""
    lines = [RULES, "", str(view), "", f"You are seat {view.seat}. The oldest card is slot 0."]
    for slot, known in enumerate(view.knowledge[view.seat]):
        cards = sorted(card for card in view.unseen if known.is_possible(card))
        lines.append(f"Your slot {slot} is one of {' '.join(map(str, cards))}.")
    lines += ["", "So far:"]
    for event in view.events:
        what = f", slots {list(event.touched)}" if event.touched else f", {event.card}"
        lines.append(f"seat {event.seat}: {event.action}{what} {event.outcome or ''}".rstrip())
    lines += ["", "Your moves:"]
    lines += [f"{number}: {action}" for number, action in enumerate(view.legal_actions)]
    return "\n".join([*lines, "", FORM])


def parse(reply, moves):
    """Return the move and the reason in the last line of a reply, or raise a ValueError."""
    last = reply.strip().rpartition("\n")[2]
    try:
        data = json.loads(last)
        move, why = data["move"], data["why"]
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{last!r} is not a line of JSON with move and why") from None
    if type(move) is not int or not 0 <= move < moves or type(why) is not str:
        raise ValueError(f"{last!r} has no move in 0 .. {moves - 1}, or its why is not a text")
    return move, why


class LanguageModel:
    """Asks a model for each move, once more if it does not understand the reply."""

    def __init__(self, ask):
        self.ask = lru_cache(maxsize=10_000)(ask)

    def __reduce__(self):
        return type(self), (self.ask.__wrapped__,)

    def decide(self, view):
        """Return the model's action and its reason."""
        prompt, moves = prompt_of(view), view.legal_actions
        reply = self.ask(prompt)
        try:
            number, why = parse(reply, len(moves))
        except ValueError as error:
            again = f"{prompt}\n\nYou replied:\n{reply}\n\nThat is wrong: {error}. {FORM}"
            number, why = parse(self.ask(again), len(moves))  # a second error ends the game
        return moves[number], why

    def act(self, view, rng):
        """Return the model's action."""
        return self.decide(view)[0]

    def why(self, view, action):
        """Return the model's reason, if this is its action."""
        chosen, why = self.decide(view)
        return why if chosen == action else None


class Talker(LanguageModel):
    """The model behind a server."""

    def __init__(self):
        super().__init__(ask_server)

    def __reduce__(self):
        return Talker, ()
