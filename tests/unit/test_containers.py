"""Zips of logs, packed logs and YAML: their members come in as files do, and whatever is wrong is one sentence."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import IO, cast

import pytest

from reviewer.basics.errors import SourceError
from reviewer.imports.containers import archive, decompression, yaml_values
from reviewer.imports.containers.decompression import GZIP, UnpackedStream
from reviewer.imports.importer import Wishes, import_files
from reviewer.imports.inputs import sources
from reviewer.imports.source import Source
from reviewer.imports.summary import ImportReport
from reviewer.transcripts.store.reader import Reader
from tests import shapes, zips

CHAT = json.dumps(shapes.ANTHROPIC).encode()
LINE = CHAT + b"\n"


def chat(id: str) -> bytes:
    """A conversation that is no other's, because it says who it is."""
    asked = {"role": "user", "content": f"This is {id}."}
    return json.dumps({**shapes.ANTHROPIC, "id": id, "messages": [asked]}).encode()


def imported(folder: Path, name: str, held: bytes) -> ImportReport:
    """The report of importing one file."""
    (folder / name).write_bytes(held)
    return import_files([folder / name], folder / "runs.db", Wishes())


def said(report: ImportReport) -> str:
    return "\n".join(text for source in report.sources for text in source.remarks)


def test_members_of_a_zip_are_read_like_files_of_a_folder(tmp_path: Path) -> None:
    report = imported(tmp_path, "logs.zip", shapes.logs_zip())
    assert [(each.path, each.format, each.new) for each in report.sources] == [
        ("logs.zip/logs/anthropic.json", "openai-chat", 1),
        ("logs.zip/logs/chat.yaml", "openai-chat", 1),
        ("logs.zip/logs/log.eval", "inspect", 1),
        ("logs.zip/logs/rollouts.jsonl", "responses", 2),
    ]
    assert report.exit_code == 0
    again = import_files([tmp_path], tmp_path / "runs.db", Wishes())
    assert (again.total("new"), again.total("unchanged"), again.exit_code) == (0, 5, 0)


def test_a_zip_in_a_folder_is_named_by_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "x.ZIP").write_bytes(zips.of({"conversations.json": zips.deflated(CHAT)}))
    (tmp_path / "a" / "y.json").write_bytes(chat("other"))
    assert [each.name for each in sources([tmp_path / "a"]).sources] == ["a/b/x.ZIP/conversations.json", "a/y.json"]


def test_a_model_is_found_in_the_names_around_a_zip_and_within(tmp_path: Path) -> None:
    (tmp_path / "gpt-4o").mkdir()
    turns = json.dumps({"messages": shapes.ANTHROPIC["messages"]}).encode()
    other = json.dumps({"messages": shapes.CHAT}).encode()
    held = {"logs.json": zips.stored(turns), "claude-opus-4/logs.json": zips.stored(other)}
    (tmp_path / "gpt-4o" / "x.zip").write_bytes(zips.of(held))
    for number, named in enumerate((tmp_path / "gpt-4o" / "x.zip", tmp_path)):
        report = import_files([named], tmp_path / f"runs{number}.db", Wishes())
        assert {model for each in report.sources for model in each.models} == {"gpt-4o", "claude-opus-4"}


