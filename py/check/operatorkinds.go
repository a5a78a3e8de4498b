package check

import "github.com/glovebox-dev/glovebox/py/syntax"

// binaryKinds returns the kinds of x op y for built-in operands.
func binaryKinds(op syntax.BinaryOp, x, y kinds) kinds {
	switch {
	case x.only(isInt|isBool) && y.only(isInt|isBool):
		return intKinds(op)
	case x.only(isNumber) && y.only(isNumber) && (x.only(isFloat) || y.only(isFloat)):
		return floatKinds(op)
	case op == syntax.Mod && x.only(isStr):
		return isStr
	case op == syntax.Add && x == y && x.only(isStr|isBytes|isList|isTuple):
		return x
	case op == syntax.Mul && x.only(isStr|isBytes|isList|isTuple) && y.only(isInt|isBool):
		return x
	case op == syntax.BitOr && x.only(isDict) && y.only(isDict):
		return isDict
	}
	return anything
}

func intKinds(op syntax.BinaryOp) kinds {
	switch op {
	case syntax.Div:
		return isFloat
	case syntax.Pow:
		return isInt | isFloat
	case syntax.BitAnd, syntax.BitOr, syntax.BitXor:
		return isInt | isBool
	case syntax.MatMul:
		return anything
	}
	return isInt
}

func floatKinds(op syntax.BinaryOp) kinds {
	switch op {
	case syntax.Add, syntax.Sub, syntax.Mul, syntax.Div, syntax.FloorDiv, syntax.Mod:
		return isFloat
	}
	return anything // a power of a negative number is complex
}

func unaryKinds(op syntax.UnaryOp, x kinds) kinds {
	switch {
	case op == syntax.Not:
		return isBool
	case x.only(isInt | isBool):
		return isInt
	case x.only(isFloat) && op != syntax.Invert:
		return isFloat
	}
	return anything
}

// compareKinds is certain only where the operands have no say in the result.
func compareKinds(ops []syntax.CompareOp) kinds {
	for _, op := range ops {
		switch op {
		case syntax.Is, syntax.IsNot, syntax.In, syntax.NotIn:
		default:
			return anything
		}
	}
	return isBool
}
