"""What every picture and every page keeps to."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

SVG = "{http://www.w3.org/2000/svg}"
NOT_DRAWN = ("title", "desc", "style", "defs")


def checked(svg: str) -> ET.Element:
    """Return the root of a picture that is well-formed, told in words, and holds what it uses."""
    root = ET.fromstring(svg)
    assert root.get("role") in ("img", "group")
    assert root[0].tag == SVG + "title"
    assert root[0].text
    assert root[1].tag == SVG + "desc"
    assert root[1].text
    ground = next(each for each in root if each.tag not in [SVG + n for n in NOT_DRAWN])
    assert (ground.tag, ground.get("class")) == (SVG + "rect", "hb-ground")
    assert root.get("viewBox") == f"0 0 {ground.get('width')} {ground.get('height')}"
    assert " style=" not in svg
    assert "<script" not in svg
    names = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(names) == len({*names})
    used = {each.get("href", "")[1:] for each in root.iter(SVG + "use")}
    used |= set(re.findall(r"url\(#(\w+)\)", svg))
    assert used <= {*names}
    return root


class Page(HTMLParser):
    """A page: its elements, with attributes, and the text of some."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._tag = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._tag = tag
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self._tag = ""

    def handle_data(self, data: str) -> None:
        if self._tag:
            self.texts[self._tag][-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of all elements of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]


def checked_page(html: str) -> Page:
    """Return a page that asks for nothing, runs only its own script, and is sound."""
    page = Page(html)
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len({*ids})
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert not any(name == "style" or name.startswith("on") for name in attributes)
        assert "src" not in attributes
        address = attributes.get("href") or "#"
        assert address.startswith(("#", "https://hanab.live/"))
        if address.startswith("#"):
            assert address == "#" or address[1:] in ids
    policy = next(each for each in page.all("meta") if each.get("http-equiv"))["content"] or ""
    assert policy.startswith("default-src 'none'")
    for tag in ("script", "style"):
        (text,) = page.texts[tag]
        assert b64encode(sha256(text.encode()).digest()).decode() in policy
    named = {"aria-label", "data-follow", "data-copy"}  # the last two by what they say
    assert all(named & {*each} for each in page.all("button"))
    assert any(attributes.get("aria-live") == "polite" for _, attributes in page.elements)
    return page
