"""Functions that run in cells: their code as one file.

``bundle`` is the door: ``cell_definition`` makes the task of a function, whose
input is an archive of the modules that ``project`` finds, of those cells of a
notebook that ``notebook`` finds, and of this package, as ``library`` has it. In
a cell, ``glovebox._cell`` calls the function. ``own_files`` turns the paths in
an error of a cell into those of this machine.
"""
