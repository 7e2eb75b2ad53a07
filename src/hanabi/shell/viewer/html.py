"""HTML from templates: words are escaped wherever they are filled in, and only HTML is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from importlib.resources import files
from string import Template

__all__ = [
    "Html",
    "asset_text",
    "attributes_of",
    "escaped",
    "filled",
    "joined",
    "parts_of",
    "template",
]

_HERE = files("hanabi.shell.viewer")


class Html(str):
    """Text that is HTML, made by a template or drawn as SVG."""

    __slots__ = ()

    def __html__(self) -> Html:
        """Return the text: the page's templates do not escape it."""
        return self


def template(name: str) -> Template:
    """Return a file of the folder of templates."""
    return Template((_HERE / "templates" / name).read_text("utf-8"))


def filled(template: Template, /, **values: object) -> Html:
    """Return a template with values in their places; all that is not HTML is escaped."""
    return Html(template.substitute({name: escaped(value) for name, value in values.items()}))


def parts_of(name: str) -> Callable[..., Html]:
    """Return what fills in a part of a file of templates, given its name and its values."""
    text = template(name).template
    found = re.findall(r"(?ms)^<!-- part: (\w+) -->\n(.*?)(?=^<!-- part: |\Z)", text)
    parts = {part: Template(html.rstrip("\n")) for part, html in found}
    return lambda part, /, **values: filled(parts[part], **values)


def escaped(value: object) -> Html:
    """Return HTML as it is, and anything else as text."""
    return value if isinstance(value, Html) else Html(escape(str(value)))


def joined(parts: Iterable[str], between: str = "") -> Html:
    """Return parts one after the other; all that is not HTML is escaped."""
    return Html(between.join(map(escaped, parts)))


def attributes_of(values: Mapping[str, object]) -> Html:
    """Return the attributes of an element, each after a space; True stands for one without value.

    >>> attributes_of({"title": '<"', "hidden": True})
    ' title="&lt;&quot;" hidden'
    """
    return Html(
        "".join(
            f" {name}" if value is True else f' {name}="{escape(str(value))}"'
            for name, value in values.items()
        )
    )


def asset_text(name: str) -> str:
    """Return a script or a style sheet without its indentation and whole-line comments."""
    lines = (line.strip() for line in (_HERE / "assets" / name).read_text("utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"
