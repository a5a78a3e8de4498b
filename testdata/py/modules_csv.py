# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
import csv, io
data = '''name,age,city
"Smith, John",42,"New York"
Ann,37,Paris
"say ""hi""",1,
"multi
line",2,x
'''
for row in csv.reader(io.StringIO(data)):
    print(row)
print(list(csv.reader(data.splitlines())), list(csv.reader(["a,b", "", "c"])), list(csv.reader([])))
for row in csv.DictReader(io.StringIO(data)):
    print(row, type(row).__name__)
r = csv.DictReader(io.StringIO("a,b\n1,2,3\n4\n\n5,6\n"), restkey="rest", restval="none")
print(r.fieldnames, r.line_num)
print(list(r), r.line_num)
r = csv.DictReader(["1,2", "3,4"], fieldnames=["x", "y"])
print(list(r), r.fieldnames)
r = csv.reader(["a,b", "c,d"])
print(next(r), r.line_num, next(r), r.line_num, next(r, "end"))
print(csv.DictReader(io.StringIO("")).fieldnames, list(csv.DictReader([])))
print(list(csv.DictReader(["a;b", "1;2"], delimiter=";")), list(csv.DictReader(iter(["a", "1"]))))
# ---
import csv, io
out = io.StringIO()
w = csv.writer(out)
print(w.writerow(["a", 1, 2.5, None, True, "x,y", 'say "hi"', "line\nbreak", ""]))
w.writerow([])
w.writerow([""])
w.writerow(["", ""])
w.writerow(["one"])
w.writerow("abc")
w.writerow((x for x in range(3)))
w.writerows([[1, 2], [3, 4]])
w.writerow([" lead", "trail ", "tab\t", "cr\r", "'q'"])
print(repr(out.getvalue()))
for quoting in (csv.QUOTE_ALL, csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC, csv.QUOTE_NONE):
    out = io.StringIO()
    w = csv.writer(out, quoting=quoting, escapechar="\\", lineterminator="\n")
    w.writerow(["a,b", 1, 2.5, None, 'q"q', "plain", "back\\slash"])
    print(quoting, repr(out.getvalue()))
out = io.StringIO()
csv.writer(out, delimiter="\t", quotechar="'", lineterminator="\n").writerows([["a\tb", "it's"], [1]])
csv.writer(out, dialect="excel-tab").writerow([1, "x y"])
csv.writer(out, dialect=csv.unix_dialect).writerow([1, "x y"])
csv.writer(out, doublequote=False, escapechar="\\").writerow(['q"', "a,b"])
print(repr(out.getvalue()))
out = io.StringIO()
w = csv.DictWriter(out, fieldnames=["a", "b"], restval="-", lineterminator="\n")
print(w.writeheader(), w.writerow({"a": 1, "b": 2}))
w.writerow({"a": 3})
w.writerows([{"b": 4}, {}])
t(lambda: w.writerow({"a": 1, "c": 2}))
w = csv.DictWriter(out, ["x"], extrasaction="ignore")
w.writerow({"x": "é", "z": 1})
print(repr(out.getvalue()), w.fieldnames)
# ---
import csv, io
def rows(text, **options):
    return list(csv.reader(text.split("\n"), **options))
