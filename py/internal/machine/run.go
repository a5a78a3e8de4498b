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
// that will deliver the value later.
func (m *Machine) loop() error {
	var (
		f     *frame
		u     *unit
		instr []code.Instr
		r     *[window]Value
		pc    int
		start int // where the current run of instructions without a jump began
		v     Value
		err   error
		yes   bool
	)

reload:
	f = &m.frames[len(m.frames)-1]
	u = f.unit
	instr = u.instrs
	r = (*[window]Value)(m.stack[f.base:])
	pc = int(f.pc)
	start = pc

	for {
		i := instr[pc]
		pc++
		a, b, c := uint8(i>>8), uint8(i>>16), uint8(i>>24)
		switch code.Op(uint8(i)) {

		case code.OpMove:
			r[a] = r[b]
		case code.OpConst:
			r[a] = u.consts[i>>16]
		case code.OpConstX:
			r[a] = u.consts[instr[pc]]
			pc++
		case code.OpSmall:
			r[a].putInt(int64(i >> 16))

		case code.OpGlobal:
			v = f.mod.globals[i>>16]
			if v.o != nil {
				r[a] = v
				continue
			}
			if v, err = m.globalFallback(f.mod, int(i>>16)); err != nil {
				goto fail
			}
			r[a] = v
		case code.OpSetGlobal:
			f.mod.globals[i>>16] = r[a]
		case code.OpDeleteGlobal:
			if f.mod.globals[i>>16].o == nil {
				err = m.unboundGlobal(f.mod, int(i>>16))
				goto fail
			}
			f.mod.globals[i>>16] = Value{}

		case code.OpNewCell:
			m.spend(cellBytes)
			r[a] = (&cell{v: r[a]}).value()
		case code.OpEmptyCell:
			m.spend(cellBytes)
			r[a] = (&cell{}).value()
		case code.OpCell:
			if k := r[b].cell(); k != nil && k.v.o != nil {
				r[a] = k.v
				continue
			}
			err = m.unboundLocal(u, b)
			goto fail
		case code.OpSetCell:
			if k := r[a].cell(); k != nil {
				k.v = r[b]
				continue
			}
			err = errCorrupt
			goto fail
		case code.OpDeleteCell:
			if k := r[a].cell(); k != nil && k.v.o != nil {
				k.v = Value{}
				continue
			}
			err = m.unboundLocal(u, a)
			goto fail
		case code.OpFree:
			if v = f.fn.cells[i>>16].v; v.o == nil {
				err = m.unboundFree(u, int(i>>16))
				goto fail
			}
			r[a] = v
		case code.OpSetFree:
			f.fn.cells[i>>16].v = r[a]
		case code.OpDeleteFree:
			k := f.fn.cells[i>>16]
			if k.v.o == nil {
				err = m.unboundFree(u, int(i>>16))
				goto fail
			}
			k.v = Value{}

		case code.OpCheckLocal:
			if r[a].o == nil {
				err = m.unboundLocal(u, a)
				goto fail
			}
		case code.OpUnbind:
			r[a] = Value{}

		case code.OpClassName:
			v, yes, err = m.className(r[0], u.consts[i>>16])
			if err != nil {
				goto fail
			}
			if yes {
				r[a] = v
				pc += wordsOf(instr[pc])
			}
		case code.OpSetClassName:
			if err = m.setClassName(r[0], u.consts[i>>16], r[a]); err != nil {
				goto fail
			}
		case code.OpDeleteClassName:
			if err = m.deleteClassName(r[0], u.consts[i>>16]); err != nil {
				goto fail
			}

		case code.OpAdd:
			x, y := &r[b], &r[c]
			if x.o == &intTag && y.o == &intTag {
				n := int64(x.n) + int64(y.n)
				if (int64(x.n)^n)&(int64(y.n)^n) >= 0 {
					r[a].putInt(n)
					continue
				}
			} else if x.o == &floatTag && y.o == &floatTag {
				r[a] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) + math.Float64frombits(y.n))}
				continue
			}
			goto arith
		case code.OpSub:
			x, y := &r[b], &r[c]
			if x.o == &intTag && y.o == &intTag {
				n := int64(x.n) - int64(y.n)
				if (int64(x.n)^int64(y.n))&(int64(x.n)^n) >= 0 {
					r[a].putInt(n)
					continue
				}
			} else if x.o == &floatTag && y.o == &floatTag {
				r[a] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) - math.Float64frombits(y.n))}
				continue
			}
			goto arith
		case code.OpMul:
			x, y := &r[b], &r[c]
			if x.o == &intTag && y.o == &intTag {
				if n, ok := mulInt(int64(x.n), int64(y.n)); ok {
					r[a].putInt(n)
					continue
				}
			} else if x.o == &floatTag && y.o == &floatTag {
				r[a] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) * math.Float64frombits(y.n))}
				continue
			}
			goto arith
		case code.OpDiv:
			x, y := &r[b], &r[c]
			if x.o == &floatTag && y.o == &floatTag && y.n<<1 != 0 {
				r[a] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) / math.Float64frombits(y.n))}
				continue
			}
			goto arith
		case code.OpFloorDiv:
			x, y := &r[b], &r[c]
			if x.o == &intTag && y.o == &intTag && int64(y.n) > 0 {
				r[a].putInt(floorDiv(int64(x.n), int64(y.n)))
				continue
			}
			goto arith
		case code.OpMod:
			x, y := &r[b], &r[c]
			if x.o == &intTag && y.o == &intTag && int64(y.n) > 0 {
				r[a].putInt(floorMod(int64(x.n), int64(y.n)))
				continue
			}
			goto arith
		case code.OpBitAnd:
			x, y := &r[b], &r[c]
			if x.o == &intTag && y.o == &intTag {
				r[a].putInt(int64(x.n & y.n))
				continue
			}
			goto arith
		case code.OpBitOr:
			x, y := &r[b], &r[c]
			if x.o == &intTag && y.o == &intTag {
				r[a].putInt(int64(x.n | y.n))
				continue
			}
			goto arith
		case code.OpBitXor:
			x, y := &r[b], &r[c]
			if x.o == &intTag && y.o == &intTag {
				r[a].putInt(int64(x.n ^ y.n))
				continue
			}
			goto arith
		case code.OpMatMul, code.OpPow, code.OpLShift, code.OpRShift:
			goto arith

		case code.OpIAdd:
			x, y := &r[b], &r[c]
			if x.o == &intTag && y.o == &intTag {
				n := int64(x.n) + int64(y.n)
				if (int64(x.n)^n)&(int64(y.n)^n) >= 0 {
					r[a].putInt(n)
					continue
				}
			} else if x.o == &floatTag && y.o == &floatTag {
				r[a] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) + math.Float64frombits(y.n))}
				continue
			}
			goto inplace
		case code.OpISub:
			x, y := &r[b], &r[c]
			if x.o == &intTag && y.o == &intTag {
				n := int64(x.n) - int64(y.n)
				if (int64(x.n)^int64(y.n))&(int64(x.n)^n) >= 0 {
					r[a].putInt(n)
					continue
				}
			} else if x.o == &floatTag && y.o == &floatTag {
				r[a] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) - math.Float64frombits(y.n))}
				continue
			}
			goto inplace
		case code.OpIMul:
			x, y := &r[b], &r[c]
			if x.o == &intTag && y.o == &intTag {
				if n, ok := mulInt(int64(x.n), int64(y.n)); ok {
					r[a].putInt(n)
					continue
				}
			} else if x.o == &floatTag && y.o == &floatTag {
				r[a] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) * math.Float64frombits(y.n))}
				continue
			}
			goto inplace
		case code.OpIMatMul, code.OpIDiv, code.OpIFloorDiv, code.OpIMod, code.OpIPow, code.OpILShift, code.OpIRShift,
			code.OpIBitAnd, code.OpIBitOr, code.OpIBitXor:
			goto inplace

		case code.OpAddI:
			x := &r[b]
			if x.o == &intTag {
				if n := int64(x.n) + int64(c); n >= int64(x.n) {
					r[a].putInt(n)
					continue
				}
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.binary(opAdd, r[b], Int(int64(c)))
			goto stored
		case code.OpSubI:
			x := &r[b]
			if x.o == &intTag {
				if n := int64(x.n) - int64(c); n <= int64(x.n) {
					r[a].putInt(n)
					continue
				}
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.binary(opSub, r[b], Int(int64(c)))
			goto stored
		case code.OpMulI:
			x := &r[b]
			if x.o == &intTag {
				if n, ok := mulInt(int64(x.n), int64(c)); ok {
					r[a].putInt(n)
					continue
				}
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.binary(opMul, r[b], Int(int64(c)))
			goto stored
		case code.OpFloorDivI:
			x := &r[b]
			if x.o == &intTag && c != 0 {
				r[a].putInt(floorDiv(int64(x.n), int64(c)))
				continue
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.binary(opFloorDiv, r[b], Int(int64(c)))
			goto stored
		case code.OpModI:
			x := &r[b]
			if x.o == &intTag && c != 0 {
				r[a].putInt(floorMod(int64(x.n), int64(c)))
				continue
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.binary(opMod, r[b], Int(int64(c)))
			goto stored
		case code.OpAddK:
			x, y := &r[b], &u.consts[c]
			if x.o == &floatTag && y.o == &floatTag {
				r[a] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) + math.Float64frombits(y.n))}
				continue
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.binary(opAdd, *x, *y)
			goto stored
		case code.OpSubK:
			f.pc, m.dst = int32(pc), a
			v, err = m.binary(opSub, r[b], u.consts[c])
			goto stored
		case code.OpMulK:
			x, y := &r[b], &u.consts[c]
			if x.o == &floatTag && y.o == &floatTag {
				r[a] = Value{&floatTag, math.Float64bits(math.Float64frombits(x.n) * math.Float64frombits(y.n))}
				continue
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.binary(opMul, *x, *y)
			goto stored
		case code.OpDivK:
			f.pc, m.dst = int32(pc), a
			v, err = m.binary(opDiv, r[b], u.consts[c])
			goto stored
		case code.OpIAddI:
			x := &r[b]
			if x.o == &intTag {
				if n := int64(x.n) + int64(c); n >= int64(x.n) {
					r[a].putInt(n)
					continue
				}
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.inplace(opAdd, r[b], Int(int64(c)))
			goto stored
		case code.OpISubI:
			x := &r[b]
			if x.o == &intTag {
				if n := int64(x.n) - int64(c); n <= int64(x.n) {
					r[a].putInt(n)
					continue
				}
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.inplace(opSub, r[b], Int(int64(c)))
			goto stored
		case code.OpIMulK:
			f.pc, m.dst = int32(pc), a
			v, err = m.inplace(opMul, r[b], u.consts[c])
			goto stored
		case code.OpIAddK:
			f.pc, m.dst = int32(pc), a
			v, err = m.inplace(opAdd, r[b], u.consts[c])
			goto stored

		case code.OpNeg:
			x := &r[b]
			if x.o == &intTag && int64(x.n) != math.MinInt64 {
				r[a].putInt(-int64(x.n))
				continue
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.unary(opNeg, *x)
			goto stored
		case code.OpPlus:
			f.pc, m.dst = int32(pc), a
			v, err = m.unary(opPlus, r[b])
			goto stored
		case code.OpInvert:
			f.pc, m.dst = int32(pc), a
			v, err = m.unary(opInvert, r[b])
			goto stored
		case code.OpNot:
			x := &r[b]
			if x.o == &boolTag {
				r[a] = Value{&boolTag, x.n ^ 1}
				continue
			}
			f.pc, m.dst = int32(pc), a
			if yes, err = m.truth(*x, contNot); err != nil {
				goto fail
			}
			r[a] = Bool(!yes)

		case code.OpEq, code.OpNotEq, code.OpLt, code.OpLtE, code.OpGt, code.OpGtE:
			op := compareOp(uint8(i) - uint8(code.OpEq))
			x, y := &r[b], &r[c]
			if x.o == &intTag && y.o == &intTag {
				r[a] = Bool(compareInts(op, int64(x.n), int64(y.n)))
				continue
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.compare(op, *x, *y, contStore)
			goto stored
		case code.OpIs:
			r[a] = Bool(r[b].is(r[c]))
		case code.OpIsNot:
			r[a] = Bool(!r[b].is(r[c]))
		case code.OpIn:
			f.pc, m.dst = int32(pc), a
			if yes, err = m.contains(r[c], r[b], contTruth); err != nil {
				goto fail
			}
			r[a] = Bool(yes)
		case code.OpNotIn:
			f.pc, m.dst = int32(pc), a
			if yes, err = m.contains(r[c], r[b], contNot); err != nil {
				goto fail
			}
			r[a] = Bool(!yes)

		case code.OpTest:
			x := &r[a]
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
			x, y := &r[a], &r[b]
			if x.o == &intTag && y.o == &intTag {
				yes = x.n == y.n
				goto branch
			}
			goto compare
		case code.OpTestNotEq:
			x, y := &r[a], &r[b]
			if x.o == &intTag && y.o == &intTag {
				yes = x.n != y.n
				goto branch
			}
			goto compare
		case code.OpTestLt:
			x, y := &r[a], &r[b]
			if x.o == &intTag && y.o == &intTag {
				yes = int64(x.n) < int64(y.n)
				goto branch
			}
			goto compare
		case code.OpTestLtE:
			x, y := &r[a], &r[b]
			if x.o == &intTag && y.o == &intTag {
				yes = int64(x.n) <= int64(y.n)
				goto branch
			}
			goto compare
		case code.OpTestGt:
			x, y := &r[a], &r[b]
			if x.o == &intTag && y.o == &intTag {
				yes = int64(x.n) > int64(y.n)
				goto branch
			}
			goto compare
		case code.OpTestGtE:
			x, y := &r[a], &r[b]
			if x.o == &intTag && y.o == &intTag {
				yes = int64(x.n) >= int64(y.n)
				goto branch
			}
			goto compare
		case code.OpTestIs:
			yes = r[a].is(r[b])
			goto branch
		case code.OpTestIsNot:
			yes = !r[a].is(r[b])
			goto branch
		case code.OpTestIn:
			f.pc = int32(pc)
			if yes, err = m.contains(r[b], r[a], contTest); err != nil {
				goto fail
			}
			goto branch
		case code.OpTestNotIn:
			f.pc = int32(pc)
			if yes, err = m.contains(r[b], r[a], contTest); err != nil {
				goto fail
			}
			yes = !yes
			goto branch
		case code.OpTestEqI:
			x := &r[a]
			if x.o == &intTag {
				yes = x.n == uint64(b)
				goto branch
			}
			goto compareI
		case code.OpTestNotEqI:
			x := &r[a]
			if x.o == &intTag {
				yes = x.n != uint64(b)
				goto branch
			}
			goto compareI
		case code.OpTestLtI:
			x := &r[a]
			if x.o == &intTag {
				yes = int64(x.n) < int64(b)
				goto branch
			}
			goto compareI
		case code.OpTestLtEI:
			x := &r[a]
			if x.o == &intTag {
				yes = int64(x.n) <= int64(b)
				goto branch
			}
			goto compareI
		case code.OpTestGtI:
			x := &r[a]
			if x.o == &intTag {
				yes = int64(x.n) > int64(b)
				goto branch
			}
			goto compareI
		case code.OpTestGtEI:
			x := &r[a]
			if x.o == &intTag {
				yes = int64(x.n) >= int64(b)
				goto branch
			}
			goto compareI
		case code.OpTestEqK, code.OpTestNotEqK:
			op := compareOp(uint8(i) - uint8(code.OpTestEqK))
			x, y := &r[a], &u.consts[b]
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
			yes = r[a].o == &noneTag
			goto branch
		case code.OpTestBound:
			yes = r[a].o != nil
			goto branch

		case code.OpJump:
			goto jump

		case code.OpIter:
			f.pc, m.dst = int32(pc), a
			v, err = m.iter(r[b])
			goto stored
		case code.OpForIter:
			if it := r[a].iter(); it != nil {
				v, yes, err = it.next(m)
				if err != nil {
					f.pc = int32(pc)
					goto fail
				}
				if yes {
					r[b] = v
					pc++
					continue
				}
				goto jumpWord
			}
			f.pc, m.dst = int32(pc), b
			if err = m.forNext(r[a]); err != nil {
				goto fail
			}
			goto jumpWord
		case code.OpForPair:
			if it := r[a].iter(); it != nil {
				f.pc = int32(pc)
				yes, err = it.nextPair(m, &r[b], &r[b+1])
				if err != nil {
					goto fail
				}
				if yes {
					pc++
					continue
				}
				goto jumpWord
			}
			f.pc, m.dst = int32(pc), b
			if err = m.forNext(r[a]); err != nil {
				goto fail
			}
			goto jumpWord
		case code.OpRangeIter:
			f.pc, m.dst = int32(pc), a
			if err = m.rangeIter(r[a], r[a+1], r[a+2], r, a); err != nil {
				goto fail
			}
		case code.OpForRange:
			left := &r[a+1]
			if left.o == &intTag && r[a].o == &intTag {
				if left.n == 0 {
					goto jumpWord
				}
				left.n--
				r[b].putInt(int64(r[a].n))
				r[a].n += r[a+2].n
				pc++
				continue
			}
			err = errCorrupt
			goto fail
		case code.OpAsyncIter:
			f.pc, m.dst = int32(pc), a
			v, err = m.asyncIter(r[b])
			goto stored
		case code.OpAsyncNext:
			f.pc, m.dst = int32(pc), a
			v, err = m.asyncNext(r[b])
			goto stored

		case code.OpList:
			f.pc = int32(pc)
			if v, err = m.newListCopy(m.stack[int(f.base)+int(b):][:c]); err != nil {
				goto fail
			}
			r[a] = v
		case code.OpTuple:
			f.pc = int32(pc)
			if v, err = m.newTupleCopy(m.stack[int(f.base)+int(b):][:c]); err != nil {
				goto fail
			}
			r[a] = v
		case code.OpSet:
			f.pc, m.dst = int32(pc), a
			v, err = m.setDisplay(m.stack[int(f.base)+int(b):][:c])
			goto stored
		case code.OpDict:
			f.pc, m.dst = int32(pc), a
			v, err = m.dictDisplay(m.stack[int(f.base)+int(b):][:2*int(c)])
			goto stored
		case code.OpAppend:
			l := r[a].list()
			if l == nil {
				err = errCorrupt
				goto fail
			}
			if len(l.items) == cap(l.items) {
				f.pc = int32(pc)
				if err = m.growList(l, 1); err != nil {
					goto fail
				}
			}
			l.items = append(l.items, r[b])
		case code.OpAddToSet:
			f.pc, m.dst = int32(pc), 0
			if err = m.addToSet(r[a], r[b]); err != nil {
				goto fail
			}
		case code.OpPut:
			f.pc = int32(pc)
			if err = m.put(r[a], r[b], r[c]); err != nil {
				goto fail
			}
		case code.OpExtend:
			f.pc = int32(pc)
			if err = m.extend(r[a], r[b]); err != nil {
				goto fail
			}
		case code.OpUpdateSet:
			f.pc = int32(pc)
			if err = m.updateSet(r[a], r[b]); err != nil {
				goto fail
			}
		case code.OpMerge:
			f.pc = int32(pc)
			if err = m.merge(r[a], r[b]); err != nil {
				goto fail
			}
		case code.OpMergeArgs:
			f.pc = int32(pc)
			if err = m.mergeArgs(r[a], r[b], r[c]); err != nil {
				goto fail
			}
		case code.OpListToTuple:
			l := r[b].list()
			if l == nil {
				err = errCorrupt
				goto fail
			}
			m.spend(tupleBytes)
			r[a] = (&tuple{items: l.items}).value()

		case code.OpFormat:
			if x := &r[b]; c == 0 && x.o.kind == kindStr {
				r[a] = *x
				continue
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.formatValue(r[b], c, "")
			goto stored
		case code.OpFormatSpec:
			f.pc, m.dst = int32(pc), a
			v, err = m.formatSpec(r[b], r[c])
			goto stored
		case code.OpConvert:
			f.pc, m.dst = int32(pc), a
			v, err = m.convert(r[b], c)
			goto stored
		case code.OpJoin:
			f.pc = int32(pc)
			if v, err = m.joinParts(m.stack[int(f.base)+int(b):][:c]); err != nil {
				goto fail
			}
			r[a] = v

		case code.OpItem:
			x, y := &r[b], &r[c]
			if y.o == &intTag {
				if l := x.list(); l != nil && y.n < uint64(len(l.items)) {
					r[a] = l.items[y.n]
					continue
				}
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.item(*x, *y)
			goto stored
		case code.OpItemI:
			switch s := r[b].self().(type) {
			case *list:
				if int(c) < len(s.items) {
					r[a] = s.items[c]
					continue
				}
			case *tuple:
				if int(c) < len(s.items) {
					r[a] = s.items[c]
					continue
				}
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.item(r[b], Int(int64(c)))
			goto stored
		case code.OpItemK:
			if d := r[b].dict(); d != nil {
				if k := u.consts[c].str(); k != nil {
					if n := d.findStr(k); n >= 0 {
						r[a] = d.entries[n].value
						continue
					}
				}
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.item(r[b], u.consts[c])
			goto stored
		case code.OpSetItem:
			x, y := &r[a], &r[b]
			if y.o == &intTag {
				if l := x.list(); l != nil && y.n < uint64(len(l.items)) {
					l.items[y.n] = r[c]
					continue
				}
			}
			f.pc = int32(pc)
			if err = m.setItem(*x, *y, r[c]); err != nil {
				goto fail
			}
		case code.OpSetItemK:
			f.pc = int32(pc)
			if err = m.setItem(r[a], u.consts[b], r[c]); err != nil {
				goto fail
			}
		case code.OpDeleteItem:
			f.pc = int32(pc)
			if err = m.deleteItem(r[a], r[b]); err != nil {
				goto fail
			}
		case code.OpSlice:
			m.spend(sliceBytes)
			r[a] = (&sliceObject{start: r[b], stop: r[b+1], step: r[b+2]}).value()
		case code.OpItemSlice:
			f.pc, m.dst = int32(pc), a
			v, err = m.itemSlice(r[b], r[c], r[c+1], r[c+2])
			goto stored
		case code.OpUnpack:
			if t := r[b].tuple(); t != nil && len(t.items) == int(c) {
				copy(r[a:], t.items)
				continue
			}
			f.pc, m.dst = int32(pc), a
			if err = m.unpack(r[b], int(c), -1, int(f.base)+int(a)); err != nil {
				goto fail
			}
		case code.OpUnpackStar:
			f.pc, m.dst = int32(pc), a
			after := int(instr[pc])
			if err = m.unpack(r[b], int(c), after, int(f.base)+int(a)); err != nil {
				goto fail
			}
			pc++

		case code.OpAttr:
			name := u.consts[instr[pc]]
			pc++
			if x := r[b].instance(); x != nil && !x.class.dataDescriptors {
				if n := x.attrs.findStr(name.str()); n >= 0 {
					r[a] = x.attrs.entries[n].value
					continue
				}
			}
			f.pc, m.dst = int32(pc), a
			v, err = m.attr(r[b], name)
			goto stored
		case code.OpSetAttr:
			name := u.consts[instr[pc]]
			pc++
			if x := r[a].instance(); x != nil && x.class.plainSetAttr {
				if n := x.attrs.findStr(name.str()); n >= 0 {
					x.attrs.entries[n].value = r[b]
					continue
				}
			}
			f.pc = int32(pc)
			if err = m.setAttr(r[a], name, r[b]); err != nil {
				goto fail
			}
		case code.OpDeleteAttr:
			name := u.consts[instr[pc]]
			pc++
			f.pc = int32(pc)
			if err = m.deleteAttr(r[a], name); err != nil {
				goto fail
			}
		case code.OpCheckAttr:
			name := u.consts[instr[pc]]
			pc++
			f.pc = int32(pc)
			if err = m.checkAttr(r[a], name); err != nil {
				goto fail
			}
		case code.OpSpecial:
			name := u.consts[instr[pc]]
			pc++
			f.pc, m.dst = int32(pc), a
			v, err = m.special(r[b], name, c)
			goto stored

		case code.OpCall:
			f.pc, m.dst = int32(pc), c
			if m.budget -= int64(pc - start); m.budget < 0 {
				if err = m.check(); err != nil {
					goto fail
				}
			}
			start = pc
			if fn := r[a].function(); fn != nil {
				if u = fn.code; u.simple && int(u.pos) == int(b) {
					base := int(f.base) + int(a) + 1
					if err = m.push(u, fn, fn.globals, base, contStore, Value{}); err != nil {
						goto fail
					}
					r = (*[window]Value)(m.stack[base:])
					for n := int32(b); n < u.locals; n++ {
						r[uint8(n)] = Value{}
					}
					f = &m.frames[len(m.frames)-1]
					instr = u.instrs
					pc, start = 0, 0
					continue
				}
				u = f.unit
			}
			v, err = m.call(r[a], int(f.base)+int(a)+1, int(b), nil, contStore, Value{})
			if err != nil {
				goto fail
			}
			r[c] = v
		case code.OpCallKw:
			names := u.consts[instr[pc]].tuple()
			pc++
			f.pc, m.dst = int32(pc), c
			v, err = m.call(r[a], int(f.base)+int(a)+1, int(b), names, contStore, Value{})
			if err != nil {
				goto fail
			}
			r[c] = v
		case code.OpCallMethod:
			name := u.consts[instr[pc]].str()
			pc++
			f.pc, m.dst = int32(pc), c
			if b == 1 && name == nameAppend {
				if l := r[a].list(); l != nil && len(l.items) < cap(l.items) {
					l.items = append(l.items, r[a+1])
					r[c] = None
					continue
				}
			}
			if m.budget -= int64(pc - start); m.budget < 0 {
				if err = m.check(); err != nil {
					goto fail
				}
			}
			start = pc
			v, err = m.callMethod(name, int(f.base)+int(a), int(b), nil)
			if err != nil {
				goto fail
			}
			r[c] = v
		case code.OpCallMethodKw:
			name := u.consts[instr[pc]].str()
			names := u.consts[instr[pc+1]].tuple()
			pc += 2
			f.pc, m.dst = int32(pc), c
			v, err = m.callMethod(name, int(f.base)+int(a), int(b), names)
			if err != nil {
				goto fail
			}
			r[c] = v
		case code.OpCallEx:
			f.pc, m.dst = int32(pc), c
			v, err = m.callEx(r[a], r[a+1], r[a+2])
			if err != nil {
				goto fail
			}
			r[c] = v
		case code.OpAsFuture:
			m.asFuture = true
		case code.OpCallSuper:
			f.pc = int32(pc)
			if v, err = m.newSuper(r[a], r[b]); err != nil {
				goto fail
			}
			r[c] = v

		case code.OpFunction:
			f.pc = int32(pc + 1)
			if v, err = m.newFunction(u, int(instr[pc]), f, r, a, c); err != nil {
				goto fail
			}
			pc++
			r[a] = v
		case code.OpReturn:
			v = r[a]
			goto ret
		case code.OpReturnNone:
			v = None
			goto ret

		case code.OpYield:
			f.pc = int32(pc)
			if err = m.yield(r[b], a); err != nil {
				goto fail
			}
			goto reload
		case code.OpDelegate:
			f.pc, m.dst = int32(pc), c
			v, err = m.delegate(r[a], r[b])
			if err == nil {
				r[c] = v
				continue
			}
			goto fail
		case code.OpAwaitable:
			f.pc, m.dst = int32(pc), a
			v, err = m.awaitable(r[b])
			goto stored
		case code.OpAwaitTop:
			f.pc, m.dst = int32(pc), a
			v, err = m.awaitTop(r[b])
			goto stored

		case code.OpRaise:
			f.pc = int32(pc)
			cause := Value{}
			if c == 1 {
				cause = r[b]
			}
			err = m.raise(r[a], cause)
			goto fail
		case code.OpReraise:
			f.pc = int32(pc)
			err = m.reraise(r[a])
			goto fail
		case code.OpMatchExcept:
			f.pc = int32(pc)
			if yes, err = m.matchExcept(r[b], r[c]); err != nil {
				goto fail
			}
			r[a] = Bool(yes)
		case code.OpEndExcept:
			r[a] = Value{}

		case code.OpImport:
			name := u.consts[instr[pc]].str()
			pc++
			f.pc, m.dst = int32(pc), a
			v, err = m.importModule(name)
			goto stored
		case code.OpImportName:
			name := u.consts[instr[pc]].str()
			pc++
			f.pc, m.dst = int32(pc), a
			v, err = m.importName(r[b], name)
			goto stored

		default:
			err = errCorrupt
			goto fail
		}
		continue

		// The common ends of instructions. Each is reached by goto only.

	arith:
		f.pc, m.dst = int32(pc), a
		v, err = m.binary(binaryOp(uint8(i)-uint8(code.OpAdd)), r[b], r[c])
		goto stored

	inplace:
		f.pc, m.dst = int32(pc), a
		v, err = m.inplace(binaryOp(uint8(i)-uint8(code.OpIAdd)), r[b], r[c])

	stored:
		if err != nil {
			goto fail
		}
		r[a] = v
		continue

	compareI:
		f.pc = int32(pc)
		if yes, err = m.compareTruth(compareOp(uint8(i)-uint8(code.OpTestEqI)), r[a], Int(int64(b))); err != nil {
			goto fail
		}
		goto branch

	compare:
		f.pc = int32(pc)
		if yes, err = m.compareTruth(compareOp(uint8(i)-uint8(code.OpTestEq)), r[a], r[b]); err != nil {
			goto fail
		}

	branch:
		if yes != (c != 0) {
			pc++
			continue
		}

	jumpWord:
		i = instr[pc]
		pc++

	jump:
		m.budget -= int64(pc - start)
		pc += int(int32(i) >> 8)
		start = pc
		if m.budget < 0 {
			f.pc = int32(pc)
			if err = m.check(); err != nil {
				goto fail
			}
		}
		continue

	ret:
		if m.budget -= int64(pc - start); m.budget < 0 {
			f.pc = int32(pc)
			if err = m.check(); err != nil {
				goto fail
			}
		}
		if f.cont == contStore && f.gen == nil {
			dst := f.dst
			n := len(m.frames) - 1
			m.frames[n] = frame{}
			m.frames = m.frames[:n]
			f = &m.frames[n-1]
			u = f.unit
			instr = u.instrs
			r = (*[window]Value)(m.stack[f.base:])
			r[dst] = v
			pc = int(f.pc)
			start = pc
			continue
		}
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

// set makes v an int. It leaves the tag alone when it is right, which spares
// the collector's write barrier.
func (v *Value) putInt(n int64) {
	if v.o != &intTag {
		v.o = &intTag
	}
	v.n = uint64(n)
}

func (v Value) self() any {
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
