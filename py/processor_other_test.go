//go:build !linux

package py_test

import "time"

var started = time.Now()

// threadTime and processTime are the time that has passed: nothing better is
// known here.
func threadTime() time.Duration  { return time.Since(started) }
func processTime() time.Duration { return time.Since(started) }