def test_names_that_lead_elsewhere_are_only_names(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_bytes(chat("from outside"))
    (tmp_path / "in").mkdir()
    names = ["../outside.json", str(outside), "/etc/passwd", "a\\..\\b.json", "x\x1b[31m.json"]
    held = {name: zips.deflated(chat(f"inside {n}")) for n, name in enumerate(names)}
    (tmp_path / "in" / "x.zip").write_bytes(zips.of(held))
    before = sorted(tmp_path.rglob("*"))
    report = import_files([tmp_path / "in" / "x.zip"], tmp_path / "in" / "runs.db", Wishes())
    assert report.total("new") == 5
    assert [each.path for each in report.sources if "\x1b" in each.path] == []
    assert sorted(path for path in tmp_path.rglob("*") if path.parent != tmp_path / "in") == [
        path for path in before if path.parent != tmp_path / "in"
    ]
    with Reader(tmp_path / "in" / "runs.db") as reader:
        ids = {reader.stored(each).conversation.id for each in reader.ids()}
    assert ids == {f"inside {n}" for n in range(5)}


def test_hidden_members_folders_and_what_is_no_log_are_not_looked_at(tmp_path: Path) -> None:
    held = {
        **{name: zips.stored(b"x") for name in ("__MACOSX/._a.json", ".hidden/a.json", "a/.b.json", "a.png")},
        "folder/": zips.stored(b""),
        "a/c.traj": zips.stored(CHAT),
    }
    report = imported(tmp_path, "x.zip", zips.of(held))
    assert [(each.path, each.new) for each in report.sources] == [("x.zip/a/c.traj", 1)]
    others = ["x.zip/.hidden/a.json", "x.zip/__MACOSX/._a.json", "x.zip/a.png", "x.zip/a/.b.json"]
    assert sorted(report.unread) == others


def test_members_are_known_again_after_their_zip_has_moved(tmp_path: Path) -> None:
    held = {f"{n}/log.json": zips.zstd(chat(f"c{n}")) for n in range(3)}
    assert imported(tmp_path, "x.zip", zips.of(held)).total("new") == 3
    (tmp_path / "there").mkdir()
    (tmp_path / "x.zip").rename(tmp_path / "there" / "y.zip")
    report = import_files([tmp_path / "there" / "y.zip"], tmp_path / "runs.db", Wishes())
    assert (report.total("new"), report.total("unchanged")) == (0, 3)


def test_a_member_and_a_file_with_the_same_bytes_have_one_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(ZEROS[: 5 << 20] + CHAT)
    held = {"a.json": zips.stored(ZEROS[: 5 << 20] + CHAT), "b.json": zips.stored(ZEROS[: 5 << 20] + CHAT + b" ")}
    (tmp_path / "x.zip").write_bytes(zips.of(held))
    alone, same, other = sources([tmp_path]).sources
    assert alone.where.fingerprint == same.where.fingerprint != other.where.fingerprint
    assert len({each.where.place for each in (alone, same, other)}) == 3


def test_a_zip_without_logs_is_passed_over_with_a_word(tmp_path: Path) -> None:
    for name, held in (("pictures.zip", zips.of({"a.png": zips.stored(b"x")})), ("empty.zip", zips.of({}))):
        report = imported(tmp_path, name, held)
        assert [each.passed_over for each in report.sources] == ["a zip with no log in it"]


def test_an_inspect_log_under_another_ending_is_one_log(tmp_path: Path) -> None:
    report = imported(tmp_path, "log.zip", shapes.inspect_zip())
    assert [(each.path, each.format, each.new) for each in report.sources] == [("log.zip", "inspect", 1)]


def test_equal_sizes_in_a_zip_do_not_make_twins(tmp_path: Path) -> None:
    held = {f"{n}.json": zips.deflated(chat(f"c{n}")) for n in range(3)}
    report = imported(tmp_path, "x.zip", zips.of({**held, "same.json": held["2.json"]}))
    assert [each.new for each in report.sources] == [1, 1, 1, 0]
    assert report.sources[-1].passed_over == "the same bytes as x.zip/2.json"


def test_lines_in_a_zip_are_not_held(tmp_path: Path) -> None:
    many = b"".join(chat(f"c{n}") + b"\n" for n in range(500))
    report = imported(tmp_path, "x.zip", zips.of({"a.jsonl": zips.zstd(many, frames=7)}))
    assert report.total("new") == 500


def spoilt(it: zips.Held) -> zips.Held:
    half = len(it.packed) // 2
    return it._replace(packed=it.packed[:half] + bytes(8) + it.packed[half + 8 :])


def cut(it: zips.Held) -> zips.Held:
    return it._replace(packed=it.packed[: len(it.packed) // 2])


ZEROS = b" " * (20 << 20)
WRONG: Mapping[str, tuple[zips.Held, str]] = {
    "a bomb": (zips.deflated(ZEROS), "would unpack to 20,971,520 bytes"),
    "a bomb of zstd": (zips.zstd(ZEROS), "would unpack to 20,971,520 bytes"),
    "a bomb that lies": (zips.deflated(ZEROS)._replace(size=100), "unpacks to more bytes than the 100"),
    "a zstd bomb that lies": (zips.zstd(ZEROS)._replace(size=100), "unpacks to more bytes than the 100"),
    "a bomb that lies less": (
        zips.deflated(ZEROS)._replace(size=8_000_000),
        "unpacks to more bytes than the 8,000,000",
    ),
    "fewer than told": (zips.deflated(CHAT)._replace(size=9_999), "unpacks to fewer bytes than the 9,999"),
    "fewer of what is stored": (zips.stored(CHAT)._replace(size=9_999), "unpacks to fewer bytes than the 9,999"),
    "a wrong checksum": (zips.deflated(CHAT)._replace(crc=7), "its checksum does not fit"),
    "a wrong checksum of zstd": (zips.zstd(CHAT)._replace(crc=7), "its checksum does not fit"),
    "a cut member": (cut(zips.deflated(CHAT)), "cannot be unpacked (it ends early)"),
    "a cut frame": (cut(zips.zstd(CHAT)), "cannot be unpacked (it ends early)"),
    "a spoilt member": (spoilt(zips.deflated(CHAT)), "cannot be unpacked"),
    "a spoilt frame": (spoilt(zips.zstd(CHAT * 9)), "cannot be unpacked"),
    "rubbish behind a frame": (
        zips.zstd(CHAT)._replace(packed=zips.zstd(CHAT).packed + b"rubbish"),
        "cannot be unpacked",
    ),
    "an unknown method": (zips.stored(CHAT)._replace(method=99), "packed by method 99, which is not read"),
    "the wrong method": (zips.deflated(CHAT)._replace(method=93), "cannot be unpacked"),
    "encrypted": (zips.deflated(CHAT)._replace(flags=1), "is encrypted. Unpack it with its password"),
}


@pytest.mark.parametrize("ending", ["json", "jsonl"])
@pytest.mark.parametrize("what", WRONG)
def test_a_bad_member_is_named_and_brings_nothing_and_the_good_one_comes_in(
    tmp_path: Path, what: str, ending: str
) -> None:
    member, expected = WRONG[what]
    held = {f"bad.{ending}": member, "good.json": zips.zstd(chat("good"))}
    report = imported(tmp_path, "x.zip", zips.of(held))
    bad, good = report.sources
    assert (bad.path, bad.new, bad.rejected) == (f"x.zip/bad.{ending}", 0, 1)
    assert expected in bad.remarks[0]
    assert f"x.zip/bad.{ending}" in bad.remarks[0]
    assert (good.new, report.total("new"), report.exit_code) == (1, 1, 1)


def test_lines_of_a_member_that_is_spoilt_at_its_end_bring_nothing_in_part(tmp_path: Path) -> None:
    lines = b"".join(chat(f"c{n}") + b"\n" for n in range(2_000))
    report = imported(tmp_path, "x.zip", zips.of({"a.jsonl": zips.deflated(lines)._replace(crc=7)}))
    assert (report.total("new"), report.total("rejected")) == (0, 1)
    report = imported(tmp_path, "a.jsonl.gz", gzip.compress(lines)[:-9])
    assert (report.total("new"), report.total("rejected")) == (0, 1)


@pytest.mark.parametrize("spot", [1 << 20, 7])
def test_a_member_that_stands_elsewhere_is_one_plain_sentence(tmp_path: Path, spot: int) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as file:
        file.writestr("a.json", CHAT)
    spoilt = bytearray(held.getvalue())
    at = spoilt.index(b"PK\x01\x02") + 42
    spoilt[at : at + 4] = spot.to_bytes(4, "little")
    (tmp_path / "logs.zip").write_bytes(spoilt)
    (source,) = import_files([tmp_path / "logs.zip"], tmp_path / "runs.db", Wishes()).sources
    assert "(it does not stand where the zip says)" in source.remarks[0]


def test_a_zip_in_a_zip_is_refused_with_a_word(tmp_path: Path) -> None:
    inner = zips.stored(shapes.logs_zip())
    report = imported(tmp_path, "x.zip", zips.of({"in.zip": inner, "good.json": zips.stored(CHAT)}))
    assert [(each.path, each.new, each.rejected) for each in report.sources] == [
        ("x.zip/good.json", 1, 0),
        ("x.zip/in.zip", 0, 1),
    ]
    assert "x.zip/in.zip is a zip within a zip. Unpack the outer one" in said(report)


def test_of_members_with_one_name_the_last_counts_and_the_others_are_said(tmp_path: Path) -> None:
    one, other = zips.of({"a.json": zips.stored(chat("1"))}), zips.stored(chat("2"))
    assert one
    twice = zips.of({"a.json": zips.stored(chat("1")), "b.json": other}).replace(b"b.json", b"a.json")
    report = imported(tmp_path, "x.zip", twice)
    assert (report.total("new"), report.total("rejected")) == (1, 1)
    assert "stands there more than once: only the last is read" in said(report)
    with Reader(tmp_path / "runs.db") as reader:
        assert [reader.stored(each).conversation.id for each in reader.ids()] == ["2"]


def test_a_zip_that_is_cut_off_is_named(tmp_path: Path) -> None:
    whole = shapes.logs_zip()
    for length in (0, 1, 4, 30, len(whole) // 2, len(whole) - 1):
        report = imported(tmp_path, "x.zip", whole[:length])
        assert (report.total("new"), report.total("rejected")) == (0, 1)
        assert "x.zip is not a readable zip" in said(report)


def test_members_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    held = bytearray(zips.of({f"{n}.json": zips.stored(b" " * 5_000) for n in range(4)}))
    for n in range(4):  # every entry of the list leads to the first member, as a bomb without nesting has it
        at = held.index(f"{n}.json".encode(), held.index(b"PK\x01\x02"))
        held[at - 4 : at] = bytes(4)
    body = bytes(held[:5_036]) + bytes(held[held.index(b"PK\x01\x02") :])
    end = body.rindex(b"PK\x05\x06")
    start = body.index(b"PK\x01\x02").to_bytes(4, "little")
    report = imported(tmp_path, "x.zip", body[: end + 16] + start + body[end + 20 :])
    assert "says that its members are larger than itself" in said(report)


def test_a_list_of_too_many_members_is_not_read(tmp_path: Path) -> None:
    whole = bytearray(shapes.logs_zip())
    end = whole.rindex(b"PK\x05\x06")
    whole[end + 12 : end + 16] = (200 << 20).to_bytes(4, "little")
    assert "lists more members than any log has" in said(imported(tmp_path, "x.zip", bytes(whole)))


def test_a_broken_sample_leaves_the_good_ones_of_its_log(tmp_path: Path) -> None:
    members = shapes.inspect_members()
    good = members["samples/a b_epoch_1.json"]
    held = {name: zips.zstd(it) for name, it in members.items()}
    held["samples/2_epoch_1.json"] = cut(zips.zstd(good))
    held["samples/3_epoch_1.json"] = zips.zstd(good)._replace(crc=1)
    held["samples/4_epoch_1.json"] = zips.zstd(good.replace(b'"a b"', b'"d/e"'), frames=4)
    report = imported(tmp_path, "log.eval", zips.of(held))
    assert (report.total("new"), report.total("rejected")) == (2, 2)
    assert "samples/2_epoch_1.json: log.eval, samples/2_epoch_1.json cannot be unpacked (it ends early)." in said(
        report
    )


PEAK = """
import re, sys
from functools import cache
from pathlib import Path
from reviewer.imports.importer import Wishes, import_files
report = import_files([Path(sys.argv[1])], Path(sys.argv[2]), Wishes())
peak = re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]
print(report.total("rejected"), report.total("new"), peak)
print(*[text for source in report.sources for text in source.remarks], file=sys.stderr)
"""


@cache
def gigabyte() -> bytes:
    """Blanks, packed."""
    return gzip.compress(b" " * (64 << 20)) * 16


@pytest.mark.parametrize("name", ["bomb.json.gz", "bomb.jsonl.gz", "bomb.log.gz", "late.json.gz", "gz.zip", "lie.zip"])
def test_a_bomb_is_refused_while_it_is_unpacked(tmp_path: Path, name: str) -> None:
    match name:
        case "gz.zip":
            held = zips.of({"a.json.gz": zips.stored(gigabyte())})
        case "lie.zip":
            held = zips.of({"a.json": zips.deflated(b" " * (64 << 20))._replace(size=12 << 20, crc=0)})
        case "late.json.gz":  # its first part allows for more than memory should
            held = gzip.compress(os.urandom(1 << 20)) + gigabyte()
        case _:
            held = gigabyte()
    (tmp_path / name).write_bytes(held)
    done = subprocess.run(
        [sys.executable, "-c", PEAK, tmp_path / name, tmp_path / "runs.db"], capture_output=True, text=True, check=True
    )
    rejected, new, peak = map(int, done.stdout.split())
    assert (rejected, new) == (1, 0)
    assert "bytes" in done.stderr
    assert peak < 100 << 10, f"{peak >> 10} MiB"


def drawn(file: IO[bytes]) -> tuple[int, str]:
    """How many bytes come out of a file before it is refused, and the sentence that refuses it."""
    count = 0
    try:
        while data := file.read(64 << 10):
            count += len(data)
    except SourceError as error:
        return count, error.message
    return count, ""


SIZE = 48 << 20


@pytest.mark.parametrize("pack", [zips.deflated, zips.bzip2, zips.zstd], ids=["deflate", "bzip2", "zstd"])
@pytest.mark.parametrize("lies", [False, True])
def test_a_member_of_any_method_gives_no_more_than_its_bytes_allow(
    tmp_path: Path, pack: Callable[[bytes], zips.Held], lies: bool
) -> None:
    bomb = pack(bytes(SIZE))
    held = bomb._replace(size=SIZE - 1) if lies else bomb
    (tmp_path / "x.zip").write_bytes(zips.of({"a.json": held}))
    (info,) = archive.listing(tmp_path / "x.zip", "x.zip")
    with pytest.raises(SourceError, match=r"a\.json would unpack to 50,331,64\d bytes, out of [\d,]+\."):
        archive.Member(tmp_path / "x.zip", info, "a.json").open()
    stream = UnpackedStream(io.BytesIO(bomb.packed), decompression.ZIPPED[bomb.method], "a.json")
    count, sentence = drawn(cast("IO[bytes]", stream))
    assert "a.json unpacks to more than 16,777,216 bytes" in sentence
    assert count <= 16 << 20


def test_bzip2_unpacks_no_more_times_than_gzip_and_zstandard_more_only_at_first() -> None:
    assert decompression.ZIPPED[12].bound(1 << 20) == decompression.GZIP.bound(1 << 20) == 200 << 20
    assert [decompression.ZIPPED[93].bound(size << 10) >> 10 for size in (1, 100, 1_000, 10_000)] == [
        *(16 << 10, 100_000, 200_000, 2_000_000),
    ]


def test_what_is_packed_twice_gives_no_more_than_its_bytes_on_the_disk_allow(tmp_path: Path) -> None:
    twice = zips.deflated(gzip.compress(b" " * (4 << 20)) * 20)
    assert len(twice.packed) < 2_000
    (tmp_path / "x.zip").write_bytes(zips.of({"a.json.gz": twice, "b.json.gz": zips.deflated(gzip.compress(CHAT))}))
    bad, good = sources([tmp_path / "x.zip"]).sources
    with pytest.raises(SourceError, match=r"a\.json\.gz unpacks to more than"):
        bad.open(checking=True)
    with pytest.raises(SourceError, match=r"a\.json\.gz unpacks to more than"):
        assert not bad.document
    with good.open() as file:
        assert drawn(file) == (len(CHAT), "")


def test_many_small_members_are_refused_by_what_they_come_to(tmp_path: Path) -> None:
    member = zips.deflated(bytes(15 << 20))
    (tmp_path / "x.zip").write_bytes(zips.of({f"{number}.json": member for number in range(80)}))
    with pytest.raises(SourceError, match=r"x\.zip would unpack to 1,258,291,200 bytes, out of 1,\d+,\d+\."):
        archive.listing(tmp_path / "x.zip", "x.zip")
    (tmp_path / "x.zip").write_bytes(zips.of({f"{number}.json": member for number in range(60)}))
    assert len(archive.listing(tmp_path / "x.zip", "x.zip")) == 60


def test_what_is_too_large_to_be_read_at_once_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decompression, "LARGEST", 100)
    report = imported(tmp_path, "a.json.gz", gzip.compress(CHAT))
    assert "a.json.gz unpacks to one value of more than 100 bytes. Write it as JSON Lines." in said(report)
    assert imported(tmp_path, "a.jsonl.gz", gzip.compress(LINE)).total("new") == 1


def test_gzip_in_several_streams_and_filled_up_with_zeros_is_read_whole(tmp_path: Path) -> None:
    held = (
        gzip.compress(chat("a") + b"\n") + gzip.compress(b"") + bytes(512) + gzip.compress(chat("b") + b"\n") + bytes(9)
    )
    assert imported(tmp_path, "a.jsonl.gz", held).total("new") == 2


@pytest.mark.parametrize("step", [1, 7, 100_000])
def test_what_is_unpacked_by_pieces_is_what_was_packed(step: int) -> None:
    data = bytes(range(256)) * 700 + os.urandom(70_000)
    file = UnpackedStream(io.BytesIO(gzip.compress(data)), GZIP, "x")
    pieces = list(iter(lambda: file.read(step) or b"", b"")) if step > 1 else [file.readall()]
    assert b"".join(pieces) == data
    assert file.read(0) == b""


def test_yaml_is_read_as_the_values_of_json(tmp_path: Path) -> None:
    report = imported(tmp_path, "chat.yaml", shapes.CHAT_YAML)
    assert [(each.format, each.new) for each in report.sources] == [("openai-chat", 1)]
    with Reader(tmp_path / "runs.db") as reader:
        it = reader.stored(reader.ids()[0]).conversation
    assert [(m.role, m.text) for m in it.messages] == [
        ("customer", "Where is #7? 🙂"),
        ("agent", "It was shipped.\n  On 2024-05-15."),
        ("customer", "no"),
        ("agent", "It was shipped.\n  On 2024-05-15."),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 2024-05-15\nb: 12:30\nc: no\nd: '1'", {"a": "2024-05-15", "b": "12:30", "c": "no", "d": "1"}),
        ("[~, null, , true, 1, -2, 1.5, 0x1F, 0o17, 017, 1e3]", [None, None, True, 1, -2, 1.5, 31, 15, 17, 1000.0]),
        ("a: !!python/object/apply:os.system [ls]\nb: !Ref x\nc: !!int '7'", {"a": ["ls"], "b": "x", "c": "7"}),
        ("1: a\ntrue: b\n? [k, 2]\n: c", {"1": "a", "true": "b", '["k",2]': "c"}),
        ("a\n---\n- b\n", ["a", ["b"]]),
        ("{a: &x [1], b: *x}", {"a": [1], "b": [1]}),
        ("a: " + "9" * 5_000, {"a": "9" * 5_000}),
    ],
)
def test_words_of_yaml_mean_what_they_say(text: str, value: object) -> None:
    if text.startswith("[~"):
        text = text.replace(" ,", "", 1)
    assert yaml_values.parsed(text.encode(), "x") == value


def laughs() -> bytes:
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    return "\n".join(lines).encode()


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (laughs(), "its aliases stand for more than 16,777,216 characters"),
        (b"a: &a [*a]", "the alias *a names nothing, or itself"),
        (b"a: *b", "the alias *b names nothing, or itself"),
        (b"[" * 100_000, "nested too deeply"),
        (b"- " * 100_000, "nested too deeply"),
        (b"{a: " * 100_000, "nested too deeply"),
        (b"a: [1,\n", "not YAML at line 2, column 1"),
        (b"a: \xff", "byte 3 is not UTF-8"),
        (b"a: \x00", "not YAML"),
    ],
)
def test_bad_yaml_is_one_sentence(tmp_path: Path, held: bytes, expected: str) -> None:
    report = imported(tmp_path, "x.yaml", held)
    assert (report.total("new"), report.total("rejected")) == (0, 1)
    assert expected in said(report)
    assert "x.yaml" in said(report)


