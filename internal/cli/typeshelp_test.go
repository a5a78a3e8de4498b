package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/value"
)

// kindsOfTypes reads the kinds of types from where they are declared.
func kindsOfTypes(t *testing.T) []value.Kind {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../value/type.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []value.Kind
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); ok && typ.Name == "Kind" {
			text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			kinds = append(kinds, value.Kind(text))
		}
		return true
	})
	return kinds
}

// TestHelpOfTypes: each type has an example, which is taken.
func TestHelpOfTypes(t *testing.T) {
	page := run(t, nil, "help", "types")
	c := &cli{}
	shown := map[value.Kind]bool{value.KindEllipsis: true} // no type of a value
	for _, example := range inputExamples {
		in, err := c.readInputs(t.Context()).parseInput(example.input, value.Type{})
		if err != nil {
			t.Errorf("-i '%s' is refused: %v", example.input, err)
		}
		if !strings.Contains(page.out, "-i '"+example.input+"'") {
			t.Errorf("the page lacks -i '%s'", example.input)
		}
		shown[in.Type.Kind] = true
	}
	for _, also := range []string{"w:timedelta=PT90M", "r:float=1e-3", "r:float=inf", "r:float=nan", `t:frozenset[str]=["a"]`, "l:int | None=null"} {
		if _, err := c.readInputs(t.Context()).parseInput(also, value.Type{}); err != nil {
			t.Errorf("the page promises -i '%s', which is refused: %v", also, err)
		}
	}
	kinds := kindsOfTypes(t)
	if len(kinds) < 20 {
		t.Errorf("found only the types %v", kinds)
	}
	for _, kind := range kinds {
		if !shown[kind] {
			t.Errorf("there is no example of the type %s", kind)
		}
	}
	for _, line := range strings.Split(page.out, "\n") {
		if columns(line) > 100 {
			t.Errorf("a line has %d columns: %s", columns(line), line)
		}
	}
	for _, form := range []string{"=@FILE", "@@", "=-", "--inputs"} {
		if !strings.Contains(page.out, form) {
			t.Errorf("the page lacks the form %s", form)
		}
	}
	if root := run(t, nil); !strings.Contains(root.out, "glovebox types ") {
		t.Errorf("the help does not name the page:\n%s", root.out)
	}
}
