"""xml.sax: only xml.sax.saxutils is there."""
