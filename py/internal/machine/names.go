package machine

import "github.com/glovebox-dev/glovebox/py/syntax"

// The names that the machine itself looks up.
var (
	nameAppend        = SharedStr("append")
	nameAwait         = SharedStr("__await__")
	nameBool          = SharedStr("__bool__")
	nameBytes         = SharedStr("__bytes__")
	nameCall          = SharedStr("__call__")
	nameClassGetItem  = SharedStr("__class_getitem__")
	nameContains      = SharedStr("__contains__")
	nameDelAttr       = SharedStr("__delattr__")
	nameDelItem       = SharedStr("__delitem__")
	nameDelete        = SharedStr("__delete__")
	nameDescriptorGet = SharedStr("__get__")
	nameDoc           = SharedStr("__doc__")
	nameEq            = SharedStr("__eq__")
	nameFloat         = SharedStr("__float__")
	nameFormat        = SharedStr("__format__")
	nameGetAttr       = SharedStr("__getattr__")
	nameGetItem       = SharedStr("__getitem__")
	nameHash          = SharedStr("__hash__")
	nameIndex         = SharedStr("__index__")
	nameInit          = SharedStr("__init__")
	nameInitSubclass  = SharedStr("__init_subclass__")
	namePatterns      = SharedStr("__abc_tpflags__")
	nameInt           = SharedStr("__int__")
	nameIter          = SharedStr("__iter__")
	nameKeys          = SharedStr("keys")
	nameLen           = SharedStr("__len__")
	nameModule        = SharedStr("__module__")
	nameMissing       = SharedStr("__missing__")
	nameNe            = SharedStr("__ne__")
	nameNew           = SharedStr("__new__")
	nameNext          = SharedStr("__next__")
	nameQualName      = SharedStr("__qualname__")
	nameRepr          = SharedStr("__repr__")
	nameSend          = SharedStr("send")
	nameSet           = SharedStr("__set__")
	nameSetAttr       = SharedStr("__setattr__")
	nameSetItem       = SharedStr("__setitem__")
	nameSetName       = SharedStr("__set_name__")
	nameStr           = SharedStr("__str__")
	nameAiter         = SharedStr("__aiter__")
	nameAnext         = SharedStr("__anext__")
)

var binaryWords = []string{"add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor"}

var (
	binaryNames    = operatorNames("__", binaryWords)
	reflectedNames = operatorNames("__r", binaryWords)
	inplaceNames   = operatorNames("__i", binaryWords)
	unaryNames     = operatorNames("__", []string{"neg", "pos", "invert"})
	compareNames   = operatorNames("__", []string{"eq", "ne", "lt", "le", "gt", "ge"})
)

func operatorNames(prefix string, words []string) (names []*Str) {
	for _, w := range words {
		names = append(names, SharedStr(prefix+w+"__"))
	}
	return names
}

// reflectedCompare are the methods of the right operand that answer a
// comparison.
var reflectedCompare = map[syntax.CompareOp]*Str{
	syntax.Eq: compareNames[0], syntax.NotEq: compareNames[1], syntax.Lt: compareNames[4], syntax.LtE: compareNames[5],
	syntax.Gt: compareNames[2], syntax.GtE: compareNames[3],
}
