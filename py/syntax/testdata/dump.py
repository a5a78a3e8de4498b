"""Prints the trees of Python files as the tests of package syntax do.

Each argument is a file. A line of the output is a JSON string: the tree, or
"error CLASS LINE MESSAGE". With --cases the argument is a file of programs
that lines "# ---" separate.
"""
import ast, json, sys, warnings

warnings.simplefilter("ignore")
sys.setrecursionlimit(100000)

OPS = {"Add": "+", "Sub": "-", "Mult": "*", "MatMult": "@", "Div": "/", "FloorDiv": "//", "Mod": "%",
       "Pow": "**", "LShift": "<<", "RShift": ">>", "BitAnd": "&", "BitOr": "|", "BitXor": "^",
       "USub": "-", "UAdd": "+", "Invert": "~", "Not": "not", "Eq": "==", "NotEq": "!=", "Lt": "<",
       "LtE": "<=", "Gt": ">", "GtE": ">=", "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in"}


def constant(v):
    if v is Ellipsis:
        return "..."
    if isinstance(v, str):
        return "s" + v.encode("utf-8", "surrogatepass").hex()
    if isinstance(v, bytes):
        return "b" + v.hex()
    if isinstance(v, float):
        return v.hex() if v not in (float("inf"),) else "inf"
    if isinstance(v, complex):
        return (v.imag.hex() if v.imag != float("inf") else "inf") + "j"
    if isinstance(v, int) and not isinstance(v, bool):
        return hex(v)
    return repr(v)


def seq(nodes):
    return "[" + " ".join(map(dump, nodes)) + "]"


def opt(node):
    return "-" if node is None else dump(node)


def params(a):
    out = []
    positional = a.posonlyargs + a.args
    defaults = [None] * (len(positional) - len(a.defaults)) + a.defaults
    for i, (p, d) in enumerate(zip(positional, defaults)):
        out.append(("/" if i < len(a.posonlyargs) else "") + p.arg + ":" + opt(p.annotation) + "=" + opt(d))
    if a.vararg:
        out.append("*" + a.vararg.arg + ":" + opt(a.vararg.annotation))
    for p, d in zip(a.kwonlyargs, a.kw_defaults):
        out.append("!" + p.arg + ":" + opt(p.annotation) + "=" + opt(d))
    if a.kwarg:
        out.append("**" + a.kwarg.arg + ":" + opt(a.kwarg.annotation))
    return "(" + " ".join(out) + ")"


def keywords(ks):
    return "[" + " ".join((k.arg or "**") + "=" + dump(k.value) for k in ks) + "]"


def clauses(gs):
    return "[" + " ".join(("async " if g.is_async else "") + dump(g.target) + " in " + dump(g.iter) + " if " +
                          seq(g.ifs) for g in gs) + "]"


def joined(values):
    out = []
    for v in values:
        if isinstance(v, ast.Constant):
            out.append(constant(v.value))
        else:
            spec = "-" if v.format_spec is None else joined(v.format_spec.values)
            conv = chr(v.conversion) if v.conversion > 0 else "-"
            out.append("{" + dump(v.value) + " " + conv + " " + spec + "}")
    return "f[" + " ".join(out) + "]"


def aliases(names):
    return "[" + " ".join(n.name + (" as " + n.asname if n.asname else "") for n in names) + "]"


def place(n):
    if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and n.decorator_list:
        n = n.decorator_list[0]
    return "%d:" % n.lineno


def dump(n):
    c = type(n).__name__
    body = getattr(D, c)(n)
    if isinstance(n, (ast.stmt, ast.expr)) and not inside_fstring:
        body = place(n) + body
    return body


inside_fstring = 0


