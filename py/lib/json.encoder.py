"""json.encoder: the writing part of json."""

from json import JSONEncoder
