//go:build linux

package glovebox_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox"
)

// TestSignalIsSent starts code that waits, and sends what it waits for.
func TestSignalIsSent(t *testing.T) { everywhere(t, signalIsSent) }

func signalIsSent(t *testing.T, gb *glovebox.Glovebox) {
	paid := glovebox.Signal{Name: "paid", Output: "float"}
	order := glovebox.Orchestrator{Name: "order", Source: "paid() * 2", Output: "float", Tools: []glovebox.Task{paid}}
	run, err := gb.Start(t.Context(), order, nil)
	if err != nil {
		t.Fatal(err)
	}
	taken, err := run.Signal(t.Context(), "paid", glovebox.SentSignal{Value: json.RawMessage("12.5"), By: "Ada", Wait: time.Minute})
	if err != nil || taken.Decision == nil || taken.Decision.By != "Ada" {
		t.Fatal(taken, err)
	}
	result, err := run.Wait(t.Context())
	if err != nil || result.Outputs[0].Value != 25.0 {
		t.Errorf("got %v, %v", result, err)
	}
	if _, err := run.Signal(t.Context(), "paid", glovebox.SentSignal{Value: json.RawMessage("1")}); !errors.Is(err, glovebox.ErrConflict) {
		t.Errorf("after the end: %v", err)
	}
}
