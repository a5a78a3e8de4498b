package gvisor

import "runtime"

// A starter starts sandboxes from one thread, which never ends before this
// process does: the kernel kills a sandbox with the thread that started it.
type starter struct{ work chan func() }

func newStarter() *starter {
	s := &starter{work: make(chan func())}
	go func() {
		runtime.LockOSThread()
		for work := range s.work {
			work()
		}
	}()
	return s
}

func (s *starter) do(start func() error) error {
	result := make(chan error, 1)
	s.work <- func() { result <- start() }
	return <-result
}
