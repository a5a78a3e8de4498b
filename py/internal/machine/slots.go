package machine

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// The operators as methods of the built-in types: what super().__add__(x) and
// list.__len__(xs) call. The machine itself does not go through them.

// slot is a method that works on the built-in part of its receiver.
type slot func(m *Machine, self Value, a Args) (Value, error)

// slot defines an operator of a type; the counts include self.
func (r *registry) slot(c *class, name string, least, most int, fn slot) {
	r.method(c, name, 1, -1, func(m *Machine, a Args) (Value, error) {
		if !classOf(a.v[0]).isSubclass(c) {
			return Value{}, raise.Type("descriptor '%s' requires a '%s' object but received a '%s'", name, c.name, typeName(a.v[0]))
		}
		if n := a.len(); n < least || n > most {
			return Value{}, wrongSlotCount(least-1, most-1, n-1)
		}
		return fn(m, plain(a.v[0]), a)
	})
}

// wrongSlotCount is the error of an operator called with the wrong number of
// arguments.
func wrongSlotCount(least, most, given int) error {
	word, n := "", most
	switch {
	case least < most && given < least:
		word, n = "at least ", least
	case least < most:
		word = "at most "
	}
	return raise.Type("expected %s%d argument%s, got %d", word, n, plural(n), given)
}

func defineSlots(r *registry) {
	r.staticIntrinsic("_type_method", func(m *Machine, a Args) (Value, error) {
		fn, _ := m.lookup(classOf(a.v[0]), a.v[1].str())
		return orNone(fn), nil
	})
	r.staticIntrinsic("_hash_items", func(m *Machine, a Args) (Value, error) {
		h := num.NewTupleHash()
		for _, v := range a.v[0].list().items {
			h.Add(int64(v.n))
		}
		return Int(h.Sum()), m.Work(8 * len(a.v[0].list().items))
	})
	defineArithmeticSlots(r)
	defineConversionSlots(r)
	defineSequenceSlots(r)
	defineMutationSlots(r)
	defineSetSlots(r)
	defineComparisonSlots(r)
	defineTextSlots(r)
}

// family says which values the operators of a type accept as the other operand.
var families = map[*class]func(v Value) bool{
	intType: isIntegral, floatType: isNumber,
	strType: kindIs(kindStr), bytesType: kindIs(kindBytes), listType: kindIs(kindList), tupleType: kindIs(kindTuple),
	dictType: kindIs(kindDict), rangeType: kindIs(kindRange),
	setType: kindIs(kindSet, kindFrozenSet), frozenSetType: kindIs(kindSet, kindFrozenSet),
}

func kindIs(kinds ...Kind) func(v Value) bool {
	return func(v Value) bool {
		for _, k := range kinds {
			if v.kind() == k {
				return true
			}
		}
		return false
	}
}

// answer turns the absence of an answer into the value NotImplemented.
func answer(v Value, err error) (Value, error) {
	if err == errNotImplemented {
		return notImplemented, nil
	}
	return v, err
}

func defineArithmeticSlots(r *registry) {
	for op := opAdd; op <= opBitXor; op++ {
		for _, c := range []*class{intType, floatType} {
			if op == opMatMul || c == floatType && op >= opLShift {
				continue
			}
			takes := families[c]
			r.slot(c, binaryNames[op].s, 2, 2+powArgs(op), func(m *Machine, self Value, a Args) (Value, error) {
				y := plain(a.v[1])
				if !takes(y) {
					return notImplemented, nil
				}
				if a.len() == 3 && !a.v[2].isNone() {
					return m.powMod(self, y, a.v[2])
				}
				return answer(m.arithmetic(op, self, y))
			})
			r.slot(c, reflectedNames[op].s, 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
				x := plain(a.v[1])
				if !takes(x) {
					return notImplemented, nil
				}
				return answer(m.arithmetic(op, x, self))
			})
		}
	}
	for _, c := range []*class{intType, floatType} {
		takes := families[c]
		r.slot(c, "__divmod__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
			if y := plain(a.v[1]); takes(y) {
				return m.divmod(self, y)
			}
			return notImplemented, nil
		})
		r.slot(c, "__rdivmod__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
			if x := plain(a.v[1]); takes(x) {
				return m.divmod(x, self)
			}
			return notImplemented, nil
		})
	}
}

