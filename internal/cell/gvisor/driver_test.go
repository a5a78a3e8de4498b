package gvisor

import (
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestLimitsBelowZeroAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(*api.Resources){
		"processes": func(r *api.Resources) { r.PIDs = -1 },
		"files":     func(r *api.Resources) { r.OpenFiles = -1 },
		"memory":    func(r *api.Resources) { r.Memory = -1 },
		"disk":      func(r *api.Resources) { r.Disk = -1 },
		"cpu":       func(r *api.Resources) { r.CPU = -1 },
	} {
		r := api.Resources{}.WithDefaults()
		if err := counts(r); err != nil {
			t.Errorf("the defaults: %v", err)
		}
		spoil(&r)
		if err := counts(r); api.AsError(err) == nil || api.AsError(err).Code != api.IsolationUnavailable {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
