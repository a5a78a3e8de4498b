package check

import (
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// misfit is the part of a value that certainly does not fit a type.
type misfit struct {
	part syntax.Expr // nil when everything may fit
	got  kinds
	want api.Type
}

// findMisfit compares an expression of these kinds with a type. It looks into
// displays too: their items are known as long as they stand there.
func findMisfit(e syntax.Expr, k kinds, t api.Type) misfit {
	if k != 0 && k&accepts(t) == 0 {
		return misfit{e, k, t}
	}
	if inner, ok := t.Optional(); ok {
		t = inner
	}
	switch display := e.(type) {
	case *syntax.List:
		if t.Kind == api.KindList && len(t.Args) == 1 {
			return misfitAmong(display.Items, t.Args[0])
		}
	case *syntax.Dict:
		if t.Kind == api.KindDict && len(t.Args) == 2 {
			return misfitInDict(display, t)
		}
	}
	return misfit{}
}

func misfitInDict(display *syntax.Dict, t api.Type) misfit {
	for i, key := range display.Keys {
		if key == nil {
			continue
		}
		if k := literalKinds(key); k&isStr == 0 {
			return misfit{key, k, t.Args[0]}
		}
		if found := misfitAmong(display.Values[i:i+1], t.Args[1]); found.part != nil {
			return found
		}
	}
	return misfit{}
}

func misfitAmong(items []syntax.Expr, t api.Type) misfit {
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
	}
	return anything
}
