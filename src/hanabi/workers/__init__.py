"""Work in other processes or threads: pools of workers, and child processes that can be killed.

Every child watches its parent and ends with it (`child`), and starts without looking for modules in
the current folder (`spawning`, `process`). This package exports nothing: import from its modules,
each of which imports little.
"""
