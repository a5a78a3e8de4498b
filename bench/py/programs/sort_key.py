def run():
    rows = []
    seed = 7
    for i in range(20000):
        seed = (seed * 16807) % 2147483647
        rows.append({"id": i, "name": "n" + str(seed % 997), "score": seed % 101})
    by_score = sorted(rows, key=lambda r: (-r["score"], r["name"]))
    by_name = sorted(rows, key=lambda r: r["name"])
    return by_score[0]["id"], by_score[-1]["id"], by_name[500]["id"]


run()
