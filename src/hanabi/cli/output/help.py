"""How the help of a command is laid out: each description flows as wide as the terminal is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cyclopts.help import HelpPanel
    from rich.console import Console, ConsoleOptions

__all__ = ["FlowingHelp"]


class FlowingHelp:
    """The usual layout, without the line ends of the docstrings that descriptions come from.

    What it needs is imported when a help is printed, so that no command waits for it.
    """

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print a panel."""
        from cyclopts.help import DefaultFormatter, InlineText
        from rich.text import Text

        for entry in panel.entries:
            described = entry.description
            if isinstance(described, InlineText) and isinstance(described.primary_renderable, Text):
                text = described.primary_renderable
                text.plain = " ".join(text.plain.split())
        DefaultFormatter()(console, options, panel)

    def render_usage(self, console: Console, options: ConsoleOptions, usage: Any) -> None:
        """Print how the command is called."""
        from cyclopts.help import DefaultFormatter

        DefaultFormatter().render_usage(console, options, usage)
