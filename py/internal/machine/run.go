package machine

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/code"
)

// loop executes instructions until the program pauses, ends or fails. It
// returns errPaused, errDone or a failure.
//
// The fast paths of the common instructions are here; everything else is in the
// functions that they call. Those return errEntered when they pushed a frame
// that will deliver the value later; the package comment has the whole calling
// convention.
func (m *Machine) loop() error {
	var (
		f     *frame
		instr []code.Instr
		r     *[window]Value
		pc    int
		v     Value
		err   error
		yes   bool
	)

reload:
	f = &m.frames[len(m.frames)-1]
	r = (*[window]Value)(m.stack[f.base:])

	// Only reload and resume change the frame, its code and its registers, so that
	// they stay in machine registers within the loop.
resume:
	instr = f.unit.instrs
	pc = int(f.pc)

	for {
		i := instr[pc]
		pc++
		switch code.Op(uint8(i)) {

		case code.OpMove:
			r[i.A()] = r[i.B()]
		case code.OpConst:
			r[i.A()] = f.unit.consts[i>>16]
		case code.OpConstX:
			r[i.A()] = f.unit.consts[instr[pc]]
			pc++
		case code.OpSmall:
			r[i.A()].putInt(int64(i >> 16))

		case code.OpGlobal:
			v = f.mod.globals[i>>16]
			if v.o != nil {
				r[i.A()] = v
				continue
			}
			f.pc, m.dst = int32(pc), i.A()
			if v, err = m.globalFallback(f.mod, int(i>>16)); err != nil {
				goto fail
			}
			r[i.A()] = v
		case code.OpSetGlobal:
			f.mod.globals[i>>16] = r[i.A()]
		case code.OpDeleteGlobal:
			if f.mod.globals[i>>16].o == nil {
				err = m.unboundGlobal(f.mod, int(i>>16))
				goto fail
			}
			f.mod.globals[i>>16] = Value{}

		case code.OpNewCell:
			m.Spend(cellBytes)
			r[i.A()] = (&cell{v: r[i.A()]}).value()
		case code.OpEmptyCell:
			m.Spend(cellBytes)
			r[i.A()] = (&cell{}).value()
		case code.OpCell:
			if k := r[i.B()].cell(); k != nil && k.v.o != nil {
				r[i.A()] = k.v
				continue
			}
			err = m.unboundLocal(f.unit, i.B())
			goto fail
		case code.OpSetCell:
			if k := r[i.A()].cell(); k != nil {
				k.v = r[i.B()]
				continue
			}
			err = ErrMalformed
			goto fail
		case code.OpDeleteCell:
			if k := r[i.A()].cell(); k != nil && k.v.o != nil {
				k.v = Value{}
				continue
			}
			err = m.unboundLocal(f.unit, i.A())
			goto fail
		case code.OpFree:
			if v = f.fn.cells[i>>16].v; v.o == nil {
				err = m.unboundFree(f.unit, int(i>>16))
				goto fail
			}
			r[i.A()] = v
		case code.OpSetFree:
			f.fn.cells[i>>16].v = r[i.A()]
		case code.OpDeleteFree:
			k := f.fn.cells[i>>16]
			if k.v.o == nil {
				err = m.unboundFree(f.unit, int(i>>16))
				goto fail
			}
			k.v = Value{}

		case code.OpCheckLocal:
			if r[i.A()].o == nil {
				err = m.unboundLocal(f.unit, i.A())
				goto fail
			}
		case code.OpUnbind:
			r[i.A()] = Value{}

		case code.OpClassName:
			v, yes, err = m.className(r[0], f.unit.consts[i>>16])
			if err != nil {
				goto fail
			}
			if yes {
				r[i.A()] = v
				pc += wordsOf(instr[pc])
			}
		case code.OpSetClassName:
			if err = m.setClassName(r[0], f.unit.consts[i>>16], r[i.A()]); err != nil {
				goto fail
			}
		case code.OpDeleteClassName:
			if err = m.deleteClassName(r[0], f.unit.consts[i>>16]); err != nil {
				goto fail
			}

		case code.OpAdd, code.OpIAdd:
			x, y := &r[i.B()], &r[i.C()]
			if x.o == &intTag && y.o == &intTag {
				n := int64(x.n) + int64(y.n)
				if (int64(x.n)^n)&(int64(y.n)^n) >= 0 {
					r[i.A()].putInt(n)
					continue
				}
			} else if x.o == &floatTag && y.o == &floatTag {
				r[i.A()] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) + math.Float64frombits(y.n))}
				continue
			}
			goto arith
		case code.OpSub, code.OpISub:
			x, y := &r[i.B()], &r[i.C()]
			if x.o == &intTag && y.o == &intTag {
				n := int64(x.n) - int64(y.n)
				if (int64(x.n)^int64(y.n))&(int64(x.n)^n) >= 0 {
					r[i.A()].putInt(n)
					continue
				}
			} else if x.o == &floatTag && y.o == &floatTag {
				r[i.A()] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) - math.Float64frombits(y.n))}
				continue
			}
			goto arith
		case code.OpMul, code.OpIMul:
			x, y := &r[i.B()], &r[i.C()]
			if x.o == &intTag && y.o == &intTag {
				if n, ok := mulInt(int64(x.n), int64(y.n)); ok {
					r[i.A()].putInt(n)
					continue
				}
			} else if x.o == &floatTag && y.o == &floatTag {
				r[i.A()] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) * math.Float64frombits(y.n))}
				continue
			}
			goto arith
		case code.OpDiv:
			x, y := &r[i.B()], &r[i.C()]
			if x.o == &floatTag && y.o == &floatTag && y.n<<1 != 0 {
				r[i.A()] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) / math.Float64frombits(y.n))}
				continue
			}
			goto arith
		case code.OpFloorDiv:
			x, y := &r[i.B()], &r[i.C()]
			if x.o == &intTag && y.o == &intTag && int64(y.n) > 0 {
				r[i.A()].putInt(floorDiv(int64(x.n), int64(y.n)))
				continue
			}
			goto arith
		case code.OpMod:
			x, y := &r[i.B()], &r[i.C()]
			if x.o == &intTag && y.o == &intTag && int64(y.n) > 0 {
				r[i.A()].putInt(floorMod(int64(x.n), int64(y.n)))
				continue
			}
			goto arith
		case code.OpBitAnd:
			x, y := &r[i.B()], &r[i.C()]
			if x.o == &intTag && y.o == &intTag {
				r[i.A()].putInt(int64(x.n & y.n))
				continue
			}
			goto arith
		case code.OpBitOr:
			x, y := &r[i.B()], &r[i.C()]
			if x.o == &intTag && y.o == &intTag {
				r[i.A()].putInt(int64(x.n | y.n))
				continue
			}
			goto arith
		case code.OpBitXor:
			x, y := &r[i.B()], &r[i.C()]
			if x.o == &intTag && y.o == &intTag {
				r[i.A()].putInt(int64(x.n ^ y.n))
				continue
			}
			goto arith
		case code.OpMatMul, code.OpPow, code.OpLShift, code.OpRShift:
			goto arith

		case code.OpIMatMul, code.OpIDiv, code.OpIFloorDiv, code.OpIMod, code.OpIPow, code.OpILShift, code.OpIRShift,
			code.OpIBitAnd, code.OpIBitOr, code.OpIBitXor:
			goto inplace

		case code.OpAddI:
			x := &r[i.B()]
			if x.o == &intTag {
				if n := int64(x.n) + int64(i.C()); n >= int64(x.n) {
					r[i.A()].putInt(n)
					continue
				}
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.binary(opAdd, r[i.B()], Int(int64(i.C())))
			goto stored
		case code.OpSubI:
			x := &r[i.B()]
			if x.o == &intTag {
				if n := int64(x.n) - int64(i.C()); n <= int64(x.n) {
					r[i.A()].putInt(n)
					continue
				}
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.binary(opSub, r[i.B()], Int(int64(i.C())))
			goto stored
		case code.OpMulI:
			x := &r[i.B()]
			if x.o == &intTag {
				if n, ok := mulInt(int64(x.n), int64(i.C())); ok {
					r[i.A()].putInt(n)
					continue
				}
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.binary(opMul, r[i.B()], Int(int64(i.C())))
			goto stored
		case code.OpFloorDivI:
			x := &r[i.B()]
			if x.o == &intTag && i.C() != 0 {
				r[i.A()].putInt(floorDiv(int64(x.n), int64(i.C())))
				continue
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.binary(opFloorDiv, r[i.B()], Int(int64(i.C())))
			goto stored
		case code.OpModI:
			x := &r[i.B()]
			if x.o == &intTag && i.C() != 0 {
				r[i.A()].putInt(floorMod(int64(x.n), int64(i.C())))
				continue
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.binary(opMod, r[i.B()], Int(int64(i.C())))
			goto stored
		case code.OpAddK:
			x, y := &r[i.B()], &f.unit.consts[i.C()]
			if x.o == &floatTag && y.o == &floatTag {
				r[i.A()] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) + math.Float64frombits(y.n))}
				continue
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.binary(opAdd, *x, *y)
			goto stored
		case code.OpSubK:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.binary(opSub, r[i.B()], f.unit.consts[i.C()])
			goto stored
		case code.OpMulK:
			x, y := &r[i.B()], &f.unit.consts[i.C()]
			if x.o == &floatTag && y.o == &floatTag {
				r[i.A()] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) * math.Float64frombits(y.n))}
				continue
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.binary(opMul, *x, *y)
			goto stored
		case code.OpDivK:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.binary(opDiv, r[i.B()], f.unit.consts[i.C()])
			goto stored
		case code.OpIAddI:
			x := &r[i.B()]
			if x.o == &intTag {
				if n := int64(x.n) + int64(i.C()); n >= int64(x.n) {
					r[i.A()].putInt(n)
					continue
				}
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.inplace(opAdd, r[i.B()], Int(int64(i.C())))
			goto stored
		case code.OpISubI:
			x := &r[i.B()]
			if x.o == &intTag {
				if n := int64(x.n) - int64(i.C()); n <= int64(x.n) {
					r[i.A()].putInt(n)
					continue
				}
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.inplace(opSub, r[i.B()], Int(int64(i.C())))
			goto stored
		case code.OpIMulK:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.inplace(opMul, r[i.B()], f.unit.consts[i.C()])
			goto stored
		case code.OpIAddK:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.inplace(opAdd, r[i.B()], f.unit.consts[i.C()])
			goto stored

		case code.OpNeg:
			x := &r[i.B()]
			if x.o == &intTag && int64(x.n) != math.MinInt64 {
				r[i.A()].putInt(-int64(x.n))
				continue
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.unary(opNeg, *x)
			goto stored
		case code.OpPlus:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.unary(opPlus, r[i.B()])
			goto stored
		case code.OpInvert:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.unary(opInvert, r[i.B()])
			goto stored
		case code.OpNot:
			x := &r[i.B()]
			if x.o == &boolTag {
				r[i.A()] = Value{&boolTag, x.n ^ 1}
				continue
			}
			f.pc, m.dst = int32(pc), i.A()
			if yes, err = m.truth(*x, contNot); err != nil {
				goto fail
			}
			r[i.A()] = Bool(!yes)

		case code.OpEq, code.OpNotEq, code.OpLt, code.OpLtE, code.OpGt, code.OpGtE:
			op := compareOp(uint8(i) - uint8(code.OpEq))
			x, y := &r[i.B()], &r[i.C()]
			if x.o == &intTag && y.o == &intTag {
				r[i.A()] = Bool(compareInts(op, int64(x.n), int64(y.n)))
				continue
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.compare(op, *x, *y, contStore)
			goto stored
		case code.OpIs:
			r[i.A()] = Bool(r[i.B()].Is(r[i.C()]))
		case code.OpIsNot:
			r[i.A()] = Bool(!r[i.B()].Is(r[i.C()]))
		case code.OpIn:
			f.pc, m.dst = int32(pc), i.A()
			if yes, err = m.contains(r[i.C()], r[i.B()], contTruth); err != nil {
				goto fail
			}
			r[i.A()] = Bool(yes)
		case code.OpNotIn:
			f.pc, m.dst = int32(pc), i.A()
			if yes, err = m.contains(r[i.C()], r[i.B()], contNot); err != nil {
				goto fail
			}
			r[i.A()] = Bool(!yes)

		case code.OpTest:
			x := &r[i.A()]
			switch x.o {
			case &boolTag, &intTag:
				yes = x.n != 0
			case &noneTag:
				yes = false
			default:
				f.pc = int32(pc)
				if yes, err = m.truth(*x, contTest); err != nil {
					goto fail
				}
			}
			goto branch
		case code.OpTestEq:
			x, y := &r[i.A()], &r[i.B()]
			if x.o == &intTag && y.o == &intTag {
				yes = x.n == y.n
				goto branch
			}
			goto compare
		case code.OpTestNotEq:
			x, y := &r[i.A()], &r[i.B()]
			if x.o == &intTag && y.o == &intTag {
				yes = x.n != y.n
				goto branch
			}
			goto compare
		case code.OpTestLt:
			x, y := &r[i.A()], &r[i.B()]
			if x.o == &intTag && y.o == &intTag {
				yes = int64(x.n) < int64(y.n)
				goto branch
			}
			goto compare
		case code.OpTestLtE:
			x, y := &r[i.A()], &r[i.B()]
			if x.o == &intTag && y.o == &intTag {
				yes = int64(x.n) <= int64(y.n)
				goto branch
			}
			goto compare
		case code.OpTestGt:
			x, y := &r[i.A()], &r[i.B()]
			if x.o == &intTag && y.o == &intTag {
				yes = int64(x.n) > int64(y.n)
				goto branch
			}
			goto compare
		case code.OpTestGtE:
			x, y := &r[i.A()], &r[i.B()]
			if x.o == &intTag && y.o == &intTag {
				yes = int64(x.n) >= int64(y.n)
				goto branch
			}
			goto compare
		case code.OpTestIs:
			yes = r[i.A()].Is(r[i.B()])
			goto branch
		case code.OpTestIsNot:
			yes = !r[i.A()].Is(r[i.B()])
			goto branch
		case code.OpTestIn:
			if d := r[i.B()].Dict(); d != nil {
				if n, sure := d.findQuick(r[i.A()]); sure {
					yes = n >= 0
					goto branch
				}
			}
			f.pc = int32(pc)
			if yes, err = m.contains(r[i.B()], r[i.A()], contTest); err != nil {
				goto fail
			}
			goto branch
		case code.OpTestNotIn:
			if d := r[i.B()].Dict(); d != nil {
				if n, sure := d.findQuick(r[i.A()]); sure {
					yes = n < 0
					goto branch
				}
			}
			f.pc = int32(pc)
			if yes, err = m.contains(r[i.B()], r[i.A()], contTest); err != nil {
				goto fail
			}
			yes = !yes
			goto branch
		case code.OpTestEqI:
			x := &r[i.A()]
			if x.o == &intTag {
				yes = x.n == uint64(i.B())
				goto branch
			}
			goto compareI
		case code.OpTestNotEqI:
			x := &r[i.A()]
			if x.o == &intTag {
				yes = x.n != uint64(i.B())
				goto branch
			}
			goto compareI
		case code.OpTestLtI:
			x := &r[i.A()]
			if x.o == &intTag {
				yes = int64(x.n) < int64(i.B())
				goto branch
			}
			goto compareI
		case code.OpTestLtEI:
			x := &r[i.A()]
			if x.o == &intTag {
				yes = int64(x.n) <= int64(i.B())
				goto branch
			}
			goto compareI
		case code.OpTestGtI:
			x := &r[i.A()]
			if x.o == &intTag {
				yes = int64(x.n) > int64(i.B())
				goto branch
			}
			goto compareI
		case code.OpTestGtEI:
			x := &r[i.A()]
			if x.o == &intTag {
				yes = int64(x.n) >= int64(i.B())
				goto branch
			}
			goto compareI
		case code.OpTestEqK, code.OpTestNotEqK:
			op := compareOp(uint8(i) - uint8(code.OpTestEqK))
			x, y := &r[i.A()], &f.unit.consts[i.B()]
			if x.o == y.o && x.n == y.n && x.o != &floatTag {
				yes = op == compareEq
				goto branch
			}
			f.pc = int32(pc)
			if yes, err = m.compareTruth(op, *x, *y); err != nil {
				goto fail
			}
			goto branch
		case code.OpTestNone:
			yes = r[i.A()].o == &noneTag
			goto branch
		case code.OpTestBound:
			yes = r[i.A()].o != nil
			goto branch

		case code.OpJump:
			goto jump
		case code.OpLoopRange:
			off := int(int32(i) >> 8)
			if m.budget += int64(off); m.budget < 0 {
				f.pc = int32(pc)
				if err = m.pause(); err != nil {
					pc--
					goto fail
				}
			}
			pc += off
			i = instr[pc]
			pc++
			if left := &r[i.A()+1]; left.o == &intTag && r[i.A()].o == &intTag {
				if left.n == 0 {
					goto jumpWord
				}
				left.n--
				r[i.B()].putInt(int64(r[i.A()].n))
				r[i.A()].n += r[i.A()+2].n
				pc++
				continue
			}
			err = ErrMalformed
			goto fail

		case code.OpIter:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.iter(r[i.B()])
			goto stored
		case code.OpForIter:
			if it := r[i.A()].iter(); it != nil {
				if it.what == iterRange && it.end > 0 {
					r[i.B()].putInt(it.pos)
					it.pos += it.step
					it.end--
					pc++
					continue
				}
				if it.what == iterList {
					if l := it.seq.List(); uint64(it.pos) < uint64(len(l.items)) {
						r[i.B()] = l.items[it.pos]
						it.pos++
						pc++
						continue
					}
				}
				if u := instr[pc+1]; u.Op() == code.OpUnpack && u.B() == i.B() && it.loose(int(u.C())) {
					f.pc = int32(pc)
					if yes, err = it.fill(m, r[u.A():][:u.C()]); err != nil {
						goto fail
					}
					if yes {
						pc += 2
						continue
					}
					goto jumpWord
				}
				if i.C() == 0 {
					v, yes, err = it.Next(m)
				} else {
					v, yes, err = it.nextLone(m, r[i.B()])
				}
				if err != nil {
					f.pc = int32(pc)
					goto fail
				}
				if yes {
					r[i.B()] = v
					pc++
					continue
				}
				goto jumpWord
			}
			f.pc, m.dst = int32(pc), i.B()
			if g := r[i.A()].generator(); g != nil && g.state == generatorSuspended {
				if err = m.restore(g, contFor, Value{}); err != nil {
					goto fail
				}
				f = &m.frames[len(m.frames)-1]
				r = (*[window]Value)(m.stack[f.base:])
				r[g.send] = None
				goto resume
			}
			if err = m.forNext(r[i.A()]); err != nil {
				goto fail
			}
			goto jumpWord
		case code.OpForPair:
			if it := r[i.A()].iter(); it != nil {
				f.pc = int32(pc)
				yes, err = it.nextPair(m, &r[i.B()], &r[i.B()+1])
				if err != nil {
					goto fail
				}
				if yes {
					pc++
					continue
				}
				goto jumpWord
			}
			f.pc, m.dst = int32(pc), i.B()
			if err = m.forNext(r[i.A()]); err != nil {
				goto fail
			}
			goto jumpWord
		case code.OpRangeIter:
			f.pc, m.dst = int32(pc), i.A()
			if err = m.rangeIter(r[i.A()], r[i.A()+1], r[i.A()+2], r, i.A()); err != nil {
				goto fail
			}
		case code.OpForRange:
			left := &r[i.A()+1]
			if left.o == &intTag && r[i.A()].o == &intTag {
				if left.n == 0 {
					goto jumpWord
				}
				left.n--
				r[i.B()].putInt(int64(r[i.A()].n))
				r[i.A()].n += r[i.A()+2].n
				pc++
				continue
			}
			err = ErrMalformed
			goto fail
		case code.OpAsyncIter:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.asyncIter(r[i.B()])
			goto stored
		case code.OpAsyncNext:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.asyncNext(r[i.B()])
			goto stored

		case code.OpList:
			f.pc = int32(pc)
			if v, err = m.NewList(m.stack[int(f.base)+int(i.B()):][:i.C()]); err != nil {
				goto fail
			}
			r[i.A()] = v
		case code.OpTuple:
			f.pc = int32(pc)
			if v, err = m.NewTuple(m.stack[int(f.base)+int(i.B()):][:i.C()]); err != nil {
				goto fail
			}
			r[i.A()] = v
		case code.OpSet:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.setDisplay(m.stack[int(f.base)+int(i.B()):][:i.C()])
			goto stored
		case code.OpDict:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.dictDisplay(m.stack[int(f.base)+int(i.B()):][:2*int(i.C())])
			goto stored
		case code.OpAppend:
			l := r[i.A()].List()
			if l == nil {
				err = ErrMalformed
				goto fail
			}
			if len(l.items) == cap(l.items) {
				f.pc = int32(pc)
				if err = m.GrowList(l, 1); err != nil {
					goto fail
				}
			}
			l.items = append(l.items, r[i.B()])
		case code.OpAddToSet:
			f.pc, m.dst = int32(pc), 0
			if err = m.addToSet(r[i.A()], r[i.B()]); err != nil {
				goto fail
			}
		case code.OpPut:
			f.pc = int32(pc)
			if err = m.put(r[i.A()], r[i.B()], r[i.C()]); err != nil {
				goto fail
			}
		case code.OpExtend:
			f.pc = int32(pc)
			if err = m.extend(r[i.A()], r[i.B()]); err != nil {
				goto fail
			}
		case code.OpUpdateSet:
			f.pc = int32(pc)
			if err = m.updateSet(r[i.A()], r[i.B()]); err != nil {
				goto fail
			}
		case code.OpMerge:
			f.pc = int32(pc)
			if err = m.merge(r[i.A()], r[i.B()]); err != nil {
				goto fail
			}
		case code.OpMergeArgs:
			f.pc = int32(pc)
			if err = m.mergeArgs(r[i.A()], r[i.B()], r[i.C()]); err != nil {
				goto fail
			}
		case code.OpListToTuple:
			l := r[i.B()].List()
			if l == nil {
				err = ErrMalformed
				goto fail
			}
			m.Spend(TupleBytes)
			r[i.A()] = (&Tuple{items: l.items}).value()

		case code.OpFormat:
			if x := &r[i.B()]; i.C() == 0 && x.o.kind == KindStr {
				r[i.A()] = *x
				continue
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.formatValue(r[i.B()], i.C(), "")
			goto stored
		case code.OpFormatSpec:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.formatSpec(r[i.B()], r[i.C()])
			goto stored
		case code.OpConvert:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.convert(r[i.B()], i.C())
			goto stored
		case code.OpJoin:
			f.pc = int32(pc)
			if v, err = m.joinParts(m.stack[int(f.base)+int(i.B()):][:i.C()]); err != nil {
				goto fail
			}
			r[i.A()] = v

		case code.OpItem:
			x, y := &r[i.B()], &r[i.C()]
			if y.o == &intTag {
				if l := x.List(); l != nil && y.n < uint64(len(l.items)) {
					r[i.A()] = l.items[y.n]
					continue
				}
			}
			if d := x.Dict(); d != nil {
				if n, _ := d.findQuick(*y); n >= 0 {
					r[i.A()] = d.entries[n].value
					continue
				}
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.item(*x, *y)
			goto stored
		case code.OpItemI:
			switch s := r[i.B()].Self().(type) {
			case *List:
				if int(i.C()) < len(s.items) {
					r[i.A()] = s.items[i.C()]
					continue
				}
			case *Tuple:
				if int(i.C()) < len(s.items) {
					r[i.A()] = s.items[i.C()]
					continue
				}
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.item(r[i.B()], Int(int64(i.C())))
			goto stored
		case code.OpItemK:
			if d := r[i.B()].Dict(); d != nil {
				if k := f.unit.consts[i.C()].Str(); k != nil {
					if n := d.findStr(k); n >= 0 {
						r[i.A()] = d.entries[n].value
						continue
					}
				}
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.item(r[i.B()], f.unit.consts[i.C()])
			goto stored
		case code.OpSetItem:
			x, y := &r[i.A()], &r[i.B()]
			if y.o == &intTag {
				if l := x.List(); l != nil && y.n < uint64(len(l.items)) {
					l.items[y.n] = r[i.C()]
					continue
				}
			}
			f.pc = int32(pc)
			if err = m.setItem(*x, *y, r[i.C()]); err != nil {
				goto fail
			}
		case code.OpSetItemK:
			f.pc = int32(pc)
			if err = m.setItem(r[i.A()], f.unit.consts[i.B()], r[i.C()]); err != nil {
				goto fail
			}
		case code.OpDeleteItem:
			f.pc = int32(pc)
			if err = m.deleteItem(r[i.A()], r[i.B()]); err != nil {
				goto fail
			}
		case code.OpSlice:
			m.Spend(SliceBytes)
			r[i.A()] = (&sliceObject{start: r[i.B()], stop: r[i.B()+1], step: r[i.B()+2]}).value()
		case code.OpItemSlice:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.itemSlice(r[i.B()], r[i.C()], r[i.C()+1], r[i.C()+2])
			goto stored
		case code.OpUnpack:
			if t := r[i.B()].Tuple(); t != nil && len(t.items) == int(i.C()) {
				copy(r[i.A():], t.items)
				continue
			}
			f.pc, m.dst = int32(pc), i.A()
			if err = m.unpack(r[i.B()], int(i.C()), -1, int(f.base)+int(i.A())); err != nil {
				goto fail
			}
		case code.OpUnpackStar:
			f.pc, m.dst = int32(pc), i.A()
			after := int(instr[pc])
			if err = m.unpack(r[i.B()], int(i.C()), after, int(f.base)+int(i.A())); err != nil {
				goto fail
			}
			pc++

		case code.OpAttr:
			name := f.unit.consts[instr[pc]]
			pc++
			if x := r[i.B()].Instance(); x != nil && !x.class.dataDescriptors {
				if n := x.attrs().findStr(name.Str()); n >= 0 {
					r[i.A()] = x.attrs().entries[n].value
					continue
				}
			}
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.attr(r[i.B()], name)
			goto stored
		case code.OpSetAttr:
			name := f.unit.consts[instr[pc]]
			pc++
			if x := r[i.A()].Instance(); x != nil && x.class.plainSetAttr {
				if n := x.attrs().findStr(name.Str()); n >= 0 {
					x.attrs().entries[n].value = r[i.B()]
					continue
				}
				f.pc = int32(pc)
				if err = m.addAttr(x, name.Str(), r[i.B()]); err != nil {
					goto fail
				}
				continue
			}
			f.pc = int32(pc)
			if err = m.setAttr(r[i.A()], name, r[i.B()]); err != nil {
				goto fail
			}
		case code.OpDeleteAttr:
			name := f.unit.consts[instr[pc]]
			pc++
			f.pc = int32(pc)
			if err = m.deleteAttr(r[i.A()], name); err != nil {
				goto fail
			}
		case code.OpCheckAttr:
			name := f.unit.consts[instr[pc]]
			pc++
			f.pc = int32(pc)
			if err = m.checkAttr(r[i.A()], name); err != nil {
				goto fail
			}
		case code.OpSpecial:
			name := f.unit.consts[instr[pc]]
			pc++
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.special(r[i.B()], name, i.C())
			goto stored

		case code.OpCall:
			f.pc, m.dst = int32(pc), i.C()
			if m.budget -= callSteps; m.budget < 0 {
				if err = m.pause(); err != nil {
					pc--
					goto fail
				}
			}
			if fn := r[i.A()].function(); fn != nil && fn.code.simple && fn.code.pos == int32(i.B()) {
				u := fn.code
				base := int(f.base) + int(i.A()) + 1
				n, depth := len(m.frames), f.depth+u.weight
				if n >= cap(m.frames) || int(depth) > m.limits.Depth || base+window+headroom > len(m.stack) {
					if err = m.push(u, fn, fn.globals, base, contStore, Value{}); err != nil {
						goto fail
					}
				} else { // push, with what is the same for all frames left as it is
					m.frames = m.frames[:n+1]
					next := &m.frames[n]
					next.unit, next.fn, next.mod = u, fn, fn.globals
					next.pc, next.base, next.depth, next.cont, next.dst = 0, int32(base), depth, contStore, i.C()
				}
				f = &m.frames[n]
				r = (*[window]Value)(m.stack[base:])
				for n := u.pos; n < u.locals; n++ {
					r[uint8(n)] = Value{}
				}
				goto resume
			}
			if fn := r[i.A()].native(); fn != nil && int(i.B()) >= fn.min && (int(i.B()) <= fn.max || fn.max < 0) {
				base := int(f.base) + int(i.A()) + 1
				m.inNative, m.nativeBase = true, m.mem
				v, err = fn.fn(m, Args{v: m.stack[base : base+int(i.B()) : base+int(i.B())]})
				m.inNative, m.asFuture = false, false
				if err == nil {
					r[i.C()] = v
					continue
				}
				if err != errTail {
					goto fail
				}
				v, err = m.callTail(base)
			} else if c := r[i.A()].Class(); c != nil && c.abstract == nil {
				if init := m.initOf(c); init != nil && init.code.pos == int32(i.B())+1 {
					if err = m.construct(c, init, int(f.base)+int(i.A())); err != nil {
						goto fail
					}
					goto reload
				}
				v, err = m.call(r[i.A()], int(f.base)+int(i.A())+1, int(i.B()), nil, contStore, Value{})
			} else {
				v, err = m.call(r[i.A()], int(f.base)+int(i.A())+1, int(i.B()), nil, contStore, Value{})
			}
			if err != nil {
				goto fail
			}
			r[i.C()] = v
		case code.OpCallKw:
			names := f.unit.consts[instr[pc]].Tuple()
			pc++
			f.pc, m.dst = int32(pc), i.C()
			v, err = m.call(r[i.A()], int(f.base)+int(i.A())+1, int(i.B()), names, contStore, Value{})
			if err != nil {
				goto fail
			}
			r[i.C()] = v
		case code.OpCallMethod:
			name := f.unit.consts[instr[pc]].Str()
			pc++
			f.pc, m.dst = int32(pc), i.C()
			if i.B() == 1 && name == nameAppend {
				if l := r[i.A()].List(); l != nil && len(l.items) < cap(l.items) {
					l.items = append(l.items, r[i.A()+1])
					r[i.C()] = None
					continue
				}
			}
			if m.budget -= callSteps; m.budget < 0 {
				if err = m.pause(); err != nil {
					pc -= 2
					goto fail
				}
			}
			v, err = m.callMethod(name, int(f.base)+int(i.A()), int(i.B()), nil)
			if err != nil {
				goto fail
			}
			r[i.C()] = v
		case code.OpCallMethodKw:
			name := f.unit.consts[instr[pc]].Str()
			names := f.unit.consts[instr[pc+1]].Tuple()
			pc += 2
			f.pc, m.dst = int32(pc), i.C()
			v, err = m.callMethod(name, int(f.base)+int(i.A()), int(i.B()), names)
			if err != nil {
				goto fail
			}
			r[i.C()] = v
		case code.OpCallEx:
			f.pc, m.dst = int32(pc), i.C()
			v, err = m.callEx(r[i.A()], r[i.A()+1], r[i.A()+2])
			if err != nil {
				goto fail
			}
			r[i.C()] = v
		case code.OpAsFuture:
			m.asFuture = true
		case code.OpCallSuper:
			f.pc = int32(pc)
			if v, err = m.newSuper(r[i.A()], r[i.B()]); err != nil {
				goto fail
			}
			r[i.C()] = v

		case code.OpFunction:
			f.pc = int32(pc + 1)
			if v, err = m.newFunction(f.unit, int(instr[pc]), f, r, i.A(), i.C()); err != nil {
				goto fail
			}
			pc++
			r[i.A()] = v
		case code.OpReturn:
			v = r[i.A()]
			goto ret
		case code.OpReturnNone:
			v = None
			goto ret

		case code.OpYield:
			f.pc = int32(pc)
			if err = m.yield(r[i.B()], i.A()); err != nil {
				goto fail
			}
			goto reload
		case code.OpDelegate:
			f.pc, m.dst = int32(pc), i.C()
			v, err = m.delegate(r[i.A()], r[i.B()])
			if err == nil {
				r[i.C()] = v
				continue
			}
			goto fail
		case code.OpAwaitable:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.awaitable(r[i.B()])
			goto stored
		case code.OpAwaitTop:
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.awaitTop(r[i.B()])
			goto stored

		case code.OpRaise:
			f.pc = int32(pc)
			cause := Value{}
			if i.C() == 1 {
				cause = r[i.B()]
			}
			err = m.raise(r[i.A()], cause)
			goto fail
		case code.OpReraise:
			f.pc = int32(pc)
			err = m.reraise(r[i.A()])
			goto fail
		case code.OpMatchExcept:
			f.pc = int32(pc)
			if yes, err = m.matchExcept(r[i.B()], r[i.C()]); err != nil {
				goto fail
			}
			r[i.A()] = Bool(yes)
		case code.OpEndExcept:
			r[i.A()] = Value{}

		case code.OpImport:
			name := f.unit.consts[instr[pc]].Str()
			pc++
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.importModule(name)
			goto stored
		case code.OpImportName:
			name := f.unit.consts[instr[pc]].Str()
			pc++
			f.pc, m.dst = int32(pc), i.A()
			v, err = m.importName(r[i.B()], name)
			goto stored

		default:
			err = ErrMalformed
			goto fail
		}
		continue

		// The common ends of instructions. Each is reached by goto only.

	arith:
		if code.Op(uint8(i)) >= code.OpIAdd {
			goto inplace
		}
		if v = m.chain(f.unit, r, i, instr[pc]); v.o != nil {
			r[i.A()] = v
			pc++
			continue
		}
		f.pc, m.dst = int32(pc), i.A()
		v, err = m.binary(binaryOp(uint8(i)-uint8(code.OpAdd)), r[i.B()], r[i.C()])
		goto stored

	inplace:
		f.pc, m.dst = int32(pc), i.A()
		v, err = m.inplace(binaryOp(uint8(i)-uint8(code.OpIAdd)), r[i.B()], r[i.C()])

	stored:
		if err != nil {
			goto fail
		}
		r[i.A()] = v
		continue

	compareI:
		f.pc = int32(pc)
		if yes, err = m.compareTruth(compareOp(uint8(i)-uint8(code.OpTestEqI)), r[i.A()], Int(int64(i.B()))); err != nil {
			goto fail
		}
		goto branch

	compare:
		f.pc = int32(pc)
		if yes, err = m.compareTruth(compareOp(uint8(i)-uint8(code.OpTestEq)), r[i.A()], r[i.B()]); err != nil {
			goto fail
		}

	branch:
		if yes != (i.C() != 0) {
			pc++
			continue
		}

	jumpWord:
		i = instr[pc]
		pc++

	jump:
		if off := int(int32(i) >> 8); off >= 0 {
			pc += off
			continue
		} else {
			pc += off
			m.budget += int64(off)
		}
		if m.budget < 0 {
			f.pc = int32(pc)
			if err = m.pause(); err != nil {
				goto fail
			}
		}
		continue

	ret:
		switch f.cont {
		case contStore:
			if f.gen != nil {
				goto leave
			}
		case contInit:
			if v.o != &noneTag {
				goto leave
			}
			v, f.extra = f.extra, Value{}
		case contBinary:
			if v.o == notImplemented.o {
				goto leave
			}
		case contCompareTest:
			if v.o != &boolTag {
				goto leave
			}
			m.frames = m.frames[:len(m.frames)-1]
			m.settleTruth(contTest, 0, v.n != 0)
			goto reload
		default:
			goto leave
		}
		{
			n := len(m.frames) - 1
			dst := f.dst
			m.frames = m.frames[:n]
			f = &m.frames[n-1]
			r = (*[window]Value)(m.stack[f.base:])
			r[dst] = v
		}
		goto resume

	leave:
		f.pc = int32(pc)
		if err = m.leave(v); err == nil {
			goto reload
		}
		if err == errDone {
			return err
		}

	fail:
		if err == errEntered {
			goto reload
		}
		if n := len(m.frames); n > 0 && &m.frames[n-1] == f {
			f.pc = int32(pc)
		}
		if err = m.unwind(err); err != nil {
			return err
		}
		goto reload
	}
}

// callSteps is how many steps a call counts for.
const callSteps = 8

// putInt makes v an int. It leaves the tag alone when it is right, which spares
// the collector's write barrier.
func (v *Value) putInt(n int64) {
	if v.o != &intTag {
		v.o = &intTag
	}
	v.n = uint64(n)
}

// Self returns the object itself by its own type, such as *Str, or nil.
func (v Value) Self() any {
	if v.o == nil {
		return nil
	}
	return v.o.self
}

func floorDiv(x, y int64) int64 {
	q := x / y
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q
}

func floorMod(x, y int64) int64 {
	n := x % y
	if n != 0 && (n < 0) != (y < 0) {
		n += y
	}
	return n
}

func mulInt(x, y int64) (int64, bool) {
	if int64(int32(x)) == x && int64(int32(y)) == y {
		return x * y, true
	}
	n := x * y
	if x != 0 && (n/x != y || x == -1 && y == math.MinInt64) {
		return 0, false
	}
	return n, true
}

func compareInts(op compareOp, x, y int64) bool {
	switch op {
	case compareEq:
		return x == y
	case compareNotEq:
		return x != y
	case compareLt:
		return x < y
	case compareLtE:
		return x <= y
	case compareGt:
		return x > y
	}
	return x >= y
}

// wordsOf returns the length of an instruction with its words.
func wordsOf(i code.Instr) int {
	switch i.Op() {
	case code.OpConstX:
		return 2
	}
	return 1
}
