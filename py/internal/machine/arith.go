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
	if op == opAdd && x.Kind() == KindStr && y.Kind() == KindStr {
		return m.concat(x.Str(), y.Str())
	}
	if x.Kind() == KindInstance {
		if v, ok, err := m.ownOperator(operation{op, false, x, y}); ok {
			return v, err
		}
	}
	if y.Kind() == KindInstance && m.reflects(op, x, y) {
		return m.binaryMethod(operation{op, false, x, y})
	}
	v, err := m.binaryNative(op, x, y)
	if err != ErrNotImplemented {
		return v, err
	}
	return m.binaryMethod(operation{op, false, x, y})
}

// reflects reports whether y is of a subclass of the type of x with a
// reflected operator of its own, which comes first.
func (m *Machine) reflects(op binaryOp, x, y Value) bool {
	fn, ok := m.Lookup(ClassOf(y), reflectedNames[op])
	return ok && fn.Kind() == KindFunction && ClassOf(y).IsSubclass(ClassOf(x))
}

// ErrNotImplemented says that built-in types have no answer for the operands.
var ErrNotImplemented = errors.New("operands not supported")

// binaryNative is x op y of built-in types.
func (m *Machine) binaryNative(op binaryOp, x, y Value) (Value, error) {
	switch x.Kind() {
	case KindInt, KindBool, KindFloat, KindBigInt:
		if v, err := m.arithmetic(op, x, y); err != ErrNotImplemented {
			return v, err
		}
		if op == opMul {
			return m.repeated(y, x)
		}
	case KindStr, KindBytes, KindList, KindTuple:
		return m.sequenceOp(op, x, y)
	case KindSet, KindFrozenSet, KindDict, KindView:
		return m.setOp(op, x, y)
	case KindClass, KindNone, KindOpaque:
		if op == opBitOr {
			return m.typeUnion(x, y)
		}
	}
	return Value{}, ErrNotImplemented
}

// arithmetic is x op y of numbers.
func (m *Machine) arithmetic(op binaryOp, x, y Value) (Value, error) {
	if x.IsFloat() || y.IsFloat() {
		return m.floatOp(op, x, y)
	}
	if !IsIntegral(x) || !IsIntegral(y) {
		return Value{}, ErrNotImplemented
	}
	if x.Kind() == KindBool && y.Kind() == KindBool {
		switch op {
		case opBitAnd:
			return Bool(x.n&y.n != 0), nil
		case opBitOr:
			return Bool(x.n|y.n != 0), nil
		case opBitXor:
			return Bool(x.n != y.n), nil
		}
	}
	if x.Kind() != KindBigInt && y.Kind() != KindBigInt {
		if v, ok, err := intOp(op, int64(x.n), int64(y.n)); ok || err != nil {
			return v, err
		}
	}
	return m.bigOp(op, x, y)
}

// IsIntegral reports whether v is an int or a bool.
func IsIntegral(v Value) bool {
	k := v.Kind()
	return k == KindInt || k == KindBool || k == KindBigInt
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
		return v, false, ErrNotImplemented
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

// BigOf returns the int v as a *big.Int, which must not be written to.
func BigOf(v Value) *big.Int {
	if b := v.big(); b != nil {
		return b.v
	}
	return big.NewInt(int64(v.n))
}

// BigInt makes an int of b.
func (m *Machine) BigInt(b *big.Int) Value {
	if b.IsInt64() {
		return Int(b.Int64())
	}
	m.Spend(bigBytes)
	return (&bigInt{v: b}).value()
}

func (m *Machine) bigOp(op binaryOp, x, y Value) (Value, error) {
	a, b := BigOf(x), BigOf(y)
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
		return Value{}, ErrNotImplemented
	}
	if err != nil {
		return Value{}, err
	}
	return m.BigInt(n), nil
}

// FloatOf returns a number as a float; ok is false for other values.
func FloatOf(v Value) (f float64, ok bool, err error) {
	switch v.Kind() {
	case KindFloat:
		return v.Float(), true, nil
	case KindInt, KindBool:
		return float64(int64(v.n)), true, nil
	case KindBigInt:
		f, err = num.ToFloat(v.big().v)
		return f, true, err
	}
	return 0, false, nil
}

func (m *Machine) floatOp(op binaryOp, x, y Value) (Value, error) {
	a, ok, err := FloatOf(x)
	if !ok || err != nil {
		return Value{}, orNotImplemented(err)
	}
	b, ok, err := FloatOf(y)
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
		return Value{}, ErrNotImplemented
	}
	return Float(f), err
}

func orNotImplemented(err error) error {
	if err != nil {
		return err
	}
	return ErrNotImplemented
}

func isSequence(v Value) bool {
	switch v.Kind() {
	case KindStr, KindBytes, KindList, KindTuple:
		return true
	}
	return false
}

