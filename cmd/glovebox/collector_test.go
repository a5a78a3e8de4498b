package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// percent is the setting of the collector.
func percent() uint64 {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// TestFirstCollectionEndsTheStart: a program that fills its heap at once does not
// keep garbage for as long as its start may take.
func TestFirstCollectionEndsTheStart(t *testing.T) {
	t.Setenv("GOGC", "")
	defer debug.SetGCPercent(settledPercent)
	collectRarely(time.Hour)
	if got := percent(); got != startPercent {
		t.Fatalf("a program that starts has GOGC=%d, want %d", got, startPercent)
	}
	runtime.GC()
	for percent() != settledPercent {
		runtime.Gosched()
	}
}

func TestWishOfTheHostCounts(t *testing.T) {
	t.Setenv("GOGC", "50")
	before := percent()
	collectRarely(time.Hour)
	if got := percent(); got != before {
		t.Errorf("with GOGC=%s the setting became %d, was %d", os.Getenv("GOGC"), got, before)
	}
}
