package metrics

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/glovebox-dev/glovebox/api"
)

// TestWarmCellsAreCounted: all pools together; what is forgotten of a pool that
// is gone makes no counter shrink.
func TestWarmCellsAreCounted(t *testing.T) {
	var pools []api.WarmPool
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(newWarmCells(func() []api.WarmPool { return pools }))
	first, second := api.WarmPool{Idle: 1, Starting: 2, Memory: 30, Taken: 4, Cold: 5, Died: 6}, api.WarmPool{Idle: 10, Memory: 1, Taken: 1}
	pools = []api.WarmPool{first, second}
	expect(t, registry, map[string]float64{
		"glovebox_warm_cells idle": 11, "glovebox_warm_cells starting": 2, "glovebox_warm_memory_bytes": 31,
		"glovebox_warm_takes_total true": 5, "glovebox_warm_takes_total false": 5, "glovebox_warm_died_total": 6,
	})
	second.Taken = 3
	pools = []api.WarmPool{second}
	expect(t, registry, map[string]float64{
		"glovebox_warm_cells idle": 10, "glovebox_warm_cells starting": 0, "glovebox_warm_memory_bytes": 1,
		"glovebox_warm_takes_total true": 5, "glovebox_warm_takes_total false": 5, "glovebox_warm_died_total": 6,
	})
	pools[0].Taken, pools[0].Died = 4, 1
	expect(t, registry, map[string]float64{
		"glovebox_warm_cells idle": 10, "glovebox_warm_cells starting": 0, "glovebox_warm_memory_bytes": 1,
		"glovebox_warm_takes_total true": 6, "glovebox_warm_takes_total false": 5, "glovebox_warm_died_total": 7,
	})
}

func expect(t *testing.T, registry *prometheus.Registry, want map[string]float64) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			name := family.GetName()
			for _, label := range m.GetLabel() {
				name += " " + label.GetValue()
			}
			got[name] = m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
