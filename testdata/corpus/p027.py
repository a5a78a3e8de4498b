"""A small INI-like configuration parser with includes of variables and typed values."""
import re

CONFIG = """
# global settings
name = demo
debug = true

[server]
host = 0.0.0.0
port = 8080        ; inline comment
url = http://${server.host}:${server.port}/${name}

[limits]
timeout = 2.5
retries = 3
hosts = a.example, b.example , c.example
empty =
"""


class ConfigError(Exception):
    def __init__(self, line_no: int, message: str):
        super().__init__(f"line {line_no}: {message}")
        self.line_no = line_no


def convert(text: str):
    lowered = text.lower()
    if lowered in ("true", "yes", "on"):
        return True
    if lowered in ("false", "no", "off"):
        return False
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    if "," in text:
        return [part.strip() for part in text.split(",")]
    return text or None


def parse(text: str) -> dict:
    values: dict = {}
    section = ""
    for line_no, raw in enumerate(text.splitlines(), 1):
        line = re.split(r"\s[;#]|^#", raw, maxsplit=1)[0].strip()
        if not line:
            continue
        if line.startswith("["):
            if not line.endswith("]"):
                raise ConfigError(line_no, f"unterminated section {line!r}")
            section = line[1:-1] + "."
            continue
        key, sep, value = line.partition("=")
        if not sep:
            raise ConfigError(line_no, f"expected key = value, got {line!r}")
        expanded = re.sub(r"\$\{([^}]+)\}", lambda m: str(values[m[1]]), value.strip())
        values[section + key.strip()] = convert(expanded)
    return values


config = parse(CONFIG)
for key, value in config.items():
    print(f"{key:<16} {value!r} ({type(value).__name__})")

for broken in ("[server\nport = 1", "just words"):
    try:
        parse(broken)
    except ConfigError as err:
        print(f"ConfigError at {err.line_no}: {err}")

config
