package syntax

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// A dumper writes trees as testdata/dump.py does.
type dumper struct {
	file    *File
	b       strings.Builder
	fstring int
}

// dumpFile returns the tree of a file.
func dumpFile(f *File) string {
	d := &dumper{file: f}
	d.b.WriteString("tree ")
	d.stmts(f.Body)
	return d.b.String()
}

func (d *dumper) printf(format string, args ...any) { fmt.Fprintf(&d.b, format, args...) }

func (d *dumper) stmts(list []Stmt) {
	d.b.WriteByte('[')
	for i, s := range list {
		if i > 0 {
			d.b.WriteByte(' ')
		}
		d.stmt(s)
	}
	d.b.WriteByte(']')
}

func (d *dumper) exprs(list []Expr) {
	d.b.WriteByte('[')
	for i, x := range list {
		if i > 0 {
			d.b.WriteByte(' ')
		}
		d.expr(x)
	}
	d.b.WriteByte(']')
}

func (d *dumper) place(p Pos) {
	if d.fstring == 0 {
		d.printf("%d:", d.file.Position(p).Line)
	}
}

func (d *dumper) opt(x Expr) {
	if x == nil {
		d.b.WriteByte('-')
		return
	}
	d.expr(x)
}

// write writes strings as they are, and everything else as what it is.
func (d *dumper) write(parts ...any) {
	for _, part := range parts {
		switch x := part.(type) {
		case string:
			d.b.WriteString(x)
		case nil:
			d.b.WriteByte('-')
		case []Stmt:
			d.stmts(x)
		case []Expr:
			d.exprs(x)
		case Expr:
			d.expr(x)
		case Pattern:
			d.pattern(x)
		default:
			panic(fmt.Sprintf("%T", part))
		}
	}
}

func (d *dumper) stmt(s Stmt) {
	d.place(s.Pos())
	switch s := s.(type) {
	case *ExprStmt:
		d.write("expr ", s.X)
	case *Assign:
		d.write("assign", s.Targets, s.Value)
	case *AugAssign:
		d.write("aug(", s.Target, s.Op.String(), s.Value, ")")
	case *AnnAssign:
		d.write("ann(", s.Target, ":", s.Annotation, "=")
		d.opt(s.Value)
		d.write(")")
	case *If:
		d.write("if(", s.Cond, s.Body, s.Else, ")")
	case *For:
		d.async(s.Async)
		d.write("for(", s.Target, " in ", s.Iter, s.Body, s.Else, ")")
	case *While:
		d.write("while(", s.Cond, s.Body, s.Else, ")")
	case *Break:
		d.write("break")
	case *Continue:
		d.write("continue")
	case *Pass:
		d.write("pass")
	case *Def:
		d.async(s.Async)
		d.write("def ", s.Name)
		d.params(s.Params)
		d.write("->")
		d.opt(s.Returns)
		d.write(s.Body, "@", s.Decorators)
	case *Class:
		d.write("class ", s.Name, s.Bases)
		d.keywords(s.Keywords)
		d.write(s.Body, "@", s.Decorators)
	case *Return:
		d.write("return ")
		d.opt(s.Value)
	case *Raise:
		d.write("raise ")
		d.opt(s.Value)
		d.write(" from ")
		d.opt(s.Cause)
	case *Try:
		d.try(s)
	case *With:
		d.async(s.Async)
		d.write("with[")
		for i, item := range s.Items {
			if i > 0 {
				d.write(" ")
			}
			d.write(item.Context, " as ")
			d.opt(item.Target)
		}
		d.write("]", s.Body)
	case *Assert:
		d.write("assert ", s.Cond, ",")
		d.opt(s.Message)
	case *Delete:
		d.write("del", s.Targets)
	case *Global:
		d.write("global ", strings.Join(s.Names, ","))
	case *Nonlocal:
		d.write("nonlocal ", strings.Join(s.Names, ","))
	case *Import:
		d.write("import")
		d.aliases(s.Names)
	case *ImportFrom:
		d.write("from ", s.Module, " import")
		d.aliases(s.Names)
	case *Match:
		d.match(s)
	case *TypeAlias:
		d.write("type ", s.Name, s.Value)
	default:
		panic(fmt.Sprintf("%T", s))
	}
}

