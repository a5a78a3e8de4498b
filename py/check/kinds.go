package check

import (
	"math/big"
	"math/bits"

	"github.com/glovebox-dev/glovebox/value"
)

// kinds is the set of kinds of values that an expression may have. Where
// nothing is certain it is anything, and nothing is said about the expression.
type kinds uint32

const (
	isNone kinds = 1 << iota
	isBool
	isInt
	isFloat
	isStr
	isBytes
	isList
	isDict
	isTuple
	isSet
	isLazy // a generator or other iterator
	isRange
	isCallable
	isPending // a call that is to be awaited
	isModule
	isDateTime
	isTimedelta
	isDate
	isTime
	isDecimal
	isUUID
	isFile
	isDir
	isDataFrame
	isOwn   // an instance of a class of the program that is nothing but a class
	isOther // an instance of some class
	pastKinds

	anything = pastKinds - 1
	isNumber = isBool | isInt | isFloat
	isHandle = isFile | isDir | isDataFrame
	// isData are values that are nothing but data: they cannot be awaited.
	isData = isNone | isNumber | isStr | isBytes | isList | isDict | isTuple | isSet | isLazy | isRange | isWhen | isDecimal | isUUID | isHandle
	isWhen = isDateTime | isTimedelta | isDate | isTime
	// isStuck are values that cannot leave the program.
	isStuck = isPending | isCallable | isModule | isLazy
)

var kindNames = [...]string{
	"None", "bool", "int", "float", "str", "bytes", "list", "dict", "tuple", "set", "iterator", "range", "function", "a pending call",
	"module", "datetime", "timedelta", "date", "time", "Decimal", "UUID", "File", "Dir", "DataFrame", "object", "object",
}

// only reports whether every value has one of the wanted kinds.
func (k kinds) only(want kinds) bool { return k != 0 && k&^want == 0 }

// String names a single kind, or the first few of several.
func (k kinds) String() string {
	text := ""
	for rest := k; rest != 0; rest &= rest - 1 {
		if text != "" {
			text += " or "
		}
		text += kindNames[bits.TrailingZeros32(uint32(rest))]
	}
	return text
}

// article is String with an article where there is one kind of which there can
// be many.
func (k kinds) article() string {
	text := k.String()
	switch {
	case bits.OnesCount32(uint32(k)) != 1 || k.only(isNone|isPending):
		return text
	case k.only(isInt | isLazy | isOwn | isOther):
		return "an " + text
	}
	return "a " + text
}

// kindsOf returns the kinds of the values of a declared type.
func kindsOf(t value.Type) kinds {
	switch t.Kind {
	case value.KindUnion:
		var all kinds
		for _, member := range t.Args {
			all |= kindsOf(member)
		}
		return all
	case value.KindNone:
		return isNone
	case value.KindBool:
		return isBool
	case value.KindInt:
		return isInt
	case value.KindFloat:
		return isFloat
	case value.KindStr:
		return isStr
	case value.KindBytes:
		return isBytes
	case value.KindList:
		return isList
	case value.KindSet:
		return isSet
	case value.KindDict:
		return isDict
	case value.KindTuple:
		return isTuple
	}
	return rarerKinds(t.Kind)
}

func rarerKinds(k value.Kind) kinds {
	switch k {
	case value.KindDateTime:
		return isDateTime
	case value.KindTimedelta:
		return isTimedelta
	case value.KindDate:
		return isDate
	case value.KindTime:
		return isTime
	case value.KindDecimal:
		return isDecimal
	case value.KindUUID:
		return isUUID
	case value.KindFile:
		return isFile
	case value.KindDir:
		return isDir
	case value.KindDataFrame:
		return isDataFrame
	}
	return anything
}

// accepts returns the kinds of the values that may pass for the type at the
// boundary, where an int passes for a float or a Decimal, a list for a tuple,
// and a range for a list. It errs on the side of accepting.
func accepts(t value.Type) kinds {
	if t.Kind == value.KindUnion {
		var all kinds
		for _, member := range t.Args {
			all |= accepts(member)
		}
		return all
	}
	k := kindsOf(t) | isOther
	switch t.Kind {
	case value.KindInt:
		return k | isBool
	case value.KindFloat:
		return k | isBool | isInt
	case value.KindDecimal:
		return k | isInt | isBool
	case value.KindList, value.KindTuple:
		return k | isList | isTuple | isRange
	case value.KindDict:
		return k | isOwn
	case value.KindAny:
		return anything &^ isStuck
	}
	return k
}

// constantKinds returns the kind of a literal.
func constantKinds(value any) kinds {
	switch value.(type) {
	case nil:
		return isNone
	case bool:
		return isBool
	case int64, *big.Int:
		return isInt
	case float64:
		return isFloat
	case string:
		return isStr
	case []byte:
		return isBytes
	}
	return isOther
}
