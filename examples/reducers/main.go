// Command reducers makes tasks from code that it puts together itself: source
// that is generated at run time is only a string.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
)

// makeReducer returns a task that reduces a list with an operation.
func makeReducer(operation string) (glovebox.Orchestrator, error) {
	steps := map[string]struct{ start, step string }{
		"sum":     {"0", "acc + v"},
		"product": {"1", "acc * v"},
	}
	s, ok := steps[operation]
	if !ok {
		return glovebox.Orchestrator{}, fmt.Errorf("there is no operation %q", operation)
	}
	return glovebox.Orchestrator{
		Name:   "reduce-" + operation,
		Source: fmt.Sprintf("acc = %s\nfor v in values:\n    acc = %s\nacc\n", s.start, s.step),
		Inputs: []string{"values: list"},
		Output: "int",
	}, nil
}

func main() {
	embed.Init()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "reducers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	gb, err := embed.Connect(ctx, embed.Options{})
	if err != nil {
		return err
	}
	defer gb.Close()
	for _, operation := range []string{"sum", "product"} {
		n, err := reduce(ctx, gb, operation, []int{1, 2, 3, 4, 5})
		if err != nil {
			return err
		}
		fmt.Println(operation, n)
	}
	return nil
}

func reduce(ctx context.Context, gb *glovebox.Glovebox, operation string, values []int) (int, error) {
	task, err := makeReducer(operation)
	if err != nil {
		return 0, err
	}
	return glovebox.Call[int](ctx, gb, task, glovebox.Values{"values": values})
}
