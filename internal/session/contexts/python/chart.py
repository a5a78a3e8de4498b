"""Reads the data of a chart from a figure of matplotlib that has been drawn.
The shapes are those that clients of other code interpreters know."""

import re
import sys
from math import isfinite

MANY = 100000  # points of a figure


class TooMany(Exception):
    pass


def attend(module):
    """Makes axes remember the statistics of their box plots, which cannot be
    read from the lines that are drawn."""
    draw = module.Axes.bxp

    def bxp(self, bxpstats, *args, **options):
        drawn = draw(self, bxpstats, *args, **options)
        self._glovebox_boxes = getattr(self, "_glovebox_boxes", []) + list(zip(bxpstats, drawn["medians"]))
        return drawn

    bxp.__doc__ = draw.__doc__
    module.Axes.bxp = bxp


def chart(figure):
    """Returns the chart of a figure, or None if there is none to be had."""
    try:
        charts = [of_axes(ax) for ax in figure.axes if ax.get_visible() and ax.get_label() != "<colorbar>"]
    except TooMany:
        return None
    except Exception:  # a version that draws in another way; the picture is there
        return None
    title = figure._suptitle.get_text() if figure._suptitle else None
    if len(charts) != 1:
        return {"type": "superchart", "title": title, "elements": charts} if charts else None
    return dict(charts[0], title=charts[0]["title"] or title)


def of_axes(ax):
    for kind, read in (("pie", pie), ("box_and_whisker", boxes), ("bar", bars), ("line", lines), ("scatter", scatter)):
        elements = read(ax)
        if elements:
            break
    else:
        return {"type": "unknown", "title": ax.get_title() or None, "elements": []}
    found = {"type": kind, "title": ax.get_title() or None}
    if kind != "pie":
        for side in "x", "y":
            label = getattr(ax, "get_" + side + "label")()
            found[side + "_label"], found[side + "_unit"] = label or None, unit(label)
    if kind in ("line", "scatter"):
        for side in "x", "y":
            axis = getattr(ax, side + "axis")
            found[side + "_ticks"] = [place(axis, v) for v in axis.get_ticklocs()]
            found[side + "_tick_labels"] = [t.get_text() for t in axis.get_ticklabels()]
            found[side + "_scale"] = scale(axis)
    found["elements"] = elements
    return found


def unit(label):
    """Returns what stands in the last brackets of a label, such as s of Time (s)."""
    found = re.findall(r"[(\[]([^()\[\]]*)[)\]]", label)
    return found[-1].strip() or None if found else None


def converter(axis):
    found = axis.get_converter() if hasattr(axis, "get_converter") else axis.converter
    return type(found).__name__


def scale(axis):
    name = converter(axis)
    if name == "StrCategoryConverter":
        return "categorical"
    if any([word in name for word in ("Date", "Time", "Period")]):
        return "datetime"
    return axis.get_scale()


def place(axis, value):
    """Returns what a place on an axis stands for: a number, a date, a category."""
    if value is None:
        return None
    kind = scale(axis)
    if kind == "categorical":
        names = {place: name for name, place in axis.units._mapping.items()}
        return names.get(value, number(value))
    if kind == "datetime":
        return date(axis, value)
    return number(value)


def date(axis, value):
    frequency = getattr(axis.axes, "freq", None)  # pandas counts in periods
    if frequency is not None:
        return sys.modules["pandas"].Period(ordinal=int(value), freq=frequency).to_timestamp().isoformat()
    from matplotlib.dates import num2date

    return num2date(value).isoformat()


def number(value):
    if type(value).__name__ == "MaskedConstant":
        return None
    value = float(value)
    return value if isfinite(value) else None


def point(axis, value):
    """Returns a value as the user gave it, if it is a date or text, else its place."""
    if hasattr(value, "to_timestamp"):
        value = value.to_timestamp()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if type(value).__name__ == "datetime64":
        return str(value)
    return str(value) if isinstance(value, str) else place(axis, value)


def label(artist):
    text = str(artist.get_label())
    return "" if text.startswith("_") else text


def points(ax, xs, ys):
    xs, ys = list(xs), list(ys)
    if len(xs) > MANY:
        raise TooMany
    return [[point(ax.xaxis, x), point(ax.yaxis, y)] for x, y in zip(xs, ys)]


def lines(ax):
    drawn = [line for line in ax.lines if line.get_transform().contains_branch(ax.transData)]  # no axhline, axvline
    drawn = [line for line in drawn if len(line.get_xdata())]
    return [{"label": label(line), "points": points(ax, *line.get_data(orig=True))} for line in drawn]


def scatter(ax):
    from matplotlib.collections import PathCollection

    found = []
    for drawn in ax.collections:
        if isinstance(drawn, PathCollection):
            found.append({"label": label(drawn), "points": points(ax, *drawn.get_offsets().T)})
    return found


def bars(ax):
    found = []
    for container in ax.containers:
        lying = getattr(container, "orientation", None) == "horizontal"
        axis = ax.yaxis if lying else ax.xaxis
        for bar in getattr(container, "patches", []):
            start, width, value = bar.get_x(), bar.get_width(), bar.get_height()
            if lying:
                start, width, value = bar.get_y(), bar.get_height(), bar.get_width()
            found.append({"label": name_at(axis, start + width / 2), "group": label(container), "value": number(value)})
    if len(found) > MANY:
        raise TooMany
    return found


def name_at(axis, at):
    """Returns what stands below a place. Names stand below several bars, or beside one."""
    ticks = [(abs(tick - at), t.get_text()) for tick, t in zip(axis.get_ticklocs(), axis.get_ticklabels())]
    distance, name = min(ticks, default=(1, ""))
    named = type(axis.get_major_locator()).__name__ in ("FixedLocator", "StrCategoryLocator")
    if name and (distance < 1e-6 or named and distance <= 0.5):
        return name
    return "%.15g" % at


def pie(ax):
    from matplotlib.patches import Wedge

    wedges = [patch for patch in ax.patches if isinstance(patch, Wedge)]
    return [
        {"label": label(w), "angle": round(float(w.theta2 - w.theta1), 3), "radius": number(w.r)} for w in wedges
    ]


def boxes(ax):
    found = []
    for stats, line in getattr(ax, "_glovebox_boxes", []):
        if line.axes is not ax:  # it was removed
            continue
        found.append(
            {
                "label": name_below(ax, line),
                "min": number(stats["whislo"]),
                "first_quartile": number(stats["q1"]),
                "median": number(stats["med"]),
                "third_quartile": number(stats["q3"]),
                "max": number(stats["whishi"]),
                "outliers": [number(v) for v in stats.get("fliers", [])],
            }
        )
    return found


def name_below(ax, line):
    """Returns the name of the box whose median a line is."""
    xs, ys = [float(x) for x in line.get_xdata()], [float(y) for y in line.get_ydata()]
    upright = min(ys) == max(ys)
    middle = (min(xs) + max(xs)) / 2 if upright else (min(ys) + max(ys)) / 2
    return name_at(ax.xaxis if upright else ax.yaxis, middle)
