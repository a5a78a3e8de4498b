from __future__ import annotations

import json
import random

import pytest

from glovebox.errors import InvalidInputError
from glovebox.io import _manifest
from glovebox.io._manifest import DIR, FILE, LINK, Entry

DIGEST = "ab" * 32


def manifest(*entries: dict[str, object], version: object = 1) -> bytes:
    text = json.dumps({"version": version, "entries": list(entries)}, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def file(path: str, **more: object) -> dict[str, object]:
    return {"path": path, "type": "file", "sha256": DIGEST, **more}


def folder(path: str) -> dict[str, object]:
    return {"path": path, "type": "dir"}


def link(path: str, target: str) -> dict[str, object]:
    return {"path": path, "type": "link", "target": target}


def test_the_text_of_the_documentation() -> None:
    entries = [
        Entry("run", LINK, target="bin/tool"),
        Entry("bin/tool", FILE, DIGEST, 3, True),
        Entry("bin", DIR),
    ]
    assert _manifest.write(entries).decode() == (
        '{"version":1,"entries":[{"path":"bin","type":"dir"},'
        f'{{"path":"bin/tool","type":"file","sha256":"{DIGEST}","size":3,"executable":true}},'
        '{"path":"run","type":"link","target":"bin/tool"}]}'
    )
    assert _manifest.write([]) == b'{"version":1,"entries":[]}'


def test_characters_are_escaped_in_one_way() -> None:
    name = 'a"\\\b\f\n\r\t\x01\x1f\x7f<&>\u2028\u2029\xe9\U0001f600'
    text = _manifest.write([Entry(name, FILE, DIGEST, 1)])
    escaped = '"path":"a\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\x7f<&>\\u2028\\u2029\xe9\U0001f600"'
    assert escaped in text.decode()
    assert _manifest.parse(text) == [Entry(name, FILE, DIGEST, 1)]


def test_entries_are_sorted_by_bytes() -> None:
    names = ["\uffff", "\U00010000", "a-b", "a", "B", "\xe9"]
    text = _manifest.write([Entry(name, FILE, DIGEST) for name in [*names, "a/x"] if name != "a"] + [Entry("a", DIR)])
    found = [entry.path for entry in _manifest.parse(text)]
    assert found == ["B", "a", "a-b", "a/x", "\xe9", "\uffff", "\U00010000"]


def test_random_trees_survive() -> None:
    chance = random.Random(5)
    for _ in range(200):
        entries = [Entry("d", DIR)]
        for number in range(chance.randrange(20)):
            name = "".join(chance.choice('ab"\\\n\u2028\xe9\U0001f600 {}[],:') for _ in range(chance.randrange(1, 9)))
            path = f"{chance.choice(['', 'd/'])}{name}{number}"
            made = Entry(path, FILE, DIGEST, chance.randrange(3), chance.random() < 0.5)
            entries.append(chance.choice([made, Entry(path, LINK, target=name + "x"), Entry(path, DIR)]))
        text = _manifest.write(entries)
        assert _manifest.parse(text) == sorted(entries, key=lambda entry: entry.path.encode())
        json.loads(text)


GOOD_LINKS = ["x", "d/x", "d/../f", "d/e/../../f", "gone", "d/e/../..", "./f", "d//e/../x", "l2/x"]
BAD_LINKS = ["", "/etc", "..", "../x", "d/../..", "f/../x", "gone/../x", "l2/../x", "d/e/../../..", "a\0b", "x" * 4097]


@pytest.mark.parametrize("target", GOOD_LINKS)
def test_links_inside(target: str) -> None:
    text = manifest(folder("d"), folder("d/e"), file("f"), link("l", target), link("l2", "d"))
    assert _manifest.parse(text)[3].target == target


@pytest.mark.parametrize("target", BAD_LINKS)
def test_links_that_lead_out_or_could(target: str) -> None:
    text = manifest(folder("d"), folder("d/e"), file("f"), link("l", target), link("l2", "d"))
    with pytest.raises(InvalidInputError):
        _manifest.parse(text)
    if target:
        with pytest.raises(InvalidInputError, match="leads out"):
            _manifest.write(
                [Entry("d", DIR), Entry("d/e", DIR), Entry("l", LINK, target=target), Entry("l2", LINK, target="d")]
            )


BAD = {
    "goes up": manifest(file("../x")),
    "goes up within": manifest(folder("a"), file("a/../../x")),
    "absolute": manifest(file("/etc/passwd")),
    "a dot": manifest(file(".")),
    "an empty part": manifest(folder("a"), file("a//b")),
    "empty": manifest(file("")),
    "ends in a slash": manifest(folder("a"), file("a/")),
    "a zero": manifest(file("a\0b")),
    "a surrogate": manifest(file("\ud800")),
    "an escaped surrogate": b'{"version":1,"entries":[{"path":"\\ud800","type":"dir"}]}',
    "a long name": manifest(file("x" * 256)),
    "a long name in bytes": manifest(file("\xe9" * 128)),
    "deep": manifest(*(folder("/".join("d" * n)) for n in range(1, 66))),
    "long": manifest(*(folder("/".join(["d" * 250] * n)) for n in range(1, 18))),
    "twice": manifest(file("a"), file("a")),
    "unsorted": manifest(file("b"), file("a")),
    "no directory": manifest(file("a/b")),
    "below a file": manifest(file("a"), file("a/b")),
    "below a link": manifest(folder("d"), link("l", "d"), file("l/x")),
    "directory after": manifest(file("a/b"), folder("a")),
    "no digest": manifest({"path": "a", "type": "file"}),
    "a short digest": manifest({"path": "a", "type": "file", "sha256": "ab"}),
    "upper case": manifest({"path": "a", "type": "file", "sha256": "AB" * 32}),
    "negative": manifest(file("a", size=-1)),
    "a fraction": manifest(file("a", size=1.5)),
    "too large": manifest(file("a", size=1 << 63)),
    "too large together": manifest(file("a", size=(1 << 63) - 1), file("b", size=1)),
    "a zero size": manifest(file("a", size=0)),
    "not executable": manifest(file("a", executable=False)),
    "a directory with a digest": manifest({**folder("a"), "sha256": DIGEST}),
    "a directory with a target": manifest({**folder("a"), "target": "b"}),
    "a file with a target": manifest(file("a", target="b")),
    "a link with a size": b'{"version":1,"entries":[{"path":"a","type":"link","size":1,"target":"b"}]}',
    "a link without a target": manifest({"path": "a", "type": "link"}),
    "an unknown type": manifest({"path": "a", "type": "pipe"}),
    "an unknown member": manifest({**folder("a"), "x": 1}),
    "a member twice": b'{"version":1,"entries":[{"path":"a","type":"dir","type":"dir"}]}',
    "an escape that need not be": b'{"version":1,"entries":[{"path":"\\u0061","type":"dir"}]}',
    "an escaped slash": b'{"version":1,"entries":[{"path":"a","type":"dir"},{"path":"a\\/b","type":"dir"}]}',
    "a wrong escape": b'{"version":1,"entries":[{"path":"\\q","type":"dir"}]}',
    "a raw newline": b'{"version":1,"entries":[{"path":"a\nb","type":"dir"}]}',
    "white space": b'{"version":1, "entries":[]}',
    "a newline at the end": b'{"version":1,"entries":[]}\n',
    "another version": manifest(version=2),
    "more after it": b'{"version":1,"entries":[]}{"version":1,"entries":[]}',
    "no entries": b'{"version":1}',
    "null": b'{"version":1,"entries":null}',
    "a comma too many": manifest(folder("a")).replace(b"}]}", b"},]}"),
    "no comma": manifest(folder("a"), folder("b")).replace(b"},{", b"}{"),
    "nothing": b"",
    "no JSON": b"\x00\xff",
    "no UTF-8": b'{"version":1,"entries":[{"path":"\xff","type":"dir"}]}',
    "nested": b'{"version":1,"entries":' + b"[" * 100_000 + b"]}",
    "nothing but objects": b'{"version":1,"entries":[' + b"{}," * 1_000_000 + b"{}]}",
    "an endless string": b'{"version":1,"entries":[{"path":"' + b"a" * 5_000_000 + b"]}",
    "an endless run of escapes": b'{"version":1,"entries":[{"path":"' + b"\\n" * 2_000_000 + b"]}",
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_hostile_manifests(text: bytes) -> None:
    with pytest.raises(InvalidInputError):
        _manifest.parse(text)


def test_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    text = manifest(*(file(f"f{n:02}") for n in range(11)))
    monkeypatch.setattr(_manifest, "MAX_ENTRIES", 11)
    assert len(_manifest.parse(text)) == 11
    monkeypatch.setattr(_manifest, "MAX_ENTRIES", 10)
    with pytest.raises(InvalidInputError, match="more than 10 entries"):
        _manifest.parse(text.replace(b'{"path":"f10"', b"what is behind is not looked at"))
    with pytest.raises(InvalidInputError, match="more than 10 entries"):
        _manifest.write([Entry(f"f{n:02}", FILE, DIGEST) for n in range(11)])
    monkeypatch.setattr(_manifest, "MAX_MANIFEST", 100)
    with pytest.raises(InvalidInputError, match="larger than 100 bytes"):
        _manifest.parse(text)
    with pytest.raises(InvalidInputError, match="larger than 100 bytes"):
        _manifest.write([Entry(f"f{n}", FILE, DIGEST) for n in range(3)])


def test_a_path_that_is_too_long_for_a_host() -> None:
    folders = [Entry("/".join(["d" * 250] * n), DIR) for n in range(1, 18)]
    with pytest.raises(InvalidInputError, match="longer than 4096 bytes"):
        _manifest.write(folders)
    assert len(_manifest.parse(_manifest.write(folders[:-1]))) == 16


def test_entries_that_cannot_be_written() -> None:
    for entry in (
        Entry("a", FILE),
        Entry("a", LINK),
        Entry("../a", DIR),
        Entry("\udcff", DIR),
        Entry("a", DIR, size=1),
    ):
        with pytest.raises(InvalidInputError, match="the directory has an entry"):
            _manifest.write([entry])


def test_a_changed_byte_is_noticed_or_means_the_same() -> None:
    text = _manifest.write(
        [Entry("bin", DIR), Entry("bin/t", FILE, DIGEST, 3, True), Entry("run", LINK, target="bin/t")]
    )
    chance = random.Random(7)
    for _ in range(3_000):
        at = chance.randrange(len(text))
        changed = text[:at] + bytes([chance.randrange(256)]) + text[at + 1 :]
        try:
            entries = _manifest.parse(changed)
        except InvalidInputError:
            continue
        assert _manifest.write(entries) == changed
