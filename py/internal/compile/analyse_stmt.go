package compile

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

func (c *compiler) seeBody(body []syntax.Stmt) {
	for _, st := range body {
		c.seeStmt(st)
	}
}

func (c *compiler) seeStmt(st syntax.Stmt) {
	switch st := st.(type) {
	case *syntax.ExprStmt:
		c.see(st.X)
	case *syntax.Assign:
		c.see(st.Value)
		for _, t := range st.Targets {
			c.seeTarget(t)
		}
	case *syntax.AugAssign:
		c.see(st.Value)
		c.see(st.Target)
		c.seeTarget(st.Target)
	case *syntax.AnnAssign:
		c.seeAnnAssign(st)
	case *syntax.Return:
		c.see(st.Value)
	case *syntax.If:
		c.see(st.Cond)
		c.seeBody(st.Body)
		c.seeBody(st.Else)
	case *syntax.For:
		c.see(st.Iter)
		c.seeTarget(st.Target)
		c.seeBody(st.Body)
		c.seeBody(st.Else)
	case *syntax.While:
		c.see(st.Cond)
		c.seeBody(st.Body)
		c.seeBody(st.Else)
	default:
		c.seeRareStmt(st)
	}
}

func (c *compiler) seeRareStmt(st syntax.Stmt) {
	switch st := st.(type) {
	case *syntax.Def:
		c.seeDef(st)
	case *syntax.Class:
		c.seeClass(st)
	case *syntax.Raise:
		c.see(st.Value)
		c.see(st.Cause)
	case *syntax.Try:
		c.seeTry(st)
	case *syntax.With:
		for _, item := range st.Items {
			c.see(item.Context)
			c.seeTarget(item.Target)
		}
		c.seeBody(st.Body)
	case *syntax.Assert:
		c.see(st.Cond)
		c.see(st.Message)
	case *syntax.Delete:
		for _, t := range st.Targets {
			c.seeDelete(t)
		}
	case *syntax.Global:
		c.declareGlobal(st)
	case *syntax.Nonlocal:
		c.declareNonlocal(st)
	case *syntax.Import:
		for _, a := range st.Names {
			c.bind(importTarget(a), 0)
		}
	case *syntax.ImportFrom:
		c.seeImportFrom(st)
	case *syntax.Match:
		c.seeMatch(st)
	case *syntax.TypeAlias:
		c.see(st.Value)
		c.bind(st.Name, 0)
	}
}

// importTarget returns the name that an import statement binds.
func importTarget(a syntax.Alias) string {
	if a.As != "" {
		return a.As
	}
	name, _, _ := strings.Cut(a.Name, ".")
	return name
}

func (c *compiler) seeImportFrom(st *syntax.ImportFrom) {
	for _, a := range st.Names {
		if a.Name == "*" {
			c.fail(st.Start, "import * is not supported: name what you need")
			return
		}
		c.bind(importTarget(a), 0)
	}
}

func (c *compiler) seeAnnAssign(st *syntax.AnnAssign) {
	c.see(st.Value)
	if c.scope.kind == classScope {
		c.bind(annotationsName, 0)
		if !c.lateAnnotations {
			c.see(st.Annotation)
		}
	}
	if _, ok := st.Target.(*syntax.Name); ok || st.Value != nil {
		c.seeTarget(st.Target)
	}
}

func (c *compiler) seeTry(st *syntax.Try) {
	c.seeBody(st.Body)
	for _, h := range st.Handlers {
		c.see(h.Type)
		if h.Name != "" {
			c.bind(h.Name, unbinds)
		}
		c.seeBody(h.Body)
	}
	c.seeBody(st.Else)
	c.seeBody(st.Finally)
}

func (c *compiler) seeDelete(t syntax.Expr) {
	switch t := t.(type) {
	case *syntax.Name:
		c.bind(t.ID, unbinds)
		c.use(t.ID)
	case *syntax.Tuple:
		for _, item := range t.Items {
			c.seeDelete(item)
		}
	case *syntax.List:
		for _, item := range t.Items {
			c.seeDelete(item)
		}
	default:
		c.see(t)
	}
}

