package check

import "slices"

// builtinNames are the names that every program has without defining them, in
// alphabetical order. gather and glovebox_map are ours, the rest are Python's.
var builtinNames = [...]string{
	"ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup", "BlockingIOError",
	"BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError", "ConnectionAbortedError", "ConnectionError",
	"ConnectionRefusedError", "ConnectionResetError", "DeprecationWarning", "EOFError", "Ellipsis", "EncodingWarning",
	"EnvironmentError", "Exception", "ExceptionGroup", "FileExistsError", "FileNotFoundError", "FloatingPointError",
	"FutureWarning", "GeneratorExit", "IOError", "ImportError", "ImportWarning", "IndentationError", "IndexError",
	"InterruptedError", "IsADirectoryError", "KeyError", "KeyboardInterrupt", "LookupError", "MemoryError",
	"ModuleNotFoundError", "NameError", "NotADirectoryError", "NotImplemented", "NotImplementedError", "OSError",
	"OverflowError", "PendingDeprecationWarning", "PermissionError", "ProcessLookupError", "RecursionError",
	"ReferenceError", "ResourceWarning", "RuntimeError", "RuntimeWarning", "StopAsyncIteration", "StopIteration",
	"SyntaxError", "SyntaxWarning", "SystemError", "SystemExit", "TabError", "TimeoutError", "TypeError",
	"UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "UnicodeTranslateError",
	"UnicodeWarning", "UserWarning", "ValueError", "Warning", "ZeroDivisionError", "__name__",
	"abs", "all", "any", "ascii", "bin", "bool", "bytes", "callable", "chr", "classmethod", "delattr",
	"dict", "dir", "divmod", "enumerate", "filter", "float", "format", "frozenset", "gather", "getattr", "globals", "glovebox_map",
	"hasattr", "hash", "hex", "id", "int", "isinstance", "issubclass", "iter", "len", "list", "map", "max", "min", "next",
	"object", "oct", "ord", "pow", "print", "property", "range", "repr", "reversed", "round", "set", "setattr", "slice",
	"sorted", "staticmethod", "str", "sum", "super", "tuple", "type", "vars", "zip",
}

// Builtins lists the names that every program has without defining them, in
// alphabetical order.
func Builtins() []string { return slices.Clone(builtinNames[:]) }

// IsBuiltin reports whether every program has the name without defining it.
func IsBuiltin(name string) bool {
	_, found := slices.BinarySearch(builtinNames[:], name)
	return found
}

// extendedOnly are built-ins that strict programs do not have, with what to use
// instead.
var extendedOnly = map[string]string{
	"dir": "test for one attribute with hasattr(x, name)", "globals": "keep the values in a dict of your own",
	"id": "compare with is", "vars": "keep the values in a dict of your own",
}

// isBuiltin is IsBuiltin for programs of a dialect.
func isBuiltin(name string, d Dialect) bool {
	return IsBuiltin(name) && (d != Strict || extendedOnly[name] == "")
}

// missing are built-ins of Python that programs here do not have, with what to
// use instead. Nobody expects the rare ones, so the prompt does not name them.
var missing = [...]struct {
	rare  bool
	names []string
	hint  string
}{
	{false, []string{"eval"}, "parse the text yourself: int(text), float(text), text.split(), or json.loads(text) in the extended dialect"},
	{true, []string{"__build_class__"}, "write a class statement"},
	{false, []string{"exec", "compile"}, "write the code into the program itself"},
	{false, []string{"open"}, "the sandbox has no files: take the content as an input, or call a tool"},
	{false, []string{"input"}, "nobody can answer: use the declared inputs, which are variables already"},
	{false, []string{"locals"}, "keep the values in a dict of your own"},
	{false, []string{"exit", "quit"}, "end the program with its result, or raise an exception"},
	{false, []string{"bytearray", "memoryview"}, "use bytes, or a list of ints"},
	{false, []string{"complex"}, "use two floats"},
	{false, []string{"breakpoint", "help"}, "nobody is at a console: use print"},
	{true, []string{"copyright", "credits", "license"}, "nobody is at a console: use print"},
	{true, []string{"aiter", "anext"}, "use a for loop and await each call inside it"},
	{true, []string{"__import__"}, "use an import statement with a bundled module, where the dialect has import"},
	{true, []string{"__doc__"}, "keep the text in a variable"},
	{true, []string{"__debug__"}, "it is always True: leave it out"},
	{true, []string{"__builtins__", "__class__", "__dict__", "__file__", "__loader__", "__package__", "__path__", "__spec__"},
		"programs cannot look into the interpreter"},
}

// NameHint says what to use instead of a built-in of Python that programs here
// do not have, or returns "" for every other name.
func NameHint(name string) string {
	for _, m := range missing {
		if slices.Contains(m.names, name) {
			return m.hint
		}
	}
	return ""
}
