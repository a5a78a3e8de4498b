package check

import (
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// result checks what the program ends with: the value of the last expression
// is its result.
func (c *checker) result(body []syntax.Stmt, ends bool) {
	if len(body) == 0 {
		if c.wantsResult() {
			c.find(MissingResult, 0, "end with an expression of type "+c.options.Output.String(), "the program is empty")
		}
		return
	}
	last, ok := body[len(body)-1].(*syntax.ExprStmt)
	switch {
	case ends:
	case ok:
		c.resultValue(last.X)
	case c.wantsResult():
		c.noResult(body[len(body)-1])
	}
}

// wantsResult reports whether None is not a result.
func (c *checker) wantsResult() bool {
	return c.options.Output.Kind != "" && accepts(c.options.Output)&isNone == 0
}

func (c *checker) resultValue(e syntax.Expr) {
	k := c.ending
	if k.only(isPending) {
		c.unawaited(e, "is the result of the program before it is awaited")
		return
	}
	if c.options.Output.Kind == "" {
		return
	}
	m := findMisfit(e, k, c.options.Output)
	if m.part == nil {
		return
	}
	hint := conversion(m)
	if what, ok := calleeOf(e); ok && m.got.only(isNone) {
		hint = fmt.Sprintf("%s returns None: put the value itself on the last line", what)
	}
	place := m.place(e, "the result")
	if m.stuck() {
		c.find(WrongType, m.part.Pos(), hint, "%s is %s, which cannot leave the program", place, m.got.article())
		return
	}
	c.find(WrongType, m.part.Pos(), hint, "%s must be %s, and is %s", place, m.want, m.got)
}

// noResult reports that the program does not end with an expression.
func (c *checker) noResult(last syntax.Stmt) {
	want := "end with an expression of type " + c.options.Output.String()
	what, hint := "this statement", want
	switch s := last.(type) {
	case *syntax.Def:
		what, hint = "the definition of "+shorten(s.Name), "call it on the last line: "+c.callOf(s)
	case *syntax.Assign:
		what = "an assignment"
		if name, ok := s.Targets[0].(*syntax.Name); ok {
			hint = "add a last line: " + shorten(name.ID)
		}
	case *syntax.AnnAssign, *syntax.AugAssign:
		what = "an assignment"
	case *syntax.If:
		what, hint = "an if statement", "assign the result to a variable and end with that variable"
	case *syntax.For, *syntax.While:
		what = "a loop"
	}
	c.find(MissingResult, last.Pos(), hint, "the program ends with %s and has no result", what)
}

// callOf writes the call of a function, with the inputs that its parameters
// are named after.
func (c *checker) callOf(def *syntax.Def) string {
	var args []string
	if def.Params != nil {
		for _, p := range def.Params.List {
			if p.Default == nil && p.Kind <= syntax.KeywordOnly && p.Kind != syntax.VarPositional {
				args = append(args, shorten(p.Name))
			}
		}
	}
	call := shorten(def.Name) + "(" + strings.Join(args, ", ") + ")"
	if def.Async {
		return "await " + call
	}
	return call
}

// uncalled reports a program that ends with a function that nothing calls,
// where no result is missing.
func (c *checker) uncalled(body []syntax.Stmt) {
	if len(body) == 0 || c.wantsResult() {
		return
	}
	def, ok := body[len(body)-1].(*syntax.Def)
	if !ok || len(def.Decorators) > 0 {
		return
	}
	if c.of(c.names.Module.Lookup(def.Name)).used {
		return
	}
	c.find(NeverCalled, def.Start, "call it on the last line: "+c.callOf(def), "nothing calls %s", shorten(def.Name))
}
