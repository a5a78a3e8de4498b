"""Runs code by IPython: its magics, its commands, its formatters. Only what goes
out and what an exception looks like is the driver's own."""

import os
import sys
import tempfile
import warnings
from importlib import invalidate_caches
from traceback import format_exception

from IPython import version_info
from IPython.core import page
from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.formatters import DisplayFormatter
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from glovebox_context import installing, present


class Compiler(CachingCompiler):
    def get_code_name(self, raw, transformed, number):
        return "<cell %d>" % number


class Hook(DisplayHook):
    def write_output_prompt(self):
        pass

    def write_format_data(self, forms, metadata=None):
        present.send(forms, main=True)

    def log_output(self, forms):
        pass  # it would keep every picture

    def finish_displayhook(self):
        self._is_active = False


class Publisher(DisplayPublisher):
    def publish(self, data, metadata=None, source=None, **options):
        present.send(data, main=False)

    def clear_output(self, wait=False):
        pass


class Formatter(DisplayFormatter):
    def format(self, value, include=None, exclude=None):
        forms, metadata = super().format(value, include, exclude)
        if forms:
            forms.update(present.more_forms(value))
        return forms, metadata


class Shell(InteractiveShell):
    displayhook_class = Type(Hook)
    display_pub_class = Type(Publisher)
    compiler_class = Type(Compiler)

    def system(self, cmd):
        """Runs a command, whose output comes by the descriptors, and finds what it has installed."""
        self.system_raw(cmd)
        invalidate_caches()

    def init_display_formatter(self):
        self.display_formatter = Formatter(parent=self)
        self.configurables.append(self.display_formatter)

    def showtraceback(self, exc_tuple=None, *args, **options):
        """Says what a broken form raised; what the code raised comes with its end."""
        if exc_tuple is not None:
            sys.stderr.write("".join(format_exception(*exc_tuple)))

    def showsyntaxerror(self, *args, **options):
        pass

    def _format_exception_for_storage(self, *args, **options):
        return {}  # it would take longer than most code

    def enable_gui(self, gui=None):
        pass

    def enable_matplotlib(self, gui=None):
        return "inline", "module://glovebox_context.backend"

    def ask_exit(self):
        pass


class Interpreter:
    def __init__(self):
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "nocolor" if version_info[0] >= 9 else "NoColor"
        files = os.path.join(tempfile.gettempdir(), ".ipython")  # not in the home of the user, whose files are kept
        self.shell = Shell.instance(config=config, ipython_dir=files)
        self.shell.loop_runner = await_all
        installing.prepare()
        warnings.filterwarnings("ignore", "To exit: use")  # nothing but the host ends a context
        self.shell.set_hook("show_in_pager", page.as_hook(page.display_page), 99)

    def rehearse(self):
        pass

    def run(self, text, count):
        self.shell.execution_count = count
        result = self.shell.run_cell(text, store_history=True)
        failed = result.error_before_exec or result.error_in_exec
        if failed:
            raise failed


def await_all(coroutine):
    from glovebox_context.awaiting import run

    return run(coroutine)


# What shows figures and images must reach IPython's capture of outputs as well.
from IPython.display import display

present.display = display