// inplace is x op= y.
func (m *Machine) inplace(op binaryOp, x, y Value) (Value, error) {
	if op == opAdd && x.Kind() == KindStr && y.Kind() == KindStr {
		return m.concat(x.Str(), y.Str())
	}
	switch o := x.Self().(type) {
	case *List:
		switch op {
		case opAdd:
			return m.inplaceExtend(x, y)
		case opMul:
			if IsIntegral(Plain(y)) {
				return x, m.repeatList(o, Plain(y))
			}
			if m.ForeignIndex(y) {
				return m.enter(m.Intrinsic("list_imul"), contStore, Value{}, x, y)
			}
		}
	case *Dict:
		if op == opBitOr {
			return m.inplaceMerge(x, y)
		}
	case *Set:
		if x.Kind() == KindSet {
			if v, ok, err := m.inplaceSet(op, x, y); ok {
				return v, err
			}
		}
	case *Instance:
		if fn, ok := m.Lookup(o.class, inplaceNames[op]); ok {
			return m.inplaceMethod(op, fn, x, y)
		}
		if v, ok, err := m.ownOperator(operation{op, true, x, y}); ok {
			return v, err
		}
	}
	v, err := m.binaryNative(op, x, y)
	if err != ErrNotImplemented {
		return v, err
	}
	return m.binaryMethod(operation{op, true, x, y})
}

// inplaceSymbol is the operator as errors about x op= y write it.
func inplaceSymbol(op binaryOp, x, y Value) string {
	if op == opAdd && isSequence(Plain(x)) || op == opMul && (isSequence(Plain(x)) || isSequence(y) && !maySay(x)) {
		return op.String()
	}
	return op.String() + "="
}

func (m *Machine) inplaceMethod(op binaryOp, fn, x, y Value) (Value, error) {
	if fn.Kind() != KindNative && m.atOperator() {
		return m.enter(fn, contInplace, Value{}, x, y)
	}
	if fn.Kind() == KindNative {
		v, err := m.enter(fn, contStore, Value{}, x, y)
		if err == nil && v.Is(notImplemented) {
			return m.binaryMethod(operation{op, true, x, y})
		}
		return v, err
	}
	return m.enter(m.Intrinsic("inplace"), contStore, Value{}, fn, x, y, m.Intrinsic("op_"+op.String()))
}

// unary is op x.
func (m *Machine) unary(op unaryOp, x Value) (Value, error) {
	switch x.Kind() {
	case KindInt, KindBool:
		switch op {
		case opNeg:
			if n := int64(x.n); n != math.MinInt64 {
				return Int(-n), nil
			}
			return m.BigInt(new(big.Int).Neg(big.NewInt(math.MinInt64))), nil
		case opPlus:
			return Int(int64(x.n)), nil
		case opInvert:
			return Int(^int64(x.n)), nil
		}
	case KindFloat:
		switch op {
		case opNeg:
			return Float(-x.Float()), nil
		case opPlus:
			return x, nil
		}
	case KindBigInt:
		return m.unaryBig(op, x)
	case KindInstance, KindOpaque:
		if fn, ok := m.Lookup(ClassOf(x), unaryNames[op]); ok {
			return m.enter(fn, contStore, Value{}, x)
		}
	}
	return Value{}, raise.Type("bad operand type for unary %s: '%s'", op, TypeName(x))
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
	return m.BigInt(n), nil
}

// truth is bool(x). When code of the program decides, it returns errEntered and
// the answer goes where cont says.
func (m *Machine) truth(x Value, cont continuation) (bool, error) {
	switch o := x.Self().(type) {
	case nil:
		switch x.Kind() {
		case KindNone:
			return false, nil
		case KindFloat:
			return x.Float() != 0, nil
		case KindUnbound:
			return false, ErrMalformed
		}
		return x.n != 0, nil
	case *Str:
		return o.s != "", nil
	case *List:
		return len(o.items) > 0, nil
	case *Tuple:
		return len(o.items) > 0, nil
	case *Dict:
		return o.Len() > 0, nil
	case *Set:
		return o.Len() > 0, nil
	case *Bytes:
		return o.b != "", nil
	case *rangeObject:
		return o.n > 0, nil
	case *view:
		return o.of.Dict().Len() > 0, nil
	case *Instance:
		return m.instanceTruth(o, x, cont)
	case *Opaque:
		if fn, ok := m.Lookup(o.class, nameBool); ok {
			v, err := m.enter(fn, cont, Value{}, x)
			return v.n != 0, err
		}
	}
	return true, nil
}

func (m *Machine) instanceTruth(o *Instance, x Value, cont continuation) (bool, error) {
	fn, ok := m.Lookup(o.class, nameBool)
	name := "truth"
	if !ok {
		fn, ok = m.Lookup(o.class, nameLen)
		name = "truth_len"
	}
	if !ok {
		return true, nil
	}
	if fn.Kind() == KindNative && o.payload.Bound() {
		return m.truth(o.payload, cont)
	}
	if r := ringOf(x); r != nil && fn.Kind() == KindNative {
		return r.n > 0, nil
	}
	v, err := m.enter(m.Intrinsic(name), cont, Value{}, fn, x)
	return v.n != 0, err
}