print(rows("a;b;c", delimiter=";"), rows("a\tb", delimiter="\t"), rows("a|'b|c'", delimiter="|", quotechar="'"))
print(rows("a, b,  c", skipinitialspace=True), rows('a, "b, c"', skipinitialspace=True), rows('a, "b"'))
print(rows('"a"b,c'), rows('a"b",c'), rows('"a" ,b'), rows('""'), rows('"",""'), rows(","), rows('"""a"""'))
print(rows("a\\,b,c", escapechar="\\"), rows('"a\\"b",c', escapechar="\\"), rows('a"b', quoting=csv.QUOTE_NONE), rows('"a,b"', quoting=csv.QUOTE_NONE))
print(rows('1,2.5,"3"', quoting=csv.QUOTE_NONNUMERIC), rows("'a''b'", quotechar="'"), rows('"open\nclosed",x'), rows('"open'))
print(rows("a,b\n\nc"), list(csv.reader(["a,b\r\n", "c\r", "d\n", "\n"])), rows("é,ß\n😀,x"))
print(rows('"a""b",c', doublequote=False), rows("a b  c", delimiter=" "), rows("x", dialect="excel-tab"))
t(lambda: rows('1,x', quoting=csv.QUOTE_NONNUMERIC))
t(lambda: rows('"a"b', strict=True))
t(lambda: rows('"a', strict=True))
t(lambda: list(csv.reader(["a\rb"])))
t(lambda: list(csv.reader([b"a"])))
t(lambda: list(csv.reader([1])))
t(lambda: list(csv.reader(["x" * 131073])))
t(lambda: csv.reader(["a"], delimiter=""))
t(lambda: csv.reader(["a"], delimiter="ab"))
t(lambda: csv.reader(["a"], delimiter=None))
t(lambda: csv.reader(["a"], delimiter=5))
t(lambda: csv.reader(["a"], quotechar="ab"))
t(lambda: csv.reader(["a"], quotechar=5))
t(lambda: csv.reader(["a"], quoting=9))
t(lambda: csv.reader(["a"], quoting="x"))
t(lambda: csv.reader(["a"], quotechar=None, quoting=csv.QUOTE_ALL))
t(lambda: csv.reader(["a"], dialect="nope"))
t(lambda: csv.reader(["a"], nope=1))
t(lambda: csv.writer(io.StringIO(), lineterminator=5))
t(lambda: csv.writer(5))
t(lambda: csv.writer(io.StringIO()).writerow(5))
t(lambda: csv.writer(io.StringIO()).writerow(None))
t(lambda: csv.writer(io.StringIO(), quoting=csv.QUOTE_NONE).writerow(["a,b"]))
t(lambda: csv.writer(io.StringIO(), quoting=csv.QUOTE_NONE).writerow([""]))
t(lambda: csv.writer(io.StringIO(), doublequote=False).writerow(['"']))
t(lambda: csv.DictWriter(io.StringIO(), ["a"], extrasaction="x"))
print(rows("a,b", quotechar=None), csv.list_dialects(), csv.field_size_limit())
# ---
import csv, io
class Pipes(csv.Dialect):
    delimiter = "|"
    quotechar = '"'
    doublequote = True
    skipinitialspace = True
    lineterminator = "\n"
    quoting = csv.QUOTE_MINIMAL
csv.register_dialect("pipes", Pipes)
csv.register_dialect("semi", delimiter=";", quoting=csv.QUOTE_ALL)
print(list(csv.reader(["a| b|c"], "pipes")), list(csv.reader(["a| b|c"], Pipes)), list(csv.reader(["a| b|c"], Pipes())), list(csv.reader(["a;b"], dialect="semi")))
d = csv.get_dialect("pipes")
print(d.delimiter, d.quotechar, d.skipinitialspace, repr(d.lineterminator), d.quoting, d.escapechar, d.doublequote, d.strict)
out = io.StringIO()
csv.writer(out, "semi").writerow([1, "x"])
csv.writer(out, "pipes", lineterminator="!").writerow([1, "x|y"])
print(out.getvalue())
csv.unregister_dialect("pipes")
t(lambda: csv.get_dialect("pipes"))
t(lambda: csv.unregister_dialect("pipes"))
class Bad(csv.Dialect):
    delimiter = "xx"
t(Bad)
sample = "name;age;city\nAnn;30;Paris\nBob;25;Rome\n"
d = csv.Sniffer().sniff(sample)
print(repr(d.delimiter), repr(d.quotechar), d.skipinitialspace, list(csv.reader(sample.splitlines(), d)))
print(repr(csv.Sniffer().sniff("a,b,c\n1,2,3\n").delimiter), repr(csv.Sniffer().sniff("a\tb\n1\t2\n").delimiter), repr(csv.Sniffer().sniff("x|y\n1|2\n", delimiters="|;").delimiter), csv.Sniffer().has_header("name,age\nAnn,30\nBob,25\n"), csv.Sniffer().has_header("1,2\n3,4\n5,6\n"))
# ---
import csv, io
orders = io.StringIO("order,customer,amount\n1,ann,10.50\n2,bob,3\n3,ann,7.25\n")
totals = {}
for row in csv.DictReader(orders):
    totals[row["customer"]] = totals.get(row["customer"], 0) + float(row["amount"])
out = io.StringIO(newline="")
w = csv.DictWriter(out, fieldnames=["customer", "total"])
w.writeheader()
for name, total in sorted(totals.items()):
    w.writerow({"customer": name, "total": f"{total:.2f}"})
print(out.getvalue())
out.getvalue().splitlines()
