"""Any of our players at hanab.live: python hanab_live.py information (pip install websockets).

The bot's account is in HANABI_USERNAME and HANABI_PASSWORD. Sit down at a table of the site, and
send the account a private message: /join, or /join PASSWORD.
"""

import json
import os
import sys
import time
import urllib.parse
import urllib.request

from hanabi.ground.errors import HanabiError
from hanabi.players import parse_player
from hanabi.players.hanab_live import SiteBot

HOST = "hanab.live"


class Lobby:
    """Joins the table of anyone who asks for it."""

    def __init__(self):
        self.name, self.tables = None, {}

    def receive(self, message):
        """Take a message of the site, and return the messages to send."""
        command, _, text = message.partition(" ")
        data = json.loads(text or "null")
        if command == "welcome":
            self.name = data["username"]
        elif command in ("table", "tableList"):
            tables = data if command == "tableList" else [data]
            self.tables.update({table["id"]: table for table in tables})
        elif command == "tableGone":
            self.tables.pop(data["tableID"], None)
        elif command in ("warning", "error"):
            sys.stderr.write(f"{HOST}: {text}\n")
        elif command == "chat" and data.get("recipient") == self.name:
            word, _, password = data["msg"].partition(" ")
            for table in self.tables.values() if word == "/join" else ():
                if not table["running"] and data["who"] in table["players"]:
                    return [
                        f"tableJoin {json.dumps({'tableID': table['id'], 'password': password})}"
                    ]
        return []


def log_in():
    """Return the cookie of a session."""
    form = {
        "username": os.environ["HANABI_USERNAME"],
        "password": os.environ["HANABI_PASSWORD"],
        "version": "bot",
    }
    data = urllib.parse.urlencode(form).encode()
    with urllib.request.urlopen(f"https://{HOST}/login", data) as answer:
        return answer.headers["Set-Cookie"].partition(";")[0]


def serve(connection, player):
    """Answer the messages of a connection until it ends; print what is not understood."""
    lobby, bot = Lobby(), SiteBot(player)
    for message in connection:
        try:
            answers = [*lobby.receive(message), *bot.receive(message)]
        except HanabiError as error:  # names the table; others go on
            sys.stderr.write(f"{error}\n")
            continue
        for answer in answers:
            time.sleep(1)  # people like to see what happens
            connection.send(answer)


if __name__ == "__main__":
    from websockets.sync.client import connect

    with connect(f"wss://{HOST}/ws", additional_headers={"Cookie": log_in()}) as connection:
        serve(connection, parse_player(sys.argv[1]))
