package py_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// TestDocuments runs the orchestrators of the documents that define the
// language, in the strict dialect.
func TestDocuments(t *testing.T) {
	integer := value.Type{Kind: value.KindInt}
	pair := []py.Param{{Name: "x", Type: integer}, {Name: "y", Type: integer}}
	tools := []py.Tool{
		{Name: "add", Params: pair, Result: integer},
		{Name: "multiply", Params: pair, Result: integer},
		{Name: "fib", Params: []py.Param{{Name: "n", Type: integer}}, Result: integer},
	}
	input := func(name, typ string) value.Param { return value.Param{Name: name, Type: value.MustType(typ)} }
	for _, c := range []struct {
		name, source, output string
		inputs               []value.Param
		values               map[string]any
		want                 any
	}{
		{"pipeline", `
def pipeline(n: int) -> dict[str, int]:
    fib_result = fib(n)
    linear_result = add(multiply(n, 2), 5)
    total = add(fib_result, linear_result)
    return {
        "fib": fib_result,
        "linear": linear_result,
        "total": total,
    }
pipeline(n)
`, "dict[str, int]", []value.Param{input("n", "int")}, map[string]any{"n": 10}, dict("fib", int64(55), "linear", int64(25), "total", int64(80))},
		{"asynchronous pipeline", `
async def pipeline(n: int) -> int:
    a = await fib(n)
    return await add(a, 1)
await pipeline(n)
`, "int", []value.Param{input("n", "int")}, map[string]any{"n": 10}, int64(56)},
		{"code string", "partial = add(x, y)\nmultiply(partial, scale)\n", "int",
			[]value.Param{input("x", "int"), input("y", "int"), input("scale", "int")}, map[string]any{"x": 2, "y": 3, "scale": 4}, int64(20)},
		{"one shot", "add(x, y) * 2", "int", []value.Param{input("x", "int"), input("y", "int")}, map[string]any{"x": 1, "y": 2}, int64(6)},
		{"sum", "acc = 0\nfor v in values:\n    acc = acc + v\nacc\n", "int", []value.Param{input("values", "list")},
			map[string]any{"values": []any{1, 2, 3}}, int64(6)},
		{"product", "acc = 1\nfor v in values:\n    acc = acc * v\nacc\n", "int", []value.Param{input("values", "list")},
			map[string]any{"values": []any{2, 3, 4}}, int64(24)},
		{"price", "def calculate_total(price: float, quantity: int) -> float:\n    return price * quantity\ncalculate_total(price, quantity)",
			"float", []value.Param{input("price", "float"), input("quantity", "int")}, map[string]any{"price": 2.5, "quantity": 4}, 10.0},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := py.Options{Inputs: c.inputs, Output: value.MustType(c.output), Tools: tools}
			problems, err := py.Check(c.source, o)
			if err != nil || len(problems) > 0 {
				t.Errorf("check finds %v, %v", problems, err)
			}
			program, err := py.Compile(c.source, o)
			if err != nil {
				t.Fatal(err)
			}
			s, err := program.Start(context.Background(), c.values, py.RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for s.Status() == py.Waiting {
				if err := s.Resume(context.Background(), work(s.Calls()[0])); err != nil {
					t.Fatal(err)
				}
			}
			got, err := s.Result()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(value.Dict{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// work is what the workers of the documents do.
func work(c py.Call) py.Result {
	x := c.Args[0].(int64)
	switch c.Tool {
	case "add":
		return py.Return(c.ID, x+c.Args[1].(int64))
	case "multiply":
		return py.Return(c.ID, x*c.Args[1].(int64))
	}
	a, b := int64(0), int64(1)
	for range x {
		a, b = b, a+b
	}
	return py.Return(c.ID, a)
}

func dict(items ...any) *value.Dict {
	d := value.NewDict()
	for i := 0; i < len(items); i += 2 {
		d.Set(items[i].(string), items[i+1])
	}
	return d
}
