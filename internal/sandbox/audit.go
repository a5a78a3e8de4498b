package sandbox

import (
	"slices"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
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

func (a *audit) sum() ([]api.Connection, api.Usage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.list), api.Usage{BytesIn: a.in, BytesOut: a.out}
}
