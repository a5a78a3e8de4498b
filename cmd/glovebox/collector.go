package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

const (
	// startPercent lets the heap grow to 32 MiB before garbage is collected: what a
	// start makes stays for the most part, so that looking for garbage finds little.
	startPercent = 800
	// settledPercent is what Go programs have: as much garbage as they hold.
	settledPercent = 100
	// settleAfter is how long a start may take. Most commands are over by then.
	settleAfter = time.Second
)

// collectRarely has garbage collected rarely while the program starts, unless the host
// asks for something itself. A start is over after patience, or with the first collection:
// with many runs to resume it fills its heap before.
func collectRarely(patience time.Duration) {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(startPercent)
	settle := sync.OnceFunc(func() { debug.SetGCPercent(settledPercent) })
	time.AfterFunc(patience, settle)
	runtime.AddCleanup(new(collected), func(settle func()) { settle() }, settle)
}

// collected is what the first collection finds.
type collected struct{ _ [64]byte }
