package modules

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// treeBytes is what the tree of a source takes at most, for a byte of it.
const treeBytes = 176

// defineAST defines the module ast, which only reads literals.
func defineAST(r *machine.Registry) {
	r.Module("ast", func(mod *machine.ModuleBuilder) {
		mod.Counted("literal_eval", 1, 1, literalEval)
	})
}

// literalEval is ast.literal_eval.
func literalEval(m *machine.Machine, a machine.Args) (machine.Value, error) {
	s := machine.Plain(a.Arg(0)).Str()
	if s == nil {
		repr, err := m.ReprNative(a.Arg(0))
		if err != nil {
			repr = "<" + machine.TypeName(a.Arg(0)) + " object>"
		}
		return machine.Value{}, raise.Value("malformed node or string: %s", repr)
	}
	source := strings.TrimLeft(s.Text(), " \t")
	if err := m.Alloc(treeBytes * len(source)); err != nil {
		return machine.Value{}, err
	}
	if err := m.Work(64 * len(source)); err != nil {
		return machine.Value{}, err
	}
	file, err := syntax.Parse("<unknown>", source)
	if err != nil {
		return machine.Value{}, literalSyntax(err)
	}
	e, err := onlyExpression(file)
	if err != nil {
		return machine.Value{}, err
	}
	return (&literalReader{m, file}).value(e)
}

func literalSyntax(err error) error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return raise.Value("%v", err)
	}
	if strings.Contains(e.Message, "null bytes") {
		return raise.New(e.Class, "%s", e.Message)
	}
	return raise.New(e.Class, "%s (<unknown>, line %d)", e.Message, e.Pos.Line)
}

// onlyExpression is the expression that the source consists of.
func onlyExpression(file *syntax.File) (syntax.Expr, error) {
	if len(file.Body) == 0 {
		return nil, raise.New("SyntaxError", "invalid syntax (<unknown>, line %d)", min(1, len(file.Source)))
	}
	e, ok := file.Body[0].(*syntax.ExprStmt)
	wrong := file.Body[0]
	if ok && len(file.Body) > 1 {
		wrong = file.Body[1]
	}
	if !ok || len(file.Body) > 1 {
		return nil, raise.New("SyntaxError", "invalid syntax (<unknown>, line %d)", file.Position(wrong.Pos()).Line)
	}
	return e.X, nil
}

// literalReader makes values of the literals of a source, which the parser has
// bounded in depth.
type literalReader struct {
	m    *machine.Machine
	file *syntax.File
}

func (r *literalReader) value(e syntax.Expr) (machine.Value, error) {
	if err := r.m.Work(8); err != nil {
		return machine.Value{}, err
	}
	switch e := e.(type) {
	case *syntax.Constant:
		return r.constant(e)
	case *syntax.Unary:
		return r.signed(e)
	case *syntax.List:
		items, err := r.values(e.Items)
		if err != nil {
			return machine.Value{}, err
		}
		return r.m.NewList(items)
	case *syntax.Tuple:
		items, err := r.values(e.Items)
		if err != nil {
			return machine.Value{}, err
		}
		return r.m.NewTuple(items)
	case *syntax.Set:
		return r.set(e.Items)
	case *syntax.Dict:
		return r.dict(e)
	case *syntax.Call:
		if name, ok := e.Fn.(*syntax.Name); ok && name.ID == "set" && len(e.Args)+len(e.Keywords) == 0 {
			return r.set(nil)
		}
	}
	return machine.Value{}, r.malformed(e)
}

func (r *literalReader) constant(e *syntax.Constant) (machine.Value, error) {
	switch v := e.Value.(type) {
	case nil:
		return machine.None, nil
	case bool:
		return machine.Bool(v), nil
	case int64:
		return machine.Int(v), nil
	case float64:
		return machine.Float(v), nil
	case *big.Int:
		return r.m.BigInt(v), nil
	case string:
		return r.m.Str(v)
	case []byte:
		return r.m.Bytes(string(v))
	case syntax.Ellipsis:
		return machine.Builtin("Ellipsis"), nil
	}
	return machine.Value{}, raise.Value("complex numbers are not supported")
}

// signed is a number with a sign.
func (r *literalReader) signed(e *syntax.Unary) (machine.Value, error) {
	c, ok := e.X.(*syntax.Constant)
	if e.Op != syntax.Neg && e.Op != syntax.Pos1 {
		return machine.Value{}, r.malformed(e)
	}
	if !ok {
		return machine.Value{}, r.malformed(e.X)
	}
	v, err := r.constant(c)
	if err != nil {
		return machine.Value{}, err
	}
	switch {
	case v.Kind() != machine.KindInt && v.Kind() != machine.KindBigInt && v.Kind() != machine.KindFloat:
		return machine.Value{}, r.malformed(c)
	case e.Op == syntax.Pos1:
		return v, nil
	case v.IsFloat():
		return machine.Float(-v.Float()), nil
	}
	return r.m.BigInt(new(big.Int).Neg(machine.BigOf(v))), nil
}

func (r *literalReader) values(list []syntax.Expr) ([]machine.Value, error) {
	if err := r.m.Alloc(len(list) * machine.ValueBytes); err != nil {
		return nil, err
	}
	values := make([]machine.Value, len(list))
	for i, e := range list {
		v, err := r.value(e)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}

func (r *literalReader) set(list []syntax.Expr) (machine.Value, error) {
	items, err := r.values(list)
	if err != nil {
		return machine.Value{}, err
	}
	s := r.m.NewSet()
	for _, v := range items {
		if err := r.m.AddItem(s, v); err != nil {
			return machine.Value{}, err
		}
	}
	return s.Value(false), nil
}

func (r *literalReader) dict(e *syntax.Dict) (machine.Value, error) {
	d := r.m.NewDict()
	for i, k := range e.Keys {
		if k == nil {
			return machine.Value{}, raise.Value("malformed node or string: None")
		}
		key, err := r.value(k)
		if err != nil {
			return machine.Value{}, err
		}
		v, err := r.value(e.Values[i])
		if err != nil {
			return machine.Value{}, err
		}
		if err := r.m.SetItem(d, key, v); err != nil {
			return machine.Value{}, err
		}
	}
	return d.Ref(), nil
}

func (r *literalReader) malformed(e syntax.Expr) error {
	kind := strings.TrimPrefix(fmt.Sprintf("%T", e), "*syntax.")
	switch e := e.(type) {
	case *syntax.Binary:
		kind = "BinOp"
	case *syntax.Unary:
		kind = "UnaryOp"
	case *syntax.Comprehension:
		kind = [...]string{"ListComp", "SetComp", "DictComp", "GeneratorExp"}[e.Kind]
	}
	return raise.Value("malformed node or string on line %d: <ast.%s object>", r.file.Position(e.Pos()).Line, kind)
}
