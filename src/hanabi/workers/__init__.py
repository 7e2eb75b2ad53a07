"""Work outside this process or beside it: pools of workers, and child processes that can be ended.

Every child watches its parent and ends with it (`child`), and starts without looking for modules in
the current folder (`spawning`, `process`). This package is empty: import what you need from its
modules, each of which imports little.
"""