// powArgs is 1 for **, whose method takes a modulus too.
func powArgs(op binaryOp) int {
	if op == opPow {
		return 1
	}
	return 0
}

func defineConversionSlots(r *registry) {
	for _, c := range []*class{intType, floatType} {
		for op, name := range unaryNames {
			if c == floatType && unaryOp(op) == opInvert {
				continue
			}
			r.slot(c, name.s, 1, 1, func(m *Machine, self Value, a Args) (Value, error) { return m.unary(unaryOp(op), self) })
		}
		r.slot(c, "__abs__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) {
			return absBuiltin(m, Args{v: []Value{self}})
		})
		for _, name := range []string{"__int__", "__trunc__"} {
			r.slot(c, name, 1, 1, func(m *Machine, self Value, a Args) (Value, error) { return m.toInt(self) })
		}
		r.slot(c, "__float__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) { return m.toFloat(self) })
		r.slot(c, "__floor__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) { return m.wholeBelow(self) })
		r.slot(c, "__ceil__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) { return m.wholeAbove(self) })
		r.slot(c, "__round__", 1, 2, func(m *Machine, self Value, a Args) (Value, error) { return m.round(self, orNone(a.at(1))) })
		r.slot(c, "__bool__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) {
			yes, err := m.truth(self, contStore)
			return Bool(yes), err
		})
	}
	r.slot(intType, "__index__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) { return m.unary(opPlus, self) })
}

// wholeBelow is math.floor of a number.
func (m *Machine) wholeBelow(v Value) (Value, error) {
	if !v.isFloat() {
		return m.unary(opPlus, v)
	}
	return m.fromText(text.FloatToInt(math.Floor(v.float())))
}

// wholeAbove is math.ceil of a number.
func (m *Machine) wholeAbove(v Value) (Value, error) {
	if !v.isFloat() {
		return m.unary(opPlus, v)
	}
	return m.fromText(text.FloatToInt(-math.Floor(-v.float())))
}

func defineSequenceSlots(r *registry) {
	all := []*class{strType, bytesType, listType, tupleType, dictType, setType, frozenSetType, rangeType,
		viewClasses[iterKeys], viewClasses[iterValues], viewClasses[iterItems]}
	for _, c := range all {
		r.slot(c, "__len__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) {
			n, err := m.length(self)
			return Int(int64(n)), err
		})
		r.slot(c, "__iter__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) { return m.iteratorOf(self), nil })
		r.slot(c, "__contains__", 2, 2, containsSlot)
	}
	for _, c := range []*class{strType, bytesType, listType, tupleType, rangeType} {
		r.slot(c, "__getitem__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) { return m.item(self, a.v[1]) })
	}
	r.slot(dictType, "__getitem__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
		return m.dictItem(self.dict(), a.v[0], a.v[1])
	})
	for _, c := range []*class{listType, rangeType} {
		r.slot(c, "__reversed__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) {
			m.spend(iteratorBytes)
			return reversedIterator(self).value(), nil
		})
	}
	for _, c := range []*class{strType, bytesType, listType, tupleType} {
		takes := families[c]
		r.slot(c, "__add__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
			if !takes(plain(a.v[1])) {
				return notImplemented, nil
			}
			return answer(m.concatenate(self, a.v[1]))
		})
		for _, name := range []string{"__mul__", "__rmul__"} {
			id := c.name + "." + name
			r.slot(c, name, 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
				if m.foreignIndex(a.v[1]) {
					return m.reindexed(id, a, 1)
				}
				return answer(m.repeated(self, a.v[1]))
			})
		}
	}
	r.slot(strType, "__mod__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
		return answer(m.binaryNative(opMod, self, a.v[1]))
	})
}

func containsSlot(m *Machine, self Value, a Args) (Value, error) {
	yes, err := m.containsNative(self, a.v[1])
	switch {
	case err != errForeign:
		return Bool(yes), err
	case isTable(self):
		return m.then(m.intrinsic("contains_key"), self, a.v[1])
	}
	return m.then(m.intrinsic("contains"), self, a.v[1])
}

