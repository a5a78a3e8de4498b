# prelude
import logging, io, sys
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
def fresh(**options):
    stream = io.StringIO()
    logging.disable(logging.NOTSET)
    logging.root.setLevel(logging.WARNING)
    logging.basicConfig(stream=stream, force=True, **options)
    return stream
# ---
s = fresh()
logging.debug("no")
logging.info("no")
logging.warning("careful %s", "you")
logging.error("bad %d of %d", 1, 2)
logging.critical("%(what)s broke", {"what": "it"})
logging.log(logging.ERROR, "logged")
logging.log(35, "between")
logging.getLogger("app.db").warning("named")
print(s.getvalue())
s = fresh(level=logging.DEBUG, format="%(levelname)-8s|%(name)s|%(funcName)s|%(message)s")
log = logging.getLogger("app")
def work():
    log.debug("in work")
    log.info("x=%r", [1])
work()
log.info("top")
print(s.getvalue())
s = fresh(level="INFO", format="{levelname}:{message}", style="{")
logging.info("braces")
logging.debug("no")
print(s.getvalue())
s = fresh(level=logging.INFO, format="$levelname $message", style="$")
logging.info("dollar")
print(s.getvalue())
# ---
s = fresh(level=logging.INFO, format="%(message)s")
log = logging.getLogger("errors")
def fail():
    return {}["key"]
try:
    fail()
except KeyError:
    log.exception("failed %s", "badly")
lines = s.getvalue().splitlines()
print(lines[0], lines[1], lines[-1])
s.truncate(0)
s.seek(0)
try:
    fail()
except KeyError as e:
    log.error("again", exc_info=True)
    log.warning("given", exc_info=e)
    log.info("none", exc_info=False)
print([line for line in s.getvalue().splitlines() if not line.startswith(" ")])
# ---
s = fresh(level=logging.DEBUG, format="%(name)s %(levelname)s %(message)s")
parent, child = logging.getLogger("p1"), logging.getLogger("p1.child.leaf")
middle = logging.getLogger("p1.child")
print(child.parent.name, middle.parent.name, parent.parent.name, logging.getLogger("p1") is parent, parent.getChild("child") is middle, logging.getLogger().name, logging.getLogger("root") is logging.root)
print(child.getEffectiveLevel(), child.level, child.isEnabledFor(10), child.name, parent.propagate, child.hasHandlers())
parent.setLevel(logging.ERROR)
child.warning("hidden")
child.error("shown")
middle.setLevel("DEBUG")
child.debug("now")
own = io.StringIO()
h = logging.StreamHandler(own)
h.setLevel(logging.ERROR)
h.setFormatter(logging.Formatter("[%(levelname)s] %(message)s"))
middle.addHandler(h)
middle.addHandler(h)
child.error("both")
child.info("one")
middle.propagate = False
child.error("own only")
middle.removeHandler(h)
print(s.getvalue(), own.getvalue(), sep="---\n")
print(parent, h.level, logging.getLevelName(10), logging.getLevelName("INFO"), logging.getLevelName(13), middle.handlers)
class Only(logging.Filter):
    def filter(self, record):
        return "keep" in record.getMessage()
s = fresh(level=0)
log = logging.getLogger("filtered")
log.setLevel(1)
log.addFilter(Only())
log.warning("keep this")
log.warning("drop this")
log.filters.clear()
log.addFilter(lambda record: record.levelno > 30)
log.warning("drop")
log.error("pass")
logging.disable(logging.ERROR)
log.error("disabled")
log.critical("not disabled")
logging.disable(logging.NOTSET)
print(s.getvalue())
# ---
records = []
class Collect(logging.Handler):
    def emit(self, record):
        records.append((record.levelname, record.name, record.getMessage(), record.args, record.msg, record.levelno, self.format(record)))
fresh()
log = logging.getLogger("collected")
log.setLevel(logging.DEBUG)
log.propagate = False
log.addHandler(Collect())
log.info("a %s", "b")
log.info("plain 100%")
log.info(5)
log.warning("%s and %s", 1, 2)
log.info("%s", {"d": 1})
log.info("%(k)s", {"k": 1})
print(records)
f = logging.Formatter("%(user)s: %(message)s")
h = logging.StreamHandler(out := io.StringIO())
h.setFormatter(f)
log.handlers[:] = [h]
log.info("hello", extra={"user": "ann"})
adapter = logging.LoggerAdapter(log, {"user": "bob"})
adapter.info("hi %d", 1)
print(out.getvalue())
t(lambda: log.info("x", extra={"message": 1}))
t(lambda: log.info("x", extra={"name": 1}))
t(lambda: logging.Formatter("nothing"))
t(lambda: logging.Formatter("x", style="?"))
t(lambda: log.setLevel("NOPE"))
t(lambda: log.setLevel(1.5))
t(lambda: log.log("x", "y"))
t(lambda: logging.getLogger(5))
t(lambda: logging.Handler().emit(None))
t(lambda: logging.basicConfig(force=True, nope=1))
t(lambda: logging.Formatter("%(nope)s").format(logging.makeLogRecord({"msg": "m"})))
logging.addLevelName(25, "NOTICE")
log.handlers[0].setFormatter(logging.Formatter("%(levelname)s %(levelno)s %(message)s"))
log.log(25, "custom")
print(out.getvalue().splitlines()[-1], logging.getLevelName(25), logging.getLevelName("NOTICE"))
print(logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL, logging.NOTSET, logging.BASIC_FORMAT)
r = logging.makeLogRecord({"msg": "hello %s", "args": ("x",), "levelname": "INFO", "name": "n"})
print(logging.Formatter("%(name)s %(levelname)s %(message)s").format(r), repr(logging.Formatter().format(r)))
log.addHandler(logging.NullHandler())
log.handlers.clear()
# ---
s = fresh(level=logging.INFO, stream=sys.stdout) if False else fresh(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="fixed")
logging.info("when")
print(s.getvalue())
class ListHandler(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []
    def emit(self, record):
        self.lines.append(self.format(record))
log = logging.getLogger(__name__)
log.setLevel(logging.INFO)
handler = ListHandler()
handler.setFormatter(logging.Formatter("%(levelname)s - %(message)s"))
log.addHandler(handler)
for n in range(3):
    (log.info if n % 2 else log.warning)("item %03d", n)
log.removeHandler(handler)
handler.lines
