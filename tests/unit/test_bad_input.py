"""Input that is wrong: one sentence that names the file and the place, an exit code, no traceback, the rest read."""

from __future__ import annotations

import ctypes
import gzip
import io
import json
import os
import re
import resource
import sqlite3
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from reviewer import cli
from reviewer.imports import formats
from reviewer.imports.importer import Wishes, import_files
from reviewer.imports.inputs import sources
from reviewer.imports.source import LONGEST_LINE
from reviewer.transcripts.store.reader import Reader
from tests import shapes, zips
from tests.mutations import assert_whole
from tests.unmeasured import environment

GOOD = json.dumps(shapes.ANTHROPIC) + "\n"


def said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: object) -> tuple[int, str]:
    """The exit code of a command and all it printed."""
    monkeypatch.setattr(sys, "argv", ["reviewer", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err + printed.out
    return int(ended.value.code or 0), printed.out + printed.err


def bomb() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        file.writestr("header.json", json.dumps({"eval": {"task": "t", "model": "m"}, "status": "success"}))
        file.writestr("samples/1_epoch_1.json", b" " * (60 << 20))
    return held.getvalue()


def cut_zip() -> bytes:
    return shapes.inspect_zip()[:-40]


def spoilt_zip() -> bytes:
    held = bytearray(shapes.inspect_zip())
    at = held.index(b"samples/") + 60
    held[at : at + 40] = bytes(40)
    return bytes(held)


def told_zip(flags: int, packing: int) -> bytes:
    """A zip that says of all its members how they are packed, at both places where that stands."""
    held = bytearray(shapes.inspect_zip())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        for found in re.finditer(re.escape(mark), bytes(held)):
            held[found.start() + offset : found.start() + offset + 4] = struct.pack("<HH", flags, packing)
    return bytes(held)


BAD = {
    "empty.json": (b"", "is empty"),
    "blank.jsonl": (b" \n\n", "is empty"),
    "cut.json": (b'[{"task_id": 1, "traj": [{"role": "us', "not JSON at line 1, column"),
    "latin.json": (b'{"messages": [{"role": "user", "content": "caf\xe9"}]}', "byte 46 is not UTF-8"),
    "deep.json": (b'{"messages": ' + b"[" * 100_000, "nested too deeply"),
    "digits.json": (
        b'{"messages": [{"role": "user", "content": ' + b"9" * 5_000 + b"}]}",
        "of thousands of digits",
    ),
    "none.eval": (b"this is not a zip", "not a readable zip"),
    "cut.eval": (cut_zip(), "not a readable zip"),
    "spoilt.eval": (spoilt_zip(), "spoilt.eval"),
    "strange.eval": (told_zip(0, 97), "cannot be unpacked (it is packed by method 97, which is not read)"),
    "locked.eval": (told_zip(1, 0), "is encrypted"),
    "bomb.eval": (bomb(), "would unpack to 62,914,560 bytes"),
    "bomb.json.gz": (gzip.compress(b'{"messages": ' + b" " * (20 << 20)), "unpacks to more than 16,777,216 bytes"),
    "cut.json.gz": (gzip.compress(GOOD.encode())[:-20], "cannot be unpacked"),
    "wide.json": (GOOD.encode("utf-16")[:-1], "is not UTF-8"),
    "headless.eval": (b"PK\x05\x06" + bytes(18), "neither header.json"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_named_and_kept_and_the_good_one_read(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    held, expected = BAD[name]
    (tmp_path / name).write_bytes(held)
    (tmp_path / "good.jsonl").write_text(GOOD)
    store = tmp_path / "runs.db"
    code, text = said(capsys, monkeypatch, "import", tmp_path / name, tmp_path / "good.jsonl", "--into", store)
    assert code == 1
    assert expected in text
    assert name in text
    with Reader(store) as reader:
        assert reader.info()["conversations"] == 1
        assert reader.info()["rejected"] == 1
        assert name in reader.rejected()[0][0]


@pytest.mark.parametrize(
    ("name", "held", "seen"),
    [
        ("odd.json", b'{"foo": 1, "bar": 2}', "of no known format (an object with foo, bar)"),
        ("odd.txt", b"foo\n", "of no known format (no JSON)"),
        ("odd.json", b"[1]", "of no known format (JSON without an object in it)"),
        ("prompts.jsonl", b'{"input": [{"role": "user", "content": "a"}], "target": "b"}\n', "a dataset: prompts"),
        ("odd.dump.txt", b"PK\x03\x04", "a zip: unpack it"),
        ("odd.json", b'[{"talk": [{"who": "c", "utterance": "Hi"}], "judge": 1}]', "of no known format (an object"),
        ("rows.jsonl", b'{"id": 1, "body": "Hi", "failure_category": "x"}\n', "of no known format (an object with id"),
        ("rows.jsonl", b'{"instruction": "a", "input": "b", "target": "c", "output": "d"}\n', "of no known format"),
        ("rows.json", b'[{"id": 1, "label": "good", "rationale": "because"}]', "labels; reviewer attach puts scores"),
        ("runs.json", b'{"runs": [{"id": 1, "judge": "m"}]}', "an index or summary"),
    ],
)
def test_a_file_of_no_format_says_what_was_seen_in_it_and_what_was_tried(
    tmp_path: Path,
    name: str,
    held: bytes,
    seen: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / name).write_bytes(held)
    code, text = said(capsys, monkeypatch, "import", tmp_path / name, "--into", tmp_path / "runs.db")
    assert code == 2
    assert seen in text
    assert ("Formats tried: interchange, tau-bench" in text) == ("no known format" in seen)


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("rows.csv", b"talk,who,said\n1,user,Hi\n"),
        ("rows.tab", b"talk\twho\tsaid\n1\tuser\tHi\n"),
        ("rows.jsonl", b'{"talk": 1, "sender": "user", "body": "Hi"}\n'),
        ("rows.json", b'[{"id": 1, "label": "good", "rationale": "because"}]'),
        ("rows.db", b"SQLite format 3\0"),
        ("rows.xlsx", b"PK\x03\x04"),
    ],
)
def test_what_looks_like_a_table_mentions_maps_in_a_folder_too(
    tmp_path: Path, name: str, held: bytes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "good.jsonl").write_text(GOOD)
    (logs / name).write_bytes(held)
    for more in range(5):
        (logs / f"odd-{more}.json").write_text(json.dumps({f"field {more}": 0}))
    code, text = said(capsys, monkeypatch, "import", logs, "--into", tmp_path / "runs.db")
    assert code == 0
    assert "reviewer map FILE drafts a map" in text
    (logs / "good.jsonl").unlink()
    assert "reviewer map FILE" in said(capsys, monkeypatch, "import", logs / name, "--into", tmp_path / "one.db")[1]


def test_a_store_beside_its_logs_is_not_taken_for_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "good.jsonl").write_text(GOOD)
    (tmp_path / "runs.db").touch()
    assert "reviewer map" not in said(capsys, monkeypatch, "import", tmp_path, "--into", tmp_path / "runs.db")[1]


def test_what_is_printed_to_a_pipe_is_not_cut(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    names = [f"{'long' * 20}-{number}.json" for number in range(3)]
    for name in names:
        (logs / name).write_text(json.dumps({"foo": name}))
    monkeypatch.setenv("COLUMNS", "80")
    lines = said(capsys, monkeypatch, "import", logs, "--into", tmp_path / "runs.db")[1].splitlines()
    named = ", ".join(f"logs/{name}" for name in names)
    assert f"passed over: of no known format (an object with foo): {named}" in lines
    assert any(line.startswith("Formats tried") and line.endswith("without looking.") for line in lines)


@pytest.mark.parametrize("format", [name for name in formats.known() if name != "openai-chat"])
def test_a_wrong_format_that_was_told_is_said(tmp_path: Path, format: str) -> None:
    log = tmp_path / "chat.json"
    log.write_text('[{"role": "user", "content": "Hi"}]')
    report = import_files([log], tmp_path / "runs.db", Wishes(format=format))
    assert report.total("new") == 0
    assert f"read as {format}, as told; its content is that of openai-chat" in report.sources[0].remarks


def test_a_line_too_long_to_hold_is_rejected_and_the_next_one_read(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with log.open("wb") as file:
        file.write(b'{"messages": "' + b"x" * LONGEST_LINE + b'"}\n')
        file.write(GOOD.encode())
    report = import_files([log], tmp_path / "runs.db", Wishes())
    assert (report.total("new"), report.total("rejected"), report.exit_code) == (1, 1, 1)
    assert "line 1: line 1 is longer than 64 MiB" in report.sources[0].remarks


def test_lone_surrogates_are_kept_as_escapes(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    odd = r'{"id": "\udc00\ud83d\ude00", "model": "m\ud800", "metadata": {"k\ud800": "\ud800"}, "messages": '
    log.write_text(odd + r'[{"role": "user", "content": "a \\ud800 \ud800 b"}]}' + "\n")
    import_files([log], tmp_path / "runs.db", Wishes())
    with Reader(tmp_path / "runs.db") as reader:
        it = reader.stored(reader.ids()[0]).conversation
    assert it.model == r"m\ud800"
    assert it.id == "\\udc00😀"
    assert it.messages[0].text == r"a \ud800 \ud800 b"
    assert it.meta == {r"k\ud800": r"\ud800"}


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda store: store.write_bytes(b"not a store"), "is not a transcript store"),
        (lambda store: store.mkdir(), "is a folder"),
        (
            lambda store: sqlite3.connect(store).execute("CREATE TABLE t (a)").connection.close(),
            "no transcript store",
        ),
        (lambda store: store.write_bytes(b"SQLite format 3\0" + b"\xff" * 5_000), "damaged or no SQLite file"),
    ],
)
def test_into_something_that_is_no_store(
    tmp_path: Path,
    make: object,
    expected: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = tmp_path / "runs.db"
    assert callable(make)
    make(store)
    (tmp_path / "good.jsonl").write_text(GOOD)
    code, text = said(capsys, monkeypatch, "import", tmp_path / "good.jsonl", "--into", store)
    assert code == 2
    assert expected in text
    assert str(store) in text


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_what_is_left_of_a_deleted_store_is_named_and_kept(
    tmp_path: Path, end: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    left = Path(f"runs.db{end}")
    left.write_bytes(b"the last changes")
    Path("good.jsonl").write_text(GOOD)
    code, text = said(capsys, monkeypatch, "import", "good.jsonl", "--into", "runs.db")
    assert (code, "disk" in text) == (2, False)
    assert f"runs.db is not there, but what SQLite kept beside it is: runs.db{end}." in text
    assert "put it back" in text
    assert (left.read_bytes(), Path("runs.db").exists()) == (b"the last changes", False)
    left.unlink()
    assert said(capsys, monkeypatch, "import", "good.jsonl", "--into", "runs.db")[0] == 0


def test_a_folder_where_the_log_of_a_store_should_be_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.jsonl").write_text(GOOD)
    assert said(capsys, monkeypatch, "import", "good.jsonl", "--into", "runs.db")[0] == 0
    Path("runs.db-wal").mkdir()
    code, text = said(capsys, monkeypatch, "import", "good.jsonl", "--into", "runs.db")
    assert (code, "Move runs.db-wal away" in text) == (2, True), text


@pytest.mark.parametrize(
    "arguments", [["nowhere.json"], ["empty"], ["pipe"], ["good.jsonl", "--into", "no/such/runs.db"]]
)
def test_what_cannot_be_begun_gets_a_sentence(
    tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "good.jsonl").write_text(GOOD)
    code, text = said(capsys, monkeypatch, "import", *arguments)
    assert code == 2
    assert text.startswith("reviewer: ")


@pytest.mark.parametrize("name", ["pipe", "pipe.zip", "round.json", "null"])
def test_what_is_no_file_leaves_the_good_beside_it(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, store = tmp_path / name, tmp_path / "runs.db"
    if name.startswith("pipe"):
        os.mkfifo(bad)
    else:
        bad.symlink_to(bad if name == "round.json" else "/dev/null")
    (tmp_path / "good.jsonl").write_text(GOOD)
    code, text = said(capsys, monkeypatch, "import", bad, bad, tmp_path / "good.jsonl", "--into", store)
    assert code == 1
    assert f"{bad} {'cannot be read' if name == 'round.json' else 'is not a file'}" in text
    with Reader(store) as reader:
        assert (reader.info()["conversations"], reader.info()["rejected"]) == (1, 1)


def test_a_member_without_a_name_leaves_the_good_beside_it(tmp_path: Path) -> None:
    (tmp_path / "logs.zip").write_bytes(zips.of({"": zips.stored(b"x"), "good.jsonl": zips.stored(GOOD.encode())}))
    report = import_files([tmp_path / "logs.zip"], tmp_path / "runs.db", Wishes())
    assert (report.total("new"), report.unread) == (1, ["logs.zip/"])


def test_a_run_that_no_column_holds_is_refused_and_no_store_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "good.jsonl").write_text(GOOD)
    store = tmp_path / "runs.db"
    code, text = said(capsys, monkeypatch, "import", tmp_path / "good.jsonl", "--into", store, "--run", "9" * 30)
    assert (code, store.exists()) == (2, False)
    assert "not in the range" in text


def test_files_are_read_in_the_order_of_the_numbers_in_their_names(tmp_path: Path) -> None:
    names = ["log", "log2.jsonl", "log2²", "log10.jsonl", f"log{'9' * 200}.jsonl", "logx.jsonl"]
    for name in reversed(names):
        (tmp_path / name).write_text(GOOD)
    assert [source.name for source in sources([tmp_path / name for name in reversed(names)]).sources] == names


def test_a_link_to_nowhere_is_passed_by(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "gone.json").symlink_to(tmp_path / "nowhere")
    (tmp_path / "logs" / "good.jsonl").write_text(GOOD)
    assert import_files([tmp_path / "logs"], tmp_path / "runs.db", Wishes()).total("new") == 1


OVERRIDE_PERMISSIONS, READ_EVERYTHING = 1, 2
"""What root may do and others may not, as the kernel numbers it (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH)."""
DROP = 24
"""PR_CAPBSET_DROP."""


def humbly(*words: object) -> tuple[int, str]:
    """What a command comes to and says to someone for whom permissions count, root included."""

    def drop() -> None:
        prctl = ctypes.CDLL(None).prctl
        for power in (OVERRIDE_PERMISSIONS, READ_EVERYTHING):
            prctl(DROP, power, 0, 0, 0)

    command = [sys.executable, "-c", "from reviewer.cli import main; main()", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=drop)
    return done.returncode, done.stdout + done.stderr


def test_a_log_without_permission_leaves_the_good_beside_it(tmp_path: Path) -> None:
    (tmp_path / "good.jsonl").write_text(GOOD)
    (tmp_path / "bad.jsonl").write_text(GOOD)
    (tmp_path / "bad.jsonl").chmod(0)
    code, text = humbly("import", tmp_path / "bad.jsonl", tmp_path / "good.jsonl", "--into", tmp_path / "runs.db")
    assert (code, "bad.jsonl cannot be read: Permission denied" in text) == (1, True), text
    assert import_files([tmp_path / "good.jsonl"], tmp_path / "runs.db", Wishes()).total("unchanged") == 1


@pytest.mark.parametrize(("mode", "named"), [(0, "logs/shut"), (0o444, "logs/shut/bad.jsonl")])
def test_a_folder_without_permission_is_said_and_the_rest_is_read(tmp_path: Path, mode: int, named: str) -> None:
    shut = tmp_path / "logs" / "shut"
    shut.mkdir(parents=True)
    (shut / "bad.jsonl").write_text(GOOD)
    (tmp_path / "logs" / "good.jsonl").write_text(GOOD)
    shut.chmod(mode)
    code, text = humbly("import", tmp_path / "logs", "--into", tmp_path / "runs.db")
    alone = humbly("import", shut / "bad.jsonl", "--into", tmp_path / "runs.db")
    shut.chmod(0o755)
    assert (code, f"{named} cannot be read: Permission denied" in text, "1 new" in text) == (1, True, True), text
    assert (alone[0], "bad.jsonl cannot be read: Permission denied" in alone[1]) == (2, True), alone[1]


def test_a_store_or_a_folder_that_is_read_only(tmp_path: Path) -> None:
    (tmp_path / "good.jsonl").write_text(GOOD)
    store = tmp_path / "there" / "runs.db"
    store.parent.mkdir(mode=0o555)
    code, text = humbly("import", tmp_path / "good.jsonl", "--into", store)
    assert (code, f"{store} cannot be opened" in text) == (2, True), text
    import_files([tmp_path / "good.jsonl"], tmp_path / "runs.db", Wishes())
    (tmp_path / "runs.db").chmod(0o444)
    code, text = humbly("import", tmp_path / "good.jsonl", "--into", tmp_path / "runs.db")
    assert (code, "read-only" in text) == (2, True), text


FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
sys.argv = ["reviewer", "import", sys.argv[2], "--into", sys.argv[3]]
from reviewer.cli import main
main()
"""


@pytest.mark.parametrize("room", [30_000, 200_000, 400_000, 800_000, 3_000_000])
def test_a_full_disk_leaves_whole_conversations(tmp_path: Path, room: int) -> None:
    assert resource.RLIMIT_FSIZE is not None
    log, store = tmp_path / "log.jsonl", tmp_path / "runs.db"
    log.write_text("".join(_line(number) for number in range(1_500)))
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(room), log, store],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "runs.db" in done.stderr
    assert "full" in done.stderr
    whole(store)
    assert import_files([log], store, Wishes()).exit_code == 0
    with Reader(store) as reader:
        assert reader.info()["conversations"] == 1_500


def _line(number: int) -> str:
    messages = [{"role": "user", "content": f"{number} " + "text " * 500}, {"role": "assistant", "content": "No."}]
    return json.dumps({"id": f"c{number}", "model": "m", "messages": messages}) + "\n"


def whole(store: Path) -> None:
    """Every conversation of the store has all its messages, and the totals are theirs."""
    if not store.exists() or not store.stat().st_size:
        return
    with sqlite3.connect(store) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if not db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'conversations'").fetchone()[0]:
            return
    assert_whole(store)
