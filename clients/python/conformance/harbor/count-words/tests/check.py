import json

counts = json.load(open("/app/counts.json"))
assert counts == {"the": 2, "sandbox": 1, "is": 2, "a": 1, "box": 2, "and": 1, "small": 1}, counts
