package glovebox

import "github.com/glovebox-dev/glovebox/api"

// Async is a tool that orchestrators call like an async function: a call is
// awaited, several can be under way together, and what cancels the code that
// awaits it ends it. In the strict dialect a call need not be awaited.
//
//	o := glovebox.Orchestrator{Dialect: glovebox.Extended, Tools: []glovebox.Task{glovebox.Async(fetch)}, ...}
func Async(t Task) Task { return async{t} }

type async struct{ Task }

func (a async) define(s scope) (*api.Task, []Function, error) {
	task, functions, err := defineAt(a.Task, s)
	if err != nil {
		return nil, nil, err
	}
	task.Name, task.Signature.Async = toolName(a.Task, task.Name), true
	return task, functions, nil
}
