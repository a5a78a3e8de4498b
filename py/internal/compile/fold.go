package compile

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// foldDepth is how deep an expression of literals may be to be worked out here.
// A limit keeps the time linear, as every level of an expression is tried.
const foldDepth = 5

// maxFolded is the length of the longest string and maxFoldedTuple that of the
// longest tuple within a tuple that is worked out here.
const (
	maxFolded      = 64
	maxFoldedTuple = 1 << 12
)

// fold returns the value of an expression that is made of literals only.
func (u *unit) fold(e syntax.Expr, depth int) (any, bool) {
	if depth == 0 {
		return nil, false
	}
	switch e := e.(type) {
	case *syntax.Constant:
		return u.literal(e), true
	case *syntax.Unary:
		v, ok := u.fold(e.X, depth-1)
		if !ok {
			return nil, false
		}
		return foldUnary(e.Op, v)
	case *syntax.Binary:
		x, ok := u.fold(e.X, depth-1)
		if !ok {
			return nil, false
		}
		y, ok := u.fold(e.Y, depth-1)
		if !ok {
			return nil, false
		}
		return foldBinary(e.Op, x, y)
	case *syntax.Tuple:
		return u.foldTuple(e.Items, depth)
	}
	return nil, false
}

// foldTuple returns a tuple of literals.
func (u *unit) foldTuple(items []syntax.Expr, depth int) (any, bool) {
	if len(items) > maxFoldedTuple {
		return nil, false
	}
	for _, e := range items {
		switch e.(type) {
		case *syntax.Constant, *syntax.Unary, *syntax.Tuple, *syntax.Binary:
		default:
			return nil, false
		}
	}
	t := make(code.Tuple, len(items))
	for i, e := range items {
		v, ok := u.fold(e, depth-1)
		if !ok {
			return nil, false
		}
		t[i] = v
	}
	return t, true
}

// literal returns the constant of a literal.
func (u *unit) literal(e *syntax.Constant) any {
	switch v := e.Value.(type) {
	case syntax.Ellipsis:
		return code.Ellipsis{}
	case complex128:
		u.c.fail(e.Start, "complex numbers are not supported")
		return nil
	default:
		return v
	}
}

func foldUnary(op syntax.UnaryOp, v any) (any, bool) {
	switch v := v.(type) {
	case int64:
		return foldUnaryInt(op, v)
	case float64:
		switch op {
		case syntax.Neg:
			return -v, true
		case syntax.Pos1:
			return v, true
		case syntax.Not:
			return v == 0, true
		}
	case *big.Int:
		if op == syntax.Neg {
			return negBig(v), true
		}
	case bool:
		if op == syntax.Not {
			return !v, true
		}
	case string:
		if op == syntax.Not {
			return v == "", true
		}
	case nil:
		return true, op == syntax.Not
	}
	return nil, false
}

func foldUnaryInt(op syntax.UnaryOp, v int64) (any, bool) {
	switch op {
	case syntax.Neg:
		return -v, v != math.MinInt64
	case syntax.Pos1:
		return v, true
	case syntax.Invert:
		return ^v, true
	}
	return v == 0, true
}

// negBig returns -v, as an int64 when it is one.
func negBig(v *big.Int) any {
	n := new(big.Int).Neg(v)
	if n.IsInt64() {
		return n.Int64()
	}
	return n
}

func foldBinary(op syntax.BinaryOp, x, y any) (any, bool) {
	switch x := x.(type) {
	case int64:
		if y, ok := y.(int64); ok {
			return foldInts(op, x, y)
		}
		if y, ok := y.(float64); ok && exact(x) {
			return foldFloats(op, float64(x), y)
		}
	case float64:
		if y, ok := y.(float64); ok {
			return foldFloats(op, x, y)
		}
		if y, ok := y.(int64); ok && exact(y) {
			return foldFloats(op, x, float64(y))
		}
	case string:
		if y, ok := y.(string); ok && op == syntax.Add && len(x)+len(y) <= maxFolded && !mayJoin(x, y) {
			return x + y, true
		}
	}
	return nil, false
}

// mayJoin says whether two halves of a surrogate pair could meet between two
// strings.
func mayJoin(x, y string) bool {
	return len(x) > 2 && x[len(x)-3] == 0xed && len(y) > 0 && y[0] == 0xed
}

// exact says whether a float holds the int exactly.
func exact(n int64) bool { return n >= -1<<53 && n <= 1<<53 }

func foldInts(op syntax.BinaryOp, x, y int64) (any, bool) {
	switch op {
	case syntax.Add:
		s := x + y
		return s, (s > x) == (y > 0)
	case syntax.Sub:
		d := x - y
		return d, (d < x) == (y > 0)
	case syntax.Mul:
		return foldProduct(x, y)
	case syntax.Div:
		return float64(x) / float64(y), y != 0 && exact(x) && exact(y)
	case syntax.Pow:
		return foldPower(x, y)
	case syntax.BitAnd:
		return x & y, true
	case syntax.BitOr:
		return x | y, true
	case syntax.BitXor:
		return x ^ y, true
	case syntax.LShift:
		if x < 0 || y < 0 || y > 62 || bits.Len64(uint64(x))+int(y) > 63 {
			return nil, false
		}
		return x << y, true
	case syntax.RShift:
		return x >> min(uint64(y), 63), y >= 0
	}
	return nil, false
}

func foldProduct(x, y int64) (any, bool) {
	if x == math.MinInt64 || y == math.MinInt64 {
		return nil, false
	}
	hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
	return x * y, hi == 0 && lo <= math.MaxInt64
}

// foldPower returns x**y for results within int64.
func foldPower(x, y int64) (any, bool) {
	if y < 0 || y > 63 {
		return nil, false
	}
	var result any = int64(1)
	ok := true
	for ; y > 0 && ok; y-- {
		result, ok = foldProduct(result.(int64), x)
	}
	return result, ok
}

func foldFloats(op syntax.BinaryOp, x, y float64) (any, bool) {
	switch op {
	case syntax.Add:
		return x + y, true
	case syntax.Sub:
		return x - y, true
	case syntax.Mul:
		return x * y, true
	case syntax.Div:
		return x / y, y != 0
	}
	return nil, false
}
