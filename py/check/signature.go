package check

import (
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/py/syntax"
	"github.com/glovebox-dev/glovebox/py/tool"
	"github.com/glovebox-dev/glovebox/value"
)

// signature is what a tool or a function of the program can be called with.
type signature struct {
	name   string
	params []param // without *args and **kwargs
	many   bool    // has *args
	extra  bool    // has **kwargs
}

type param struct {
	name     string
	kind     syntax.ParamKind
	required bool
	typ      value.Type // zero where none is enforced
}

func (c *checker) toolSignature(t *tool.Tool) *signature {
	if s := c.signatures[t]; s != nil {
		return s
	}
	s := &signature{name: t.Name, params: make([]param, len(t.Params))}
	c.signatures[t] = s
	for i, p := range t.Params {
		kind := syntax.Ordinary
		if p.KeywordOnly {
			kind = syntax.KeywordOnly
		}
		s.params[i] = param{p.Name, kind, !p.HasDefault, p.Type}
	}
	return s
}

// boundParams are the parameters of a function after the first few.
type boundParams struct {
	*syntax.Params
	bound int
}

// paramsSignature leaves out the first parameters that are bound already, such
// as self.
func (c *checker) paramsSignature(name string, params *syntax.Params, bound int) *signature {
	if params == nil {
		return &signature{name: name}
	}
	key := boundParams{params, bound}
	if s := c.signatures[key]; s != nil {
		return s
	}
	s := &signature{name: name}
	c.signatures[key] = s
	for _, p := range params.List[bound:] {
		switch p.Kind {
		case syntax.VarPositional:
			s.many = true
		case syntax.VarKeyword:
			s.extra = true
		default:
			s.params = append(s.params, param{p.Name, p.Kind, p.Default == nil, value.Type{}})
		}
	}
	return s
}

// positional counts the parameters that can be passed by position.
func (s *signature) positional() int {
	n := 0
	for _, p := range s.params {
		if p.kind <= syntax.Ordinary {
			n++
		}
	}
	return n
}

func (s *signature) named(name string) (int, bool) {
	for i, p := range s.params {
		if p.name == name && p.kind != syntax.PositionalOnly {
			return i, true
		}
	}
	return 0, false
}

// usage shows how to call it: "add(x: int, y: int = ...)".
func (s *signature) usage() string {
	const most = 12
	var words []string
	star := false
	for i, p := range s.params {
		if i == most {
			words = append(words, "...")
			break
		}
		if p.kind == syntax.KeywordOnly && !star {
			star = true
			words = append(words, "*")
		}
		words = append(words, p.usage())
		if p.kind == syntax.PositionalOnly && (i+1 == len(s.params) || s.params[i+1].kind != syntax.PositionalOnly) {
			words = append(words, "/")
		}
	}
	return shorten(s.name) + "(" + strings.Join(words, ", ") + ")"
}

func (p param) usage() string {
	text := shorten(p.name)
	if p.typ.Kind != "" {
		text += ": " + p.typ.String()
	}
	if !p.required {
		text += " = ..."
	}
	return text
}

// Calls beyond these bounds are not compared: the effort is parameters times
// arguments, and no honest program has as many.
const (
	mostParams    = 200
	mostArguments = 300
)

// bindCall compares a call with a signature. The kinds are those that
// arguments returned.
func (c *checker) bindCall(n *syntax.Call, ks []kinds, s *signature) {
	if len(s.params) > mostParams || len(ks) > mostArguments {
		return
	}
	b := callBinding{checker: c, call: n, signature: s, given: make([]bool, len(s.params))}
	b.byPosition(ks[:len(n.Args)])
	b.byKeyword(ks[len(n.Args):])
	b.missing()
}

// callBinding is one call that is compared with a signature.
type callBinding struct {
	*checker
	call      *syntax.Call
	signature *signature
	given     []bool // by parameter
	starred   bool   // has *x: it may give any number by position
	unpacked  bool   // has **x: it may give any name
}

func (b *callBinding) wrong(at syntax.Pos, format string, args ...any) {
	if !b.report.omits() {
		b.find(WrongCall, at, "call "+b.signature.usage(), format, args...)
	}
}

func (b *callBinding) byPosition(ks []kinds) {
	room := b.signature.positional()
	for i, e := range b.call.Args {
		if _, ok := e.(*syntax.Starred); ok {
			b.starred = true
			continue
		}
		switch {
		case b.starred:
		case i < room:
			b.given[i] = true
			b.fits(i, e, ks[i])
		case !b.signature.many:
			b.tooMany(room)
			return
		}
	}
}

func (b *callBinding) tooMany(room int) {
	count := fmt.Sprintf("%d arguments by position", room)
	switch room {
	case 0:
		count = "no arguments by position"
	case 1:
		count = "one argument by position"
	}
	b.wrong(b.call.Args[room].Pos(), "%s takes %s, and %d are given", shorten(b.signature.name), count, len(b.call.Args))
}

func (b *callBinding) byKeyword(ks []kinds) {
	for i := range b.call.Keywords {
		k := &b.call.Keywords[i]
		if k.Name == "" {
			b.unpacked = true
			continue
		}
		index, ok := b.signature.named(k.Name)
		switch {
		case ok && b.given[index]:
			b.wrong(k.Start, "%s gets %s twice, by position and by name", shorten(b.signature.name), shorten(k.Name))
		case ok:
			b.given[index] = true
			b.fits(index, k.Value, ks[i])
		case !b.signature.extra:
			b.unknownKeyword(k)
		}
	}
}

func (b *callBinding) unknownKeyword(k *syntax.Keyword) {
	if b.report.omits() {
		return
	}
	names := make([]string, 0, len(b.signature.params))
	for _, p := range b.signature.params {
		if p.kind != syntax.PositionalOnly {
			names = append(names, p.name)
		}
	}
	hint := "call " + b.signature.usage()
	if near := nearestName(k.Name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	b.find(WrongCall, k.Start, hint, "%s has no parameter %s", shorten(b.signature.name), shorten(k.Name))
}

// missing reports the parameters that the call certainly leaves out.
func (b *callBinding) missing() {
	var names []string
	for i, p := range b.signature.params {
		reachable := b.unpacked && p.kind != syntax.PositionalOnly || b.starred && p.kind != syntax.KeywordOnly
		if p.required && !b.given[i] && !reachable {
			names = append(names, shorten(p.name))
		}
	}
	if len(names) > 0 {
		b.wrong(b.call.Start, "%s needs %s", shorten(b.signature.name), strings.Join(names, ", "))
	}
}

// fits checks the type of an argument.
func (b *callBinding) fits(index int, e syntax.Expr, k kinds) {
	p := b.signature.params[index]
	if p.typ.Kind == "" {
		return
	}
	if k.only(isPending) {
		b.unawaited(e, "is passed on before it is awaited")
		return
	}
	m := findMisfit(e, k, p.typ)
	if m.part == nil {
		return
	}
	place := m.place(e, "argument "+shorten(p.name))
	if m.stuck() {
		b.find(WrongType, m.part.Pos(), conversion(m), "%s of %s is %s, which cannot leave the program", place, shorten(b.signature.name), m.got.article())
		return
	}
	b.find(WrongType, m.part.Pos(), conversion(m), "%s of %s must be %s, and is %s", place, shorten(b.signature.name), m.want, m.got)
}
