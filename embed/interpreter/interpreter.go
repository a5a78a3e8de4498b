// Package interpreter evaluates orchestrators in this process, and does nothing
// else: it has no home, no journal and no cells, writes no file, and works on
// every system. A program that imports it and not package embed links no gVisor.
//
//	gb := interpreter.New()
//	defer gb.Close()
//	v, err := gb.Evaluate(ctx, "add(x, y) * 2", glovebox.Values{"x": 1, "y": 2}, add)
package interpreter

import (
	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/interpreter"
)

// New returns a Glovebox whose tools are functions of this process. Evaluate,
// Check and Prompt work with it, and so do Run, Call and Func of an Orchestrator
// [glovebox.WithDurability] Ephemeral. Everything else fails with
// isolation_unavailable.
func New() *glovebox.Glovebox {
	i := interpreter.New()
	return glovebox.New(i, func(f client.Function) (release func(), err error) { return i.Functions().Register(f.Task, f.Call) })
}
