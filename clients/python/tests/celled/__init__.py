"""A small project whose functions run in cells: what a cell imports has no pytest."""
