# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
import os
import os.path
from os.path import join, basename, splitext
print(os.sep, repr(os.linesep), os.path.sep, os.curdir, os.pardir, os.extsep, os.pathsep, os.name)
print(join("a", "b", "c.txt"), join("a/", "b"), join("a", "/b"), join("", "x"), join("a", ""), join("/"), join(b"a", b"b"))
for p in ("/a/b/c.tar.gz", "a", "", "/", "//a", "a/", ".bashrc", "a/.x.y", "..", "a.b/c", "/a//b", "x.", "...a", "a/b.txt/"):
    print(repr(p), os.path.split(p), splitext(p), basename(p), os.path.dirname(p), os.path.isabs(p), os.path.normpath(p))
for p in ("a/./b/../c", "../../a", "/../a", "a//b///c/", "./", "a/..", "//x/../y", "///x", "/a/b/../../.."):
    print(os.path.normpath(p))
print(os.path.commonprefix(["/usr/lib", "/usr/local"]), os.path.commonprefix([]), os.path.commonpath(["/usr/lib", "/usr/local/x"]), os.path.commonpath(["a/b", "a/c"]))
print(os.path.relpath("/a/b/c", "/a/d"), os.path.relpath("/a", "/a"), os.path.relpath("/a/b", "/a"), os.path.splitdrive("/a"), os.path.abspath("/a/../b"))
print(os.getenv("NO_SUCH_VARIABLE_X"), os.getenv("NO_SUCH_VARIABLE_X", "d"), os.environ.get("NO_SUCH_VARIABLE_X", 5), "NO_SUCH_VARIABLE_X" in os.environ)
t(lambda: join("a", 5))
t(lambda: join("a", b"b"))
t(lambda: basename(5))
t(lambda: os.path.commonpath([]))
t(lambda: os.path.commonpath(["/a", "b"]))
t(lambda: os.path.relpath(""))
t(lambda: os.fspath(5))
# ---
from pathlib import PurePath, PurePosixPath, PureWindowsPath
import os
p = PurePosixPath("/usr/lib/python3/file.tar.gz")
print(p, repr(p), p.name, p.stem, p.suffix, p.suffixes, p.parent, p.parts, p.anchor, p.root, repr(p.drive), list(p.parents), p.is_absolute())
print(p.with_name("x.py"), p.with_suffix(".zip"), p.with_suffix(""), p.with_stem("new"), p / "a" / "b", "pre" / PurePosixPath("x"), p.joinpath("a", "/b"), p.relative_to("/usr"), p.is_relative_to("/usr"), p.is_relative_to("/x"))
for s in ("", ".", "..", "a", "a/b", "./a", "a/.", "a//b", "/", "//a", "///a", ".hidden", "a.", "a.b.c", "../x", "a/../b", "x.tar.gz"):
    q = PurePath(s)
    print(repr(s), str(q), q.parts, repr(q.name), repr(q.stem), repr(q.suffix), q.suffixes, str(q.parent), q.is_absolute(), len(q.parents))
print(PurePath("a", "b", "c"), PurePath("a", PurePath("b")), PurePath() , PurePath("a") == PurePath("a/."), PurePath("a") < PurePath("b"), sorted([PurePath("b"), PurePath("a/c"), PurePath("a")]), {PurePath("x"): 1}[PurePath("x")], PurePath("a") == "a")
print(p.match("*.gz"), p.match("lib/*/*.gz"), p.match("/*.gz"), PurePath("a.py").match("*.py"), PurePath("/a").match("/a"), os.fspath(PurePath("a/b")), os.path.join(PurePath("a"), "b"), p.as_posix(), PurePosixPath("/a b").as_uri(), p.parents[0], p.parents[-1], bytes(PurePath("x")))
w = PureWindowsPath("C:\\Users\\ann\\file.TXT")
print(w, repr(w), w.drive, w.root, w.anchor, w.parts, w.name, w.suffix, w.parent, w == PureWindowsPath("c:/users/ANN/file.txt"), w.as_posix(), w / "..", w.is_absolute(), PureWindowsPath("\\x").is_absolute(), w.match("*.txt"))
print(PureWindowsPath("//host/share/x").parts, PureWindowsPath("c:x").parts, PureWindowsPath("c:/a", "/b"), PureWindowsPath("c:/a", "d:b"), PureWindowsPath("a/b").parts, PureWindowsPath("c:/a b").as_uri())
t(lambda: PurePath(5))
t(lambda: PurePath("/").with_name("x"))
t(lambda: PurePath("a").with_name("b/c"))
t(lambda: PurePath("a").with_suffix("x"))
t(lambda: p.relative_to("/x"))
t(lambda: PurePath("a") / 5)
t(lambda: PurePath("a").as_uri())
t(lambda: PurePath("a") < 5)
t(lambda: p.parents[10])
t(lambda: PurePath("a").match(""))
