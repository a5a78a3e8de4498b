"""xml.etree: the package of xml.etree.ElementTree."""
