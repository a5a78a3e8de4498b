def run():
    s = ""
    for i in range(100000):
        s = s + "ab"
    t = ""
    for i in range(50000):
        t += str(i % 10)
    return len(s), len(t), t[:12]


run()
