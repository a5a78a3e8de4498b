package machine

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// Annotations of parameters are kept as texts, so that a def costs nothing for
// them. Whoever asks gets what the text says: names, attributes, brackets and
// |, by the global names of the program. What fails stays a text.

func defineAnnotations(r *Registry) {
	r.Intrinsic("_annotation_texts", func(m *Machine, a Args) (Value, error) {
		f := a.v[0].function()
		if f == nil || f.code.mod.hidden {
			return m.NewList(nil)
		}
		var all []Value
		for _, n := range f.code.code.Annotations {
			text := m.Message(n.Text)
			t, err := m.NewTuple([]Value{m.Message(n.Name), text, Bool(n.IsText)})
			if err != nil {
				return Value{}, err
			}
			all = append(all, t)
		}
		return m.NewList(all)
	})
	r.Intrinsic("_type_tree", func(m *Machine, a Args) (Value, error) {
		s := a.v[0].Str()
		if s == nil {
			return Value{}, ErrMalformed
		}
		return m.typeTree(s.s)
	})
	r.Intrinsic("_active", func(m *Machine, a Args) (Value, error) {
		return m.handled(), m.Work(len(m.frames) * WorkPerStep)
	})
	r.Intrinsic("_global_named", func(m *Machine, a Args) (Value, error) { return m.globalNamed(a.v[0].Str()) })
}

// maxTypeText is the longest text that is read as a type, in bytes.
const maxTypeText = 2000

var errNoType = raise.New("SyntaxError", "this text is no type")

// typeTree parses a text as a type: tuples of a word and its parts.
func (m *Machine) typeTree(text string) (Value, error) {
	if len(text) > maxTypeText {
		return Value{}, errNoType
	}
	if err := m.Alloc(64 * (len(text) + 16)); err != nil {
		return Value{}, err
	}
	if err := m.Work(100 * (len(text) + 16)); err != nil {
		return Value{}, err
	}
	file, err := syntax.Parse("<annotation>", "("+text+"\n)")
	if err != nil || len(file.Body) != 1 {
		return Value{}, errNoType
	}
	st, ok := file.Body[0].(*syntax.ExprStmt)
	if !ok {
		return Value{}, errNoType
	}
	return m.typeNode(st.X, 0)
}

func (m *Machine) typeNode(e syntax.Expr, depth int) (Value, error) {
	if depth > 100 {
		return Value{}, errNoType
	}
	switch e := e.(type) {
	case *syntax.Name:
		return m.typeParts("name", m.Message(e.ID))
	case *syntax.Attribute:
		if e.Name == "" || e.Name[0] == '_' {
			return Value{}, errNoType
		}
		x, err := m.typeNode(e.X, depth+1)
		if err != nil {
			return Value{}, err
		}
		return m.typeParts("attr", x, m.Message(e.Name))
	case *syntax.Subscript:
		return m.typePair("item", e.X, e.Index, depth)
	case *syntax.Binary:
		if e.Op == opBitOr {
			return m.typePair("or", e.X, e.Y, depth)
		}
	case *syntax.Tuple:
		return m.typeList("tuple", e.Items, depth)
	case *syntax.List:
		return m.typeList("list", e.Items, depth)
	case *syntax.Constant:
		return m.typeConstant(e.Value)
	}
	return Value{}, errNoType
}

func (m *Machine) typeParts(word string, parts ...Value) (Value, error) {
	return m.NewTuple(append([]Value{SharedStr(word).Ref()}, parts...))
}

func (m *Machine) typePair(word string, x, y syntax.Expr, depth int) (Value, error) {
	a, err := m.typeNode(x, depth+1)
	if err != nil {
		return Value{}, err
	}
	b, err := m.typeNode(y, depth+1)
	if err != nil {
		return Value{}, err
	}
	return m.typeParts(word, a, b)
}

func (m *Machine) typeList(word string, items []syntax.Expr, depth int) (Value, error) {
	parts := make([]Value, len(items))
	for i, item := range items {
		var err error
		if parts[i], err = m.typeNode(item, depth+1); err != nil {
			return Value{}, err
		}
	}
	return m.typeParts(word, parts...)
}

func (m *Machine) typeConstant(c any) (Value, error) {
	v := None
	switch c := c.(type) {
	case nil:
	case bool:
		v = Bool(c)
	case int64:
		v = Int(c)
	case *big.Int:
		v = m.BigInt(c)
	case float64:
		v = Float(c)
	case string:
		v = m.Message(c)
	case syntax.Ellipsis:
		v = ellipsis
	default:
		return Value{}, errNoType
	}
	return m.typeParts("value", v)
}

// globalNamed is the value of a global name of the program.
func (m *Machine) globalNamed(name *Str) (Value, error) {
	found := Value{}
	err := m.eachGlobal(func(n string, v Value) error {
		if n == name.s {
			found = v
		}
		return nil
	})
	if err != nil || found.Bound() {
		return found, err
	}
	if v, ok := builtinByName(name.s); ok {
		return v, nil
	}
	return Value{}, raise.New("NameError", "name '%s' is not defined", name.s)
}
