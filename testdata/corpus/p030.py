"""Parse command-line style strings into options without argparse's exits."""
import shlex
from dataclasses import dataclass, field


@dataclass
class Command:
    name: str
    args: list[str] = field(default_factory=list)
    options: dict[str, str | bool] = field(default_factory=dict)


class UsageError(ValueError):
    """The command line is not valid."""


FLAGS = {"verbose", "dry-run"}
SHORT = {"v": "verbose", "n": "dry-run", "o": "output"}


def parse_command(line: str) -> Command:
    tokens = iter(shlex.split(line))
    try:
        command = Command(next(tokens))
    except StopIteration:
        raise UsageError("empty command") from None
    for token in tokens:
        match token:
            case "--":
                command.args.extend(tokens)
            case str() if token.startswith("--"):
                key, sep, value = token[2:].partition("=")
                if sep:
                    command.options[key] = value
                elif key in FLAGS:
                    command.options[key] = True
                else:
                    value = next(tokens, None)
                    if value is None:
                        raise UsageError(f"option --{key} needs a value")
                    command.options[key] = value
            case str() if token.startswith("-") and len(token) > 1:
                for letter in token[1:]:
                    if letter not in SHORT:
                        raise UsageError(f"unknown option -{letter}")
                    command.options[SHORT[letter]] = True
            case _:
                command.args.append(token)
    return command


lines = [
    'build src --output "out dir" --verbose',
    "deploy -vn web api --region=eu-west-1 -- --not-an-option",
    "copy 'a b.txt' c\\ d.txt",
    "push --remote",
    "push -x",
    "",
    'say "unterminated',
]

commands: list[Command] = []
for line in lines:
    try:
        commands.append(parse_command(line))
    except UsageError as e:
        print(f"usage error: {e}")
    except ValueError as e:
        print(f"{type(e).__name__}: {e}")

commands
