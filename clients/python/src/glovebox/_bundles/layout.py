"""What is where in a bundle, and what marks the lines around a function."""

INPUT = "_bundle"  # the hidden input of a function in a cell
PROJECT = "project/"  # the user's modules
LIBRARY = "library/"  # this package
IN_CELL = f"/var/inputs/{INPUT}"  # where a cell has the bundle

# Ends the line of the call that stands behind the function of an orchestrator.
BEGINNING = "  # the run begins here"