class D:
    Expr = lambda n: "expr " + dump(n.value)
    Assign = lambda n: "assign" + seq(n.targets) + dump(n.value)
    AugAssign = lambda n: "aug(" + dump(n.target) + OPS[type(n.op).__name__] + dump(n.value) + ")"
    AnnAssign = lambda n: "ann(" + dump(n.target) + ":" + dump(n.annotation) + "=" + opt(n.value) + ")"
    If = lambda n: "if(" + dump(n.test) + seq(n.body) + seq(n.orelse) + ")"
    For = lambda n: "for(" + dump(n.target) + " in " + dump(n.iter) + seq(n.body) + seq(n.orelse) + ")"
    AsyncFor = lambda n: "async " + D.For(n)
    While = lambda n: "while(" + dump(n.test) + seq(n.body) + seq(n.orelse) + ")"
    Break = lambda n: "break"
    Continue = lambda n: "continue"
    Pass = lambda n: "pass"
    FunctionDef = lambda n: ("def " + n.name + params(n.args) + "->" + opt(n.returns) + seq(n.body) + "@" +
                             seq(n.decorator_list))
    AsyncFunctionDef = lambda n: "async " + D.FunctionDef(n)
    ClassDef = lambda n: ("class " + n.name + seq(n.bases) + keywords(n.keywords) + seq(n.body) + "@" +
                          seq(n.decorator_list))
    Return = lambda n: "return " + opt(n.value)
    Raise = lambda n: "raise " + opt(n.exc) + " from " + opt(n.cause)
    Try = lambda n: "try" + seq(n.body) + seq(n.handlers) + seq(n.orelse) + seq(n.finalbody)
    TryStar = lambda n: "try*" + seq(n.body) + seq(n.handlers) + seq(n.orelse) + seq(n.finalbody)
    ExceptHandler = lambda n: place(n) + "except(" + opt(n.type) + " as " + (n.name or "") + seq(n.body) + ")"
    With = lambda n: "with[" + " ".join(dump(i.context_expr) + " as " + opt(i.optional_vars) for i in n.items) + "]" + seq(n.body)
    AsyncWith = lambda n: "async " + D.With(n)
    Assert = lambda n: "assert " + dump(n.test) + "," + opt(n.msg)
    Delete = lambda n: "del" + seq(n.targets)
    Global = lambda n: "global " + ",".join(n.names)
    Nonlocal = lambda n: "nonlocal " + ",".join(n.names)
    Import = lambda n: "import" + aliases(n.names)
    ImportFrom = lambda n: "from " + "." * n.level + (n.module or "") + " import" + aliases(n.names)
    Match = lambda n: "match(" + dump(n.subject) + " [" + " ".join(map(D.case, n.cases)) + "])"
    case = lambda n: "case(" + dump(n.pattern) + " if " + opt(n.guard) + seq(n.body) + ")"
    MatchValue = lambda n: "value " + dump(n.value)
    MatchSingleton = lambda n: "single " + constant(n.value)
    MatchSequence = lambda n: "seq" + seq(n.patterns)
    MatchMapping = lambda n: "map" + seq(n.keys) + seq(n.patterns) + (n.rest or "")
    MatchClass = lambda n: "cls(" + dump(n.cls) + seq(n.patterns) + ",".join(n.kwd_attrs) + seq(n.kwd_patterns) + ")"
    MatchStar = lambda n: "*" + (n.name or "")
    MatchAs = lambda n: "as(" + opt(n.pattern) + " " + (n.name or "") + ")"
    MatchOr = lambda n: "or" + seq(n.patterns)

    Name = lambda n: n.id
    Constant = lambda n: constant(n.value)
    JoinedStr = lambda n: D.fstring(n)
    BinOp = lambda n: "(" + dump(n.left) + " " + OPS[type(n.op).__name__] + " " + dump(n.right) + ")"
    UnaryOp = lambda n: "(" + OPS[type(n.op).__name__] + " " + dump(n.operand) + ")"
    BoolOp = lambda n: ("or" if isinstance(n.op, ast.Or) else "and") + seq(n.values)
    Compare = lambda n: "cmp(" + dump(n.left) + " " + ",".join(OPS[type(o).__name__] for o in n.ops) + seq(n.comparators) + ")"
    Call = lambda n: "call(" + dump(n.func) + seq(n.args) + keywords(n.keywords) + ")"
    Attribute = lambda n: "(" + dump(n.value) + "." + n.attr + ")"
    Subscript = lambda n: "sub(" + dump(n.value) + " " + dump(n.slice) + ")"
    Slice = lambda n: "slice(" + opt(n.lower) + " " + opt(n.upper) + " " + opt(n.step) + ")"
    Tuple = lambda n: "tuple" + seq(n.elts)
    List = lambda n: "list" + seq(n.elts)
    Set = lambda n: "set" + seq(n.elts)
    Dict = lambda n: "dict[" + " ".join(opt(k) + ":" + dump(v) for k, v in zip(n.keys, n.values)) + "]"
    ListComp = lambda n: "listcomp(" + dump(n.elt) + clauses(n.generators) + ")"
    SetComp = lambda n: "setcomp(" + dump(n.elt) + clauses(n.generators) + ")"
    GeneratorExp = lambda n: "genexp(" + dump(n.elt) + clauses(n.generators) + ")"
    DictComp = lambda n: "dictcomp(" + dump(n.key) + ":" + dump(n.value) + clauses(n.generators) + ")"
    Lambda = lambda n: "lambda" + params(n.args) + dump(n.body)
    IfExp = lambda n: "ifexp(" + dump(n.test) + " " + dump(n.body) + " " + dump(n.orelse) + ")"
    Starred = lambda n: "*" + dump(n.value)
    NamedExpr = lambda n: "(" + dump(n.target) + ":=" + dump(n.value) + ")"
    Await = lambda n: "await " + dump(n.value)
    Yield = lambda n: "yield " + opt(n.value)
    YieldFrom = lambda n: "yield from " + dump(n.value)

    def fstring(n):
        global inside_fstring
        inside_fstring += 1
        try:
            return joined(n.values)
        finally:
            inside_fstring -= 1


def tree(source):
    try:
        compile(source, "<case>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        module = ast.parse(source)
    except SyntaxError as e:
        return "error %s %s %s" % (type(e).__name__, e.lineno, e.msg)
    except (ValueError, UnicodeError, MemoryError, RecursionError) as e:
        return "error %s - %s" % (type(e).__name__, e)
    return "tree " + seq(module.body)


for argument in sys.argv[1:]:
    if argument == "--cases":
        continue
    with open(argument, "rb") as f:
        source = f.read()
    if "--cases" in sys.argv:
        for case in source.decode().split("# ---\n"):
            print(json.dumps(tree(case)))
        continue
    try:
        print(json.dumps(tree(source.decode("utf-8"))))
    except UnicodeDecodeError:
        print(json.dumps("skip"))