func defineMutationSlots(r *registry) {
	for _, c := range []*class{listType, dictType} {
		r.slot(c, "__setitem__", 3, 3, func(m *Machine, self Value, a Args) (Value, error) {
			return m.statement(m.setItem(self, a.v[1], a.v[2]))
		})
		r.slot(c, "__delitem__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
			return m.statement(m.deleteItem(self, a.v[1]))
		})
	}
	r.slot(listType, "__iadd__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
		items, ok, err := m.collect(a.v[1])
		if err != nil {
			return Value{}, err
		}
		if !ok {
			return m.relisted("list.__iadd__", a, 1)
		}
		return a.v[0], m.appendAll(self.list(), items)
	})
	r.slot(listType, "__imul__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
		if m.foreignIndex(a.v[1]) {
			return m.reindexed("list.__imul__", a, 1)
		}
		n := plain(a.v[1])
		if !isIntegral(n) {
			return notImplemented, nil
		}
		return a.v[0], m.repeatList(self.list(), n)
	})
}

func defineSetSlots(r *registry) {
	for _, op := range []binaryOp{opBitOr, opBitAnd, opSub, opBitXor} {
		for _, c := range []*class{setType, frozenSetType, dictType, viewClasses[iterKeys], viewClasses[iterItems]} {
			if c == dictType && op != opBitOr {
				continue
			}
			r.slot(c, binaryNames[op].s, 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
				return m.setSlot(op, self, plain(a.v[1]))
			})
			r.slot(c, reflectedNames[op].s, 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
				return m.setSlot(op, plain(a.v[1]), self)
			})
		}
		r.slot(setType, inplaceNames[op].s, 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
			v, ok, err := m.inplaceSet(op, self, a.v[1])
			switch {
			case err != nil:
				return Value{}, err
			case !ok:
				return notImplemented, nil
			case !v.is(self): // code of the program makes the set
				return v, nil
			}
			return a.v[0], nil
		})
	}
	r.slot(dictType, "__ior__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
		return m.then(m.intrinsic("dict_ior_of"), a.v[0], self, a.v[1])
	})
}

// setSlot is x op y of sets, views or dicts.
func (m *Machine) setSlot(op binaryOp, x, y Value) (Value, error) {
	switch x.kind() {
	case kindSet, kindFrozenSet, kindDict, kindView:
	default:
		return notImplemented, nil
	}
	return answer(m.setOp(op, x, y))
}

func defineComparisonSlots(r *registry) {
	for c, takes := range families {
		for op := compareEq; op <= compareGtE; op++ {
			if op > compareNotEq && (c == dictType || c == rangeType) {
				break
			}
			r.slot(c, compareNames[op].s, 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
				y := plain(a.v[1])
				if !takes(y) {
					return notImplemented, nil
				}
				yes, err := m.compareNative(op, self, y, 0)
				if err == errForeign {
					return m.then(m.intrinsic("compare_deep"), self, y, newStr(op.String()).ref())
				}
				return Bool(yes), err
			})
		}
	}
}

func defineTextSlots(r *registry) {
	for c := range families {
		r.slot(c, "__repr__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) {
			s, err := m.reprNative(self)
			if err == errForeign {
				return m.then(m.intrinsic("repr_of"), self)
			}
			if err != nil {
				return Value{}, err
			}
			return m.text(s), nil
		})
		switch c {
		case listType, dictType, setType:
			r.attr(c, "__hash__", None)
		default:
			r.slot(c, "__hash__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) {
				return hashBuiltin(m, Args{v: []Value{self}})
			})
		}
	}
	r.slot(strType, "__str__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) { return self, nil })
	for _, c := range []*class{intType, floatType, strType} {
		r.slot(c, "__format__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
			if spec := a.v[1].str(); spec != nil && spec.s == "" {
				return m.then(strType.ref(), a.v[0])
			}
			return formatBuiltin(m, Args{v: []Value{self, a.v[1]}})
		})
	}
}
