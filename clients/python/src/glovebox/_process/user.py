"""The user of this host."""

import getpass


def user_name() -> str:
    """Returns what the host calls the user, or an empty name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # a user without a name
        return ""
