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
func (r *Registry) slot(c *Class, name string, least, most int, fn slot) {
	r.method(c, name, 1, -1, func(m *Machine, a Args) (Value, error) {
		if !ClassOf(a.v[0]).IsSubclass(c) {
			return Value{}, raise.Type("descriptor '%s' requires a '%s' object but received a '%s'", name, c.name, TypeName(a.v[0]))
		}
		if n := a.Len(); n < least || n > most {
			return Value{}, wrongSlotCount(least-1, most-1, n-1)
		}
		return fn(m, Plain(a.v[0]), a)
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

func defineSlots(r *Registry) {
	r.Intrinsic("_type_method", func(m *Machine, a Args) (Value, error) {
		fn, _ := m.Lookup(ClassOf(a.v[0]), a.v[1].Str())
		return OrNone(fn), nil
	})
	r.Intrinsic("_hash_items", func(m *Machine, a Args) (Value, error) {
		h := num.NewTupleHash()
		for _, v := range a.v[0].List().items {
			h.Add(int64(v.n))
		}
		return Int(h.Sum()), m.Work(8 * len(a.v[0].List().items))
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
var families = map[*Class]func(v Value) bool{
	intType: IsIntegral, floatType: isNumber,
	strType: kindIs(KindStr), bytesType: kindIs(KindBytes), listType: kindIs(KindList), tupleType: kindIs(KindTuple),
	dictType: kindIs(KindDict), rangeType: kindIs(KindRange),
	setType: kindIs(KindSet, KindFrozenSet), frozenSetType: kindIs(KindSet, KindFrozenSet),
}

func kindIs(kinds ...Kind) func(v Value) bool {
	return func(v Value) bool {
		for _, k := range kinds {
			if v.Kind() == k {
				return true
			}
		}
		return false
	}
}

// answer turns the absence of an answer into the value NotImplemented.
func answer(v Value, err error) (Value, error) {
	if err == ErrNotImplemented {
		return notImplemented, nil
	}
	return v, err
}

func defineArithmeticSlots(r *Registry) {
	for op := opAdd; op <= opBitXor; op++ {
		for _, c := range []*Class{intType, floatType} {
			if op == opMatMul || c == floatType && op >= opLShift {
				continue
			}
			takes := families[c]
			r.slot(c, binaryNames[op].s, 2, 2+powArgs(op), func(m *Machine, self Value, a Args) (Value, error) {
				y := Plain(a.v[1])
				if !takes(y) {
					return notImplemented, nil
				}
				if a.Len() == 3 && !a.v[2].IsNone() {
					return m.powMod(self, y, a.v[2])
				}
				return answer(m.arithmetic(op, self, y))
			})
			r.slot(c, reflectedNames[op].s, 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
				x := Plain(a.v[1])
				if !takes(x) {
					return notImplemented, nil
				}
				return answer(m.arithmetic(op, x, self))
			})
		}
	}
	for _, c := range []*Class{intType, floatType} {
		takes := families[c]
		r.slot(c, "__divmod__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
			if y := Plain(a.v[1]); takes(y) {
				return m.divmod(self, y)
			}
			return notImplemented, nil
		})
		r.slot(c, "__rdivmod__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
			if x := Plain(a.v[1]); takes(x) {
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

func defineConversionSlots(r *Registry) {
	for _, c := range []*Class{intType, floatType} {
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
		r.slot(c, "__round__", 1, 2, func(m *Machine, self Value, a Args) (Value, error) { return m.round(self, OrNone(a.At(1))) })
		r.slot(c, "__bool__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) {
			yes, err := m.truth(self, contStore)
			return Bool(yes), err
		})
	}
	r.slot(intType, "__index__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) { return m.unary(opPlus, self) })
}

// wholeBelow is math.floor of a number.
func (m *Machine) wholeBelow(v Value) (Value, error) {
	if !v.IsFloat() {
		return m.unary(opPlus, v)
	}
	return m.fromText(text.FloatToInt(math.Floor(v.Float())))
}

// wholeAbove is math.ceil of a number.
func (m *Machine) wholeAbove(v Value) (Value, error) {
	if !v.IsFloat() {
		return m.unary(opPlus, v)
	}
	return m.fromText(text.FloatToInt(-math.Floor(-v.Float())))
}

func defineSequenceSlots(r *Registry) {
	all := []*Class{strType, bytesType, listType, tupleType, dictType, setType, frozenSetType, rangeType,
		viewClasses[iterKeys], viewClasses[iterValues], viewClasses[iterItems]}
	for _, c := range all {
		r.slot(c, "__len__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) {
			n, err := m.length(self)
			return Int(int64(n)), err
		})
		r.slot(c, "__iter__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) { return m.iteratorOf(self), nil })
		r.slot(c, "__contains__", 2, 2, containsSlot)
	}
	for _, c := range []*Class{strType, bytesType, listType, tupleType, rangeType} {
		r.slot(c, "__getitem__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) { return m.item(self, a.v[1]) })
	}
	r.slot(dictType, "__getitem__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
		return m.dictItem(self.Dict(), a.v[0], a.v[1])
	})
	for _, c := range []*Class{listType, rangeType} {
		r.slot(c, "__reversed__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) {
			m.Spend(IteratorBytes)
			return reversedIterator(self).Value(), nil
		})
	}
	for _, c := range []*Class{strType, bytesType, listType, tupleType} {
		takes := families[c]
		r.slot(c, "__add__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
			if !takes(Plain(a.v[1])) {
				return notImplemented, nil
			}
			return answer(m.concatenate(self, a.v[1]))
		})
		for _, name := range []string{"__mul__", "__rmul__"} {
			id := c.name + "." + name
			r.slot(c, name, 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
				if m.ForeignIndex(a.v[1]) {
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
	case err != ErrForeign:
		return Bool(yes), err
	case isTable(self):
		return m.Then(m.Intrinsic("contains_key"), self, a.v[1])
	}
	return m.Then(m.Intrinsic("contains"), self, a.v[1])
}

func defineMutationSlots(r *Registry) {
	for _, c := range []*Class{listType, dictType} {
		r.slot(c, "__setitem__", 3, 3, func(m *Machine, self Value, a Args) (Value, error) {
			return m.statement(m.setItem(self, a.v[1], a.v[2]))
		})
		r.slot(c, "__delitem__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
			return m.statement(m.deleteItem(self, a.v[1]))
		})
	}
	r.slot(listType, "__iadd__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
		items, ok, err := m.Collect(a.v[1])
		if err != nil {
			return Value{}, err
		}
		if !ok {
			return m.relisted("list.__iadd__", a, 1)
		}
		return a.v[0], m.Extend(self.List(), items)
	})
	r.slot(listType, "__imul__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
		if m.ForeignIndex(a.v[1]) {
			return m.reindexed("list.__imul__", a, 1)
		}
		n := Plain(a.v[1])
		if !IsIntegral(n) {
			return notImplemented, nil
		}
		return a.v[0], m.repeatList(self.List(), n)
	})
}

func defineSetSlots(r *Registry) {
	for _, op := range []binaryOp{opBitOr, opBitAnd, opSub, opBitXor} {
		for _, c := range []*Class{setType, frozenSetType, dictType, viewClasses[iterKeys], viewClasses[iterItems]} {
			if c == dictType && op != opBitOr {
				continue
			}
			r.slot(c, binaryNames[op].s, 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
				return m.setSlot(op, self, Plain(a.v[1]))
			})
			r.slot(c, reflectedNames[op].s, 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
				return m.setSlot(op, Plain(a.v[1]), self)
			})
		}
		r.slot(setType, inplaceNames[op].s, 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
			v, ok, err := m.inplaceSet(op, self, a.v[1])
			switch {
			case err != nil:
				return Value{}, err
			case !ok:
				return notImplemented, nil
			case !v.Is(self): // code of the program makes the set
				return v, nil
			}
			return a.v[0], nil
		})
	}
	r.slot(dictType, "__ior__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
		return m.Then(m.Intrinsic("dict_ior_of"), a.v[0], self, a.v[1])
	})
}

// setSlot is x op y of sets, views or dicts.
func (m *Machine) setSlot(op binaryOp, x, y Value) (Value, error) {
	switch x.Kind() {
	case KindSet, KindFrozenSet, KindDict, KindView:
	default:
		return notImplemented, nil
	}
	return answer(m.setOp(op, x, y))
}

func defineComparisonSlots(r *Registry) {
	for c, takes := range families {
		for op := compareEq; op <= compareGtE; op++ {
			if op > compareNotEq && (c == dictType || c == rangeType) {
				break
			}
			r.slot(c, compareNames[op].s, 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
				y := Plain(a.v[1])
				if !takes(y) {
					return notImplemented, nil
				}
				yes, err := m.compareNative(op, self, y, 0)
				if err == ErrForeign {
					return m.Then(m.Intrinsic("compare_deep"), self, y, SharedStr(op.String()).Ref())
				}
				return Bool(yes), err
			})
		}
	}
}

func defineTextSlots(r *Registry) {
	for c := range families {
		r.slot(c, "__repr__", 1, 1, func(m *Machine, self Value, a Args) (Value, error) {
			s, err := m.ReprNative(self)
			if err == ErrForeign {
				return m.Then(m.Intrinsic("repr_of"), self)
			}
			if err != nil {
				return Value{}, err
			}
			return m.Message(s), nil
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
	for _, c := range []*Class{intType, floatType, strType} {
		r.slot(c, "__format__", 2, 2, func(m *Machine, self Value, a Args) (Value, error) {
			if spec := a.v[1].Str(); spec != nil && spec.s == "" {
				return m.Then(strType.Ref(), a.v[0])
			}
			return formatBuiltin(m, Args{v: []Value{self, a.v[1]}})
		})
	}
}
