"""What makes sessions the sandboxes of other people's frameworks: one module for each.

A module imports its framework, and nothing of this library imports the module.
``pip install 'glovebox-sandbox[langchain]'`` installs a framework along with the
library; the extra of a module is its name, with dashes.

>>> from glovebox.plugins.langchain import GloveboxSandbox
"""
