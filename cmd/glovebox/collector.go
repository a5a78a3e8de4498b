package main

import (
	"os"
	"runtime/debug"
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

// collectRarely has garbage collected rarely while the program starts, unless the
// host asks for something itself.
func collectRarely() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(startPercent)
	time.AfterFunc(settleAfter, func() { debug.SetGCPercent(settledPercent) })
}
