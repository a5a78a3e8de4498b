// Command pipeline runs four sandboxes, one after the other, in all modes:
// Python with and without packages, a script that does its own input and
// output, and a shell command. It prints what they gave as one JSON object.
package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
	"github.com/glovebox-dev/glovebox/value"
)

// Auto-IO: inputs are variables, and so are outputs.
var sum = glovebox.Sandbox{
	Name:    "sum-to-n",
	Code:    "total = sum(range(n + 1)) if conditional else 0",
	Inputs:  []string{"n: int", "conditional: bool"},
	Outputs: []string{"total: int"},
}

// Auto-IO with a package. Inputs and outputs are those of statsIn and statsOut.
var stats = glovebox.Sandbox{
	Name: "numpy-stats",
	Code: `import numpy as np
nums = np.array([float(v) for v in values.split(",")])
mean = float(np.mean(nums))
std  = float(np.std(nums))
window_end = dt + delta
`,
	Image: glovebox.Image{Packages: []string{"numpy"}},
}

type statsIn struct {
	Values string
	When   glovebox.DateTime `glovebox:"dt"`
	Delta  time.Duration
}

type statsOut struct {
	Mean, Std float64
	WindowEnd glovebox.DateTime
}

// Verbatim: a script with full control over its input and output.
var etl = glovebox.Sandbox{
	Name: "etl-script",
	Code: `import json, pathlib

payload = json.loads(pathlib.Path("/var/inputs/payload").read_text())
total = sum(payload["values"])

pathlib.Path("/var/outputs/total").write_text(str(total))
`,
	Verbatim: true,
	Inputs:   []string{"payload: File"},
	Outputs:  []string{"total: int"},
}

// Command: a shell pipeline.
var lineCount = glovebox.Sandbox{
	Name: "line-counter",
	Command: []string{"/bin/bash", "-c",
		"grep -c . /var/inputs/data_file > /var/outputs/line_count || echo 0 > /var/outputs/line_count"},
	Inputs:  []string{"data_file: File"},
	Outputs: []string{"line_count: str"},
}

func main() {
	embed.Init()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "pipeline:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	gb, err := embed.Open(embed.Options{})
	if err != nil {
		return err
	}
	defer gb.Close()
	dir, err := os.MkdirTemp("", "pipeline-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	report, err := pipeline(ctx, gb, dir)
	if err != nil {
		return err
	}
	line, err := value.EncodeJSON(value.Type{Kind: value.KindAny}, report)
	if err != nil {
		return err
	}
	fmt.Println(string(line))
	return nil
}

// pipeline runs the sandboxes; dir is for the files that go in.
func pipeline(ctx context.Context, gb *glovebox.Glovebox, dir string) (*glovebox.Dict, error) {
	total, err := valueOf[int](ctx, gb, sum, glovebox.Values{"n": 10, "conditional": true}, "total")
	if err != nil {
		return nil, err
	}

	fmt.Fprintln(os.Stderr, "running", stats.Name)
	numbers, err := glovebox.Func[statsIn, statsOut](gb, stats, progress)(ctx, statsIn{
		Values: "1,2,3,4,5",
		When:   glovebox.Naive(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)),
		Delta:  24 * time.Hour,
	})
	if err != nil {
		return nil, err
	}

	payload, err := write(dir, "payload.json", `{"values": [1, 2, 3, 4, 5]}`)
	if err != nil {
		return nil, err
	}
	etlTotal, err := valueOf[int](ctx, gb, etl, glovebox.Values{"payload": payload}, "total")
	if err != nil {
		return nil, err
	}

	data, err := write(dir, "data.txt", "line 1\n\nline 2\n")
	if err != nil {
		return nil, err
	}
	lines, err := valueOf[string](ctx, gb, lineCount, glovebox.Values{"data_file": data}, "line_count")
	if err != nil {
		return nil, err
	}

	report := value.NewDict()
	report.Set("sum_1_to_10", total)
	report.Set("mean", round(numbers.Mean))
	report.Set("std", round(numbers.Std))
	report.Set("window_end", numbers.WindowEnd.String())
	report.Set("etl_sum_1_to_10", etlTotal)
	report.Set("line_count", lines)
	return report, nil
}

// valueOf runs a sandbox with a single output.
func valueOf[T any](ctx context.Context, gb *glovebox.Glovebox, s glovebox.Sandbox, in glovebox.Values, output string) (T, error) {
	fmt.Fprintln(os.Stderr, "running", s.Name)
	result, err := gb.Run(ctx, s, in, progress, glovebox.WithStderr(os.Stderr))
	if err != nil {
		var none T
		return none, err
	}
	return glovebox.Get[T](result, output)
}

func write(dir, name, text string) (glovebox.File, error) {
	path := filepath.Join(dir, name)
	return glovebox.File{Path: path}, os.WriteFile(path, []byte(text), 0o600)
}

func round(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// progress shows what takes long the first time: making the image.
var progress = glovebox.WithProgress(func(p glovebox.Progress) {
	if p.Total == 0 {
		fmt.Fprintln(os.Stderr, "  "+p.Message)
	}
})
