package machine

import (
	"errors"
	"math"
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// binaryOp is a binary operator; its values are those of syntax.BinaryOp, in
// whose order the opcodes stand too.
type binaryOp = syntax.BinaryOp

const (
	opAdd      = syntax.Add
	opSub      = syntax.Sub
	opMul      = syntax.Mul
	opMatMul   = syntax.MatMul
	opDiv      = syntax.Div
	opFloorDiv = syntax.FloorDiv
	opMod      = syntax.Mod
	opPow      = syntax.Pow
	opLShift   = syntax.LShift
	opRShift   = syntax.RShift
	opBitAnd   = syntax.BitAnd
	opBitOr    = syntax.BitOr
	opBitXor   = syntax.BitXor
)

type unaryOp = syntax.UnaryOp

const (
	opNeg    = syntax.Neg
	opPlus   = syntax.Pos1
	opInvert = syntax.Invert
)

// binary is x op y. It returns errEntered when a method of the program works
// it out.
func (m *Machine) binary(op binaryOp, x, y Value) (Value, error) {
	if op == opAdd && x.kind() == kindStr && y.kind() == kindStr {
		return m.concat(x.str(), y.str())
	}
	if y.kind() == kindInstance && m.reflects(op, x, y) {
		return m.binaryMethod(operation{op, op.String(), x, y})
	}
	v, err := m.binaryNative(op, x, y)
	if err != errNotImplemented {
		return v, err
	}
	return m.binaryMethod(operation{op, op.String(), x, y})
}

// reflects reports whether y is of a subclass of the type of x with a
// reflected operator of its own, which comes first.
func (m *Machine) reflects(op binaryOp, x, y Value) bool {
	fn, ok := m.lookup(classOf(y), reflectedNames[op])
	return ok && fn.kind() == kindFunction && classOf(y).isSubclass(classOf(x))
}

// errNotImplemented says that built-in types have no answer for the operands.
var errNotImplemented = errors.New("operands not supported")

// binaryNative is x op y of built-in types.
func (m *Machine) binaryNative(op binaryOp, x, y Value) (Value, error) {
	switch x.kind() {
	case kindInt, kindBool, kindFloat, kindBigInt:
		if v, err := m.arithmetic(op, x, y); err != errNotImplemented {
			return v, err
		}
		if op == opMul {
			return m.repeated(y, x)
		}
	case kindStr, kindBytes, kindList, kindTuple:
		return m.sequenceOp(op, x, y)
	case kindSet, kindFrozenSet, kindDict, kindView:
		return m.setOp(op, x, y)
	case kindClass, kindNone, kindOpaque:
		if op == opBitOr {
			return m.typeUnion(x, y)
		}
	}
	return Value{}, errNotImplemented
}

// arithmetic is x op y of numbers.
func (m *Machine) arithmetic(op binaryOp, x, y Value) (Value, error) {
	if x.isFloat() || y.isFloat() {
		return m.floatOp(op, x, y)
	}
	if !isIntegral(x) || !isIntegral(y) {
		return Value{}, errNotImplemented
	}
	if x.kind() == kindBool && y.kind() == kindBool {
		switch op {
		case opBitAnd:
			return Bool(x.n&y.n != 0), nil
		case opBitOr:
			return Bool(x.n|y.n != 0), nil
		case opBitXor:
			return Bool(x.n != y.n), nil
		}
	}
	if x.kind() != kindBigInt && y.kind() != kindBigInt {
		if v, ok, err := intOp(op, int64(x.n), int64(y.n)); ok || err != nil {
			return v, err
		}
	}
	return m.bigOp(op, x, y)
}

func isIntegral(v Value) bool {
	k := v.kind()
	return k == kindInt || k == kindBool || k == kindBigInt
}

var (
	errModulo   = raise.ZeroDivision("integer division or modulo by zero")
	errModZero  = raise.ZeroDivision("integer modulo by zero")
	errDivZero  = raise.ZeroDivision("division by zero")
	errNegShift = raise.Value("negative shift count")
)

// intOp is x op y when that fits 64 bits; ok is false when it may not.
func intOp(op binaryOp, x, y int64) (v Value, ok bool, err error) {
	var n int64
	switch op {
	case opAdd:
		n, ok = num.Add(x, y)
	case opSub:
		n, ok = num.Sub(x, y)
	case opMul:
		n, ok = mulInt(x, y)
	case opFloorDiv:
		if y == 0 {
			return v, false, errModulo
		}
		n, ok = num.FloorDiv(x, y)
	case opMod:
		if y == 0 {
			return v, false, errModZero
		}
		n, ok = num.Mod(x, y), true
	case opDiv:
		if y == 0 {
			return v, false, errDivZero
		}
		f, err := num.TrueDiv(x, y)
		return Float(f), err == nil, err
	case opPow:
		if y < 0 {
			return intNegativePow(x, y)
		}
		n, ok = num.Pow(x, y)
	case opLShift:
		if y < 0 {
			return v, false, errNegShift
		}
		n, ok = num.Shl(x, y)
	case opRShift:
		if y < 0 {
			return v, false, errNegShift
		}
		n, ok = num.Shr(x, y), true
	case opBitAnd:
		n, ok = x&y, true
	case opBitOr:
		n, ok = x|y, true
	case opBitXor:
		n, ok = x^y, true
	default:
		return v, false, errNotImplemented
	}
	return Int(n), ok, nil
}

func intNegativePow(x, y int64) (Value, bool, error) {
	if x == 0 {
		return Value{}, false, raise.ZeroDivision("0.0 cannot be raised to a negative power")
	}
	f, err := num.PowFloat(float64(x), float64(y))
	return Float(f), err == nil, err
}

// bigOf returns the int v as a *big.Int, which must not be written to.
func bigOf(v Value) *big.Int {
	if b := v.big(); b != nil {
		return b.v
	}
	return big.NewInt(int64(v.n))
}

// bigValue makes an int of b.
func (m *Machine) bigValue(b *big.Int) Value {
	if b.IsInt64() {
		return Int(b.Int64())
	}
	m.spend(bigBytes)
	return (&bigInt{v: b}).value()
}

func (m *Machine) bigOp(op binaryOp, x, y Value) (Value, error) {
	a, b := bigOf(x), bigOf(y)
	var n *big.Int
	var err error
	switch op {
	case opAdd:
		n, err = num.AddBig(m, a, b)
	case opSub:
		n, err = num.SubBig(m, a, b)
	case opMul:
		n, err = num.MulBig(m, a, b)
	case opFloorDiv:
		n, err = num.FloorDivBig(m, a, b)
	case opMod:
		n, err = num.ModBig(m, a, b)
	case opDiv:
		f, err := num.TrueDivBig(m, a, b)
		return Float(f), err
	case opPow:
		if b.Sign() < 0 {
			return m.floatOp(op, x, y)
		}
		n, err = num.PowBig(m, a, b)
	case opLShift:
		n, err = num.ShlBig(m, a, b)
	case opRShift:
		n, err = num.ShrBig(m, a, b)
	case opBitAnd:
		n, err = num.AndBig(m, a, b)
	case opBitOr:
		n, err = num.OrBig(m, a, b)
	case opBitXor:
		n, err = num.XorBig(m, a, b)
	default:
		return Value{}, errNotImplemented
	}
	if err != nil {
		return Value{}, err
	}
	return m.bigValue(n), nil
}

// floatOf returns a number as a float; ok is false for other values.
func floatOf(v Value) (f float64, ok bool, err error) {
	switch v.kind() {
	case kindFloat:
		return v.float(), true, nil
	case kindInt, kindBool:
		return float64(int64(v.n)), true, nil
	case kindBigInt:
		f, err = num.ToFloat(v.big().v)
		return f, true, err
	}
	return 0, false, nil
}

func (m *Machine) floatOp(op binaryOp, x, y Value) (Value, error) {
	a, ok, err := floatOf(x)
	if !ok || err != nil {
		return Value{}, orNotImplemented(err)
	}
	b, ok, err := floatOf(y)
	if !ok || err != nil {
		return Value{}, orNotImplemented(err)
	}
	var f float64
	switch op {
	case opAdd:
		f = a + b
	case opSub:
		f = a - b
	case opMul:
		f = a * b
	case opDiv:
		f, err = num.DivFloat(a, b)
	case opFloorDiv:
		f, err = num.FloorDivFloat(a, b)
	case opMod:
		f, err = num.ModFloat(a, b)
	case opPow:
		f, err = num.PowFloat(a, b)
	default:
		return Value{}, errNotImplemented
	}
	return Float(f), err
}

func orNotImplemented(err error) error {
	if err != nil {
		return err
	}
	return errNotImplemented
}

func isSequence(v Value) bool {
	switch v.kind() {
	case kindStr, kindBytes, kindList, kindTuple:
		return true
	}
	return false
}

// inplace is x op= y.
func (m *Machine) inplace(op binaryOp, x, y Value) (Value, error) {
	if op == opAdd && x.kind() == kindStr && y.kind() == kindStr {
		return m.concat(x.str(), y.str())
	}
	switch o := x.self().(type) {
	case *list:
		switch op {
		case opAdd:
			return m.inplaceExtend(x, y)
		case opMul:
			if isIntegral(plain(y)) {
				return x, m.repeatList(o, plain(y))
			}
			if m.foreignIndex(y) {
				return m.enter(m.intrinsic("list_imul"), contStore, Value{}, x, y)
			}
		}
	case *dict:
		if op == opBitOr {
			return m.inplaceMerge(x, y)
		}
	case *set:
		if x.kind() == kindSet {
			if v, ok, err := m.inplaceSet(op, x, y); ok {
				return v, err
			}
		}
	case *instance:
		if fn, ok := m.lookup(o.class, inplaceNames[op]); ok {
			return m.inplaceMethod(op, fn, x, y)
		}
	}
	v, err := m.binaryNative(op, x, y)
	if err != errNotImplemented {
		return v, err
	}
	return m.binaryMethod(operation{op, inplaceSymbol(op, x, y), x, y})
}

// inplaceSymbol is the operator as errors about x op= y write it.
func inplaceSymbol(op binaryOp, x, y Value) string {
	if op == opAdd && isSequence(plain(x)) || op == opMul && (isSequence(plain(x)) || isSequence(y) && !maySay(x)) {
		return op.String()
	}
	return op.String() + "="
}

func (m *Machine) inplaceMethod(op binaryOp, fn, x, y Value) (Value, error) {
	if fn.kind() != kindNative && m.atOperator() {
		return m.enter(fn, contInplace, Value{}, x, y)
	}
	if fn.kind() == kindNative {
		v, err := m.enter(fn, contStore, Value{}, x, y)
		if err == nil && v.is(notImplemented) {
			return m.binaryMethod(operation{op, inplaceSymbol(op, x, y), x, y})
		}
		return v, err
	}
	return m.enter(m.intrinsic("inplace"), contStore, Value{}, fn, x, y, m.intrinsic("op_"+op.String()))
}

// unary is op x.
func (m *Machine) unary(op unaryOp, x Value) (Value, error) {
	switch x.kind() {
	case kindInt, kindBool:
		switch op {
		case opNeg:
			if n := int64(x.n); n != math.MinInt64 {
				return Int(-n), nil
			}
			return m.bigValue(new(big.Int).Neg(big.NewInt(math.MinInt64))), nil
		case opPlus:
			return Int(int64(x.n)), nil
		case opInvert:
			return Int(^int64(x.n)), nil
		}
	case kindFloat:
		switch op {
		case opNeg:
			return Float(-x.float()), nil
		case opPlus:
			return x, nil
		}
	case kindBigInt:
		return m.unaryBig(op, x)
	case kindInstance, kindOpaque:
		if fn, ok := m.lookup(classOf(x), unaryNames[op]); ok {
			return m.enter(fn, contStore, Value{}, x)
		}
	}
	return Value{}, raise.Type("bad operand type for unary %s: '%s'", op, typeName(x))
}

func (m *Machine) unaryBig(op unaryOp, x Value) (Value, error) {
	if op == opPlus {
		return x, nil
	}
	f := num.NegBig
	if op == opInvert {
		f = num.NotBig
	}
	n, err := f(m, x.big().v)
	if err != nil {
		return Value{}, err
	}
	return m.bigValue(n), nil
}

// truth is bool(x). When code of the program decides, it returns errEntered and
// the answer goes where cont says.
func (m *Machine) truth(x Value, cont continuation) (bool, error) {
	switch o := x.self().(type) {
	case nil:
		switch x.kind() {
		case kindNone:
			return false, nil
		case kindFloat:
			return x.float() != 0, nil
		case kindUnbound:
			return false, errCorrupt
		}
		return x.n != 0, nil
	case *str:
		return o.s != "", nil
	case *list:
		return len(o.items) > 0, nil
	case *tuple:
		return len(o.items) > 0, nil
	case *dict:
		return o.live() > 0, nil
	case *set:
		return o.live() > 0, nil
	case *bytesObject:
		return o.b != "", nil
	case *rangeObject:
		return o.n > 0, nil
	case *view:
		return o.of.dict().live() > 0, nil
	case *instance:
		return m.instanceTruth(o, x, cont)
	case *opaque:
		if fn, ok := m.lookup(o.class, nameBool); ok {
			v, err := m.enter(fn, cont, Value{}, x)
			return v.n != 0, err
		}
	}
	return true, nil
}

func (m *Machine) instanceTruth(o *instance, x Value, cont continuation) (bool, error) {
	fn, ok := m.lookup(o.class, nameBool)
	name := "truth"
	if !ok {
		fn, ok = m.lookup(o.class, nameLen)
		name = "truth_len"
	}
	if !ok {
		return true, nil
	}
	if fn.kind() == kindNative && o.payload.bound() {
		return m.truth(o.payload, cont)
	}
	if r := ringOf(x); r != nil && fn.kind() == kindNative {
		return r.n > 0, nil
	}
	v, err := m.enter(m.intrinsic(name), cont, Value{}, fn, x)
	return v.n != 0, err
}
