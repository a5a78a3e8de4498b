package check

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/py/tool"
)

// await walks await X and returns the kinds of the result. The call of any tool
// may be awaited where it stands, also of one that is not async.
func (c *checker) await(e *syntax.Await) kinds {
	k := c.expr(e.X)
	if t := c.toolOf(e.X); t != nil {
		return kindsOf(t.Result) & isData
	}
	if k.only(isData | isCallable | isModule) {
		c.needless(e, k)
		return k
	}
	if c.isGather(e.X) {
		return isList
	}
	return anything
}

// toolOf returns the tool that an expression calls by its name, or nil.
func (c *checker) toolOf(e syntax.Expr) *tool.Tool {
	if name := c.globalOf(e); name != "" {
		return c.tools[name]
	}
	return nil
}

func (c *checker) isGather(e syntax.Expr) bool { return c.globalOf(e) == "gather" }

// globalOf returns the name that an expression calls, unless it is a variable
// of the program.
func (c *checker) globalOf(e syntax.Expr) string {
	call, ok := e.(*syntax.Call)
	if !ok {
		return ""
	}
	name, ok := call.Fn.(*syntax.Name)
	if !ok || c.lookup(name.ID) != nil {
		return ""
	}
	return name.ID
}

// needless reports an await on what is no pending call.
func (c *checker) needless(e *syntax.Await, k kinds) {
	if what, t := calleeOf(e.X); t {
		c.find(NeedlessAwait, e.Start, "leave out await", "%s is not async: its call returns the result itself", what)
		return
	}
	if k.only(isCallable) {
		c.find(NeedlessAwait, e.Start, "call it: await f(...)", "await needs a call, and this is a function")
		return
	}
	c.find(NeedlessAwait, e.Start, "leave out await", "await needs a pending call, and this is %s", k)
}

// unawaited reports a pending call that is used like its result.
func (c *checker) unawaited(e syntax.Expr, how string) {
	if c.report.omits() {
		return
	}
	what, isCall := calleeOf(e)
	if !isCall {
		what = "a pending call"
		if name, ok := e.(*syntax.Name); ok {
			what = shorten(name.ID)
		}
		c.find(MissingAwait, e.Pos(), "put await in front of it", "%s %s", what, how)
		return
	}
	c.find(MissingAwait, e.Pos(), "write await "+c.callText(e, what), "the call of %s %s", what, how)
}

// callText quotes a call, or shortens it to name(...).
func (c *checker) callText(e syntax.Expr, name string) string {
	source, from := c.file.Source, int(e.Pos())
	inside := from + len(name) + 1
	if strings.HasPrefix(source[from:], name+"(") {
		if end, ok := spanEnd(source, inside, ""); ok && end < len(source) && source[end] == ')' {
			return source[from : end+1]
		}
	}
	return name + "(...)"
}

// calleeOf returns the name of what an expression calls.
func calleeOf(e syntax.Expr) (name string, isCall bool) {
	call, ok := e.(*syntax.Call)
	if !ok {
		return "", false
	}
	switch fn := call.Fn.(type) {
	case *syntax.Name:
		return shorten(fn.ID), true
	case *syntax.Attribute:
		return shorten(fn.Name), true
	}
	return "", false
}
