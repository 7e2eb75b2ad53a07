"""Commands of `hanabi`: one module each, imported when it runs."""
