package replay

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// History is what the journal holds of an attempt that was under way: the calls
// that were begun, and the answers in the order in which they came.
type History struct {
	calls    map[uint64]api.CallStartedData
	runs     map[string]bool // that answer the calls
	answers  []Answer
	answered map[uint64]bool
	sleeps   time.Time
}

// Answer is the end of a call, or of a sleep: then the call is 0.
type Answer struct {
	api.CallEndedData
	At time.Time
}

// NewHistory returns the history of an attempt that has done nothing.
func NewHistory() *History {
	return &History{calls: map[uint64]api.CallStartedData{}, runs: map[string]bool{}, answered: map[uint64]bool{}}
}

// Add takes an event of the attempt. Events of other kinds do nothing.
func (h *History) Add(ev api.Event) error {
	switch ev.Kind {
	case api.EventCallStarted:
		var d api.CallStartedData
		if err := json.Unmarshal(ev.Data, &d); err != nil {
			return err
		}
		h.calls[d.Call], h.runs[d.Run] = d, true
	case api.EventCallEnded:
		var d api.CallEndedData
		if err := json.Unmarshal(ev.Data, &d); err != nil {
			return err
		}
		h.answers, h.answered[d.Call] = append(h.answers, Answer{d, ev.Time}), true
	case api.EventSleepStarted:
		var d api.SleepStartedData
		if err := json.Unmarshal(ev.Data, &d); err != nil {
			return err
		}
		h.sleeps = d.Until
	case api.EventSleepEnded:
		h.answers = append(h.answers, Answer{At: ev.Time})
	}
	return nil
}

// Call returns the call of that number, if it was begun.
func (h *History) Call(number uint64) (call api.CallStartedData, ok bool) {
	call, ok = h.calls[number]
	return call, ok
}

// Calls returns the numbers of the calls that were begun, in their order.
func (h *History) Calls() []uint64 { return slices.Sorted(maps.Keys(h.calls)) }

// Len counts the calls that were begun.
func (h *History) Len() int { return len(h.calls) }

// HasRun reports whether one of the calls is that run.
func (h *History) HasRun(id string) bool { return h.runs[id] }

// Answers returns the answers in their order.
func (h *History) Answers() []Answer { return h.answers }

// HasAnswer reports whether a call has an answer.
func (h *History) HasAnswer(call uint64) bool { return h.answered[call] }

// SleepsUntil returns until when the code slept last.
func (h *History) SleepsUntil() time.Time { return h.sleeps }
