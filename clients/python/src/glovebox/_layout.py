"""What is where in a bundle."""

INPUT = "_bundle"  # the hidden input of a function in a cell
PROJECT = "project/"  # the user's modules
LIBRARY = "library/"  # this package
IN_CELL = f"/var/inputs/{INPUT}"  # where a cell has the bundle
