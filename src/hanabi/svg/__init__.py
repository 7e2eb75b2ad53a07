"""Pictures as SVG text: shapes and words, no rules.

Records say what is to be seen (`records`); those that know games, streams and formulas make them
(`hanabi.game.picture` and its like), and the functions here draw them. Each module imports little.
"""
