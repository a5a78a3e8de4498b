package interpreter_test

import (
	"context"
	"fmt"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed/interpreter"
)

// An interpreter needs no home, and keeps nothing.
func ExampleNew() {
	gb := interpreter.New()
	defer gb.Close()
	add := glovebox.MustFunction("add", func(x, y int) int { return x + y }, glovebox.WithParams("x", "y"))
	v, err := gb.Evaluate(context.Background(), "add(x, y) * 2", glovebox.Values{"x": 1, "y": 2}, add)
	fmt.Println(v, err)

	o := glovebox.Orchestrator{Source: "[add(i, i) for i in range(3)]", Output: "list[int]", Tools: []glovebox.Task{add}}
	result, err := gb.Run(context.Background(), o, nil, glovebox.WithDurability(glovebox.Ephemeral))
	fmt.Println(result.CallsMade, err)
	// Output:
	// 6 <nil>
	// 3 <nil>
}
