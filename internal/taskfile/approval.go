package taskfile

import (
	"github.com/goccy/go-yaml/ast"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
)

// approval reads whether a person decides first: true, or the times of it.
func (r *reader) approval(n node) *api.Approval {
	if _, ok := n.(*ast.BoolNode); ok {
		if !r.boolean(n) {
			return nil
		}
		return &api.Approval{}
	}
	a := new(api.Approval)
	r.Object(n, "approval", yamlfile.Fields{
		"deadline": func(n node) { a.Deadline = r.duration(n) },
		"notice":   func(n node) { a.Notice = r.duration(n) },
	})
	return a
}
