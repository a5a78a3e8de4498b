package resolve

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

func (in *Info) body(body []syntax.Stmt) {
	for _, st := range body {
		in.stmt(st)
	}
}

func (in *Info) stmt(st syntax.Stmt) {
	switch st := st.(type) {
	case *syntax.ExprStmt:
		in.expr(st.X)
	case *syntax.Assign:
		in.expr(st.Value)
		for _, t := range st.Targets {
			in.target(t)
		}
	case *syntax.AugAssign:
		in.expr(st.Value)
		in.expr(st.Target)
		in.target(st.Target)
	case *syntax.AnnAssign:
		in.annAssign(st)
	case *syntax.Return:
		in.expr(st.Value)
	case *syntax.If:
		in.expr(st.Cond)
		in.body(st.Body)
		in.body(st.Else)
	case *syntax.For:
		in.expr(st.Iter)
		in.target(st.Target)
		in.body(st.Body)
		in.body(st.Else)
	case *syntax.While:
		in.expr(st.Cond)
		in.body(st.Body)
		in.body(st.Else)
	default:
		in.rareStmt(st)
	}
}

func (in *Info) rareStmt(st syntax.Stmt) {
	switch st := st.(type) {
	case *syntax.Def:
		in.def(st)
	case *syntax.Class:
		in.class(st)
	case *syntax.Raise:
		in.expr(st.Value)
		in.expr(st.Cause)
	case *syntax.Try:
		in.try(st)
	case *syntax.With:
		for _, item := range st.Items {
			in.expr(item.Context)
			in.target(item.Target)
		}
		in.body(st.Body)
	case *syntax.Assert:
		in.expr(st.Cond)
		in.expr(st.Message)
	case *syntax.Delete:
		for _, t := range st.Targets {
			in.delete(t)
		}
	case *syntax.Global:
		in.declareGlobal(st)
	case *syntax.Nonlocal:
		in.declareNonlocal(st)
	case *syntax.Import:
		for _, a := range st.Names {
			in.bind(ImportTarget(a), 0, st)
		}
	case *syntax.ImportFrom:
		in.importFrom(st)
	case *syntax.Match:
		in.match(st)
	case *syntax.TypeAlias:
		in.expr(st.Value)
		in.bind(st.Name, 0, nil)
	}
}

// ImportTarget returns the name that an import binds: for a.b it is a.
func ImportTarget(a syntax.Alias) string {
	if a.As != "" {
		return a.As
	}
	name, _, _ := strings.Cut(a.Name, ".")
	return name
}

func (in *Info) importFrom(st *syntax.ImportFrom) {
	for _, a := range st.Names {
		if a.Name == "*" {
			in.fail(st.Start, "import * is not supported: name what you need")
			return
		}
		in.bind(ImportTarget(a), 0, st)
	}
}

func (in *Info) annAssign(st *syntax.AnnAssign) {
	in.expr(st.Value)
	if in.scope.Kind == ClassScope {
		in.imply(AnnotationsName, 0)
		if !in.LateAnnotations {
			in.expr(st.Annotation)
		}
	}
	if _, ok := st.Target.(*syntax.Name); ok || st.Value != nil {
		in.target(st.Target)
	}
}

func (in *Info) try(st *syntax.Try) {
	in.body(st.Body)
	for _, h := range st.Handlers {
		in.expr(h.Type)
		if h.Name != "" {
			in.bind(h.Name, Unbinds, nil)
		}
		in.body(h.Body)
	}
	in.body(st.Else)
	in.body(st.Finally)
}

func (in *Info) delete(t syntax.Expr) {
	switch t := t.(type) {
	case *syntax.Name:
		in.bind(t.ID, Unbinds, nil)
		in.use(t.ID)
	case *syntax.Tuple:
		for _, item := range t.Items {
			in.delete(item)
		}
	case *syntax.List:
		for _, item := range t.Items {
			in.delete(item)
		}
	default:
		in.expr(t)
	}
}

