"""A local page in the browser: a door beside the command line, which asks the session and prints.

Everything that is worked out is worked out elsewhere; here requests are read, checked and answered
with pages made of templates. `hanabi serve` starts it.
"""
