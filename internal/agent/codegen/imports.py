"""Says which modules cannot be found. It gets `request`, a JSON list, and gives `missing`."""

import importlib.util
import json


def there(name):
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


missing = json.dumps([name for name in json.loads(request) if not there(name)])  # noqa: F821
