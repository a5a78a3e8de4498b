// Command orchestrate runs the pipelines of code that calls tools: once with
// tools that are sandboxes, each call in a cell of its own, and once with tools
// that are Go functions of this process.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
)

// Tools in cells.
var (
	fib = glovebox.Sandbox{
		Name:   "fib",
		Doc:    "Compute the nth Fibonacci number iteratively.",
		Code:   "result, following = 0, 1\nfor _ in range(n):\n    result, following = following, result + following\n",
		Inputs: []string{"n: int"}, Outputs: []string{"result: int"},
	}
	multiply = glovebox.Sandbox{
		Name: "multiply", Code: "result = x * y",
		Inputs: []string{"x: int", "y: int"}, Outputs: []string{"result: int"},
	}
	add = glovebox.Sandbox{
		Name: "add", Code: "result = x + y",
		Inputs: []string{"x: int", "y: int"}, Outputs: []string{"result: int"},
	}
)

// The same as functions. The code that calls them cannot tell the difference.
var (
	goFib = glovebox.MustFunction("fib", func(n int) int {
		a, b := 0, 1
		for range n {
			a, b = b, a+b
		}
		return a
	}, glovebox.WithParams("n"))
	goMultiply = glovebox.MustFunction("multiply", func(x, y int) int { return x * y }, glovebox.WithParams("x", "y"))
	goAdd      = glovebox.MustFunction("add", func(x, y int) int { return x + y }, glovebox.WithParams("x", "y"))
)

// pipeline is control flow alone: all that is heavy is in its tools.
func pipeline(tools ...glovebox.Task) glovebox.Orchestrator {
	return glovebox.Orchestrator{
		Name: "pipeline",
		Source: `fib_result = fib(n)
linear_result = add(multiply(n, 2), 5)
total = add(fib_result, linear_result)
{"fib": fib_result, "linear": linear_result, "total": total}
`,
		Inputs: []string{"n: int"},
		Output: "dict[str, int]",
		Tools:  tools,
	}
}

// compute is a task from a string: the value of its last expression counts.
func compute(tools ...glovebox.Task) glovebox.Orchestrator {
	return glovebox.Orchestrator{
		Name:   "compute-pipeline",
		Source: "partial = add(x, y)\nmultiply(partial, scale)",
		Inputs: []string{"x: int", "y: int", "scale: int"},
		Output: "int",
		Tools:  tools,
	}
}

func main() {
	embed.Init()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "orchestrate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	gb, err := embed.Connect(ctx, embed.Options{})
	if err != nil {
		return err
	}
	defer gb.Close()
	if err := show(ctx, gb, "functions", goFib, goMultiply, goAdd); err != nil {
		return err
	}
	return show(ctx, gb, "cells", fib, multiply, add)
}

// show runs both tasks with the tools fib, multiply and add.
func show(ctx context.Context, gb *glovebox.Glovebox, where string, fib, multiply, add glovebox.Task) error {
	numbers, err := glovebox.Call[map[string]int](ctx, gb, pipeline(fib, multiply, add), glovebox.Values{"n": 10})
	if err != nil {
		return err
	}
	product, err := glovebox.Call[int](ctx, gb, compute(add, multiply), glovebox.Values{"x": 2, "y": 3, "scale": 4})
	fmt.Println(where, numbers, product)
	return err
}
