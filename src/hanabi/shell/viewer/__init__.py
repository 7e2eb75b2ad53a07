"""Web pages that step through games, lines and plays without a server.

`page` defines shows and writes them as HTML, `games` makes shows of games and plays, and `view`
goes from an input to the page. The script and the style in `assets`, and the HTML in
`templates`, know nothing of Hanabi.
"""