def test_yaml_larger_than_is_read_at_once_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_values, "LARGEST", 10)
    with pytest.raises(SourceError, match=r"x is YAML of more than"):
        yaml_values.parsed(b"a: 1234567890", "x")


def test_a_member_too_large_to_be_read_at_once_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "LARGEST_MEMBER", 10)
    (tmp_path / "x.eval").write_bytes(shapes.inspect_zip())
    with archive.opened(Source(tmp_path / "x.eval", "x.eval")) as file, pytest.raises(SourceError, match="at once"):
        file.json("header.json")


@pytest.mark.parametrize("way", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_read_as_the_text_that_it_is(tmp_path: Path, way: str) -> None:
    told = json.dumps({"messages": [{"role": "user", "content": "ü 😀 " * 20_000}]}, ensure_ascii=False)
    half = '{"messages": [{"role": "user", "content": "\ud83d"}]}'
    held = f"\ufeff{told}\r\n{half}\n{told}\n".encode(way, "surrogatepass")
    (tmp_path / "log.jsonl").write_bytes(held)
    whole, broken, again = (value for _, value in Source(tmp_path / "log.jsonl", "log.jsonl").records())
    assert whole == again == json.loads(told)
    assert broken.reason == "log.jsonl, line 2: byte 43 is not UTF-8."
