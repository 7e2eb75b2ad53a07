"""Work in other processes or threads: pools of workers, and child processes that can be killed.

Every child watches its parent and ends with it (`bare`), and starts without looking for modules in
the current folder (`child`). This package exports nothing: import from its modules.
"""
