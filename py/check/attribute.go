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
	"__abs__", "__add__", "__aenter__", "__aexit__", "__aiter__", "__and__", "__anext__", "__args__", "__await__", "__bool__", "__bytes__",
	"__call__", "__cause__", "__ceil__", "__class_getitem__", "__contains__", "__copy__", "__deepcopy__", "__delattr__",
	"__delete__", "__delitem__", "__divmod__", "__doc__", "__enter__", "__eq__", "__exit__", "__float__", "__floor__",
	"__floordiv__", "__format__", "__ge__", "__get__", "__getattr__", "__getattribute__", "__getitem__", "__gt__",
	"__hash__", "__iadd__", "__iand__", "__ifloordiv__", "__ilshift__", "__imatmul__", "__imod__", "__imul__", "__index__",
	"__init__", "__init_subclass__", "__instancecheck__", "__int__", "__invert__", "__ior__", "__ipow__", "__irshift__", "__isub__", "__iter__",
	"__itruediv__", "__ixor__", "__le__", "__len__", "__length_hint__", "__lshift__", "__lt__", "__match_args__",
	"__matmul__", "__members__", "__missing__", "__mod__", "__module__", "__mul__", "__name__", "__ne__", "__neg__", "__new__", "__next__",
	"__notes__", "__or__", "__origin__", "__pos__", "__post_init__", "__pow__", "__qualname__", "__radd__", "__rand__", "__rdivmod__",
	"__repr__", "__reversed__", "__rfloordiv__", "__rlshift__", "__rmatmul__", "__rmod__", "__rmul__", "__ror__", "__round__",
	"__rpow__", "__rrshift__", "__rshift__", "__rsub__", "__rtruediv__", "__rxor__", "__set__", "__set_name__",
	"__setattr__", "__setitem__", "__str__", "__sub__", "__subclasscheck__", "__truediv__", "__trunc__", "__wrapped__", "__xor__",
}

// AttributeAllowed reports whether a program may read, write or delete an
// attribute of this name. The machine asks the same of names that a program
// computes, for getattr and for replacement fields of str.format.
func AttributeAllowed(name string) bool {
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
	case "__class__":
		return "use type(x), or isinstance(x, C)"
	case "__dict__", "__slots__", "__weakref__":
		return "name the attributes, or use getattr(x, name); dataclasses.asdict works for dataclasses"
	case "__mro__", "__bases__", "__base__", "__subclasses__":
		return "use isinstance(x, C) or issubclass(C, D)"
	case "__dataclass_fields__":
		return "use dataclasses.fields(x)"
	case "__annotations__":
		return "use dataclasses.fields(x), or keep the names in a list"
	case "__traceback__", "__context__", "__suppress_context__", "tb_frame", "tb_next":
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
	return "programs cannot look into the interpreter"
}
