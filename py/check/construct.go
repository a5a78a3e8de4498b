package check

// construct is a row of the table of the language.
type construct uint8

// The constructs that a dialect refuses.
const (
	importStatement construct = iota
	subscriptAssignment
	augmentedAssignment
	classDefinition
	withStatement
	tryStatement
	walrusOperator
	yieldExpression
	globalStatement
	setLiteral
	delStatement
	assertStatement
	attributeAssignment
	asyncIteration
	typeStatement
	complexLiteral
	exceptStar
	starImport
	relativeImport
	unbundledImport
	reflection
	constructCount
)

// row describes a construct: where it may be used, and what to do instead.
type row struct {
	name       string
	example    string
	strict     bool // available in the strict dialect
	extended   bool // available in the extended dialect
	workaround string
}

func (r row) allowed(d Dialect) bool {
	if d == Strict {
		return r.strict
	}
	return r.extended
}

// available is what a strict program may use, in the order of the documents'
// "Allowed" table; what stands in parentheses in it and what no table names
// follows.
var available = [...]struct{ name, example string }{
	{"variables and assignment", "x = 1"},
	{"arithmetic and comparisons", "1 + 2 > 2"},
	{"string operations and f-strings", "'a' + f'{1:>4}'"},
	{"if/elif/else", "if True: 1\nelif False: 2\nelse: 3"},
	{"for and while loops", "for i in range(3): print(i)\nwhile False: pass"},
	{"def, lambda", "def f(x): return x\nf(1), (lambda x: x)(2)"},
	{"async def and await", "async def f(): return 1\nawait f()"},
	{"list, dict and tuple literals", "[1, 2, 3], {'key': 'value'}, (1, 2)"},
	{"list and dict comprehensions, generator expressions", "[x * 2 for x in [1]], {x: 1 for x in 'a'}, sum(x for x in [1])"},
	{".append() on lists and the other methods of built-in types, such as d.update({k: v})", "xs = []\nxs.append(1)\nd = {}\nd.update({1: 2})\nxs, d"},
	{"subscript reading and slices", "{'key': 1}['key'], [1][0], 'abc'[1:]"},
	{"match", "match 1:\n    case 1: pass"},
	{"raise", "raise ValueError('x')"},
}

// constructs is the table of the language. Checker and prompt both read it.
//
// The rows from import to assert are the documents' "Not allowed" table, with
// its workarounds. What follows them is what those rows imply: an attribute
// cannot be assigned where no class can be defined, nothing can be iterated
// asynchronously without a class or a generator, and the type restrictions
// know neither complex numbers nor types of the user's own. What no row names
// is available.
var constructs = [constructCount]row{
	importStatement:     {"import", "import os", false, true, "all available functions are provided directly"},
	subscriptAssignment: {"subscript assignment", "d[k] = v", false, true, "build dicts as literals; use .append() for lists"},
	augmentedAssignment: {"augmented assignment", "x += 1", false, true, "use x = x + 1"},
	classDefinition:     {"class", "class C", false, true, "use dicts or tuples"},
	withStatement:       {"with", "with a as b", false, true, "not needed: there are no resources to manage in the sandbox"},
	tryStatement:        {"try/except", "try: ... except: ...", false, true, "errors propagate to the controller"},
	walrusOperator:      {"walrus operator", "n := 1", false, true, "use a separate assignment"},
	yieldExpression:     {"yield", "yield x, yield from x", false, true, "build a list with .append() and return it"},
	globalStatement:     {"global/nonlocal", "global x", false, true, "pass values as arguments and return the new ones"},
	setLiteral:          {"set literal or comprehension", "{1, 2}", false, true, "use lists"},
	delStatement:        {"del", "del x", false, true, "build a new list or dict without the element"},
	assertStatement:     {"assert", "assert x", false, true, "use if + raise"},
	attributeAssignment: {"attribute assignment", "a.b = 1", false, true, "use a variable of its own, or a dict"},
	asyncIteration:      {"async for", "async for x in y", false, true, "use a plain for loop and await each call inside it"},
	typeStatement:       {"type statement", "type X = int", false, true, "write the type where it is used"},
	complexLiteral:      {"complex number", "1j", false, false, "use two floats"},
	exceptStar:          {"except*", "except* E", false, true, "use except: there are no groups of exceptions"},
	starImport:          {"import of *", "from m import *", false, false, "name what you use: from math import sqrt, pi"},
	relativeImport:      {"relative import", "from . import m", false, false, "import a bundled module by its full name"},
	unbundledImport:     {"import of a module that is not bundled", "import socket", false, false, "use the bundled modules and the tools"},
	reflection:          {"inside of the interpreter", "f.__globals__", false, false, "programs cannot look into the interpreter"},
}
