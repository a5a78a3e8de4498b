package compile

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

func (u *unit) await(e *syntax.Await, dst int) {
	mark := u.top
	if call, ok := e.X.(*syntax.Call); ok {
		u.c.startsTool(call)
	}
	r := u.operand(e.X, nil)
	u.keep(r)
	u.at(e.Start)
	if u.code.Flags&code.Main != 0 {
		u.mark(e.Start, e.X)
	}
	u.awaitRegister(r, dst)
	u.top = mark
}

// awaitRegister awaits what is in a register.
func (u *unit) awaitRegister(r, dst int) {
	if u.code.Flags&code.Main != 0 {
		u.emit(code.OpAwaitTop, dst, r, 0)
		return
	}
	mark := u.top
	it := u.alloc()
	u.emit(code.OpAwaitable, it, r, 0)
	sent := u.pushConst(nil)
	u.emit(code.OpDelegate, it, sent, dst)
	u.top = mark
}

// asyncNext gets the next item of an asynchronous iterator and returns its
// register; when there is none, it goes to end.
func (u *unit) asyncNext(it int, end *label) int {
	item := u.alloc()
	start := len(u.instrs)
	u.emit(code.OpAsyncNext, item, it, 0)
	u.awaitRegister(item, item)
	u.handlers = append(u.handlers, code.Handler{
		Start: int32(start), End: int32(len(u.instrs)), Target: int32(len(u.instrs) + 1), Reg: uint8(item),
	})
	var more, other label
	bound := u.bound
	u.jump(&more)
	u.meet(&bound)
	stop := u.pushConst(code.Builtin("StopAsyncIteration"))
	u.emit(code.OpMatchExcept, stop, item, stop)
	u.emit(code.OpTest, stop, 0, 0)
	u.jumpIf(&other)
	u.emit(code.OpEndExcept, item, 0, 0)
	u.jump(end)
	u.place(&other)
	u.emit(code.OpReraise, item, 0, 0)
	u.dead = true
	u.top = item + 1
	u.place(&more)
	return item
}

// startsTool notes that a call is awaited: when it calls a tool, the tool is
// started and the program continues with a future.
func (c *compiler) startsTool(call *syntax.Call) {
	if c.futures == nil {
		c.futures = make(map[*syntax.Call]struct{})
	}
	c.futures[call] = struct{}{}
}

// startsTools notes the calls among the arguments of a function that gathers
// awaitables.
func (c *compiler) startsTools(call *syntax.Call) {
	if !gathers(call.Fn) {
		return
	}
	for _, a := range call.Args {
		c.startsToolsIn(a)
	}
	for i := range call.Keywords {
		c.startsToolsIn(call.Keywords[i].Value)
	}
}

func (c *compiler) startsToolsIn(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Call:
		c.startsTool(e)
	case *syntax.Starred:
		c.startsToolsIn(e.X)
	case *syntax.List:
		c.startsToolsAmong(e.Items)
	case *syntax.Tuple:
		c.startsToolsAmong(e.Items)
	case *syntax.Set:
		c.startsToolsAmong(e.Items)
	case *syntax.Comprehension:
		c.startsToolsIn(e.Elem)
	case *syntax.IfExp:
		c.startsToolsIn(e.Then)
		c.startsToolsIn(e.Else)
	}
}

func (c *compiler) startsToolsAmong(items []syntax.Expr) {
	for _, e := range items {
		c.startsToolsIn(e)
	}
}

// gathers says whether a function takes awaitables: gather, create_task, and
// those of asyncio.
func gathers(fn syntax.Expr) bool {
	switch fn := fn.(type) {
	case *syntax.Name:
		return fn.ID == "gather" || fn.ID == "create_task"
	case *syntax.Attribute:
		if fn.Name == "create_task" {
			return true
		}
		module, ok := fn.X.(*syntax.Name)
		return ok && module.ID == "asyncio" && gathersOfAsyncio(fn.Name)
	}
	return false
}

func gathersOfAsyncio(name string) bool {
	switch name {
	case "gather", "wait", "wait_for", "as_completed", "ensure_future":
		return true
	}
	return false
}
