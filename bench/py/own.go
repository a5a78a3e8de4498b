package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// own is our interpreter, in this process.
type own struct{}

func (*own) name() string { return "glovebox/py" }
func (*own) close()       {}

// tail is the last line of every program.
const tail = "\nrun()\n"

// clocked runs the program between two tool calls, so that the time between
// them is that of run() alone.
const clocked = "\ntick()\nvalue = run()\ntick()\nrepr(value)\n"

var (
	none    = value.Type{Kind: value.KindNone}
	integer = value.Type{Kind: value.KindInt}
	tick    = py.Tool{Name: "tick", Result: none}
	echo    = py.Tool{Name: "tool", Params: []py.Param{{Name: "i", Type: integer}}, Result: integer}
)

func (o *own) run(source string) (time.Duration, string, error) {
	return o.runWithin(source, py.Limits{})
}

func (*own) runWithin(source string, limits py.Limits) (time.Duration, string, error) {
	state, err := begin(strings.TrimSuffix(source, tail)+clocked, limits, tick)
	if err != nil {
		return 0, "", err
	}
	start := time.Now()
	err = answer(state, nil)
	took := time.Since(start)
	if err == nil {
		err = answer(state, nil)
	}
	if err != nil {
		return 0, "", err
	}
	value, err := state.Result()
	return took, fmt.Sprint(value), err
}

// begin compiles and starts a program.
func begin(source string, limits py.Limits, tools ...py.Tool) (*py.State, error) {
	program, err := py.Compile(source, py.Options{Name: "main", Dialect: py.Extended, Tools: tools})
	if err != nil {
		return nil, err
	}
	return program.Start(context.Background(), nil, py.RunOptions{Limits: limits})
}

// answer gives the one pending call its result.
func answer(s *py.State, value any) error {
	calls := s.Calls()
	if len(calls) != 1 {
		_, err := s.Result()
		return errors.Join(fmt.Errorf("%d calls are pending, want 1", len(calls)), err)
	}
	return s.Resume(context.Background(), py.Return(calls[0].ID, value))
}

func (o *own) parts(agent string, programs []string) (map[string]float64, error) {
	found := map[string]float64{}
	for _, measure := range []func(map[string]float64) error{
		o.starts,
		func(found map[string]float64) error { return o.compiles(found, agent) },
		o.calls,
		o.snapshots,
		o.memory,
		func(found map[string]float64) error { return o.limits(found, programs) },
	} {
		if err := measure(found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// seconds is the median time of a call of f, in nine rounds of some calls.
func seconds(calls int, f func() error) (float64, error) {
	var times []float64
	for range 9 {
		start := time.Now()
		for range calls {
			if err := f(); err != nil {
				return 0, err
			}
		}
		times = append(times, time.Since(start).Seconds()/float64(calls))
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

func (*own) starts(found map[string]float64) (err error) {
	program, err := py.Compile("1+1", py.Options{Name: "main", Dialect: py.Extended})
	if err != nil {
		return err
	}
	ctx := context.Background()
	if found["run_only"], err = seconds(2000, func() error { _, err := program.Start(ctx, nil, py.RunOptions{}); return err }); err != nil {
		return err
	}
	found["compile_run"], err = seconds(2000, func() error { _, err := begin("1+1", py.Limits{}); return err })
	return err
}

func (*own) compiles(found map[string]float64, agent string) (err error) {
	found["compile_agent"], err = seconds(200, func() error {
		_, err := py.Compile(agent, py.Options{Name: "main", Dialect: py.Extended})
		return err
	})
	return err
}

func (*own) calls(found map[string]float64) error {
	const n = 900
	took, err := seconds(1, func() error {
		state, err := begin(fmt.Sprintf("for i in range(%d):\n    tool(i)\n", n), py.Limits{}, echo)
		for err == nil && state.Status() == py.Waiting {
			err = answer(state, int64(1))
		}
		return err
	})
	found["tool_call"] = took / n
	return err
}

// paused are the programs that wait for a call in their second or third line.
var paused = map[string]string{
	"small": "x = tool(1)\nx\n",
	"10k":   "strings = [f'string number {i}' for i in range(10000)]\nx = tool(1)\nlen(strings)\n",
}

func (*own) memory(found map[string]float64) error {
	for name, source := range paused {
		program, err := py.Compile(source, py.Options{Name: "main", Dialect: py.Extended, Tools: []py.Tool{echo}})
		if err != nil {
			return err
		}
		if found["memory_"+name], err = kept(program); err != nil {
			return err
		}
	}
	return nil
}

// kept is how many bytes of heap a paused instance keeps.
func kept(program *py.Program) (float64, error) {
	const n = 200
	states := make([]*py.State, n)
	before := heap()
	for i := range states {
		state, err := program.Start(context.Background(), nil, py.RunOptions{})
		if err != nil {
			return 0, err
		}
		states[i] = state
	}
	bytes := (heap() - before) / n
	runtime.KeepAlive(states)
	return bytes, nil
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

// limits compares the default limits with ones that nothing reaches.
func (o *own) limits(found map[string]float64, programs []string) error {
	wide := py.Limits{Memory: 1 << 40, Time: 1000 * time.Hour, Depth: 50_000, Output: 1 << 30, Calls: 1 << 30}
	sum := 0.0
	for _, source := range programs {
		var on, off []time.Duration
		for range 9 {
			a, _, err := o.runWithin(source, py.Limits{})
			if err != nil {
				return err
			}
			b, _, err := o.runWithin(source, wide)
			if err != nil {
				return err
			}
			on, off = append(on, a), append(off, b)
		}
		slices.Sort(on)
		slices.Sort(off)
		sum += math.Log(float64(on[4]) / float64(off[4]))
	}
	found["limits_cost"] = math.Exp(sum / float64(len(programs)))
	return nil
}

// snapshots measures dumps and loads of paused programs.
func (o *own) snapshots(found map[string]float64) error {
	for name, source := range paused {
		if err := o.dumps(found, name, source); err != nil {
			return err
		}
	}
	return nil
}

func (*own) dumps(found map[string]float64, name, source string) error {
	program, err := py.Compile(source, py.Options{Name: "main", Dialect: py.Extended, Tools: []py.Tool{echo}})
	if err != nil {
		return err
	}
	state, err := program.Start(context.Background(), nil, py.RunOptions{})
	if err != nil {
		return err
	}
	dump, err := state.Snapshot()
	if err != nil {
		return err
	}
	found["size_"+name] = float64(len(dump))
	if found["dump_"+name], err = seconds(50, func() error { _, err := state.Snapshot(); return err }); err != nil {
		return err
	}
	if found["load_"+name], err = seconds(50, func() error { _, err := program.Load(dump, py.RunOptions{}); return err }); err != nil {
		return err
	}
	return nil
}
