def encode(v):
    if v is None:
        return "null"
    if v is True:
        return "true"
    if v is False:
        return "false"
    if isinstance(v, (int, float)):
        return repr(v)
    if isinstance(v, str):
        return '"' + v.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(v, list):
        return "[" + ",".join([encode(x) for x in v]) + "]"
    if isinstance(v, dict):
        return "{" + ",".join([encode(k) + ":" + encode(x) for k, x in v.items()]) + "}"
    raise TypeError("cannot encode")


def run():
    size = 0
    for i in range(500):
        record = {"id": i, "tags": ["a", "b\"c", "d" * (i % 5)], "ok": i % 2 == 0, "note": None,
                  "child": {"x": i * 0.5, "y": [1, 2, 3]}}
        size += len(encode([record, record]))
    return size


run()
