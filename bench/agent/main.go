// Command agent measures what the loop of code mode costs beside the model and the
// tools: agents whose model is a function of this process that answers at once, alone
// and many at a time, with a journal on the disk.
//
//	make bench-agent
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/bench/report"
	"github.com/glovebox-dev/glovebox/embed"
)

func main() {
	embed.Init()
	dir := flag.String("dir", ".build/bench-agent", "the home, on the disk to be measured")
	turns := flag.Int("turns", 50, "turns of an agent, each with one call of a tool")
	many := flag.Int("many", 100, "agents at the same time")
	rounds := flag.Int("rounds", 7, "how often each is measured")
	flag.Parse()
	if err := run(*dir, *turns, *many, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "bench/agent:", err)
		os.Exit(1)
	}
}

func run(dir string, turns, many, rounds int) error {
	gb, err := embed.Open(embed.Options{Home: dir})
	if err != nil {
		return err
	}
	defer gb.Close()
	b := bench{gb: gb, turns: turns, agent: agent(turns)}
	var alone, together []float64
	for range rounds {
		took, err := b.measure(1)
		if err != nil {
			return err
		}
		alone = append(alone, took)
		if took, err = b.measure(many); err != nil {
			return err
		}
		together = append(together, took)
	}
	fmt.Printf("a turn with one call, %d turns: median %.2f ms of %d\n", turns, median(alone)/float64(turns), rounds)
	fmt.Printf("the same of %d agents at once: median %.2f ms, %.2f s for all\n", many, median(together)/float64(turns*many), median(together)/1000)
	return nil
}

type bench struct {
	gb    *glovebox.Glovebox
	turns int
	agent glovebox.Agent
}

// agent has a model that writes a block in each turn but the last.
func agent(turns int) glovebox.Agent {
	model := glovebox.MustFunction("model", func(request map[string]any) map[string]any {
		text := "done"
		if said := len(request["messages"].([]any)) / 2; said < turns {
			text = fmt.Sprintf("```python\ntotal = add(%d, 1)\ntotal\n```", said)
		}
		return map[string]any{"text": text, "stop": "end", "usage": map[string]any{}}
	}, glovebox.WithParams("request"))
	add := glovebox.MustFunction("add", func(x, y int) int { return x + y }, glovebox.WithParams("x", "y"))
	return glovebox.Agent{Name: "adder", Model: model, Tools: []glovebox.Task{add}, MaxTurns: turns + 1}
}

// measure returns how long so many agents take, in ms.
func (b *bench) measure(many int) (float64, error) {
	began := time.Now()
	errs := make([]error, many)
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			_, errs[i] = glovebox.Call[string](context.Background(), b.gb, b.agent, glovebox.Values{"message": fmt.Sprint(i, time.Now())})
		})
	}
	all.Wait()
	took := float64(time.Since(began).Microseconds()) / 1000
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return 0, errs[i]
	}
	return took, nil
}

func median(samples []float64) float64 {
	return report.Quantile(slices.Sorted(slices.Values(samples)), 0.5)
}
