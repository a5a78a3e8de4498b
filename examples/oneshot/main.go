// Command oneshot evaluates code once and prints its value: no task, no types
// to declare. Give the code as argument, or see what the code may use:
//
//	go run ./examples/oneshot 'add(x, y) * 2'
//	go run ./examples/oneshot -prompt
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
)

var add = glovebox.MustFunction("add", func(x, y int) int { return x + y },
	glovebox.WithParams("x", "y"), glovebox.WithDoc("Adds two numbers."))

func main() {
	embed.Init()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "oneshot:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	source := "add(x, y) * 2"
	if len(args) > 0 {
		source = args[0]
	}
	gb, err := embed.Connect(ctx, embed.Options{})
	if err != nil {
		return err
	}
	defer gb.Close()
	if source == "-prompt" {
		text, err := gb.Prompt(ctx, glovebox.Orchestrator{Inputs: []string{"x: int", "y: int"}, Tools: []glovebox.Task{add}})
		fmt.Println(text)
		return err
	}
	value, err := gb.Evaluate(ctx, source, glovebox.Values{"x": 1, "y": 2}, add)
	fmt.Println(value)
	return err
}
