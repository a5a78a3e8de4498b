package taskfile

import (
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
)

// signalFields are those of signals: they execute nothing, so most of what other tasks
// have is unknown to them.
func (r *reader) signalFields(d *draft, common yamlfile.Fields) yamlfile.Fields {
	d.Approval = new(api.Approval)
	known := yamlfile.Fields{
		"deadline": func(n node) { d.Approval.Deadline = r.duration(n) },
		"notice":   func(n node) { d.Approval.Notice = r.duration(n) },
	}
	for _, name := range []string{"kind", "doc", "inputs", "output", "outputs", "notify", "labels"} {
		known[name] = common[name]
	}
	return known
}
