package sandbox

import (
	"slices"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/secret"
)

// maxAudit bounds how many connections a result lists. Later ones count in the
// usage only.
const maxAudit = 10_000

// audit collects the connections of a run.
type audit struct {
	mu      sync.Mutex
	list    []api.Connection
	in, out int64 // bytes
}

func (a *audit) add(c api.Connection) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.in += c.BytesIn
	a.out += c.BytesOut
	if len(a.list) < maxAudit {
		a.list = append(a.list, c)
	}
}

// sum returns the connections and the bytes of all. A program can ask for a
// host by any name, also by a secret.
func (a *audit) sum(r *secret.Redactor) ([]api.Connection, api.Usage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := slices.Clone(a.list)
	for i := range list {
		list[i].Host, list[i].Reason = r.String(list[i].Host), r.String(list[i].Reason)
		list[i].Method, list[i].Path = r.String(list[i].Method), r.String(list[i].Path)
	}
	return list, api.Usage{BytesIn: a.in, BytesOut: a.out}
}
