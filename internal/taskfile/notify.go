package taskfile

import (
	"strconv"

	"github.com/goccy/go-yaml/ast"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
)

// notify reads whom runs of a task tell of their end.
func (r *reader) notify(n node) []api.Notify {
	var list []api.Notify
	for _, item := range r.Items(n, "notify") {
		var one api.Notify
		r.Object(item, "an entry of notify", yamlfile.Fields{
			"url":    func(n node) { one.URL = r.Str(n) },
			"secret": func(n node) { one.Secret = r.Str(n) },
			"events": func(n node) {
				for _, event := range r.Items(n, "events") {
					one.Events = append(one.Events, api.NotifyEvent(r.oneOf(event, api.NotifyEvents()...)))
				}
			},
		})
		if r.Err == nil && (one.URL == "" || one.Secret == "") {
			r.Fail(item, "an entry of notify needs url and secret").WithHint("such as: {url: https://example.com/runs, secret: runs-hook, events: [failed]}")
		}
		list = append(list, one)
	}
	r.refuse(n, api.CheckNotify(list))
	return list
}

// labels reads those of each run of a task.
func (r *reader) labels(n node) map[string]string {
	labels := r.Strings(n, "labels")
	r.refuse(n, api.RunLabels.Check(labels))
	return labels
}

// priority reads that of each run of a task.
func (r *reader) priority(n node) int {
	v, err := strconv.ParseInt(n.GetToken().Value, 10, 32)
	if _, ok := n.(*ast.IntegerNode); !ok || err != nil {
		r.Fail(n, "expected a whole number from %d to %d, got %s", api.LowestPriority, api.HighestPriority, yamlfile.Describe(n))
		return 0
	}
	r.refuse(n, api.CheckPriority(int(v)))
	return int(v)
}

// nodeSelector reads the labels that the node of each run of a task has to have.
func (r *reader) nodeSelector(n node) map[string]string {
	selector := r.Strings(n, "node_selector")
	r.refuse(n, api.NodeLabels.Check(selector))
	return selector
}
