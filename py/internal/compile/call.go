package compile

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// portion bounds how many values are laid out in registers together. It
// shrinks as registers get scarce, so that displays and calls can nest.
func (u *unit) portion() int {
	return u.portionFrom(u.top)
}

func (u *unit) call(e *syntax.Call, dst int) {
	mark := u.top
	u.c.startsTools(e)
	switch {
	case u.isSuper(e):
		u.callSuper(e, dst)
	case len(e.Args)+len(e.Keywords) > u.portion() || spreads(e.Args, e.Keywords):
		u.callEx(e, dst)
	default:
		if attr, ok := e.Fn.(*syntax.Attribute); ok {
			u.callMethod(e, attr, dst)
			break
		}
		fn := u.push(e.Fn)
		u.callee(e.Fn)
		u.arguments(e)
		u.at(e.Start)
		u.markFuture(e, fn)
		u.callPushed(fn, e, dst)
	}
	u.top = mark
}

// markFuture makes the call that follows start a tool without waiting for it.
func (u *unit) markFuture(e *syntax.Call, fn int) {
	if _, ok := u.c.futures[e]; ok {
		u.emit(code.OpAsFuture, fn, 0, 0)
	}
}

// spreads says whether arguments contain *x or **x.
func spreads(args []syntax.Expr, keywords []syntax.Keyword) bool {
	for _, a := range args {
		if _, ok := a.(*syntax.Starred); ok {
			return true
		}
	}
	for i := range keywords {
		if keywords[i].Name == "" {
			return true
		}
	}
	return false
}

// arguments pushes the arguments.
func (u *unit) arguments(e *syntax.Call) {
	for _, a := range e.Args {
		u.push(a)
	}
	for i := range e.Keywords {
		u.push(e.Keywords[i].Value)
	}
}

// callPushed calls what is in fn with the arguments after it.
func (u *unit) callPushed(fn int, e *syntax.Call, dst int) {
	n := len(e.Args) + len(e.Keywords)
	u.spot(e.Start, e.End)
	if len(e.Keywords) == 0 {
		u.emit(code.OpCall, fn, n, dst)
		return
	}
	u.emit(code.OpCallKw, fn, n, dst)
	u.word(u.keywordNames(e.Keywords))
}

// keywordNames returns the constant with the tuple of the names.
func (u *unit) keywordNames(keywords []syntax.Keyword) int {
	names := make(code.Tuple, len(keywords))
	for i := range keywords {
		names[i] = keywords[i].Name
	}
	return u.pool.find(names)
}

func (u *unit) callMethod(e *syntax.Call, attr *syntax.Attribute, dst int) {
	obj := u.push(attr.X)
	name := u.pool.name(u.scope.Mangle(attr.Name))
	if !quietArguments(e) && !isLiteral(attr.X) {
		u.at(attr.NameAt)
		u.emit(code.OpCheckAttr, obj, 0, 0)
		u.word(name)
	}
	u.arguments(e)
	u.at(attr.NameAt)
	n := len(e.Args) + len(e.Keywords)
	u.spot(e.Start, e.End)
	if len(e.Keywords) == 0 {
		u.emit(code.OpCallMethod, obj, n, dst)
		u.word(name)
		return
	}
	u.emit(code.OpCallMethodKw, obj, n, dst)
	u.word(name)
	u.word(u.keywordNames(e.Keywords))
}

func isLiteral(e syntax.Expr) bool {
	switch e.(type) {
	case *syntax.Constant, *syntax.JoinedStr:
		return true
	}
	return false
}

// quietArguments says whether working out the arguments certainly has no
// effect that could be seen if the method did not exist.
func quietArguments(e *syntax.Call) bool {
	for _, a := range e.Args {
		if !quiet(a, quietDepth) {
			return false
		}
	}
	for i := range e.Keywords {
		if !quiet(e.Keywords[i].Value, quietDepth) {
			return false
		}
	}
	return true
}

// quietDepth is how deep quiet looks, so that it takes little time.
const quietDepth = 4

