package check

import (
	"fmt"

	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/value"
)

// misfit is the part of a value that certainly does not fit a type.
type misfit struct {
	part syntax.Expr // nil when everything may fit
	key  bool        // whether part is the key of a dict
	got  kinds
	want value.Type
}

// findMisfit compares an expression of these kinds with a type. It looks into
// displays too: their items are known as long as they stand there.
func findMisfit(e syntax.Expr, k kinds, t value.Type) misfit {
	if k != 0 && k&accepts(t) == 0 {
		return misfit{part: e, got: k, want: t}
	}
	if inner, ok := t.Optional(); ok {
		t = inner
	}
	switch display := e.(type) {
	case *syntax.List:
		return misfitItems(display.Items, t, value.KindList)
	case *syntax.Set:
		return misfitItems(display.Items, t, value.KindSet)
	case *syntax.Tuple:
		return misfitItems(display.Items, t, value.KindAny)
	case *syntax.Dict:
		if t.Kind == value.KindDict && len(t.Args) == 2 {
			return misfitInDict(display, t.Args[0], t.Args[1])
		}
		if t.Kind == value.KindAny {
			return misfitInDict(display, anyKey, t)
		}
	}
	return misfit{}
}

// anyKey stands for the keys of a dict that leaves without a declared type.
var anyKey = value.Type{Kind: value.KindAny}

// misfitItems compares the items of a display with a type of this kind, or Any.
func misfitItems(items []syntax.Expr, t value.Type, kind value.Kind) misfit {
	switch {
	case t.Kind == value.KindAny:
		return misfitAmong(items, t)
	case t.Kind == kind && len(t.Args) == 1:
		return misfitAmong(items, t.Args[0])
	}
	return misfit{}
}

func misfitInDict(display *syntax.Dict, keys, values value.Type) misfit {
	for i, key := range display.Keys {
		if key == nil {
			continue
		}
		if k := literalKinds(key); !keyFits(k, keys) {
			return misfit{key, true, k, keys}
		}
		if found := misfitAmong(display.Values[i:i+1], values); found.part != nil {
			return found
		}
	}
	return misfit{}
}

func keyFits(k kinds, t value.Type) bool {
	if t.Kind == value.KindAny {
		return k&^(isBytes|isOwn|isStuck) != 0
	}
	return k&(kindsOf(t)|isOther) != 0
}

func misfitAmong(items []syntax.Expr, t value.Type) misfit {
	for _, item := range items {
		if found := findMisfit(item, literalKinds(item), t); found.part != nil {
			return found
		}
	}
	return misfit{}
}

// literalKinds returns the kind of an expression that shows it by its form.
func literalKinds(e syntax.Expr) kinds {
	switch e := e.(type) {
	case *syntax.Constant:
		return constantKinds(e.Value)
	case *syntax.JoinedStr:
		return isStr
	case *syntax.List:
		return isList
	case *syntax.Tuple:
		return isTuple
	case *syntax.Dict:
		return isDict
	case *syntax.Set:
		return isSet
	case *syntax.Lambda:
		return isCallable
	case *syntax.Comprehension:
		return comprehensionKinds(e)
	}
	return anything
}

// stuck reports whether it is the value itself that cannot leave, whatever type
// is declared.
func (m misfit) stuck() bool { return m.want.Kind == value.KindAny }

// place names the part of what; e is the whole of it.
func (m misfit) place(e syntax.Expr, what string) string {
	switch {
	case m.key:
		return "a key of " + what
	case m.part != e:
		return "an item of " + what
	}
	return what
}

// conversion says how to turn a value into the wanted type.
func conversion(m misfit) string {
	switch {
	case m.key && m.stuck():
		return "use keys that are str, int, bool or a date"
	case m.stuck():
		return release(m)
	case m.want.Kind == value.KindList && m.got.only(isSet|isLazy):
		return "convert it with list(...)"
	case m.want.Kind == value.KindSet && m.got.only(isList|isTuple|isRange):
		return "convert it with set(...)"
	case m.want.Kind == value.KindStr && m.got.only(isWhen|isDecimal|isUUID):
		return "convert it with str(...)"
	case m.got.only(isNumber | isStr):
		switch m.want.Kind {
		case value.KindInt, value.KindFloat, value.KindStr:
			return fmt.Sprintf("convert it with %s(...)", m.want.Kind)
		}
	}
	return fmt.Sprintf("pass %s", m.want)
}

// release says what to pass in place of a value that cannot leave.
func release(m misfit) string {
	switch {
	case m.got.only(isLazy):
		return "convert it with list(...)"
	case m.got.only(isCallable):
		return "call it"
	case m.got.only(isOwn):
		return "use keys that are str, int, bool or a date"
	}
	return "pass the data in it"
}
