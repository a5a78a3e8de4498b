package app

import (
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestNetworkQuota: the app sets the bound and the audit. Package egress tests
// their effect.
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

// A policy for builds that cannot be is no policy.
func TestNetworkOfBuildsIsChecked(t *testing.T) {
	_, err := newImages(nil, secrets{}, nil, t.TempDir(), &api.Network{Allow: []string{"https://a.example/x"}}, false)
	if e := api.AsError(err); e == nil || e.Code != api.RequestInvalid || e.Hint == "" {
		t.Errorf("error %+v, want request_invalid with a hint", e)
	}
}
