from datetime import date, datetime


def run():
    texts = [f"2024-{1 + i % 12:02d}-{1 + i % 28:02d}" for i in range(3000)]
    days = [date.fromisoformat(t) for t in texts]
    moments = [datetime.fromisoformat(t + "T10:30:15") for t in texts]
    zoned = [datetime.fromisoformat(t + "T10:30:15+02:00") for t in texts[:500]]
    back = [d.isoformat() for d in days] + [m.isoformat() for m in moments]
    months = {}
    for d in days:
        months[d.strftime("%Y-%m")] = months.get(d.strftime("%Y-%m"), 0) + 1
    return len(set(days)), max(moments).isoformat(), back[5], len(months), str(zoned[7]), sorted(days)[0].isoformat()


run()
