package taskfile

import (
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
)

// hooks reads what starts tasks by signed calls.
func (r *reader) hooks(n node, tasks []api.Task) []api.HookSpec {
	if n == nil || r.Err != nil {
		return nil
	}
	var list []api.HookSpec
	for _, p := range r.Pairs(n, "hooks") {
		r.checkName(p.At, p.Key)
		list = append(list, r.hook(p, tasks))
	}
	return list
}

func (r *reader) hook(p yamlfile.Pair, tasks []api.Task) api.HookSpec {
	h := api.HookSpec{Name: p.Key}
	var inputs node
	r.Object(p.Value, "hook "+p.Key, yamlfile.Fields{
		"task":   func(n node) { h.Task = r.Str(n) },
		"secret": func(n node) { h.Secret = r.Str(n) },
		"signature": func(n node) {
			h.Signature = api.HookSignature(r.oneOf(n, string(api.HookStandard), string(api.HookGitHub)))
		},
		"inputs": func(n node) { inputs = n },
		"body":   func(n node) { h.Body = r.Str(n) },
		"paused": func(n node) { h.Paused = r.boolean(n) },
		"fields": func(n node) { h.Fields = r.Strings(n, "fields") },
	})
	if r.Err == nil && (h.Task == "" || h.Secret == "") {
		r.Fail(p.At, "hook %s needs task and secret", p.Key).WithHint("such as: {task: build, secret: github-hook, signature: github, body: event}")
	}
	h.Inputs = r.constants(inputs, h.Task, tasks)
	return h
}

// deployedHooks are the hooks of a file under the names that a deployment gives
// them and their tasks.
func (f *File) deployedHooks() []api.HookSpec {
	list := slices.Clone(f.Hooks)
	for i := range list {
		list[i].Name, list[i].Task = f.deployedName(list[i].Name), f.deployedTask(list[i].Task)
	}
	return list
}
