"""xml: what of it needs no file and no network."""
