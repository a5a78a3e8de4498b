package engine

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// TestDrainWaitsForWhatIsUnderWay: Drain immediately interrupts runs that sleep
// for long or wait for their turn, and names the runs under way until they end.
func TestDrainWaitsForWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		config := h.config("a", h.journal)
		config.Limits = map[api.TaskKind]int{api.KindFunction: 1}
		h.alive["a"] = true
		e := New(config)
		defer e.Close()
		release := make(chan struct{})
		h.functions.code["hold"] = func(context.Context, map[string]any) (any, error) {
			<-release
			return int64(1), nil
		}
		hold := function("hold")
		holds := submit(t, e, api.Submission{Task: &hold})
		waits := submit(t, e, api.Submission{Task: &hold})
		sleeps := submit(t, e, api.Submission{Task: inTheWorld(orchestrate("import time\ntime.sleep(100000)\n1", integer))})
		synctest.Wait()
		drained := make(chan error, 1)
		go func() { drained <- e.Drain(t.Context()) }()
		time.Sleep(time.Second)
		for _, id := range []string{waits.ID, sleeps.ID} {
			if run, err := e.Run(t.Context(), id); err != nil || run.Status != api.StatusInterrupted {
				t.Errorf("%s is %s: %v", run.Task, run.Status, err)
			}
		}
		if under := e.UnderWay(); len(under) != 1 || under[0].ID != holds.ID {
			t.Errorf("waited for %v", under)
		}
		close(release)
		if err := <-drained; err != nil {
			t.Error(err)
		}
		if under := e.UnderWay(); len(under) != 0 {
			t.Errorf("left: %v", under)
		}
	})
}
