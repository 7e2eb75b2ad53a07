import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.shell.command.files import check_outputs, replaced, written, written_bytes


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.txt").write_text("r1 r2\n")
    return tmp_path


def names() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def refused(*inputs: str | None, store: str | None = None, **outputs: str | None) -> str:
    with pytest.raises(InvalidInputError) as error:
        check_outputs(inputs, {f"--{name}": path for name, path in outputs.items()}, store=store)
    return str(error.value)


@pytest.mark.parametrize("name", ["in.txt", "./in.txt", "symbolic", "hard", "sub/../in.txt"])
def test_an_input_is_no_output_under_any_name(folder: Path, name: str) -> None:
    (folder / "sub").mkdir()
    (folder / "symbolic").symlink_to("in.txt")
    (folder / "hard").hardlink_to(folder / "in.txt")
    assert refused("in.txt", svg=name) == f"--svg {name!r} is the input"
    assert refused(str(folder / "in.txt"), svg=name) == f"--svg {name!r} is the input"


def test_two_outputs_are_two_files(folder: Path) -> None:
    (folder / "link").symlink_to("new")
    assert refused(proof="new", dimacs="./new") == "--dimacs './new' is the file of --proof, too"
    assert refused(proof="new", dimacs="link") == "--dimacs 'link' is the file of --proof, too"
    assert refused(proof="-", dimacs="-") == "--dimacs '-' is the file of --proof, too"
    check_outputs(["in.txt", None, "-"], {"--proof": "a", "--dimacs": "b", "--svg": None})
    check_outputs(["-"], {"--proof": "-"})


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
def test_a_store_and_what_is_beside_it_are_no_outputs(folder: Path, ending: str) -> None:
    (folder / "linked.db").symlink_to("e.db")
    assert "store" in refused(store="e.db", csv=f"e.db{ending}")
    assert "store" in refused(store="linked.db", csv=f"e.db{ending}")


def test_standard_input_is_an_input(folder: Path) -> None:
    module = "hanabi.shell.command.files"
    code = f"from {module} import check_outputs; check_outputs(['-'], {{'-o': 'in.txt'}})"
    with (folder / "in.txt").open() as stdin:
        run = subprocess.run([sys.executable, "-c", code], stdin=stdin, capture_output=True)
    assert b"-o 'in.txt' is the input" in run.stderr


def test_what_cannot_be_written_is_refused_before_the_work(folder: Path) -> None:
    assert refused(svg="") == "--svg: the name of the file is empty"
    assert refused(svg=".") == "cannot write '.': Is a directory"
    assert refused(svg="new/") == "cannot write 'new/': Is a directory"
    assert refused(svg="no/a") == "cannot write 'no/a': No such file or directory"
    assert refused(svg="in.txt/a").startswith("cannot write 'in.txt/a': ")
    assert refused(svg="a\0b") == "cannot write 'a\\x00b': a NUL in the name"
    assert refused(svg="x" * 300).endswith("File name too long")
    assert names() == ["in.txt"]


def test_devices_may_be_given_twice(folder: Path) -> None:
    check_outputs(["/dev/null"], {"--a": "/dev/null", "--b": "/dev/null", "--c": "/dev/stdout"})
    with written("/dev/null") as stream:
        stream.write("gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_file_is_replaced_when_it_is_whole(folder: Path) -> None:
    old = folder / "in.txt"
    old.chmod(0o640)
    with written("in.txt") as stream:
        stream.write("é\n")
        stream.flush()
        assert old.read_text() == "r1 r2\n"
    assert old.read_bytes() == "é\n".encode()
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert names() == ["in.txt"]


def test_a_new_file_has_the_usual_mode(folder: Path) -> None:
    (folder / "usual").touch()
    with written_bytes("new") as stream:
        stream.write(b"x")
    assert Path("new").stat().st_mode == Path("usual").stat().st_mode


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt, OSError(errno.ENOSPC, "No space left"), ValueError]
)
def test_the_old_file_survives(folder: Path, error: BaseException) -> None:
    with pytest.raises((KeyboardInterrupt, ValueError)), written("in.txt") as stream:  # noqa: PT012
        stream.write("half")
        raise error
    assert (folder / "in.txt").read_text() == "r1 r2\n"
    assert names() == ["in.txt"]


def test_a_full_disk_is_told_in_one_line(folder: Path) -> None:
    with (
        pytest.raises(InvalidInputError, match="cannot write '/dev/full': No space left on device"),
        written("/dev/full") as stream,
    ):
        stream.write("text")


def test_the_target_of_a_link_is_replaced(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "link").symlink_to("sub/new.txt")
    with written("link") as stream:
        stream.write("text")
    assert (folder / "link").is_symlink()
    assert (folder / "sub/new.txt").read_text() == "text"


def test_the_name_beside_has_the_same_ending(folder: Path) -> None:
    with replaced("a.svg") as beside:
        assert (beside.parent, beside.suffix) == (folder.resolve(), ".svg")
        beside.write_text("<svg/>")
    assert names() == ["a.svg", "in.txt"]


def test_an_open_file_is_written_where_it_is(folder: Path) -> None:
    code = (
        "from hanabi.shell.command.files import written\n"
        "print('before')\n"
        "with written('/dev/stdout') as stream: stream.write('inside\\n')\n"
        "print('after')"
    )
    with Path("out").open("w") as out:
        out.write("start\n")
        out.flush()
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert Path("out").read_text() == "start\nbefore\ninside\nafter\n"


def test_a_pipe_is_written_and_kept(folder: Path) -> None:
    os.mkfifo("pipe")
    with subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE) as reader:
        with written("pipe") as stream:
            stream.write("through\n")
        assert reader.communicate()[0] == b"through\n"
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)
