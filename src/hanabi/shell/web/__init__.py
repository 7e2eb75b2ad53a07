"""The pages of `hanabi serve`, a second interface to the session beside the command line.

Nothing is computed here: requests are read, checked and answered with pages made from templates.
"""
