//go:build linux

package glovebox_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
)

// Programs call embed.Init first, in main. Here TestMain has done it.
func Example() {
	gb, err := embed.Open(embed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gb.Close()

	double := glovebox.Sandbox{
		Name:    "double",
		Code:    "result = x * 2",
		Inputs:  []string{"x: int"},
		Outputs: []string{"result: int"},
	}
	result, err := gb.Run(context.Background(), double, glovebox.Values{"x": 21})
	if err != nil {
		fmt.Println(err)
		return
	}
	n, err := glovebox.Get[int](result, "result")
	fmt.Println(n, err)
	// Output: 42 <nil>
}

// A cell that is ready answers in milliseconds. It is used once, as every cell
// is, and the next is made ready meanwhile.
func ExampleGlovebox_KeepWarm() {
	gb, err := embed.Open(embed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gb.Close()

	mean := glovebox.Sandbox{
		Code:    "import statistics\nm = statistics.fmean(xs)",
		Inputs:  []string{"xs: list[float]"},
		Outputs: []string{"m: float"},
		Preload: []string{"statistics"},
	}
	if err := gb.KeepWarm(context.Background(), mean, 1); err != nil {
		fmt.Println(err)
		return
	}
	m, err := glovebox.Call[float64](context.Background(), gb, mean, glovebox.Values{"xs": []float64{1, 2, 6}})
	fmt.Println(m, err)
	// Output: 3 <nil>
}

// Structs declare the inputs and outputs of a function.
func ExampleFunc() {
	gb, err := embed.Open(embed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gb.Close()

	type in struct {
		Words []string
		Least *int // Optional[int]
	}
	type out struct {
		Lengths map[string]int
		Longest string
	}
	measure := glovebox.Func[in, out](gb, glovebox.Sandbox{
		Name: "measure",
		Code: `lengths = {w: len(w) for w in words if least is None or len(w) >= least}
longest = max(lengths, key=lengths.get)
`,
	})
	got, err := measure(context.Background(), in{Words: []string{"a", "bcd", "ef"}, Least: new(2)})
	fmt.Println(got.Lengths, got.Longest, err)
	// Output: map[bcd:3 ef:2] bcd <nil>
}

// Errors have a stable code, and details by code.
func ExampleError() {
	gb, err := embed.Open(embed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gb.Close()

	_, err = gb.Run(context.Background(), glovebox.Sandbox{Name: "spin", Code: "while True: pass", Timeout: time.Second}, nil)
	fmt.Println("time-out:", errors.Is(err, glovebox.ErrTimeout))

	_, err = gb.Run(context.Background(), glovebox.Sandbox{Name: "etl", Code: "rows = []\nfirst = rows[0]"}, nil)
	if e := (*glovebox.Error)(nil); errors.As(err, &e) && e.Details.Exception != nil {
		exception := e.Details.Exception
		place := exception.Frames[len(exception.Frames)-1]
		fmt.Println(e.Code, e.Outcome)
		fmt.Printf("%s:%d: %s: %s\n", place.File, place.Line, exception.Type, exception.Message)
	}
	// Output:
	// time-out: true
	// python_exception failed
	// etl.py:2: IndexError: list index out of range
}

// Files go in by their path, and come out as files on this host.
func ExampleFile() {
	gb, err := embed.Open(embed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gb.Close()
	path := filepath.Join(os.TempDir(), "glovebox-example.txt")
	if err := os.WriteFile(path, []byte("b\na\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(path)

	sorter := glovebox.Sandbox{
		Name:    "sorter",
		Command: []string{"sort", "-o", "/var/outputs/sorted", "/var/inputs/lines"},
		Inputs:  []string{"lines: File"},
		Outputs: []string{"sorted: File"},
	}
	result, err := gb.Run(context.Background(), sorter, glovebox.Values{"lines": glovebox.File{Path: path}})
	if err != nil {
		fmt.Println(err)
		return
	}
	sorted, err := glovebox.Get[glovebox.File](result, "sorted")
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := os.ReadFile(sorted.Path)
	fmt.Printf("%d bytes: %q %v\n", sorted.Size, text, err)
	// Output: 4 bytes: "a\nb\n" <nil>
}

// Streams can be followed while the program runs.
func ExampleWithStdout() {
	gb, err := embed.Open(embed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gb.Close()

	hello := glovebox.Sandbox{Name: "hello", Command: []string{"echo", "hello from a cell"}}
	_, err = gb.Run(context.Background(), hello, nil, glovebox.WithStdout(os.Stdout))
	fmt.Println(err)
	// Output:
	// hello from a cell
	// <nil>
}

// Scan takes several outputs, in the order of their declaration.
func ExampleResult_Scan() {
	gb, err := embed.Open(embed.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gb.Close()

	stats := glovebox.Sandbox{
		Name:    "stats",
		Code:    "mean = sum(values) / len(values)\nlargest = max(values)\nend = dt + delta",
		Inputs:  []string{"values: list[float]", "dt: datetime", "delta: timedelta"},
		Outputs: []string{"mean: float", "largest: float", "end: datetime"},
	}
	result, err := gb.Run(context.Background(), stats, glovebox.Values{
		"values": []float64{1, 2, 6}, "dt": glovebox.Naive(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)), "delta": 36 * time.Hour,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var mean, largest float64
	var end glovebox.DateTime
	err = result.Scan(&mean, &largest, &end)
	fmt.Println(mean, largest, end, err)
	// Output: 3 6 2024-01-02T12:00:00 <nil>
}
