package py_test

import (
	"syscall"
	"time"
)

// threadTime is the processor time that the thread has had, and processTime that
// of the process.
func threadTime() time.Duration  { return processorTime(syscall.RUSAGE_THREAD) }
func processTime() time.Duration { return processorTime(syscall.RUSAGE_SELF) }

func processorTime(who int) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(who, &used); err != nil {
		panic(err) // only for another who
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
