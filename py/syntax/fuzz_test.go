package syntax

import (
	"math/big"
	"reflect"
	"strings"
	"testing"
)

// FuzzParse checks that any source has one outcome and that all places are
// inside it.
func FuzzParse(f *testing.F) {
	f.Add(agent)
	for _, source := range []string{
		"", "\n", "x", "1if x else 2", "f'{x!r:>{w}}' 'b' f\"{y=}\"", "match x:\n case {1: [a, *_], **k} | B(c=1): pass",
		"async def f(a, /, b: int = 1, *c, d=2, **e) -> 3:\n\tawait g\n\treturn lambda x, *y: (yield)",
		"try:\n pass\nexcept* (A, B) as c:\n pass\nelse: pass\nfinally: pass", "with (a as b, c): x[1:2, ::3] @= 4",
		"print x", "f(a b)", "if x = 1: pass", "'\\x4", "0x_f 1__0 1e5j", "x = (\n", "{**a, 'b': c}", "type X = int",
		"@a\nclass B(C, metaclass=D): pass", "a = b = c, *d = e", "global x; nonlocal y; del z, (w)", "\\\n x", "\t\f x\n y",
		"[x async for x in y if z if w]", "f'{(yield)}{lambda:1}'", "from .. import (a as b,)", "f'''{\nx:{y}}\n'''",
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		file, err := Parse("fuzz", source)
		again, err2 := Parse("fuzz", source)
		if err != nil {
			e := err.(*Error)
			if err2 == nil || err2.Error() != err.Error() {
				t.Fatalf("first %v, then %v", err, err2)
			}
			lines := strings.Count(source, "\n") + strings.Count(source, "\r") + 1
			if e.Pos.Line < 1 || e.Pos.Line > lines || e.Pos.Column < 1 || e.Pos.Column > len(source)+1 {
				t.Fatalf("%v of %d lines", err, lines)
			}
			return
		}
		if err2 != nil || dumpFile(file) != dumpFile(again) {
			t.Fatal("two trees of one source")
		}
		checkPlaces(t, file)
	})
}

// checkPlaces checks that every node is inside the source.
func checkPlaces(t *testing.T, file *File) {
	inspect(reflect.ValueOf(file.Body), func(node any) {
		n, ok := node.(interface{ Pos() Pos })
		if !ok {
			t.Fatalf("%T has no place", node)
		}
		if p := n.Pos(); p < 0 || int(p) >= len(file.Source) {
			t.Fatalf("%T at %d", node, p)
		}
	})
}

// inspect calls f for every node in a part of a tree: for what is a struct
// behind a pointer, but parameters and big ints, which have no place.
func inspect(v reflect.Value, f func(node any)) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			inspect(v.Index(i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			inspect(v.Field(i), f)
		}
	case reflect.Interface:
		inspect(v.Elem(), f)
	case reflect.Pointer:
		_, isInt := v.Interface().(*big.Int)
		if v.IsNil() || isInt {
			return
		}
		if _, isParams := v.Interface().(*Params); !isParams {
			f(v.Interface())
		}
		inspect(v.Elem(), f)
	}
}
