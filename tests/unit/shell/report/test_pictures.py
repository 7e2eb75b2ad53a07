"""Pictures as TikZ and as PDF: by their structure, and by LaTeX if there is one."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from io import BytesIO
from itertools import pairwise
from math import hypot, isclose
from pathlib import Path

import pytest

from hanabi import solve
from hanabi.ground.errors import MissingPackageError
from hanabi.ground.svg.looks import looks_of
from hanabi.ground.svg.markup import picture, text
from hanabi.ground.svg.records import SmallCard, Strip, StripGroup
from hanabi.ground.svg.strip import draw_strip
from hanabi.shell.report import pictures
from hanabi.shell.report.pictures import tikz_of, write_pdf
from hanabi.shell.session.pictures import svg_of
from pictures import SVG, checked

FIGURES = Path(__file__).parents[4] / "docs" / "figures"
WON, LOST = "hand 1 r2 r1 r3 y1 y2 y3", "hand 1 r2 y2 r1 y1"
NAMES = [
    *(
        path.name
        for path in sorted(FIGURES.glob("*.svg"))
        if 'class="hb"' in path.read_text("utf-8")
    ),
    WON,
    LOST,
    "stripes",
]


@cache
def drawn(name: str) -> str:
    """Return a picture of this package: a figure of the documentation, or of an answer."""
    if name == "stripes":
        card = SmallCard(look=looks_of(("Rainbow",), "m")[0], rank="1")
        strip = Strip(groups=(StripGroup(cards=(card, card)),), words="Two cards.")
        return draw_strip(strip, title="Stripes", standalone=True)
    if name.endswith(".svg"):
        return (FIGURES / name).read_text("utf-8")
    return svg_of(solve(name, seconds=600))


@pytest.mark.parametrize("name", NAMES)
def test_tikz_has_all_words_and_all_names_that_it_uses(name: str) -> None:
    svg, tikz = drawn(name), tikz_of(drawn(name))
    assert tikz.isascii()
    bare = re.sub(r"\\[{}]", "", tikz)
    assert bare.count("{") == bare.count("}")
    for kind in ("scope", "tikzpicture"):
        begun, ended = (tikz.count(f"\\{word}{{{kind}}}") for word in ("begin", "end"))
        assert begun == ended
    assert tikz.count("\\begin{tikzpicture}") == 1
    named = set(re.findall(r"\\definecolor\{(c\d+)\}\{HTML\}\{[0-9A-F]{6}\}", tikz))
    assert set(re.findall(r"\bc\d+\b", tikz)) == named
    styles = re.findall(r"^  ([pw]\d+)/\.style=", tikz, re.MULTILINE)
    assert len(styles) == len({*styles})
    assert set(re.findall(r"^\\(?:path|node)\[([pw]\d+)", tikz, re.MULTILINE)) == {*styles}
    packages = set(re.findall(r"\\usepackage\{(\w+)\}", tikz))
    assert packages <= {"tikz"}
    root = checked(svg)
    size = root.get("viewBox", "").split()[2:]
    box = re.search(r"\\useasboundingbox \(0,0\) rectangle \(([\d.]+),([\d.]+)\);", tikz)
    assert box is not None
    assert [float(each) for each in box.groups()] == [float(each) for each in size]
    # Each line of words outside of definitions is a node; cards that are used add theirs.
    direct = sum(1 for each in root.iter(f"{SVG}text")) - sum(
        1 for defs in root.iter(f"{SVG}defs") for _ in defs.iter(f"{SVG}text")
    )
    assert tikz.count("\\node[") >= direct


def test_a_window_in_tikz_says_what_the_picture_says() -> None:
    tikz = tikz_of(drawn(LOST))
    for words in ("Red", "Yellow", "before 3", "no place", "hand: 1", "r2", "y2"):
        assert f"{{{words}}};" in tikz
    assert "Just before card 3 at least 2 cards must be in" in tikz


def test_latex_takes_the_pictures(tmp_path: Path) -> None:
    latex = shutil.which("pdflatex")
    if latex is None:
        pytest.skip("pdflatex is not installed")
    taken = ["board.svg", "stripes", WON, LOST]
    for number, svg in enumerate(map(drawn, taken)):
        (tmp_path / f"{number}.tex").write_text(tikz_of(svg), "ascii")
    body = "\\newpage ".join(f"\\input{{{number}.tex}}" for number in range(len(taken)))
    (tmp_path / "all.tex").write_text(
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{tikz}\\pagestyle{empty}"
        "\\textheight60cm\\textwidth60cm\\paperheight70cm\\pdfpageheight70cm"
        f"\\begin{{document}}{body}\\end{{document}}",
        "ascii",
    )
    words = [latex, "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    if "tikz.sty' not found" in done.stdout:
        pytest.skip("this LaTeX has no TikZ")
    assert done.returncode == 0, done.stdout[-2000:]
    assert f"({len(taken)} pages" in done.stdout


def test_letters_of_tex_are_escaped() -> None:
    svg = picture(
        text(r"50 % of {a_b} & $x^2$ ~ #1 \o … é", 8, 20), (60, 30), title="%\n%", description=""
    )
    node = tikz_of(svg).splitlines()[-2]
    expected = r"50 \% of \{a\_b\} \& \$x\textasciicircum{}2\$ \textasciitilde{} \#1"
    assert expected + r" \textbackslash{}o \ldots{} ?" in node
    assert tikz_of(svg).startswith("% % %\n")


def styled(body: str) -> str:
    return tikz_of(picture(body, (60, 30), title="x", description=""))


def test_classes_win_over_attributes_and_two_classes_over_one() -> None:
    tikz = styled('<path class="hb-fall" fill="#123456" d="M0 0H9V9Z"/>')
    assert "123456" not in tikz
    assert "B3121F" in tikz  # --hb-bad in light schemes
    for group, color in (("hb-error", "B3121F"), ("hb-play", "0B6B3A"), ("", "1D4FA8")):
        tikz = styled(f'<g class="{group}"><rect class="hb-ring" width="9" height="9"/></g>')
        assert color in tikz
        assert "line width=2.25bp" in tikz


def test_definitions_are_moved_and_scaled_where_they_are_used() -> None:
    defs = '<defs><g id="ha"><path d="M0 0H8V8Z"/></g></defs>'
    body = '<use href="#ha" x="10" y="20"/><use href="#ha" transform="translate(30 5) scale(.5)"/>'
    tikz = styled(defs + body)
    assert "(10,20) -- (18,20) -- (18,28) -- cycle" in tikz
    assert "(30,5) -- (34,5) -- (34,9) -- cycle" in tikz


@pytest.mark.parametrize("body", ["<ellipse/>", '<g transform="rotate(3)"/>', "<g><line/></g>"])
def test_what_is_not_understood_is_refused_by_name(body: str) -> None:
    with pytest.raises(ValueError, match=r"ellipse|rotate|line"):
        styled(body)


def points(path: str) -> list[tuple[float, float]]:
    found = pictures._path(path, pictures._Place())
    return [values[-2:] for _, values in found if values]  # type: ignore[misc]


def test_paths_relative_and_absolute() -> None:
    square = [(1, 2), (4, 2), (4, 6), (1, 6)]
    for path in ("M1 2H4V6H1Z", "M1 2h3v4h-3Z", "M1 2 4 2 4 6 1 6Z", "m1 2l3 0l0 4l-3 0z"):
        assert points(path) == square
    assert points("M0 0h10l-5 7Z") == [(0, 0), (10, 0), (5, 7)]
    assert points("M.5.5H-1.5") == [(0.5, 0.5), (-1.5, 0.5)]
    [_, (_, curve)] = pictures._path("M0 0Q3 0 3 3", pictures._Place())
    assert curve == (2, 0, 3, 1, 3, 3)


@pytest.mark.parametrize("flags", ["0 0", "0 1", "1 0", "1 1"])
def test_arcs_of_circles_stay_on_their_circle(flags: str) -> None:
    commands = [*pictures._path(f"M3 0A5 5 0 {flags} 0 3", pictures._Place())]
    large, sweep = map(int, flags.split())
    # The two centers are at a distance of 5 from both ends, on the line x = y.
    offset = (3 + 41**0.5) / 2, (3 - 41**0.5) / 2
    centers = [c for c in offset if isclose(hypot(3 - c, c), 5)]
    assert len(centers) == 2
    ways, start = [], (3.0, 0.0)
    for command, values in commands[1:]:
        assert command == "C"
        curve = [start, *zip(values[::2], values[1::2], strict=True)]
        for step in range(11):
            t = step / 10
            weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
            ways.append(
                tuple(sum(w * p[at] for w, p in zip(weights, curve, strict=True)) for at in (0, 1))
            )
        start = curve[-1]
    assert isclose(start[0], 0, abs_tol=1e-9)
    assert isclose(start[1], 3)
    fits = [c for c in centers if all(abs(hypot(x - c, y - c) - 5) < 0.01 for x, y in ways)]
    assert len(fits) == 1
    length = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(ways))
    assert (length > 5 * 3.2) == bool(large)
    x, y = ways[len(ways) // 2]
    turn = (3 - fits[0]) * (y - fits[0]) - (0 - fits[0]) * (x - fits[0])
    assert large or (turn > 0) == bool(sweep)


def test_pdf_has_the_size_of_the_picture_and_is_the_same_each_time() -> None:
    pytest.importorskip("matplotlib")
    svg = drawn("stripes")
    files = [BytesIO(), BytesIO()]
    for file in files:
        write_pdf(svg, file)
    assert files[0].getvalue() == files[1].getvalue()
    box = re.search(rb"/MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", files[0].getvalue())
    size = [float(each) for each in checked(svg).get("viewBox", "").split()[2:]]
    assert box is not None
    assert [float(each) for each in box.groups()] == pytest.approx([0.75 * x for x in size])


@pytest.mark.parametrize("name", ["board.svg", LOST])
def test_other_pictures_become_pages_too(name: str) -> None:
    pytest.importorskip("matplotlib")
    file = BytesIO()
    write_pdf(drawn(name), file)
    assert file.getvalue().startswith(b"%PDF-")
    assert b"/Type /Page" in file.getvalue()


def test_pdf_without_matplotlib_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "find_spec", lambda _: None)
    with pytest.raises(MissingPackageError, match="plots"):
        write_pdf(drawn("stripes"), BytesIO())