func quiet(e syntax.Expr, depth int) bool {
	if depth == 0 {
		return false
	}
	switch e := e.(type) {
	case *syntax.Name, *syntax.Constant, *syntax.Lambda:
		return true
	case *syntax.Binary:
		return quiet(e.X, depth-1) && quiet(e.Y, depth-1)
	case *syntax.Unary:
		return quiet(e.X, depth-1)
	case *syntax.Subscript:
		return quiet(e.X, depth-1) && quiet(e.Index, depth-1)
	case *syntax.Compare:
		return quiet(e.X, depth-1) && allQuiet(e.Rest, depth-1)
	case *syntax.Tuple:
		return allQuiet(e.Items, depth-1)
	case *syntax.List:
		return allQuiet(e.Items, depth-1)
	case *syntax.Dict:
		return allQuiet(e.Keys, depth-1) && allQuiet(e.Values, depth-1)
	case *syntax.JoinedStr:
		return allQuiet(e.Parts, depth-1)
	case *syntax.FormattedValue:
		return quiet(e.Value, depth-1)
	}
	return false
}

// allQuiet looks at short lists only.
func allQuiet(list []syntax.Expr, depth int) bool {
	if len(list) > 2*quietDepth {
		return false
	}
	for _, e := range list {
		if !quiet(e, depth) {
			return false
		}
	}
	return true
}

// callEx calls with a list of positional arguments and a dict of the others.
func (u *unit) callEx(e *syntax.Call, dst int) {
	fn := u.push(e.Fn)
	u.callee(e.Fn)
	u.itemList(e.Args, fn+1, argumentErrors(e.Args))
	u.reserve(fn + 1)
	u.keywordDict(fn, e.Keywords, e.Start)
	u.at(e.Start)
	u.markFuture(e, fn)
	u.spot(e.Start, e.End)
	u.emit(code.OpCallEx, fn, 0, dst)
}

func argumentErrors(args []syntax.Expr) int {
	if len(args) == 1 {
		return code.StarredArguments
	}
	return code.StarredItems
}

// keywordDict puts the keywords of a call of fn, or None, into a new temporary.
func (u *unit) keywordDict(fn int, keywords []syntax.Keyword, at syntax.Pos) {
	if len(keywords) == 0 {
		u.pushConst(nil)
		return
	}
	d := u.alloc()
	u.emit(code.OpDict, d, d, 0)
	spread := false
	for i := range keywords {
		k := &keywords[i]
		mark := u.top
		spread = spread || k.Name == ""
		if spread {
			u.mergeKeyword(fn, d, k, at)
		} else {
			key := u.pushConst(k.Name)
			u.emit(code.OpPut, d, key, u.operand(k.Value, nil))
		}
		u.top = mark
	}
}

// mergeKeyword adds a keyword that may be there already, or a dict of them.
func (u *unit) mergeKeyword(fn, d int, k *syntax.Keyword, at syntax.Pos) {
	more := u.top
	if k.Name == "" {
		more = u.operand(k.Value, nil)
	} else {
		u.pushConst(k.Name)
		u.push(k.Value)
		u.emit(code.OpDict, more, more, 1)
	}
	u.at(at)
	u.emit(code.OpMergeArgs, d, more, fn)
}

// isSuper says whether a call is super() in a method.
func (u *unit) isSuper(e *syntax.Call) bool {
	return len(e.Args) == 0 && len(e.Keywords) == 0 && u.scope.Class != "" &&
		u.code.Flags&code.ClassBody == 0 && u.code.Pos > 0 && u.isBuiltin(e.Fn, "super")
}

func (u *unit) callSuper(e *syntax.Call, dst int) {
	r := u.find("__class__")
	if r.kind != free {
		u.c.fail(e.Start, "super() is used outside of a class")
		return
	}
	class := u.alloc()
	u.emitWide(code.OpFree, class, r.index)
	first := 0
	if self := &u.scope.Unit().Symbols()[0]; self.Kind == resolve.Cell {
		first = u.alloc()
		u.emit(code.OpCell, first, 0, 0)
	}
	u.at(e.Start)
	u.emit(code.OpCallSuper, class, first, dst)
}
