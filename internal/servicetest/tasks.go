package servicetest

import (
	"context"
	"strings"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// typ reads a type of a test.
func typ(text string) value.Type {
	t, err := value.ParseType(text)
	if err != nil {
		panic(err)
	}
	return t
}

// params reads "x: int, y: tuple[int, str]".
func params(text string) (list []value.Param) {
	start, depth := 0, 0
	for i, r := range text + "," {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == ',' && depth == 0:
			if name, t, ok := strings.Cut(text[start:i], ": "); ok {
				list = append(list, value.Param{Name: strings.TrimSpace(name), Type: typ(t)})
			}
			start = i + 1
		}
	}
	return list
}

// outputs is the one output result, or none if the type is empty.
func outputs(t string) []value.Param {
	if t == "" {
		return nil
	}
	return params("result: " + t)
}

// function registers fn under a name and returns its task.
func (s *suite) function(name, inputs, output string, fn func(in map[string]any) (any, error)) api.Task {
	return s.functionOf(name, inputs, output, func(_ context.Context, in map[string]any) (any, error) { return fn(in) })
}

func (s *suite) functionOf(name, inputs, output string, fn func(ctx context.Context, in map[string]any) (any, error)) api.Task {
	task := api.Task{
		Name: name, Kind: api.KindFunction, Function: &api.Function{ID: "servicetest." + name},
		Signature: api.Signature{Inputs: params(inputs), Outputs: outputs(output)},
	}
	s.host.Function(task, func(ctx context.Context, in map[string]any) (map[string]any, error) {
		v, err := fn(ctx, in)
		if err != nil || output == "" {
			return nil, err
		}
		return map[string]any{"result": v}, nil
	})
	return task
}

// counter registers a function that adds one to its input and counts its calls.
func (s *suite) counter(name string) (api.Task, *count) {
	var c count
	return s.function(name, "x: int", "int", func(in map[string]any) (any, error) {
		c.add()
		return in["x"].(int64) + 1, nil
	}), &c
}

// count counts.
type count struct {
	mu sync.Mutex
	n  int
}

func (c *count) add() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n
}

func (c *count) get() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// gate is a function that says when it has begun, and ends when it is let.
type gate struct {
	task  api.Task
	begun chan int64 // receives the input of each call
	open  chan struct{}
	ended chan error // receives why the context of a call ended, if it did
}

// gate registers a gate with an input x, which it gives back.
func (s *suite) gate(name string) *gate {
	g := &gate{begun: make(chan int64, 100), open: make(chan struct{}, 100), ended: make(chan error, 100)}
	g.task = s.functionOf(name, "x: int", "int", func(ctx context.Context, in map[string]any) (any, error) {
		g.begun <- in["x"].(int64)
		select {
		case <-g.open:
			return in["x"], nil
		case <-ctx.Done():
			g.ended <- context.Cause(ctx)
			return nil, context.Cause(ctx)
		}
	})
	return g
}

// orchestrator makes a task of this code.
func orchestrator(code, inputs, output string, tools ...api.Task) *api.Task {
	return &api.Task{
		Name: "flow", Kind: api.KindOrchestrator, Code: code, Orchestrator: &api.Orchestrator{Dialect: "extended", Tools: tools},
		Signature: api.Signature{Inputs: params(inputs), Outputs: outputs(output)},
	}
}
