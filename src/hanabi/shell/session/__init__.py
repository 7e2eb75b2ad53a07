"""A whole session in a few names, which `import hanabi` offers: deal, read, solve, simulate, count.

What the command line decides about its inputs is decided here, so that both decide alike. Each
module imports little: the package itself is empty.
"""
