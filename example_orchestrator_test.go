//go:build linux

package glovebox_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
)

// The tools of the examples. Sandboxes would do as well, each call in a cell.
var (
	add      = glovebox.MustFunction("add", func(x, y int) int { return x + y }, glovebox.WithParams("x", "y"))
	multiply = glovebox.MustFunction("multiply", func(x, y int) int { return x * y }, glovebox.WithParams("x", "y"))
)

// Code that came from elsewhere calls the tools that it was granted. The value
// of its last expression is the output.
func ExampleOrchestrator() {
	gb, err := embed.Open(embed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gb.Close()

	pipeline := glovebox.Orchestrator{
		Name:   "pipeline",
		Source: "partial = add(x, y)\nmultiply(partial, scale)",
		Inputs: []string{"x: int", "y: int", "scale: int = 4"},
		Output: "int",
		Tools:  []glovebox.Task{add, multiply},
	}
	n, err := glovebox.Call[int](context.Background(), gb, pipeline, glovebox.Values{"x": 2, "y": 3})
	fmt.Println(n, err)
	// Output: 20 <nil>
}

// Evaluate runs code once, without a declaration.
func ExampleGlovebox_Evaluate() {
	gb, err := embed.Open(embed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gb.Close()

	v, err := gb.Evaluate(context.Background(), "add(x, y) * 2", glovebox.Values{"x": 1, "y": 2}, add)
	fmt.Println(v, err)
	// Output: 6 <nil>
}

// Check finds mistakes before anything runs, in messages for the author of the
// code.
func ExampleGlovebox_Check() {
	gb, err := embed.Open(embed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gb.Close()

	problems, err := gb.Check(context.Background(), glovebox.Orchestrator{
		Name: "draft", Source: "total = add(1)\nimport os\n", Tools: []glovebox.Task{add},
	})
	for _, p := range problems {
		fmt.Println(p.Line, p.Level)
	}
	fmt.Println(err)
	// Output:
	// 1 error
	// 2 refusal
	// <nil>
}

// A function takes the fields of a struct, or parameters with names.
func ExampleNewFunction() {
	gb, err := embed.Open(embed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gb.Close()

	type in struct {
		Text  string
		Times int
	}
	type out struct {
		Shout  string
		Length int
	}
	shout, err := glovebox.NewFunction("shout", func(_ context.Context, i in) (out, error) {
		if i.Times < 1 {
			return out{}, errors.New("how often?")
		}
		text := strings.Repeat(strings.ToUpper(i.Text), i.Times)
		return out{text, len(text)}, nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := gb.Evaluate(context.Background(), `text, length = shout("hey", times=2)
length`, nil, shout)
	fmt.Println(v, err)
	// Output: 6 <nil>
}

// However often the same thing is asked for under one key, also after a crash,
// it is one run.
func ExampleWithIdempotencyKey() {
	gb, err := embed.Open(embed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gb.Close()

	first, err := gb.Start(context.Background(), add, glovebox.Values{"x": 1, "y": 2}, glovebox.WithIdempotencyKey("order 7"))
	if err != nil {
		fmt.Println(err)
		return
	}
	again, err := gb.Start(context.Background(), add, glovebox.Values{"x": 1, "y": 2}, glovebox.WithIdempotencyKey("order 7"))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = again.Wait(context.Background())
	fmt.Println(first.ID() == again.ID(), err)
	// Output: true <nil>
}
