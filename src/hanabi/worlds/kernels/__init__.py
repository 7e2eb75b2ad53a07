"""Compiled code of :mod:`hanabi.worlds`."""
