package check

import (
	"slices"
	"strings"
)

// dunders are the attributes with two underscores on both sides that a program
// may name, in alphabetical order: the operators and protocols of Python's data
// model, names, docstrings, and what bundled modules document. All others lead
// into the interpreter, or do not exist.
var dunders = [...]string{
	"__abs__", "__abstractmethods__", "__add__", "__aenter__", "__aexit__", "__aiter__", "__and__", "__anext__",
	"__annotations__", "__args__", "__await__", "__base__", "__bases__", "__bool__", "__bound__", "__bytes__", "__call__",
	"__cause__", "__ceil__", "__class__", "__class_getitem__", "__constraints__", "__contains__", "__context__",
	"__contravariant__", "__copy__", "__covariant__", "__dataclass_fields__", "__deepcopy__", "__delattr__",
	"__delete__", "__delitem__", "__dict__", "__divmod__", "__doc__", "__enter__", "__eq__", "__exit__", "__float__",
	"__floor__", "__floordiv__", "__format__", "__forward_arg__", "__ge__", "__get__", "__getattr__", "__getattribute__",
	"__getitem__", "__gt__", "__hash__", "__iadd__", "__iand__", "__ifloordiv__", "__ilshift__", "__imatmul__", "__imod__",
	"__imul__", "__index__", "__init__", "__init_subclass__", "__instancecheck__", "__int__", "__invert__", "__ior__",
	"__ipow__", "__irshift__", "__isabstractmethod__", "__isub__", "__iter__", "__itruediv__", "__ixor__",
	"__le__", "__len__", "__length_hint__", "__lshift__", "__lt__", "__match_args__", "__matmul__", "__members__",
	"__metadata__", "__missing__", "__mod__", "__module__", "__mro__", "__mro_entries__", "__mul__", "__name__", "__ne__",
	"__neg__", "__new__", "__next__", "__notes__", "__optional_keys__", "__or__", "__orig_bases__", "__origin__",
	"__parameters__", "__pos__", "__post_init__", "__pow__", "__qualname__", "__radd__", "__rand__", "__rdivmod__", "__repr__",
	"__required_keys__", "__reversed__", "__rfloordiv__", "__rlshift__", "__rmatmul__", "__rmod__", "__rmul__", "__ror__",
	"__round__", "__rpow__", "__rrshift__", "__rshift__", "__rsub__", "__rtruediv__", "__rxor__", "__set__", "__set_name__",
	"__setattr__", "__setitem__", "__slots__", "__str__", "__sub__", "__subclasscheck__", "__subclasses__", "__supertype__",
	"__suppress_context__", "__total__", "__traceback__", "__truediv__", "__trunc__", "__wrapped__", "__xor__",
}

// reflective are those of the dunders that show what objects and classes are
// made of. The strict dialect, which has no classes, does not have them.
var reflective = [...]string{
	"__annotations__", "__base__", "__bases__", "__class__", "__context__", "__dict__", "__mro__", "__slots__",
	"__subclasses__", "__suppress_context__", "__traceback__",
}

// AttributeAllowed reports whether a program of the dialect may read, write or
// delete an attribute of this name. What the machine itself has no attribute
// for, a computed name does not find either.
func AttributeAllowed(name string, d Dialect) bool {
	if d == Strict && slices.Contains(reflective[:], name) {
		return false
	}
	if len(name) > 4 && name[0] == '_' && name[1] == '_' && strings.HasSuffix(name, "__") {
		_, found := slices.BinarySearch(dunders[:], name)
		return found
	}
	switch name {
	case "gi_frame", "gi_code", "gi_yieldfrom", "cr_frame", "cr_code", "cr_await", "cr_origin", "ag_frame", "ag_code",
		"tb_frame", "tb_next", "f_back", "f_globals", "f_locals", "f_builtins":
		return false
	}
	return true
}

// attributeHint says what to write instead of an attribute that is not allowed.
func attributeHint(name string) string {
	switch name {
	case "tb_frame", "tb_next":
		return "use str(e) or repr(e); the host sees the traceback"
	case "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__":
		return "use copy.copy or copy.deepcopy"
	case "__file__", "__path__", "__version__":
		return "write the text itself"
	case "__sizeof__":
		return "use len(x)"
	case "__dir__":
		return "test for one attribute with hasattr(x, name)"
	}
	if slices.Contains(reflective[:], name) {
		return "use type(x), or isinstance(x, C)"
	}
	return "programs cannot look into the interpreter"
}
