import contextlib, csv, io, logging, sys, traceback
buf = io.StringIO("a,b\n1,2\n3,4\n")
log = io.StringIO()
handler = logging.StreamHandler(log)
logger = logging.getLogger("paused")
logger.propagate = False
logger.addHandler(handler)
total = 0
with contextlib.redirect_stdout(io.StringIO()) as out:
    for row in csv.DictReader(buf):
        total = tool_add(total, int(row["a"]))
        print("row", tool_echo(row["b"]))
        logger.warning("total %d", tool_echo(total))
    try:
        tool_fail("broken")
    except ValueError as e:
        kind, value, tb = sys.exc_info()
        tool_echo(1)
        logger.error("failed: %s", traceback.format_exc().splitlines()[-1])
        print(kind.__name__, tool_echo("x"), tb.tb_lineno, sys.exc_info()[1] is e)
print(total, out.getvalue(), log.getvalue(), sep="|")
writer = csv.writer(log)
def rows():
    for n in range(3):
        yield [n, tool_echo("x,y")]
writer.writerows(rows())
print(repr(log.getvalue()))
if tool_add(total) > 4:
    sys.exit(0)
