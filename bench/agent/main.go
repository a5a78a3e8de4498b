// Command agent measures what the loop of code mode costs beside the model and the
// tools: agents whose model is a function of this process that answers at once, alone
// and many at a time, with a journal on the disk. It prints bench/agent/RESULTS.md.
//
//	make bench-agent
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
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
	began, before := load(), memory("VmRSS")
	var alone, together []float64
	failed := 0
	for range rounds {
		took, bad := b.measure(1)
		alone, failed = append(alone, took/float64(turns)), failed+bad
		took, bad = b.measure(many)
		together, failed = append(together, took), failed+bad
	}
	fmt.Printf("# What an agent costs\n\n`make bench-agent`, %s, on %d cores, with a load of %s at the beginning and %s at the end.\n", time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), began, load())
	fmt.Printf("The model is a function of this process that answers at once, and so is the tool. A turn is a question, a block of code and one call.\n")
	fmt.Printf("The load of this process itself is in that at the end.\n\n| what | median | worst of %d | goal |\n|---|---|---|---|\n", rounds)
	fmt.Printf("| a turn of one agent, of %d | %.2f ms | %.2f ms | 10 ms |\n", turns, median(alone), slices.Max(alone))
	fmt.Printf("| %d agents at once, %d turns each | %.2f s | %.2f s | |\n", many, turns, median(together)/1000, slices.Max(together)/1000)
	fmt.Printf("| for each turn of them | %.2f ms | %.2f ms | |\n", median(together)/float64(turns*many), slices.Max(together)/float64(turns*many))
	fmt.Printf("| agents that failed, of %d | %d | | none |\n", rounds*(many+1), failed)
	fmt.Printf("| memory of the process at its peak, above that before the first agent | %.0f MB | | |\n", memory("VmHWM")-before)
	return nil
}

// load is that of the last minute.
func load() string {
	data, _ := os.ReadFile("/proc/loadavg") // without it the figure is missing
	one, _, _ := strings.Cut(string(data), " ")
	return one
}

// memory is a figure of this process, in MB.
func memory(name string) float64 {
	data, _ := os.ReadFile("/proc/self/status") // as in load
	var kilobytes float64
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			_, _ = fmt.Sscan(rest, &kilobytes) // the kernel writes numbers
		}
	}
	return kilobytes / 1024
}

// done is the answer of every agent.
const done = "done"

type bench struct {
	gb    *glovebox.Glovebox
	turns int
	agent glovebox.Agent
}

// agent has a model that writes a block in each turn but the last.
func agent(turns int) glovebox.Agent {
	model := glovebox.MustFunction("model", func(request map[string]any) map[string]any {
		text := done
		if said := len(request["messages"].([]any)) / 2; said < turns {
			text = fmt.Sprintf("```python\ntotal = add(%d, 1)\ntotal\n```", said)
		}
		return map[string]any{"text": text, "stop": "end", "usage": map[string]any{}}
	}, glovebox.WithParams("request"))
	add := glovebox.MustFunction("add", func(x, y int) int { return x + y }, glovebox.WithParams("x", "y"))
	return glovebox.Agent{Name: "adder", Model: model, Tools: []glovebox.Task{add}, MaxTurns: turns + 1}
}

// measure returns how long so many agents take, in ms, and how many of them fail.
func (b *bench) measure(many int) (took float64, failed int) {
	began := time.Now()
	errs := make([]error, many)
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			answer, err := glovebox.Call[string](context.Background(), b.gb, b.agent, glovebox.Values{"message": fmt.Sprint(i, time.Now())})
			if err == nil && answer != done {
				err = fmt.Errorf("the answer is %q", answer)
			}
			errs[i] = err
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			failed++
			fmt.Fprintln(os.Stderr, "bench/agent:", err)
		}
	}
	return float64(time.Since(began).Microseconds()) / 1000, failed
}

func median(samples []float64) float64 {
	return report.Quantile(slices.Sorted(slices.Values(samples)), 0.5)
}
