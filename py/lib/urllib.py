"""urllib: only urllib.parse is there, since there is no network."""
