"""The backend of matplotlib: figures are drawn by Agg, and shown as results."""

from matplotlib.backends.backend_agg import (
    FigureCanvasAgg as FigureCanvas,
    new_figure_manager,
    new_figure_manager_given_figure,
)

from glovebox_context import figures


def show(*args, **options):
    figures.show()
