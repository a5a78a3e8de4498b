//go:build linux

package glovebox_test

import (
	"testing"

	"github.com/glovebox-dev/glovebox"
)

// TestKeepWarmInCells: what is kept ready is what a run gets, with its modules.
func TestKeepWarmInCells(t *testing.T) {
	gb := open(t)
	box := glovebox.Sandbox{
		Code: "import sys\nn, loaded = x * 2, 'xml.dom' in sys.modules", Inputs: []string{"x: int"}, Outputs: []string{"n: int", "loaded: bool"},
		Preload: []string{"xml.dom"}, Cache: "disable",
	}
	if err := gb.KeepWarm(t.Context(), box, 1); err != nil {
		t.Fatal(err)
	}
	result, err := gb.Run(t.Context(), box, glovebox.Values{"x": 21})
	if err != nil {
		t.Fatal(err)
	}
	var n int
	var loaded bool
	if err := result.Scan(&n, &loaded); err != nil || n != 42 || !loaded || !result.Usage.Warm {
		t.Errorf("%d, loaded %v, warm %v, %v", n, loaded, result.Usage.Warm, err)
	}
	pools, err := gb.Service().WarmPools(t.Context())
	if err != nil || len(pools) != 1 || pools[0].Asked != 1 || pools[0].Taken != 1 {
		t.Errorf("%+v, %v", pools, err)
	}
}
