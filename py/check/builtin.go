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
	"abs", "aiter", "all", "anext", "any", "ascii", "bin", "bool", "bytes", "callable", "chr", "classmethod", "delattr",
	"dict", "divmod", "enumerate", "filter", "float", "format", "frozenset", "gather", "getattr", "glovebox_map",
	"hasattr", "hash", "hex", "int", "isinstance", "issubclass", "iter", "len", "list", "map", "max", "min", "next",
	"object", "oct", "ord", "pow", "print", "property", "range", "repr", "reversed", "round", "set", "setattr", "slice",
	"sorted", "staticmethod", "str", "sum", "super", "tuple", "type", "zip",
}

// IsBuiltin reports whether every program has the name without defining it.
func IsBuiltin(name string) bool {
	_, found := slices.BinarySearch(builtinNames[:], name)
	return found
}

// NameHint says what to use instead of a built-in of Python that programs here
// do not have, or returns "" for every other name.
func NameHint(name string) string {
	switch name {
	case "eval":
		return "parse the text yourself: int(text), float(text), text.split(), or json.loads(text) in the extended dialect"
	case "exec", "compile", "__build_class__":
		return "write the code into the program itself"
	case "open":
		return "the sandbox has no files: take the content as an input, or call a tool"
	case "input":
		return "nobody can answer: use the declared inputs, which are variables already"
	case "globals", "locals", "vars":
		return "keep the values in a dict of your own"
	case "dir":
		return "test for one attribute with hasattr(x, name)"
	case "__import__":
		return "use an import statement with a bundled module, where the dialect has import"
	case "breakpoint", "help", "copyright", "credits", "license":
		return "nobody is at a console: use print"
	case "exit", "quit":
		return "end the program with its result, or raise an exception"
	case "id":
		return "objects have no address here: compare with is"
	case "memoryview", "bytearray":
		return "use bytes, or a list of ints"
	case "complex":
		return "use two floats"
	case "__builtins__", "__loader__", "__spec__", "__package__", "__file__", "__class__", "__path__", "__dict__":
		return "programs cannot look into the interpreter"
	case "__doc__":
		return "keep the text in a variable"
	case "__debug__":
		return "it is always True: leave it out"
	}
	return ""
}
