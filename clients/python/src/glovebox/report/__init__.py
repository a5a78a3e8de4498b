"""Reports: what a task shows people beside its outputs, a page of HTML with tabs.

A task that is declared with ``report=True`` writes it while it runs. It is kept with the run,
also where the task fails: ``run.get_report()``, ``glovebox report RUN`` and the page show it.

>>> @env.task(report=True)
... def train(epochs: int) -> float:
...     for epoch in range(epochs):
...         glovebox.report.log(f"<p>epoch {epoch}</p>", do_flush=True)
...     glovebox.report.get_tab("Curves").log("<svg>...</svg>")
...     return 0.5
"""

from ._report import Report, Tab, current_report, flush, get_tab, log, replace

__all__ = ["Report", "Tab", "current_report", "flush", "get_tab", "log", "replace"]
