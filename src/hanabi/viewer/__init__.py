"""Games, lines and plays as one page that is leafed through, without a server.

`show` says what a page shows, `games` and `plays` make that, `page` writes it as HTML, and `view`
goes from an input to the page. The script and the style in `assets` know nothing of Hanabi.
"""
