"""Build the wheel and the source archive, and try them in empty environments.

    python tools/try_package.py [--quick]

Both are built and installed outside of this folder, first alone, then with each extra; commands of
each run with warnings as errors, and where an extra is missing the line must say which. `--quick`
leaves the extras out. Says whether the dependencies have wheels for other versions of Python. Needs
the network; leaves nothing behind.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
DEVELOPERS = {"dev", "docs", "all"}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
BASE = (
    ["solve", "p3v0s17"],
    ["count", "3,2,2,2,1"],
    ["simulate", "docs/my_bot.py:MyPlayer", "-n", "2", "--seed", "1", "-j", "1"],
    ["view", "p3v0s17", "-o", "game.html"],
)
# A command that needs an extra, and what the line names where it is missing.
OF_EXTRA = {
    "plots": ["tournament", "random", "first-legal", "-n", "2", "--plot", "table.svg"],
    "web": ["serve", "--help"],
    "distributed": ["simulate", "random", "-n", "2", "--executor", "dask://127.0.0.1:9"],
    "parquet": ["results", "export", "--store", "games.store", "-o", "games.parquet"],
}


def run(*words: object, folder: Path, status: int = 0) -> str:
    """Run a command; end with what it wrote if its status is another than expected."""
    told = subprocess.run(
        [*map(str, words)], cwd=folder, capture_output=True, text=True, check=False
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


def environment(folder: Path, package: Path, extra: str = "") -> Path:
    """Return the Python of a new environment that has the package and nothing else."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    what = f"{package}[{extra}]" if extra else str(package)
    run(python, "-m", "pip", "install", "--quiet", what, folder=folder)
    return python


def try_commands(python: Path, work: Path, extra: str = "") -> None:
    """Run the commands that need no extra, and those of one."""
    hanabi = (python, "-W", "error", "-m", "hanabi")
    for words in BASE:
        run(*hanabi, *words, folder=work)
    run(*hanabi, "simulate", "random", "-n", "2", "--store", "games.store", folder=work)
    for name, words in OF_EXTRA.items():
        if name == extra and name != "distributed":  # which would wait for a cluster
            run(*hanabi, *words, folder=work)
        elif name != extra and words[-1] != "--help":
            told = run(*hanabi, *words, folder=work, status=2)
            if f"[{name}]" not in told:
                sys.exit(f"{' '.join(words)} without the extra says: {told}")
    for name in (work / each for each in ("games.store", "games.parquet", "table.svg")):
        name.unlink(missing_ok=True)


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


def main(*, is_quick: bool) -> None:
    """Build, install, try."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        work = folder / "work"
        (work / "docs").mkdir(parents=True)
        (work / "docs" / "my_bot.py").write_bytes((ROOT / "docs" / "my_bot.py").read_bytes())
        packages = build(folder)
        for package in packages:
            python = environment(folder / package.suffix, package)
            try_commands(python, work)
            sys.stdout.write(f"{package.name}: installs alone and works\n")
        if not is_quick:
            for extra in PROJECT["optional-dependencies"]:
                if extra not in DEVELOPERS:
                    try_commands(environment(folder / extra, packages[0], extra), work, extra)
                    sys.stdout.write(f"[{extra}]: installs alone and works\n")
        check_pythons(packages[0], folder)


if __name__ == "__main__":
    main(is_quick="--quick" in sys.argv[1:])
