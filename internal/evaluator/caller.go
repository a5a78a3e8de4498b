package evaluator

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/evaluation"
	"github.com/glovebox-dev/glovebox/internal/worker/wire"
	"github.com/glovebox-dev/glovebox/value"
)

// caller has the client call the tools of an evaluation.
type caller struct {
	conn  *conn
	tools map[string]*api.Task
	under map[uint64]*api.Task // the tools of the calls under way
	began time.Time
	seed  []byte
}

var _ api.Caller = (*caller)(nil)

func newCaller(c *conn, t *task) *caller {
	l := &caller{conn: c, tools: t.tools, under: map[uint64]*api.Task{}, began: time.Now()}
	if t.random {
		l.seed = make([]byte, seedSize)
		rand.Read(l.seed)
	}
	return l
}

const seedSize = 32

// Start implements api.Caller.
func (l *caller) Start(_ context.Context, call api.Call) error {
	tool := l.tools[call.Tool]
	inputs, err := value.Check(tool.Signature.Inputs, call.Inputs)
	if err != nil {
		return api.AsError(err)
	}
	l.under[call.ID] = tool
	id := binary.LittleEndian.AppendUint64(nil, call.ID)
	id = binary.LittleEndian.AppendUint16(id, uint16(len(call.Tool)))
	l.conn.put(calling, id, []byte(call.Tool), inputs.JSON())
	return nil
}

// Cancel implements api.Caller.
func (l *caller) Cancel(call uint64) {
	delete(l.under, call)
	l.conn.put(givenUp, binary.LittleEndian.AppendUint64(nil, call))
}

// Next implements api.Caller.
func (l *caller) Next(_ context.Context, wake time.Time) (api.Answer, error) {
	if len(l.under) == 0 && wake.IsZero() {
		return api.Answer{}, api.Errorf(api.Internal, "the code waits for a call, but none is under way")
	}
	l.conn.put(waiting)
	if err := l.conn.flush(); err != nil {
		return api.Answer{}, gone(err)
	}
	for {
		f, err := l.conn.readUntil(wake)
		if errors.Is(err, errLate) {
			return api.Answer{Time: time.Now()}, nil
		}
		if err != nil {
			return api.Answer{}, gone(err)
		}
		answer, err := l.answer(f)
		if err != nil || answer.ID != 0 {
			return answer, err
		}
	}
}

// gone is the error of an evaluation whose client went away.
func gone(err error) error {
	return api.Errorf(api.Canceled, "the client of the evaluation is gone: %w", err)
}

// answer reads the end of a call: an answer without an ID if the call was given
// up meanwhile.
func (l *caller) answer(f frame) (api.Answer, error) {
	if f.kind != returned && f.kind != failed || len(f.body) < callSize {
		return api.Answer{}, api.Errorf(api.RequestInvalid, "expected the end of a call, got a frame %q of %d bytes", byte(f.kind), len(f.body))
	}
	id, body := binary.LittleEndian.Uint64(f.body), f.body[callSize:]
	tool, ok := l.under[id]
	if !ok {
		return api.Answer{}, nil
	}
	delete(l.under, id)
	if f.kind == failed {
		e, err := failure(body)
		if err != nil {
			return api.Answer{}, err
		}
		return evaluation.Failed(id, tool, "", e)
	}
	outputs, err := wire.Values(api.BadOutput, "output", tool.Signature.Outputs, body)
	if err != nil {
		return api.Answer{ID: id, Time: time.Now(), Err: api.AsError(err)}, nil
	}
	return evaluation.Returned(id, tool, outputs), nil
}

// failure reads why a tool failed.
func failure(body []byte) (*api.Error, error) {
	var m wire.Message
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, api.Errorf(api.RequestInvalid, "the failure of a call: %w", err)
	}
	e, err := m.Failed()
	if err != nil {
		return nil, err
	}
	if e == nil || e.Code == "" {
		return nil, api.Errorf(api.RequestInvalid, "%s", fmt.Sprintf("the failure of a call has no error: %.100q", body))
	}
	return e, nil
}

// Snapshot implements api.Caller: there is none.
func (l *caller) Snapshot() []byte { return nil }

// Restart implements api.Caller.
func (l *caller) Restart() {}

// Save implements api.Caller: nothing is kept.
func (l *caller) Save([]byte) {}

// Began implements api.Caller.
func (l *caller) Began() time.Time { return l.began }

// Seed implements api.Caller.
func (l *caller) Seed() []byte { return l.seed }
