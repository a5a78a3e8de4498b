texts = ["é" * 31, "aé" * 16, "日本語x" * 33, "x" * 127 + "é", "é" + "x" * 128, "😀a" * 64, "naïve café 日本 😀 " * 50, "é" * 32 * 5]
for t in texts:
    cs = list(t)
    n = len(cs)
    assert n == len(t)
    assert [t[i] for i in range(n)] == cs
    assert [t[-i] for i in range(1, n + 1)] == cs[::-1]
    for a in (0, 1, 31, 32, 33, n - 33, n - 1, n, n + 5):
        for b in (0, 1, 32, 64, 65, n - 1, n, n + 9):
            assert t[a:b] == "".join(cs[a:b]), (a, b)
    assert t[::2] == "".join(cs[::2]) and t[::-1] == "".join(cs[::-1]) and t[5:2] == ""
    try:
        t[n]
    except IndexError as e:
        print(n, e, t[-1], t[n // 2:n // 2 + 3])
print("é" * 200 is not None, ("é" * 200)[150], "ab" + "é" * 300 == "ab" + ("é" * 400)[100:])
words = [("wörd%d " % i) * 40 for i in range(12)]
print("".join(w[i * 7] for i, w in enumerate(words)), sum(len(w[3:90]) for w in words))
