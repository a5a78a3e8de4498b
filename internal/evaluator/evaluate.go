package evaluator

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/evaluation"
	"github.com/glovebox-dev/glovebox/internal/worker/wire"
	"github.com/glovebox-dev/glovebox/value"
)

// evaluate evaluates once and sends the result. Its error is that of the
// connection.
func (s *Server) evaluate(ctx context.Context, c *conn, body []byte) error {
	return c.end(s.run(ctx, c, body))
}

// end sends the result.
func (c *conn) end(result *api.Result, err error) error {
	text, encodeErr := resultText(result, err)
	if encodeErr != nil {
		text, _ = resultText(nil, encodeErr)
	}
	c.put(ended, text)
	return c.flush()
}

// abandon ends an evaluation that hangs, and its connection, beside the
// goroutine that serves it: that is lost, and does nothing any more.
func (c *conn) abandon(err error) {
	_ = c.end(nil, err) // whoever is not there any more needs no result
	c.shutdown()
	c.over()
}

func (s *Server) run(ctx context.Context, c *conn, body []byte) (*api.Result, error) {
	text, given, err := split(body)
	if err != nil {
		return nil, err
	}
	t, err := s.tasks.of(text)
	if err != nil {
		return nil, err
	}
	inputs, err := value.Decode("input", t.Signature.Inputs, given)
	if err == nil {
		inputs, err = inputs.Complete(t.Signature.Inputs)
	}
	if err != nil {
		return nil, api.AsError(err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer watch(c, cancel)()
	result, err := t.attempt(ctx, &api.Request{Task: t.Task, Inputs: inputs, Caller: newCaller(c, t)}, c.abandon)
	return result, evaluation.Unresumable(api.AsError(err))
}

// split takes the body of an evaluation apart.
func split(body []byte) (task, inputs []byte, err error) {
	const size = 4
	if len(body) < size || uint64(binary.LittleEndian.Uint32(body)) > uint64(len(body)-size) {
		return nil, nil, api.Errorf(api.RequestInvalid, "the task of an evaluation is longer than its frame")
	}
	end := size + int(binary.LittleEndian.Uint32(body))
	return body[size:end], body[end:], nil
}

// lookEvery is the time between looks for the client of code that computes. What
// waits for an answer notices at once.
const lookEvery = 50 * time.Millisecond

var errHungUp = errors.New("its client has closed the connection")

// watch cancels an evaluation whose client goes away, until stop is called.
func watch(c *conn, cancel context.CancelCauseFunc) (stop func()) {
	var mu sync.Mutex
	var over bool
	var look *time.Timer
	mu.Lock()
	defer mu.Unlock()
	look = time.AfterFunc(lookEvery, func() {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case over:
		case c.hungUp():
			cancel(errHungUp)
		default:
			look.Reset(lookEvery)
		}
	})
	return func() {
		mu.Lock()
		defer mu.Unlock()
		over = true
		look.Stop()
	}
}

// result is what the client gets of an evaluation.
type result struct {
	Outputs json.RawMessage `json:"outputs,omitempty"`
	Stdout  string          `json:"stdout,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

func resultText(r *api.Result, failure error) ([]byte, error) {
	var shown result
	if r != nil {
		shown.Stdout = string(r.Stdout)
	}
	if failure != nil {
		shown.Error = wire.ErrorText(api.AsError(failure))
		return json.Marshal(shown)
	}
	params, values := make([]value.Param, len(r.Outputs)), make(map[string]any, len(r.Outputs))
	for i, o := range r.Outputs {
		params[i], values[o.Name] = value.Param{Name: o.Name, Type: o.Type}, o.Value
	}
	outputs, err := value.Check(params, values)
	if err != nil {
		return nil, api.AsError(err)
	}
	shown.Outputs = outputs.JSON()
	return json.Marshal(shown)
}
