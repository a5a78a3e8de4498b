"""json.decoder: the reading part of json."""

from json import JSONDecodeError, JSONDecoder
