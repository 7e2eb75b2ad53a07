"""Pictures as SVG text: shapes and words, no rules.

Records describe what is seen (`records`). Modules that know games, streams and formulas make them
(such as `hanabi.rules.picture`), and the functions here draw them. Each module imports little.
"""
