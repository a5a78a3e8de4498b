package compile

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// class calls the machine's build_class with the function of the body, the
// name, the bases and the keywords.
func (u *unit) class(st *syntax.Class) {
	mark := u.top
	for _, d := range st.Decorators {
		u.push(d)
	}
	fn := u.pushConst(code.Intrinsic("build_class"))
	k := u.c.classBody(u, st)
	u.at(st.Start)
	body := u.top
	u.function(k, body, 0)
	u.alloc()
	u.pushConst(st.Name)
	n := len(st.Bases) + len(st.Keywords)
	if n > u.portion() || spreads(st.Bases, st.Keywords) {
		u.emit(code.OpList, body, body, 2)
		u.top = body + 1
		u.addItems(st.Bases, body, code.OpAppend, code.OpExtend, code.StarredItems)
		u.keywordDict(fn, st.Keywords, st.Start)
		u.emit(code.OpCallEx, fn, 0, fn)
	} else {
		u.callBuildClass(st, fn, n+2)
	}
	u.decorate(st.Decorators, mark, fn)
	if len(st.Decorators) > 0 {
		fn = mark
	}
	u.at(st.Start)
	u.top = fn + 1
	u.storeName(st.Name, st.Start, fn)
	u.top = mark
}

func (u *unit) callBuildClass(st *syntax.Class, fn, n int) {
	for _, b := range st.Bases {
		u.push(b)
	}
	for i := range st.Keywords {
		u.push(st.Keywords[i].Value)
	}
	u.at(st.Start)
	if len(st.Keywords) == 0 {
		u.emit(code.OpCall, fn, n, fn)
		return
	}
	u.emit(code.OpCallKw, fn, n, fn)
	u.word(u.keywordNames(st.Keywords))
}

// classBody compiles the body of a class: a function of the namespace that
// returns the cell for super(), if a method needs it.
func (c *compiler) classBody(parent *unit, st *syntax.Class) *code.Code {
	s := c.names.Of(st)
	u := c.begin(parent, s, st.Name, st.Start)
	u.code.Flags = code.ClassBody
	u.code.Params, u.code.Pos, u.code.PosOnly = u.code.LocalNames[:1:1], 1, 1
	u.bound.add(0)
	u.at(st.NameAt)
	body := u.docString(st.Body)
	u.setClassName("__qualname__", u.code.QualName)
	if u.code.HasDoc {
		u.setClassName("__doc__", u.code.Doc)
	}
	if s.Lookup(resolve.AnnotationsName) != nil {
		u.annotations = u.alloc()
		u.emit(code.OpDict, u.annotations, u.annotations, 0)
		u.emitWide(code.OpSetClassName, u.annotations, u.nameOperand(resolve.AnnotationsName, st.Start))
	}
	u.body(body)
	if s.ClassCell > 0 && !u.dead {
		u.emit(code.OpReturn, s.ClassCell, 0, 0)
		u.dead = true
	}
	u.finish()
	return u.code
}

func (u *unit) setClassName(name, value string) {
	mark := u.top
	v := u.pushConst(value)
	u.emitWide(code.OpSetClassName, v, u.nameOperand(name, u.start))
	u.top = mark
}

// annotate keeps the value of an annotation, or its text when it has none: the
// name of a class that comes later.
func (u *unit) annotate(name *syntax.Name, annotation syntax.Expr) {
	mark := u.top
	v := u.annotation(annotation)
	key := u.pushConst(u.scope.Mangle(name.ID))
	u.at(name.Start)
	u.emit(code.OpSetItem, u.annotations, key, v)
	u.top = mark
}

// annotation works an annotation out and returns the register of what it is.
func (u *unit) annotation(e syntax.Expr) int {
	text := u.annotationText(e)
	if _, ok := e.(*syntax.Constant); ok || u.c.names.LateAnnotations {
		return u.annotationConst(e, text)
	}
	v := u.alloc()
	b := &block{kind: tryBlock, first: len(u.instrs)}
	before := u.bound
	u.blocks = append(u.blocks, b)
	u.exprTo(e, v)
	u.blocks = u.blocks[:len(u.blocks)-1]
	u.suspend(b)
	var end label
	u.jump(&end)
	u.land(b, v, &before)
	u.constTo(text, v)
	u.place(&end)
	return v
}

// annotationConst is an annotation that needs no work: None, a text, or any
// other when the program asks for texts.
func (u *unit) annotationConst(e syntax.Expr, text string) int {
	if c, ok := e.(*syntax.Constant); ok && !u.c.names.LateAnnotations {
		return u.pushConst(c.Value)
	}
	return u.pushConst(text)
}

// maxAnnotation is how much of an annotation is kept, in bytes.
const maxAnnotation = 1000

func (u *unit) annotationText(e syntax.Expr) string {
	if c, ok := e.(*syntax.Constant); ok {
		if s, ok := c.Value.(string); ok {
			return s
		}
	}
	source := u.c.file.Source[e.Pos():]
	source = source[:min(len(source), maxAnnotation)]
	return strings.TrimSpace(source[:expressionEnd(source)])
}

// expressionEnd finds where the annotation ends with which the source begins.
// The tree holds only where it begins.
func expressionEnd(source string) int {
	depth := 0
	for i := 0; i < len(source); i++ {
		switch c := source[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return i
			}
		case '\'', '"':
			i += stringLength(source[i:]) - 1
		case '\n', ';', '#', '=', ',', ':':
			if depth == 0 {
				return i
			}
		}
	}
	return len(source)
}

// stringLength returns the length of the string literal with which the source
// begins.
func stringLength(source string) int {
	quote := source[:1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(source, triple) {
		quote = triple
	}
	for i := len(quote); i < len(source); i++ {
		if source[i] == '\\' {
			i++
		} else if strings.HasPrefix(source[i:], quote) {
			return i + len(quote)
		}
	}
	return len(source)
}
