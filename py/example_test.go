package py_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// price is a tool: a name, a signature, and what it does in words.
var price = py.Tool{
	Name: "price", Doc: "Looks up the price of an article in cents.",
	Params: []py.Param{{Name: "article", Type: value.Type{Kind: value.KindStr}}},
	Result: value.Type{Kind: value.KindInt},
}

// lookUp does what price promises.
func lookUp(article any) any { return map[any]int{"tea": 450, "milk": 120}[article] }

// A program pauses at each call of a tool, and the host decides what becomes of
// the call.
func Example() {
	program, err := py.Compile(`[price(a) for a in ["tea", "milk"]]`, py.Options{Tools: []py.Tool{price}})
	if err != nil {
		log.Fatal(err)
	}
	state, err := program.Start(context.Background(), nil, py.RunOptions{})
	for err == nil && state.Status() == py.Waiting {
		call := state.Calls()[0]
		err = state.Resume(context.Background(), py.Return(call.ID, lookUp(call.Args[0])))
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(state.Result())
	// Output: [450 120] <nil>
}

// Inputs are variables of the program, and are checked against their types.
func ExampleProgram_Start() {
	program, err := py.Compile(`
total = 0
for x in values:
    total = total + x
print(total)
{"mean": total / len(values)}
`, py.Options{Inputs: []value.Param{{Name: "values", Type: value.ListOf(value.Type{Kind: value.KindFloat})}}})
	if err != nil {
		log.Fatal(err)
	}
	inputs := map[string]any{"values": []any{1.0, 2.5}}
	state, err := program.Start(context.Background(), inputs, py.RunOptions{Limits: py.Limits{Memory: 1 << 20}})
	if err != nil {
		log.Fatal(err)
	}
	result, err := state.Result()
	if err != nil {
		log.Fatal(err)
	}
	mean, _ := result.(*value.Dict).Get("mean")
	fmt.Print(state.Output(), mean, "\n")

	_, err = program.Start(context.Background(), map[string]any{"values": "1, 2"}, py.RunOptions{})
	fmt.Println(err)
	// Output:
	// 3.5
	// 1.75
	// invalid_input: input values: expected list[float], got str "1, 2"
}

// Calls of async tools wait together, and their results come in any order.
func ExampleState_Resume() {
	fetch := price
	fetch.Async = true
	program, err := py.Compile(`
tea, milk = await gather(price("tea"), price("milk"))
tea + milk
`, py.Options{Tools: []py.Tool{fetch}})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	state, err := program.Start(ctx, nil, py.RunOptions{})
	if err != nil {
		log.Fatal(err)
	}
	calls := state.Calls()
	for _, c := range calls {
		fmt.Println(c.ID, c.Tool, c.Args)
	}
	if err := state.Resume(ctx, py.Return(calls[1].ID, 120)); err != nil {
		log.Fatal(err)
	}
	if err := state.Resume(ctx, py.Raise(calls[0].ID, "LookupError", "the shop is closed")); err != nil {
		log.Fatal(err)
	}
	_, err = state.Result()
	fmt.Println(err)
	// Output:
	// 1 price [tea]
	// 2 price [milk]
	// LookupError: the shop is closed
}

// A program that waits can be saved, and continue in another process.
func ExampleState_Snapshot() {
	program, err := py.Compile(`price("tea") * 2`, py.Options{Tools: []py.Tool{price}})
	if err != nil {
		log.Fatal(err)
	}
	options := py.RunOptions{Key: []byte("known to the host alone")}
	state, err := program.Start(context.Background(), nil, options)
	if err != nil {
		log.Fatal(err)
	}
	snapshot, err := state.Snapshot()
	if err != nil {
		log.Fatal(err)
	}

	state, err = program.Load(snapshot, options)
	if err != nil {
		log.Fatal(err)
	}
	if err := state.Resume(context.Background(), py.Return(state.Calls()[0].ID, 450)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(state.Result())

	snapshot[len(snapshot)/2] ^= 1
	_, err = program.Load(snapshot, options)
	fmt.Println(errors.Is(err, py.ErrSnapshotKey))
	// Output:
	// 900 <nil>
	// true
}

// A limit ends the program, whatever it catches.
func ExampleLimitError() {
	program, err := py.Compile(`
while True:
    try:
        while True: pass
    except BaseException:
        pass
`, py.Options{Dialect: py.Extended})
	if err != nil {
		log.Fatal(err)
	}
	state, err := program.Start(context.Background(), nil, py.RunOptions{Limits: py.Limits{Steps: 10_000}})
	if err != nil {
		log.Fatal(err)
	}
	_, err = state.Result()
	var limit *py.LimitError
	fmt.Println(errors.As(err, &limit), err)
	// Output: true limit of 10000 steps exceeded
}

// Check finds what would fail before anything runs, and says what to write
// instead.
func ExampleCheck() {
	problems, err := py.Check(`
total = 0
for a in ["tea", "milk"]:
    total += prize(a)
total
`, py.Options{Tools: []py.Tool{price}})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output:
	// line 4, column 5: augmented assignment (total += prize(a)) is not available in the strict dialect; use total = total + prize(a)
	// line 4, column 14: prize is not defined: it is no tool, no built-in and no function of the program; did you mean price?
}

// Prompt tells a model which language it writes and which tools it has.
func ExamplePrompt() {
	text := py.Prompt(py.Options{Tools: []py.Tool{price}})
	_, tools, _ := strings.Cut(text, "```python\n")
	tools, _, _ = strings.Cut(tools, "```")
	fmt.Print(tools)
	// Output:
	// def price(article: str) -> int:
	//     """Looks up the price of an article in cents."""
}
