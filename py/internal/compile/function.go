package compile

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// def does a def statement.
func (u *unit) def(st *syntax.Def) {
	mark := u.top
	for _, d := range st.Decorators {
		u.push(d)
	}
	name := u.scope.Mangle(st.Name)
	r := u.find(name)
	dst := u.top
	if r.kind == local && len(st.Decorators) == 0 {
		dst = r.index
	}
	flags := u.defaults(st.Params, &dst)
	k := u.c.functionBody(u, st)
	u.at(st.Start)
	u.function(k, dst, flags)
	u.decorate(st.Decorators, mark, dst)
	if len(st.Decorators) > 0 {
		dst = mark
	}
	u.keep(dst)
	u.at(st.Start)
	u.storeName(st.Name, st.Start, dst)
	u.top = mark
}

// decorate applies the decorators that lie in the temporaries from base on to
// the value in last, the one after them. The result is in base.
func (u *unit) decorate(decorators []syntax.Expr, base, last int) {
	if len(decorators) == 0 {
		return
	}
	for i := len(decorators) - 1; i >= 0; i-- {
		fn := base + i
		u.top = fn + 1
		if last != fn+1 {
			u.emit(code.OpMove, fn+1, last, 0)
		}
		u.reserve(fn + 1)
		u.at(decorators[i].Pos())
		u.emit(code.OpCall, fn, 1, fn)
		last = fn
	}
	u.top = base + 1
}

// function makes a function of a unit that has been compiled.
func (u *unit) function(k *code.Code, dst, flags int) {
	u.settleCaptures(k)
	u.emit(code.OpFunction, dst, 0, flags)
	u.word(u.pool.find(k))
}

// The flags of OpFunction.
const (
	hasDefaults   = 1
	hasKwDefaults = 2
)

// defaults works out the defaults of parameters. They lie after dst, which
// becomes a temporary when there are any.
func (u *unit) defaults(p *syntax.Params, dst *int) int {
	if p == nil {
		return 0
	}
	var positional []syntax.Expr
	flags := 0
	for i := range p.List {
		switch param := &p.List[i]; {
		case param.Default == nil:
		case param.Kind == syntax.KeywordOnly:
			flags |= hasKwDefaults
		default:
			positional = append(positional, param.Default)
			flags |= hasDefaults
		}
	}
	if flags == 0 {
		return 0
	}
	*dst = u.alloc()
	if positional != nil {
		u.tupleDisplay(positional, u.top)
	}
	u.alloc()
	if flags&hasKwDefaults != 0 {
		u.keywordDefaults(p)
	}
	return flags
}

func (u *unit) keywordDefaults(p *syntax.Params) {
	d := u.alloc()
	u.emit(code.OpDict, d, d, 0)
	for i := range p.List {
		param := &p.List[i]
		if param.Kind != syntax.KeywordOnly || param.Default == nil {
			continue
		}
		mark := u.top
		name := u.pushConst(u.scope.Mangle(param.Name))
		v := u.operand(param.Default, nil)
		u.emit(code.OpPut, d, name, v)
		u.top = mark
	}
}

// functionBody compiles the body of a def statement.
func (c *compiler) functionBody(parent *unit, st *syntax.Def) *code.Code {
	s := c.names.Of(st)
	u := c.begin(parent, s, st.Name, st.Start)
	u.code.Flags = functionFlags(s)
	if s.Async {
		u.code.Flags |= code.Coroutine
	}
	u.signature(st.Params)
	u.annotateFunction(st)
	body := u.docString(st.Body)
	u.at(st.NameAt)
	u.body(body)
	u.finish()
	return u.code
}

func functionFlags(s *resolve.Scope) code.Flags {
	if s.Generator {
		return code.Generator
	}
	return 0
}

// signature fills in what the code says about its parameters.
func (u *unit) signature(p *syntax.Params) {
	k := u.code
	if p == nil {
		return
	}
	k.Params = k.LocalNames[:len(p.List):len(p.List)]
	for i := range p.List {
		switch p.List[i].Kind {
		case syntax.PositionalOnly:
			k.PosOnly++
			k.Pos++
		case syntax.Ordinary:
			k.Pos++
		case syntax.KeywordOnly:
			k.KwOnly++
		case syntax.VarPositional:
			k.Flags |= code.VarArgs
		case syntax.VarKeyword:
			k.Flags |= code.VarKw
		}
	}
}

// annotateFunction keeps the texts of the annotations.
func (u *unit) annotateFunction(st *syntax.Def) {
	if st.Params != nil {
		for i := range st.Params.List {
			u.annotateParam(u.scope.Mangle(st.Params.List[i].Name), st.Params.List[i].Annotation)
		}
	}
	u.annotateParam("return", st.Returns)
}

func (u *unit) annotateParam(name string, e syntax.Expr) {
	if e == nil || !u.c.options.Result {
		return
	}
	c, _ := e.(*syntax.Constant)
	isText := u.c.names.LateAnnotations
	if c != nil && !isText {
		_, isText = c.Value.(string)
	}
	text := u.annotationText(e)
	u.code.Annotations = append(u.code.Annotations, code.Annotation{Name: name, Text: text, IsText: isText})
}

// docString takes the documentation off a body.
func (u *unit) docString(body []syntax.Stmt) []syntax.Stmt {
	if !resolve.HasDoc(body) {
		return body
	}
	doc := body[0].(*syntax.ExprStmt).X.(*syntax.Constant).Value.(string)
	u.code.Doc, u.code.HasDoc = doc, true
	return body[1:]
}

func (u *unit) lambda(e *syntax.Lambda, dst int) {
	mark := u.top
	to := dst
	flags := u.defaults(e.Params, &to)
	s := u.c.names.Of(e)
	f := u.c.begin(u, s, "<lambda>", e.Start)
	f.code.Flags = functionFlags(s)
	f.signature(e.Params)
	f.at(e.Body.Pos())
	f.emit(code.OpReturn, f.operand(e.Body, nil), 0, 0)
	f.dead = true
	f.finish()
	u.at(e.Start)
	u.function(f.code, to, flags)
	u.move(dst, to)
	u.top = mark
}

func (u *unit) yield(e *syntax.Yield, dst int) {
	mark := u.top
	if e.From {
		it := u.top
		r := u.operand(e.X, nil)
		u.top = it
		u.reserve(it)
		u.at(e.Start)
		u.emit(code.OpIter, it, r, 0)
		sent := u.pushConst(nil)
		u.emit(code.OpDelegate, it, sent, dst)
		u.top = mark
		return
	}
	var r int
	if e.X == nil {
		r = u.pushConst(nil)
	} else {
		r = u.operand(e.X, nil)
	}
	u.at(e.Start)
	u.emit(code.OpYield, dst, r, 0)
	u.top = mark
}
