#!/bin/bash
set -euo pipefail
test "$(id -un)" = agent
test "$PWD" = /app
python3 - <<'PY'
import collections, json
words = open('text').read().lower().split()
json.dump(collections.Counter(words), open('counts.json', 'w'))
PY