func (d *dumper) async(yes bool) {
	if yes {
		d.write("async ")
	}
}

func (d *dumper) try(s *Try) {
	d.write("try")
	if s.Star {
		d.write("*")
	}
	d.write(s.Body, "[")
	for i, h := range s.Handlers {
		if i > 0 {
			d.write(" ")
		}
		d.place(h.Start)
		d.write("except(")
		d.opt(h.Type)
		d.write(" as ", h.Name, h.Body, ")")
	}
	d.write("]", s.Else, s.Finally)
}

func (d *dumper) match(s *Match) {
	d.write("match(", s.Subject, " [")
	for i, c := range s.Cases {
		if i > 0 {
			d.write(" ")
		}
		d.write("case(", c.Pattern, " if ")
		d.opt(c.Guard)
		d.write(c.Body, ")")
	}
	d.write("])")
}

func (d *dumper) aliases(list []Alias) {
	for i, a := range list {
		d.write([]string{"[", " "}[min(i, 1)], a.Name)
		if a.As != "" {
			d.write(" as ", a.As)
		}
	}
	d.write("]")
}

func (d *dumper) params(p *Params) {
	d.write("(")
	for i, x := range p.List {
		if i > 0 {
			d.write(" ")
		}
		d.write([...]string{"/", "", "*", "!", "**"}[x.Kind], x.Name, ":")
		d.opt(x.Annotation)
		if x.Kind != VarPositional && x.Kind != VarKeyword {
			d.write("=")
			d.opt(x.Default)
		}
	}
	d.write(")")
}

func (d *dumper) keywords(list []Keyword) {
	d.write("[")
	for i, k := range list {
		if i > 0 {
			d.write(" ")
		}
		if k.Name == "" {
			k.Name = "**"
		}
		d.write(k.Name, "=", k.Value)
	}
	d.write("]")
}

func (d *dumper) patterns(list []Pattern) {
	d.write("[")
	for i, x := range list {
		if i > 0 {
			d.write(" ")
		}
		d.pattern(x)
	}
	d.write("]")
}

func (d *dumper) pattern(x Pattern) {
	switch x := x.(type) {
	case *ValuePattern:
		d.write("value ", x.Value)
	case *SingletonPattern:
		d.write("single ")
		d.constant(x.Value.(*Constant).Value)
	case *SequencePattern:
		d.write("seq")
		d.patterns(x.Items)
	case *MappingPattern:
		d.write("map", x.Keys)
		d.patterns(x.Patterns)
		d.write(x.Rest)
	case *ClassPattern:
		d.write("cls(", x.Class)
		d.patterns(x.Items)
		d.write(strings.Join(x.Names, ","))
		d.patterns(x.Keywords)
		d.write(")")
	case *StarPattern:
		d.write("*", x.Name)
	case *AsPattern:
		d.write("as(")
		if x.Pattern == nil {
			d.write("-")
		} else {
			d.pattern(x.Pattern)
		}
		d.write(" ", x.Name, ")")
	case *OrPattern:
		d.write("or")
		d.patterns(x.Items)
	default:
		panic(fmt.Sprintf("%T", x))
	}
}

