# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
from difflib import SequenceMatcher, get_close_matches
pairs = [("abcd", "bcde"), ("", ""), ("a", ""), ("private Thread currentThread;", "private volatile Thread currentThread;"), ("qabxcd", "abycdf"), ("kitten", "sitting"), ([1, 2, 3, 4], [2, 3, 5]), ("abc" * 5, "cab" * 5), (" abcd", "abcd abcd"), ("a" * 250, "a" * 240 + "b"), ("x" + "ab" * 150, "ab" * 150), ("The quick brown fox", "the quick brown dog"), ("é€", "€é")]
for a, b in pairs:
    s = SequenceMatcher(None, a, b)
    print(round(s.ratio(), 6), round(s.quick_ratio(), 6), round(s.real_quick_ratio(), 6), s.get_matching_blocks()[:6], s.get_opcodes()[:8], s.find_longest_match(0, len(a), 0, len(b)))
s = SequenceMatcher(lambda c: c == " ", " abcd", "abcd abcd")
print(s.find_longest_match(0, 5, 0, 9), s.bjunk, s.ratio(), s.get_opcodes())
s = SequenceMatcher(a="one two", b="two one", autojunk=False)
print(s.find_longest_match(), list(s.get_grouped_opcodes(1)))
s.set_seq1("two one")
print(s.ratio(), s.get_opcodes())
s.set_seqs("ab", "ba")
print(s.ratio(), s.a, s.b, s.b2j, s.bpopular)
print(get_close_matches("appel", ["ape", "apple", "peach", "puppy"]), get_close_matches("wheel", ["while", "wheels", "whee"], n=1), get_close_matches("zzz", ["a"]), get_close_matches("helo", ["hello", "help", "hell", "yelow"], cutoff=0.7), get_close_matches("a", []))
t(lambda: get_close_matches("a", ["a"], n=0))
t(lambda: get_close_matches("a", ["a"], cutoff=2))
t(lambda: SequenceMatcher(None, [[1]], [[1]]).ratio())
# ---
import difflib
old = """one
two
three
four
five
six
seven
eight
nine
ten
""".splitlines(keepends=True)
new = """one
2
three
four
five
six
seven
eight
nine
ten plus
eleven
""".splitlines(keepends=True)
print("".join(difflib.unified_diff(old, new, "old.txt", "new.txt")))
print("".join(difflib.unified_diff(old, new, n=0)))
print("\n".join(difflib.unified_diff(["a", "b"], ["a", "c"], "x", "y", "2024-01-01", "2024-01-02", lineterm="")))
print("".join(difflib.context_diff(old, new, "old.txt", "new.txt")))
print("".join(difflib.context_diff(old, new, n=0)))
print("".join(difflib.ndiff(old, new)))
print(list(difflib.unified_diff([], [])), list(difflib.unified_diff(["a\n"], ["a\n"])), list(difflib.unified_diff([], ["a\n"])), list(difflib.context_diff(["a\n"], [])), list(difflib.unified_diff(["a"], [])))
t(lambda: list(difflib.unified_diff([1], [2])))
t(lambda: list(difflib.unified_diff(["a"], ["b"], fromfile=5)))
# ---
import difflib
a = ["one\n", "two\n", "three\n", "  indented line here\n", "def function(x):\n", "\treturn x + 1\n", "same\n"]
b = ["ore\n", "tree\n", "emu\n", "  indented lines here!\n", "def function(x, y):\n", "\treturn x + y\n", "same\n", "new\n"]
d = list(difflib.ndiff(a, b))
print("".join(d))
print(list(difflib.restore(d, 1)) == a, list(difflib.restore(d, 2)) == b)
print("".join(difflib.Differ().compare(["apple pie\n", "x\n", "cherry tart\n"], ["apple pies\n", "cherry tarts\n", "y\n"])))
print("".join(difflib.Differ().compare(["a\n", "b\n", "c\n"], ["z\n"])), "".join(difflib.ndiff(["abc\n"], ["abd\n"])), "".join(difflib.ndiff("hello world".split(), "hello brave world".split())))
print(list(difflib.ndiff(["same line"], ["same lime"])), difflib.IS_CHARACTER_JUNK(" "), difflib.IS_LINE_JUNK("  # \n"), difflib.IS_LINE_JUNK("x"))
t(lambda: list(difflib.restore(d, 3)))
