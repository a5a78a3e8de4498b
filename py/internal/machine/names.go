package machine

import "github.com/glovebox-dev/glovebox/py/syntax"

// The names that the machine itself looks up.
var (
	nameAppend        = newStr("append")
	nameAwait         = newStr("__await__")
	nameBool          = newStr("__bool__")
	nameBytes         = newStr("__bytes__")
	nameCall          = newStr("__call__")
	nameClassGetItem  = newStr("__class_getitem__")
	nameContains      = newStr("__contains__")
	nameDelAttr       = newStr("__delattr__")
	nameDelItem       = newStr("__delitem__")
	nameDelete        = newStr("__delete__")
	nameDescriptorGet = newStr("__get__")
	nameDoc           = newStr("__doc__")
	nameEq            = newStr("__eq__")
	nameFloat         = newStr("__float__")
	nameFormat        = newStr("__format__")
	nameGetAttr       = newStr("__getattr__")
	nameGetAttribute  = newStr("__getattribute__")
	nameGetItem       = newStr("__getitem__")
	nameHash          = newStr("__hash__")
	nameIndex         = newStr("__index__")
	nameInit          = newStr("__init__")
	nameInitSubclass  = newStr("__init_subclass__")
	namePatterns      = newStr("__abc_tpflags__")
	nameInt           = newStr("__int__")
	nameIter          = newStr("__iter__")
	nameKeys          = newStr("keys")
	nameLen           = newStr("__len__")
	nameModule        = newStr("__module__")
	nameMissing       = newStr("__missing__")
	nameNe            = newStr("__ne__")
	nameNew           = newStr("__new__")
	nameNext          = newStr("__next__")
	nameQualName      = newStr("__qualname__")
	nameRepr          = newStr("__repr__")
	nameSend          = newStr("send")
	nameSet           = newStr("__set__")
	nameSetAttr       = newStr("__setattr__")
	nameSetItem       = newStr("__setitem__")
	nameSetName       = newStr("__set_name__")
	nameStr           = newStr("__str__")
	nameAiter         = newStr("__aiter__")
	nameAnext         = newStr("__anext__")
)

var binaryWords = []string{"add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor"}

var (
	binaryNames    = operatorNames("__", binaryWords)
	reflectedNames = operatorNames("__r", binaryWords)
	inplaceNames   = operatorNames("__i", binaryWords)
	unaryNames     = operatorNames("__", []string{"neg", "pos", "invert"})
	compareNames   = operatorNames("__", []string{"eq", "ne", "lt", "le", "gt", "ge"})
)

func operatorNames(prefix string, words []string) (names []*str) {
	for _, w := range words {
		names = append(names, newStr(prefix+w+"__"))
	}
	return names
}

// reflectedCompare are the methods of the right operand that answer a
// comparison.
var reflectedCompare = map[syntax.CompareOp]*str{
	syntax.Eq: compareNames[0], syntax.NotEq: compareNames[1], syntax.Lt: compareNames[4], syntax.LtE: compareNames[5],
	syntax.Gt: compareNames[2], syntax.GtE: compareNames[3],
}
