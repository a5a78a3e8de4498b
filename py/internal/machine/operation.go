package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// operation is a binary operator with its operands.
type operation struct {
	op      binaryOp
	inplace bool // of x op= y
	x, y    Value
}

// symbol is the operator as errors write it.
func (o *operation) symbol() string {
	if o.inplace {
		return inplaceSymbol(o.op, o.x, o.y)
	}
	return o.op.String()
}

// binaryMethod is x op y by the methods of the operands.
func (m *Machine) binaryMethod(o operation) (Value, error) {
	if !maySay(o.x) && !maySay(o.y) {
		return Value{}, m.unsupportedOp(o.symbol(), o.x, o.y)
	}
	cx, cy := ClassOf(o.x), ClassOf(o.y)
	left, ok := m.Lookup(cx, binaryNames[o.op])
	if !ok {
		return m.reflected(o)
	}
	right, ok := m.Lookup(cy, reflectedNames[o.op])
	if ok && cx != cy {
		first := m.overloads(cy, cx, reflectedNames[o.op])
		if first || !m.atOperator() {
			return m.enter(m.Intrinsic("binary"), contStore, Value{}, left, right, o.x, o.y, Bool(first), SharedStr(o.symbol()).Ref())
		}
	}
	v, err := m.enter(left, contBinary, Value{}, o.x, o.y)
	if err == nil && v.Is(notImplemented) {
		return m.reflected(o)
	}
	return v, err
}

// reflected is x op y when the method of x has no answer.
func (m *Machine) reflected(o operation) (Value, error) {
	right, ok := m.Lookup(ClassOf(o.y), reflectedNames[o.op])
	if !ok || ClassOf(o.x) == ClassOf(o.y) {
		return Value{}, m.unsupportedOp(o.symbol(), o.x, o.y)
	}
	v, err := m.enter(right, contReflected, Value{}, o.y, o.x)
	if err == nil && v.Is(notImplemented) {
		return Value{}, m.unsupportedOp(o.symbol(), o.x, o.y)
	}
	return v, err
}

// maySay reports whether v can have methods of operators.
func maySay(v Value) bool {
	switch v.Kind() {
	case KindInstance, KindOpaque, KindClass:
		return true
	}
	return false
}

// overloads reports whether c derives from base and has another method of that
// name.
func (m *Machine) overloads(c, base *Class, name *Str) bool {
	if c == base || !c.IsSubclass(base) {
		return false
	}
	own, _ := m.Lookup(c, name)
	inherited, ok := m.Lookup(base, name)
	return !ok || !own.Is(inherited)
}

func (m *Machine) unsupportedOp(op string, x, y Value) error {
	if op == "+" {
		switch Plain(x).Kind() {
		case KindStr:
			return raise.Type("can only concatenate str (not \"%s\") to str", TypeName(y))
		case KindList:
			return raise.Type("can only concatenate list (not \"%s\") to list", TypeName(y))
		case KindTuple:
			return raise.Type("can only concatenate tuple (not \"%s\") to tuple", TypeName(y))
		case KindBytes:
			return raise.Type("can't concat %s to bytes", TypeName(y))
		}
	}
	if op == "*" {
		for _, p := range [][2]Value{{x, y}, {y, x}} {
			if isSequence(Plain(p[0])) && !IsIntegral(p[1]) {
				return raise.Type("can't multiply sequence by non-int of type '%s'", TypeName(p[1]))
			}
		}
	}
	if op == "**" {
		op = "** or pow()"
	}
	return raise.Type("unsupported operand type(s) for %s: '%s' and '%s'", op, TypeName(x), TypeName(y))
}

// operation reads the binary instruction before the pc of the frame on top; ok
// is false when another one is there.
func (m *Machine) operation() (o operation, ok bool) {
	f := &m.frames[len(m.frames)-1]
	if f.pc < 1 {
		return o, false
	}
	r := m.registers()
	i := f.unit.instrs[f.pc-1]
	op := i.Op()
	o.x = r[i.B()]
	switch {
	case op >= code.OpAdd && op <= code.OpBitXor:
		o.op, o.y = binaryOp(op-code.OpAdd), r[i.C()]
	case op >= code.OpIAdd && op <= code.OpIBitXor:
		o.op, o.y, o.inplace = binaryOp(op-code.OpIAdd), r[i.C()], true
	default:
		return o, o.constant(f.unit, i)
	}
	return o, true
}

// constant completes the operation of an instruction whose right operand is a
// constant.
func (o *operation) constant(u *unit, i code.Instr) bool {
	type form struct {
		op      binaryOp
		small   bool
		inplace bool
	}
	var f form
	switch i.Op() {
	case code.OpAddK:
		f = form{op: opAdd}
	case code.OpSubK:
		f = form{op: opSub}
	case code.OpMulK:
		f = form{op: opMul}
	case code.OpDivK:
		f = form{op: opDiv}
	case code.OpIAddK:
		f = form{op: opAdd, inplace: true}
	case code.OpIMulK:
		f = form{op: opMul, inplace: true}
	case code.OpAddI:
		f = form{op: opAdd, small: true}
	case code.OpSubI:
		f = form{op: opSub, small: true}
	case code.OpMulI:
		f = form{op: opMul, small: true}
	case code.OpFloorDivI:
		f = form{op: opFloorDiv, small: true}
	case code.OpModI:
		f = form{op: opMod, small: true}
	case code.OpIAddI:
		f = form{op: opAdd, small: true, inplace: true}
	case code.OpISubI:
		f = form{op: opSub, small: true, inplace: true}
	default:
		return false
	}
	o.op, o.inplace = f.op, f.inplace
	switch {
	case f.small:
		o.y = Int(int64(i.C()))
	case int(i.C()) < len(u.consts):
		o.y = u.consts[i.C()]
	default:
		return false
	}
	return true
}

// atOperator reports whether the frame on top is at a binary instruction, so
// that operation finds it again.
func (m *Machine) atOperator() bool {
	_, ok := m.operation()
	return ok
}

// deliverOperation continues a binary instruction of the frame on top whose
// method returned NotImplemented.
func (m *Machine) deliverOperation(cont continuation, dst uint8) error {
	o, ok := m.operation()
	if !ok {
		return m.unwind(raise.Type("unsupported operand type(s)"))
	}
	m.dst = dst
	var v Value
	var err error
	switch cont {
	case contBinary:
		v, err = m.reflected(o)
	case contInplace:
		if v, err = m.binaryNative(o.op, o.x, o.y); err == ErrNotImplemented {
			v, err = m.binaryMethod(o)
		}
	default:
		err = m.unsupportedOp(o.symbol(), o.x, o.y)
	}
	switch err {
	case nil:
		m.storeTop(dst, v)
		return nil
	case errEntered:
		return nil
	}
	return m.unwind(err)
}
