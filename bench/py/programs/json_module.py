import json


def run():
    size = 0
    for i in range(1000):
        record = {"id": i, "tags": ["a", "b\"c"], "ok": True, "note": None, "child": {"x": i * 0.5, "y": [1, 2, 3]}}
        text = json.dumps(record)
        back = json.loads(text)
        size += len(text) + back["id"] + len(back["tags"])
    return size


run()
