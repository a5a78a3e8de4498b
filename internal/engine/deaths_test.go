package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestDeadlyRun: a run whose process dies with it again and again is not taken up
// without end, be its task idempotent or one whose cells leave nothing behind;
// somebody can still try it again. An end that was asked for does not count.
func TestDeadlyRun(t *testing.T) {
	idempotent, cell := function("main"), function("main")
	idempotent.Idempotent, cell.Kind, cell.Cache = true, api.KindSandbox, api.CacheDisable
	for name, task := range map[string]*api.Task{"idempotent": &idempotent, "cell": &cell} {
		t.Run(name, func(t *testing.T) {
			s := &starters{host: newHost(t)}
			began := make(chan struct{}, 1)
			s.functions.code["main"] = hangs(began)
			e := s.start("0")
			run := submit(t, e, api.Submission{Task: task})
			<-began
			deaths := 0
			for i := 1; deaths < maxDeaths; i++ {
				owner := fmt.Sprint(i - 1)
				if i == 2 {
					s.kill(owner, e) // which it had the time to write
				} else {
					s.declareDead(owner)
					deaths++
					if i == 1 {
						deaths = 0 // the end that was asked for comes between
					}
				}
				e = s.start(fmt.Sprint(i))
				if _, err := e.Recover(t.Context(), true); err != nil {
					t.Fatal(err)
				}
				if deaths < maxDeaths {
					<-began
				}
			}
			_, err := e.Wait(t.Context(), run.ID)
			if !errors.Is(err, &api.Error{Code: api.Interrupted}) || api.AsError(err).Hint == "" {
				t.Errorf("after %d deaths: %v", deaths, err)
			}
			if shown, err := e.Run(t.Context(), run.ID); err != nil || shown.Status != api.StatusInterrupted || shown.Error == nil {
				t.Errorf("shown as %+v: %v", shown, err)
			}
			s.functions.code["main"] = echoOne
			if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{}); err != nil {
				t.Fatal(err)
			}
			if _, err := e.Wait(t.Context(), run.ID); err != nil {
				t.Errorf("tried again: %v", err)
			}
		})
	}
}

func echoOne(context.Context, map[string]any) (any, error) { return int64(1), nil }
