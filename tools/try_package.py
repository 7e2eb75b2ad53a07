"""Build the wheel and the source archive, and try them in empty environments.

    python tools/try_package.py [--quick] [PYTHON ...]

Both are built and installed outside of this folder, first alone, then with each extra; commands of
each run with warnings as errors, and where an extra is missing the line must say which. `--quick`
leaves the extras out. All this is done with this Python, and then with each that is named, as in
`python3.13`. Says whether the dependencies have wheels for other versions. Needs the network; one
environment is there at a time, and nothing is left behind.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
DEVELOPERS = {"dev", "docs", "all"}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
BASE = (
    ["--help"],
    *(["--install-completion", "--shell", shell] for shell in ("bash", "zsh", "fish")),
    ["solve", "p3v0s17"],
    ["count", "3,2,2,2,1"],
    ["simulate", "docs/my_bot.py:MyPlayer", "-n", "2", "--seed", "1", "-j", "1"],
    ["view", "p3v0s17", "-o", "game.html"],
)
# What needs an extra, after `python -W error`, and how it ends where that is missing. Where it is
# there, "web" and "distributed" would wait for visitors and for a cluster: another one is tried.
HANABI = ("-m", "hanabi")
RL = """
from hanabi.ground.errors import HanabiError
try:
    import hanabi.env.pettingzoo
except HanabiError as error:
    raise SystemExit(str(error)) from None
"""
OF_EXTRA = {
    "plots": ([*HANABI, "tournament", "random", "first-legal", "-n", "2", "--plot", "t.svg"], 2),
    "web": ([*HANABI, "serve", "--port", "0"], 2),
    "distributed": ([*HANABI, "simulate", "random", "--executor", "dask://127.0.0.1:9"], 2),
    "parquet": ([*HANABI, "results", "export", "--store", "g.store", "-o", "g.parquet"], 2),
    "packing": ([*HANABI, "partition", "table.txt", "--method", "cp-sat"], 2),
    "rl": (["-c", RL], 1),
}
INSTEAD = {
    "web": ["-c", "import hanabi.front.site"],
    "distributed": ["-c", "import distributed, hanabi.ground.workers.pool"],
    "flint": [
        "-c",
        "import flint, hanabi.solitaire.counting as c; c.good([3] * 9, use_flint=True)",
    ],
}
TABLE = "       Red Blue\nNewest 1   1\nOldest .   1\nUnseen 2   1\n"


def run(*words: object, folder: Path, status: int = 0) -> str:
    """Run a command; end with what it wrote if its status is another than expected."""
    # Settings of the person who runs this are not to help, and not to be changed.
    settings = {name: each for name, each in os.environ.items() if name != "PYTHONPATH"}
    told = subprocess.run(
        [*map(str, words)],
        cwd=folder,
        env=settings | {"HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    if told.returncode != status or "Traceback" in told.stderr:
        sys.exit(f"{' '.join(map(str, words))}\nended with {told.returncode}\n{told.stderr}")
    return told.stdout + told.stderr


def build(folder: Path) -> list[Path]:
    """Return the wheel and the source archive."""
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, folder=folder)
    wheel, archive = next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    sources = {
        str(path.relative_to(ROOT / "src"))
        for path in (ROOT / "src" / "hanabi").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    if missing := sources - names:
        sys.exit(f"not in the wheel: {', '.join(sorted(missing)[:5])}")
    with tarfile.open(archive) as packed:
        kept = {name.partition("/")[2] for name in packed.getnames()}
    if missing := {"CITATION.cff", "LICENSE", "README.md", "tests/conftest.py"} - kept:
        sys.exit(f"not in the source archive: {', '.join(sorted(missing))}")
    return [wheel, archive]


@contextmanager
def environment(interpreter: str, folder: Path, package: Path, extra: str = "") -> Iterator[Path]:
    """Give the Python of a new environment that has the package and nothing else."""
    run(interpreter, "-m", "venv", folder / "env", folder=folder)
    python = folder / "env" / "bin" / "python"
    what = f"{package}[{extra}]" if extra else str(package)
    run(python, "-m", "pip", "install", "--quiet", what, folder=folder)
    try:
        yield python
    finally:
        shutil.rmtree(folder / "env")


def try_commands(python: Path, work: Path, extra: str = "") -> None:
    """Run the commands that need no extra, and those of one."""
    strict = (python, "-W", "error")
    run(*strict, "-c", "import hanabi", folder=work)
    for words in BASE:
        run(*strict, *HANABI, *words, folder=work)
    run(*strict, *HANABI, "simulate", "random", "-n", "2", "--store", "g.store", folder=work)
    (work / "table.txt").write_text(TABLE, "utf-8")
    for name, (words, status) in OF_EXTRA.items():
        if name != extra:
            told = run(*strict, *words, folder=work, status=status)
            if f"[{name}]" not in told:
                sys.exit(f"{' '.join(words)} without the extra says: {told}")
    if extra:
        run(*strict, *(INSTEAD.get(extra) or OF_EXTRA[extra][0]), folder=work)
    for name in ("g.store", "g.parquet", "t.svg"):
        (work / name).unlink(missing_ok=True)


def check_pythons(package: Path, folder: Path) -> None:
    """Say for which versions of Python all dependencies have wheels."""
    for version in PYTHONS:
        told = subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:",
             "--python-version", version, "--dest", folder / version, package],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        found = "wheels for all" if told.returncode == 0 else told.stderr.strip().splitlines()[-1]
        sys.stdout.write(f"Python {version}: {found}\n")


def main(interpreters: list[str], *, is_quick: bool) -> None:
    """Build, install, try."""
    extras = () if is_quick else sorted(PROJECT["optional-dependencies"].keys() - DEVELOPERS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        work = folder / "work"
        (work / "docs").mkdir(parents=True)
        (work / "docs" / "my_bot.py").write_bytes((ROOT / "docs" / "my_bot.py").read_bytes())
        packages = build(folder)
        for interpreter in interpreters:
            sys.stdout.write(run(interpreter, "--version", folder=folder))
            for package in packages:
                with environment(interpreter, folder, package) as python:
                    try_commands(python, work)
                sys.stdout.write(f"{package.name}: installs alone and works\n")
            for extra in extras:
                with environment(interpreter, folder, packages[0], extra) as python:
                    try_commands(python, work, extra)
                sys.stdout.write(f"[{extra}]: installs alone and works\n")
        check_pythons(packages[0], folder)


if __name__ == "__main__":
    named = [word for word in sys.argv[1:] if word != "--quick"]
    main([sys.executable, *named], is_quick="--quick" in sys.argv[1:])