// seeTarget notes the names that an assignment binds.
func (c *compiler) seeTarget(t syntax.Expr) {
	switch t := t.(type) {
	case nil:
	case *syntax.Name:
		c.bind(t.ID, 0)
	case *syntax.Tuple:
		for _, item := range t.Items {
			c.seeTarget(item)
		}
	case *syntax.List:
		for _, item := range t.Items {
			c.seeTarget(item)
		}
	case *syntax.Starred:
		c.seeTarget(t.X)
	default:
		c.see(t)
	}
}

func (c *compiler) seeDef(st *syntax.Def) {
	for _, d := range st.Decorators {
		c.see(d)
	}
	c.seeDefaults(st.Params)
	c.bind(st.Name, 0)
	s := c.enter(st, functionScope)
	s.async = st.Async
	c.seeParams(st.Params)
	c.seeBody(st.Body)
	c.leave()
}

func (c *compiler) seeDefaults(p *syntax.Params) {
	if p == nil {
		return
	}
	for i := range p.List {
		c.see(p.List[i].Default)
	}
}

// seeParams gives parameters the first registers, in the order of Code.Params.
func (c *compiler) seeParams(p *syntax.Params) {
	if p == nil {
		return
	}
	for _, kinds := range paramOrder {
		for i := range p.List {
			if param := &p.List[i]; kinds&(1<<param.Kind) != 0 {
				c.seeParam(param)
			}
		}
	}
	c.scope.params = len(p.List)
}

// paramOrder holds sets of the kinds of parameters, in the order of their
// registers.
var paramOrder = [...]uint8{
	1<<syntax.PositionalOnly | 1<<syntax.Ordinary,
	1 << syntax.KeywordOnly,
	1 << syntax.VarPositional,
	1 << syntax.VarKeyword,
}

func (c *compiler) seeParam(p *syntax.Param) {
	if sym := c.scope.lookup(c.scope.mangle(p.Name)); sym != nil {
		c.fail(p.Start, "duplicate argument '%s' in function definition", p.Name)
		return
	}
	c.bind(p.Name, parameter)
}

func (c *compiler) seeClass(st *syntax.Class) {
	for _, d := range st.Decorators {
		c.see(d)
	}
	for _, b := range st.Bases {
		c.see(b)
	}
	for i := range st.Keywords {
		c.see(st.Keywords[i].Value)
	}
	c.bind(st.Name, 0)
	s := c.enter(st, classScope)
	s.class = st.Name
	s.async = false
	s.frame.register(namespaceParam)
	c.bind("__qualname__", 0)
	if startsWithText(st.Body) {
		c.bind("__doc__", 0)
	}
	c.seeBody(st.Body)
	c.leave()
	if s.classCell != 0 {
		s.classCell = s.frame.register("__class__")
	}
}

// startsWithText reports whether a body has a docstring.
func startsWithText(body []syntax.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	st, ok := body[0].(*syntax.ExprStmt)
	if !ok {
		return false
	}
	text, ok := st.X.(*syntax.Constant)
	if !ok {
		return false
	}
	_, ok = text.Value.(string)
	return ok
}

// namespaceParam is the name of the register of a class body's namespace.
const namespaceParam = ".namespace"

func (c *compiler) seeMatch(st *syntax.Match) {
	c.see(st.Subject)
	for _, cs := range st.Cases {
		c.seePattern(cs.Pattern)
		c.see(cs.Guard)
		c.seeBody(cs.Body)
	}
}

func (c *compiler) seePattern(p syntax.Pattern) {
	switch p := p.(type) {
	case *syntax.ValuePattern:
		c.see(p.Value)
	case *syntax.SequencePattern:
		c.seePatterns(p.Items)
	case *syntax.MappingPattern:
		for _, k := range p.Keys {
			c.see(k)
		}
		c.seePatterns(p.Patterns)
		c.bindCapture(p.Rest)
	case *syntax.ClassPattern:
		c.see(p.Class)
		c.seePatterns(p.Items)
		c.seePatterns(p.Keywords)
	case *syntax.StarPattern:
		c.bindCapture(p.Name)
	case *syntax.AsPattern:
		c.seePattern(p.Pattern)
		c.bindCapture(p.Name)
	case *syntax.OrPattern:
		c.seePatterns(p.Items)
	}
}

func (c *compiler) seePatterns(items []syntax.Pattern) {
	for _, p := range items {
		c.seePattern(p)
	}
}

func (c *compiler) bindCapture(name string) {
	if name != "" {
		c.bind(name, 0)
	}
}
