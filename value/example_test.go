package value_test

import (
	"fmt"

	"github.com/glovebox-dev/glovebox/value"
)

func Example() {
	typ := value.MustType("dict[str, Optional[float]]")
	text, err := value.EncodeJSON(typ, map[string]any{"a": 1, "b": nil})
	fmt.Println(string(text), err)

	_, err = value.DecodeJSON(typ, []byte(`{"a": 1.5, "b": "x"}`))
	fmt.Println(err)
	// Output:
	// {"a":1.0,"b":null} <nil>
	// .b: expected float, got str "x"
}

func ExampleParseType() {
	t, err := value.ParseType("typing.List[int] | None")
	fmt.Println(t, err)

	_, err = value.ParseType("list[itn]")
	fmt.Println(err)
	// Output:
	// Optional[list[int]] <nil>
	// type "list[itn]": unknown type "itn"
}
