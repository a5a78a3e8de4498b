"""Makes results of objects: every form that an object has, by MIME type."""

import json
import sys
from binascii import b2a_base64

from glovebox_context import imports
from glovebox_context.outlet import outlet

METHODS = (
    ("text/html", "_repr_html_"),
    ("text/markdown", "_repr_markdown_"),
    ("text/latex", "_repr_latex_"),
    ("image/svg+xml", "_repr_svg_"),
    ("image/png", "_repr_png_"),
    ("image/jpeg", "_repr_jpeg_"),
    ("application/pdf", "_repr_pdf_"),
    ("application/json", "_repr_json_"),
    ("application/javascript", "_repr_javascript_"),
)
LONG = 1 << 20  # characters of a form that is text
CHART, TABLE = "application/vnd.glovebox.chart+json", "application/vnd.glovebox.table+json"


def display(*objects, raw=False, **options):
    """Shows objects as results, in order. With raw they are forms by MIME type."""
    for each in objects:
        if raw:
            send(each, main=False)
        else:
            show(each, main=False)


def show(value, main):
    forms = own_forms(value)
    forms.update(more_forms(value))
    send(forms, main)


def own_forms(value):
    """Returns the forms that an object makes of itself."""
    forms = {"text/plain": repr(value)}
    for mime, name in METHODS:
        form = call(value, name)
        if form is not None:
            forms[mime] = form
    bundle = call(value, "_repr_mimebundle_")
    forms.update(bundle or {})
    return forms


def call(value, name):
    """Returns what a method of an object says of it, without its metadata."""
    if isinstance(value, type) or not callable(getattr(type(value), name, None)):
        return None
    try:
        form = getattr(value, name)()
    except NotImplementedError:
        return None
    except Exception as e:  # one form is broken, and others may be not
        print("%s of %s: %r" % (name, type(value).__name__, e), file=sys.stderr)
        return None
    return form[0] if isinstance(form, tuple) else form


def more_forms(value):
    """Returns the forms that this driver makes of some objects."""
    if type(value) in (dict, list):
        from glovebox_context.data import structure

        return present_only({"application/json": structure(value)})
    if is_of(value, "pandas", "DataFrame"):
        from glovebox_context.data import table

        return present_only({TABLE: table(value)})
    if is_of(value, "matplotlib.figure", "Figure"):
        from glovebox_context.figures import picture
        from glovebox_context.chart import chart

        return present_only({"image/png": picture(value), CHART: chart(value)})
    return {}


def present_only(forms):
    return {mime: form for mime, form in forms.items() if form is not None}


def is_of(value, module, name):
    """Reports whether an object is of a class of a module, which is loaded then."""
    found = getattr(sys.modules.get(module), name, None)
    return isinstance(found, type) and isinstance(value, found)


def send(forms, main):
    outlet.emit("result", main=main, data=present_only({str(mime): fit(mime, form) for mime, form in forms.items()}))


def fit(mime, form):
    """Returns a form as JSON can carry it, or None if it is none."""
    if isinstance(form, (bytes, bytearray)):
        return b2a_base64(form, newline=False).decode() if is_binary(mime) else bytes(form).decode("utf-8", "replace")
    if isinstance(form, str):
        if is_binary(mime):
            return "".join(form.split())  # some have lines
        return form if len(form) <= LONG or "json" in mime else form[:LONG] + "..."
    try:
        json.dumps(form, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
    return form


def is_binary(mime):
    return mime == "application/pdf" or mime.startswith("image/") and not mime.endswith("+xml")


imports.after("matplotlib", "glovebox_context.figures", "attend")
imports.after("matplotlib.axes", "glovebox_context.chart", "attend")
imports.after("PIL.ImageShow", "glovebox_context.figures", "attend_images")
