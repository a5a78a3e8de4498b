def run():
    rows = []
    for i in range(15000):
        rows.append({"region": "r" + str(i % 7), "product": "p" + str(i % 13), "qty": i % 5 + 1, "price": (i % 100) * 0.25})
    totals = {}
    counts = {}
    for row in rows:
        key = (row["region"], row["product"])
        if key not in totals:
            totals[key] = 0.0
            counts[key] = 0
        totals[key] += row["qty"] * row["price"]
        counts[key] += 1
    best = sorted(totals.items(), key=lambda kv: (-kv[1], kv[0]))[:3]
    return [(k, round(v, 2), counts[k]) for k, v in best]


run()
