package app

import (
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// What the bound does is tested where it is kept, in package egress; here it
// has to be set, and the audit with it.
func TestNetworkQuota(t *testing.T) {
	var seen []api.Connection
	o := proxyOptions(func(c api.Connection) { seen = append(seen, c) })
	if o.Quota != 16<<30 {
		t.Errorf("a run may move %d bytes, want 16 GiB", o.Quota)
	}
	if o.Audit(api.Connection{Host: "a.org"}); len(seen) != 1 {
		t.Errorf("the audit has seen %v", seen)
	}
}
