package sandbox

import (
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// The use of a cell is sampled from sampleEvery on, so that a short run pays nothing.
// When there are maxSamples, every second one is dropped, and they come half as often.
const (
	sampleEvery = time.Second
	maxSamples  = 120
)

// sampler notes from time to time what a cell uses.
type sampler struct {
	usage func() cell.Usage
	began time.Time

	mu      sync.Mutex
	every   time.Duration
	timer   *time.Timer
	samples []api.RunSample
	stopped bool
}

func newSampler(usage func() cell.Usage) *sampler {
	s := &sampler{usage: usage, began: time.Now(), every: sampleEvery}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = time.AfterFunc(s.every, s.tick)
	return s
}

func (s *sampler) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return
	}
	s.add()
	if len(s.samples) == maxSamples {
		for i := range maxSamples / 2 {
			s.samples[i] = s.samples[2*i+1]
		}
		s.samples = s.samples[:maxSamples/2]
		s.every *= 2
	}
	s.timer.Reset(s.every)
}

// add notes the use of now. A cell that is gone holds nothing, which is no use of a run.
func (s *sampler) add() {
	used := s.usage()
	if n := len(s.samples); n > 0 && used.Memory == 0 && s.samples[n-1].Memory > 0 {
		return
	}
	s.samples = append(s.samples, api.RunSample{At: time.Since(s.began), CPU: used.CPU, Memory: used.Memory})
}

// stop returns the samples, the last of now. The cell may be gone afterwards.
func (s *sampler) stop() []api.RunSample {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer.Stop()
	if !s.stopped && len(s.samples) > 0 {
		s.add()
	}
	s.stopped = true
	return s.samples
}
