# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
import unicodedata as u
for c in "aÉ1²½Ⅷ٣ \n\u0301中가힣€_-(😀\u200b\u202e\ud800\U0010ffff\u0378ﬁß〇㉈":
    print(ascii(c), u.category(c), u.bidirectional(c), u.combining(c), u.east_asian_width(c), u.mirrored(c), u.decomposition(c), u.decimal(c, None), u.digit(c, None), u.numeric(c, None), u.name(c, "-"))
print(u.lookup("LATIN SMALL LETTER E WITH ACUTE"), u.lookup("snowman"), u.lookup("CJK UNIFIED IDEOGRAPH-4E2D"), u.lookup("HANGUL SYLLABLE GAG"), u.unidata_version)
t(lambda: u.lookup("NO SUCH NAME"))
t(lambda: u.name("\n"))
t(lambda: u.decimal("a"))
t(lambda: u.digit("½"))
t(lambda: u.numeric("a"))
t(lambda: u.category("ab"))
t(lambda: u.category(5))
t(lambda: u.name(""))
t(lambda: u.normalize("NFX", "a"))
t(lambda: u.normalize("NFC", 5))
# ---
import unicodedata as u
samples = ["", "ascii", "Café naïve Ünïcödé", "e\u0301\u0323 a\u0323\u0301", "ﬁ ² ½ Ⅷ ㎏ Ａ１", "가각힣", "\u1100\u1161\u11a8", "\u1100\u1161", "\u212b \u2126 \u00c5", "\u0344 \u0958 \u2adc", "\u1e9b\u0323", "q\u0307\u0323", "\ufb2c\u05b4", "😀é", "a\u0301\u0300\u0327\u0316b", "\u0301a", "\ufdfa", "\ud800\u0301", "\u0c46\u0c56 \u09c7\u09be", "a\u3099\u093c\u0334", "\u30ab\u3099 ｶﾞ", "ż\u0307"]
for s in samples:
    print([ascii(u.normalize(form, s)) for form in ("NFC", "NFD", "NFKC", "NFKD")], [u.is_normalized(form, s) for form in ("NFC", "NFD", "NFKC", "NFKD")])
print(u.normalize("NFKD", "Crème Brûlée – Ærø").encode("ascii", "ignore").decode(), "".join(c for c in u.normalize("NFD", "Čeština žluťoučký") if u.category(c) != "Mn"))
total = 0
for n in range(0, 0x30000, 7):
    c = chr(n)
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        total = (total * 31 + hash(tuple(map(ord, u.normalize(form, "x" + c + "\u0301\u0323"))))) % 1000003
    total = (total * 7 + len(u.name(c, "")) + u.combining(c) + ord(u.category(c)[0])) % 1000003
print(total)