func (d *dumper) expr(x Expr) {
	d.place(x.Pos())
	switch x := x.(type) {
	case *Name:
		d.write(x.ID)
	case *Constant:
		d.constant(x.Value)
	case *JoinedStr:
		d.fstring++
		d.joined(x)
		d.fstring--
	case *Binary:
		d.write("(", x.X, " ", x.Op.String(), " ", x.Y, ")")
	case *Unary:
		d.write("(", x.Op.String(), " ", x.X, ")")
	case *BoolOp:
		d.write(map[bool]string{true: "or", false: "and"}[x.Or], x.Values)
	case *Compare:
		d.write("cmp(", x.X, " ")
		for i, op := range x.Ops {
			if i > 0 {
				d.write(",")
			}
			d.write(op.String())
		}
		d.write(x.Rest, ")")
	case *Call:
		d.write("call(", x.Fn, x.Args)
		d.keywords(x.Keywords)
		d.write(")")
	case *Attribute:
		d.write("(", x.X, ".", x.Name, ")")
	case *Subscript:
		d.write("sub(", x.X, " ", x.Index, ")")
	case *Slice:
		d.write("slice(")
		d.opt(x.Low)
		d.write(" ")
		d.opt(x.High)
		d.write(" ")
		d.opt(x.Step)
		d.write(")")
	case *Tuple:
		d.write("tuple", x.Items)
	case *List:
		d.write("list", x.Items)
	case *Set:
		d.write("set", x.Items)
	case *Dict:
		d.write("dict[")
		for i, k := range x.Keys {
			if i > 0 {
				d.write(" ")
			}
			d.opt(k)
			d.write(":", x.Values[i])
		}
		d.write("]")
	case *Comprehension:
		d.comprehension(x)
	case *Lambda:
		d.write("lambda")
		d.params(x.Params)
		d.write(x.Body)
	case *IfExp:
		d.write("ifexp(", x.Cond, " ", x.Then, " ", x.Else, ")")
	case *Starred:
		d.write("*", x.X)
	case *NamedExpr:
		d.write("(", x.Target, ":=", x.Value, ")")
	case *Await:
		d.write("await ", x.X)
	case *Yield:
		if x.From {
			d.write("yield from ", x.X)
			return
		}
		d.write("yield ")
		d.opt(x.X)
	default:
		panic(fmt.Sprintf("%T", x))
	}
}

func (d *dumper) comprehension(x *Comprehension) {
	d.write([...]string{"listcomp(", "setcomp(", "dictcomp(", "genexp("}[x.Kind], x.Elem)
	if x.Value != nil {
		d.write(":", x.Value)
	}
	d.write("[")
	for i, c := range x.Clauses {
		if i > 0 {
			d.write(" ")
		}
		d.async(c.Async)
		d.write(c.Target, " in ", c.Iter, " if ", c.Conds)
	}
	d.write("])")
}

func (d *dumper) joined(x *JoinedStr) {
	d.write("f[")
	for i, part := range x.Parts {
		if i > 0 {
			d.write(" ")
		}
		v, ok := part.(*FormattedValue)
		if !ok {
			d.constant(part.(*Constant).Value)
			continue
		}
		d.write("{", v.Value, " ")
		if v.Conversion == 0 {
			d.write("-")
		} else {
			d.write(string(rune(v.Conversion)))
		}
		d.write(" ")
		if v.Spec == nil {
			d.write("-")
		} else {
			d.joined(v.Spec)
		}
		d.write("}")
	}
	d.write("]")
}

func (d *dumper) constant(v any) {
	switch v := v.(type) {
	case nil:
		d.write("None")
	case bool:
		d.write(map[bool]string{true: "True", false: "False"}[v])
	case Ellipsis:
		d.write("...")
	case int64:
		d.printf("0x%x", v)
	case *big.Int:
		d.printf("0x%x", v)
	case float64:
		d.write(hexFloat(v))
	case complex128:
		d.write(hexFloat(imag(v)), "j")
	case string:
		d.printf("s%x", v)
	case []byte:
		d.printf("b%x", v)
	default:
		panic(fmt.Sprintf("%T", v))
	}
}

// hexFloat writes a float as float.hex does.
func hexFloat(f float64) string {
	if math.IsInf(f, 0) {
		return "inf"
	}
	if f == 0 {
		return "0x0.0p+0"
	}
	mantissa := math.Float64bits(f) & (1<<52 - 1)
	exponent := int(math.Float64bits(f) >> 52 & 0x7ff)
	lead := "1"
	if exponent == 0 {
		lead, exponent = "0", 1
	}
	return fmt.Sprintf("0x%s.%013xp%s", lead, mantissa, signed(exponent-1023))
}

func signed(n int) string {
	if n < 0 {
		return strconv.Itoa(n)
	}
	return "+" + strconv.Itoa(n)
}
