orders = [{"id": 1, "total": 120.5, "paid": True}, {"id": 2, "total": 80.0, "paid": False}, {"id": 3, "total": 42.25, "paid": True}]

def summarise(rows):
    paid = [r for r in rows if r["paid"]]
    total = 0.0
    for r in paid:
        total = total + r["total"]
    if total > 100:
        label = "large"
    else:
        label = "small"
    return {"count": len(paid), "total": round(total, 2), "label": label}

report = summarise(orders)
lines = [f"{k}: {v}" for k, v in report.items()]
"\n".join(lines)