// target notes the names that an assignment binds.
func (in *Info) target(t syntax.Expr) {
	switch t := t.(type) {
	case nil:
	case *syntax.Name:
		in.bind(t.ID, 0, nil)
	case *syntax.Tuple:
		for _, item := range t.Items {
			in.target(item)
		}
	case *syntax.List:
		for _, item := range t.Items {
			in.target(item)
		}
	case *syntax.Starred:
		in.target(t.X)
	default:
		in.expr(t)
	}
}

func (in *Info) def(st *syntax.Def) {
	for _, d := range st.Decorators {
		in.expr(d)
	}
	in.defaults(st.Params)
	in.bind(st.Name, 0, st)
	s := in.enter(st, FunctionScope)
	s.Async = st.Async
	in.params(st.Params)
	in.body(st.Body)
	in.leave()
}

func (in *Info) defaults(p *syntax.Params) {
	if p == nil {
		return
	}
	for i := range p.List {
		in.expr(p.List[i].Default)
	}
}

// params gives parameters the first slots, in the order in which calls fill them.
func (in *Info) params(p *syntax.Params) {
	if p == nil {
		return
	}
	for _, kinds := range paramOrder {
		for i := range p.List {
			if param := &p.List[i]; kinds&(1<<param.Kind) != 0 {
				in.param(param)
			}
		}
	}
}

// paramOrder holds sets of the kinds of parameters, in the order of their slots.
var paramOrder = [...]uint8{
	1<<syntax.PositionalOnly | 1<<syntax.Ordinary,
	1 << syntax.KeywordOnly,
	1 << syntax.VarPositional,
	1 << syntax.VarKeyword,
}

func (in *Info) param(p *syntax.Param) {
	if sym := in.scope.find(in.scope.Mangle(p.Name)); sym != nil {
		in.fail(p.Start, "duplicate argument '%s' in function definition", p.Name)
		return
	}
	in.bind(p.Name, Parameter, nil)
}

func (in *Info) class(st *syntax.Class) {
	for _, d := range st.Decorators {
		in.expr(d)
	}
	for _, b := range st.Bases {
		in.expr(b)
	}
	for i := range st.Keywords {
		in.expr(st.Keywords[i].Value)
	}
	in.bind(st.Name, 0, st)
	s := in.enter(st, ClassScope)
	s.Class = st.Name
	s.Async = false
	s.Frame.Add(NamespaceParam)
	in.imply("__qualname__", 0)
	if HasDoc(st.Body) {
		in.imply("__doc__", 0)
	}
	in.body(st.Body)
	in.leave()
	if s.ClassCell != 0 {
		s.ClassCell = s.Frame.Add("__class__")
	}
}

// HasDoc reports whether a body has a docstring.
func HasDoc(body []syntax.Stmt) bool {
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

func (in *Info) match(st *syntax.Match) {
	in.expr(st.Subject)
	for _, cs := range st.Cases {
		in.pattern(cs.Pattern)
		in.expr(cs.Guard)
		in.body(cs.Body)
	}
}

func (in *Info) pattern(p syntax.Pattern) {
	switch p := p.(type) {
	case *syntax.ValuePattern:
		in.expr(p.Value)
	case *syntax.SequencePattern:
		in.patterns(p.Items)
	case *syntax.MappingPattern:
		for _, k := range p.Keys {
			in.expr(k)
		}
		in.patterns(p.Patterns)
		in.bindCapture(p.Rest)
	case *syntax.ClassPattern:
		in.expr(p.Class)
		in.patterns(p.Items)
		in.patterns(p.Keywords)
	case *syntax.StarPattern:
		in.bindCapture(p.Name)
	case *syntax.AsPattern:
		in.pattern(p.Pattern)
		in.bindCapture(p.Name)
	case *syntax.OrPattern:
		in.patterns(p.Items)
	}
}

func (in *Info) patterns(items []syntax.Pattern) {
	for _, p := range items {
		in.pattern(p)
	}
}

func (in *Info) bindCapture(name string) {
	if name != "" {
		in.bind(name, 0, nil)
	}
}
