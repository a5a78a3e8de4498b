package sandbox

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/internal/cell"
)

// TestSampler holds samples to a bounded number at equal distances, over the whole run,
// and a short run to none.
func TestSampler(t *testing.T) {
	for _, length := range []time.Duration{900 * time.Millisecond, 10*time.Second + 1, 119*time.Second + 1, 10*time.Hour + 1} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			s := newSampler(func() cell.Usage { asked++; return cell.Usage{CPU: time.Duration(asked), Memory: 1 << 20} })
			time.Sleep(length)
			samples := s.stop()
			if length < sampleEvery {
				if len(samples) > 0 || asked > 0 {
					t.Errorf("a run of %v has %d samples, asked for %d times", length, len(samples), asked)
				}
				return
			}
			if n := len(samples); n > maxSamples || n < min(int(length/sampleEvery), maxSamples/2) || samples[n-1].At != length {
				t.Errorf("a run of %v has %d samples, the last at %v", length, n, samples[n-1].At)
			}
			distance := samples[1].At - samples[0].At
			for i := 1; i < len(samples)-1; i++ {
				if got := samples[i].At - samples[i-1].At; got != distance {
					t.Errorf("a run of %v: sample %d is %v after the one before, others %v", length, i, got, distance)
				}
			}
			before := asked
			time.Sleep(time.Hour)
			if asked != before {
				t.Error("it is sampled after its end")
			}
		})
	}
}

// TestSamplerOfGoneCell: a cell that was killed at its end adds no sample of nothing.
func TestSamplerOfGoneCell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		used := cell.Usage{CPU: time.Second, Memory: 1 << 20}
		s := newSampler(func() cell.Usage { return used })
		time.Sleep(2*sampleEvery + 1)
		used = cell.Usage{}
		if samples := s.stop(); len(samples) != 2 || samples[1].Memory == 0 {
			t.Errorf("got %v", samples)
		}
	})
}
