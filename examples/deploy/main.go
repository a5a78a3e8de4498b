// Command deploy keeps tasks in the catalog: it deploys two versions of one,
// starts it by name, and goes back to the first version.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
)

// price is a task in its first or its second version.
func price(vat int) glovebox.Orchestrator {
	return glovebox.Orchestrator{
		Name:   "price",
		Doc:    "The price of some pieces, with tax.",
		Source: fmt.Sprintf("net * pieces * (100 + %d) // 100", vat),
		Inputs: []string{"net: int", "pieces: int = 1"},
		Output: "int",
	}
}

func main() {
	embed.Init()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "deploy:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	gb, err := embed.Connect(ctx, embed.Options{})
	if err != nil {
		return err
	}
	defer gb.Close()
	prices, err := deploy(ctx, gb)
	fmt.Println(prices)
	return err
}

// deploy returns the price by version 1, by version 2, and after the rollback.
func deploy(ctx context.Context, gb *glovebox.Glovebox) (prices []int, err error) {
	var first []glovebox.TaskVersion
	for i, vat := range []int{19, 7} {
		versions, err := gb.Deploy(ctx, "shop", price(vat))
		if err != nil {
			return nil, err
		}
		if i == 0 {
			first = versions
		}
		if prices, err = ask(ctx, gb, prices); err != nil {
			return prices, err
		}
	}
	if _, err := gb.Service().Rollback(ctx, first[0].Name, first[0].Version); err != nil {
		return prices, err
	}
	return ask(ctx, gb, prices)
}

// ask starts the current version by its name.
func ask(ctx context.Context, gb *glovebox.Glovebox, prices []int) ([]int, error) {
	task, err := gb.Task(ctx, "shop.price")
	if err != nil {
		return prices, err
	}
	n, err := glovebox.Call[int](ctx, gb, task, glovebox.Values{"net": 100, "pieces": 2})
	return append(prices, n), err
}
