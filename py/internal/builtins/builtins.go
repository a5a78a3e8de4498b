// Package builtins lists the names that every program has without defining
// them.
//
// The checker, the resolver and the compiler ask this list; the machine defines
// the values, and a test of the machine holds the two against each other. So
// what Check knows and what a compiled program finds cannot differ.
package builtins

import "slices"

// names are in alphabetical order. gather and glovebox_map are ours, the rest are
// Python's.
var names = [...]string{
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
	"UnicodeWarning", "UserWarning", "ValueError", "Warning", "ZeroDivisionError",
	"abs", "all", "any", "ascii", "bin", "bool", "bytes", "callable", "chr", "classmethod", "delattr",
	"dict", "dir", "divmod", "enumerate", "filter", "float", "format", "frozenset", "gather", "getattr", "globals", "glovebox_map",
	"hasattr", "hash", "hex", "id", "int", "isinstance", "issubclass", "iter", "len", "list", "map", "max", "min", "next",
	"object", "oct", "ord", "pow", "print", "property", "range", "repr", "reversed", "round", "set", "setattr", "slice",
	"sorted", "staticmethod", "str", "sum", "super", "tuple", "type", "vars", "zip",
}

// Names lists the built-ins in alphabetical order.
func Names() []string { return slices.Clone(names[:]) }

// Is reports whether a name is that of a built-in.
func Is(name string) bool {
	_, found := slices.BinarySearch(names[:], name)
	return found
}
