// Command parallel calls tools at once: with gather, and with glovebox_map for
// every item of a list.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
)

// measure is a Go function. A real one would ask a service for something.
var measure = glovebox.MustFunction("measure", func(_ context.Context, word string) (int, error) {
	if word == "" {
		return 0, fmt.Errorf("there is nothing to measure")
	}
	return utf8.RuneCountInString(word), nil
}, glovebox.WithParams("word"))

// both waits for two calls that are under way together.
var both = glovebox.Orchestrator{
	Name: "both",
	Source: `a, b = await gather(measure(words[0]), measure(words[-1]))
a + b
`,
	Inputs: []string{"words: list[str]"},
	Output: "int",
	Tools:  []glovebox.Task{measure},
}

// each calls the tool for every word, at most four at a time, and returns the
// results in the order of the words.
var each = glovebox.Orchestrator{
	Name:   "each",
	Source: "glovebox_map(measure, words, concurrency=4, return_exceptions=False)",
	Inputs: []string{"words: list[str]"},
	Output: "list[int]",
	Tools:  []glovebox.Task{measure},
}

func main() {
	embed.Init()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "parallel:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	gb, err := embed.Connect(ctx, embed.Options{})
	if err != nil {
		return err
	}
	defer gb.Close()
	sum, lengths, err := lengthsOf(ctx, gb, []string{"a", "naïve", "word"})
	fmt.Println(sum, lengths)
	return err
}

func lengthsOf(ctx context.Context, gb *glovebox.Glovebox, words []string) (sum int, lengths []int, err error) {
	in := glovebox.Values{"words": words}
	if sum, err = glovebox.Call[int](ctx, gb, both, in); err != nil {
		return 0, nil, err
	}
	lengths, err = glovebox.Call[[]int](ctx, gb, each, in)
	return sum, lengths, err
}
