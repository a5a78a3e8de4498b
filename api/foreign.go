package api

import (
	"reflect"
	"slices"
)

// CheckForeign refuses what tasks of other kinds have, since it would be ignored:
// all fields that only some kinds have, but for those that are own to this one.
// instead says where such a thing belongs. It returns invalid_task.
func (t *Task) CheckForeign(instead string, own ...string) error {
	for _, f := range t.ofSomeKinds() {
		if f.set && !slices.Contains(own, f.name) {
			return WrongField(f.name, "set", "nothing: "+instead)
		}
	}
	return nil
}

type kindField struct {
	name string
	set  bool
}

func (t *Task) ofSomeKinds() []kindField {
	return []kindField{
		{"orchestrator", t.Orchestrator != nil}, {"function", t.Function != nil}, {"model", t.Model != nil}, {"agent", t.Agent != nil}, {"codegen", t.Codegen != nil}, {"mcp", t.MCP != nil},
		{"code", t.Code != ""}, {"file", t.File != ""}, {"verbatim", t.Verbatim},
		{"command", len(t.Command) > 0}, {"arguments", len(t.Arguments) > 0}, {"stdin", t.Stdin != ""}, {"preload", len(t.Preload) > 0},
		{"image", !reflect.ValueOf(t.Image).IsZero()}, {"resources", t.Resources != Resources{}},
		{"env", len(t.Env) > 0}, {"secrets", len(t.Secrets) > 0}, {"network", !t.Network.None()}, {"starts_runs", t.StartsRuns}, {"asks", t.Asks != nil}, {"report", t.Report},
	}
}
