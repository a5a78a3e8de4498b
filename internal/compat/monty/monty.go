// Package monty serves the protocol of Monty's workers, so that a client of
// pydantic-monty runs its code here. docs/MONTY.md says what of it there is.
//
// A worker answers one request at a time: each has some events that tell what
// was printed, and one event that ends the turn. It has one session, from a
// Configure or a Load to a Reset, and the session is a py.Session: a console
// that keeps its variables, and asks its host for functions and names.
//
// # Files
//
//	monty.go    the loop over requests
//	pipe.go     frames on standard input and output
//	socket.go   frames as messages of a WebSocket
//	wire.go     fields of protobuf messages
//	request.go  what a client says
//	event.go    what it hears
//	values.go   arenas of values that leave, and identities
//	reading.go  arenas of values that enter
//	session.go  what becomes of a request
//	policy.go   the clock, randomness and sleep of a session
//	sleep.go    sleeps, which are the client's
//	system.go   files and the environment, which are the client's too
//	position.go where code stands
//	output.go   what is printed
//	failure.go  exceptions
//	dump.go     sessions as bytes
//	park.go     sessions that a server stores, and when
//	store.go    where
//	typing.go   the checker's findings
//	version5.go version6.go  what a version has
package monty

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Conn carries frames, each a message of the protocol.
type Conn interface {
	Read(ctx context.Context) ([]byte, error)
	Write(ctx context.Context, frame []byte) error
}

// Options bound what the session of a client may use. Zero fields are no bound
// beyond what the client asks for.
type Options struct {
	Memory int64                  // bytes; what a client may ask for at most
	Key    func() ([]byte, error) // authenticates dumps; asked for when there is one
	Store  *Store                 // of a server that stores sessions
}

// maxFrame bounds a frame, in bytes.
const maxFrame = 64 << 20

// errEnd says that the worker has nothing more to do.
var errEnd = errors.New("the client has ended the worker")

// Serve answers the requests of one client until it ends the connection. Code
// that runs then ends with it. When ctx ends, a worker that stores sessions parks
// its own and says so to the client.
func Serve(ctx context.Context, c Conn, o Options) error {
	w := &worker{conn: c, options: o}
	err := w.serve(ctx)
	_, unparked := w.park()
	return errors.Join(err, unparked)
}

func (w *worker) serve(stopped context.Context) error {
	ctx, leave := w.options.outliving(stopped)
	defer leave(nil)
	frames := make(chan []byte)
	go func() {
		for {
			frame, err := w.conn.Read(ctx)
			if err != nil {
				leave(err)
				return
			}
			select {
			case frames <- frame:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case frame := <-frames:
			if stopped.Err() != nil {
				return w.shutdown(ctx)
			}
			if err := w.answer(ctx, frame); errors.Is(err, errEnd) {
				return nil
			} else if err != nil {
				return err
			}
		case <-ctx.Done():
			if err := context.Cause(ctx); !errors.Is(err, io.EOF) {
				return err
			}
			return nil
		}
	}
}

// worker is one connection.
type worker struct {
	conn    Conn
	options Options
	session *session // nil before a Configure or a Load
	busy    bool     // a turn has begun, and was not answered
}

// fatal ends the connection: what came is no request, or none that there is an
// answer for.
type fatal struct{ message string }

func (f fatal) Error() string { return f.message }

func fatalf(format string, args ...any) error { return fatal{fmt.Sprintf(format, args...)} }

// answer answers one request.
func (w *worker) answer(ctx context.Context, frame []byte) error {
	w.busy = true
	req, err := readRequest(frame)
	var ev event
	if err == nil {
		ev, err = w.do(ctx, req)
	}
	var bad fatal
	if errors.As(err, &bad) {
		_ = w.conn.Write(ctx, event{kind: eventFatal, body: text(1, bad.message)}.frame(nil)) // the client may be gone
		return errEnd
	}
	if err != nil {
		return err
	}
	w.busy = ctx.Err() != nil
	if err := w.conn.Write(ctx, ev.frame(w.session)); err != nil {
		return err
	}
	if req.kind == requestShutdown {
		return errEnd
	}
	return nil
}

// do does what a request says, and returns the event that ends its turn.
func (w *worker) do(ctx context.Context, req request) (event, error) {
	switch req.kind {
	case requestConfigure:
		return w.configure(ctx, req.body)
	case requestLoad:
		return w.load(ctx, req.body)
	case requestReset, requestShutdown:
		return event{kind: eventOK}, w.reset()
	}
	if w.session == nil {
		return event{}, fatalf("a request of kind %d before the session was configured", req.kind)
	}
	switch req.kind {
	case requestInstall:
		return failed("RuntimeError", "packages cannot be installed: this worker has the bundled modules only"), nil
	case requestFeed:
		return w.session.feed(ctx, req.body)
	case requestResumeCall:
		return w.session.resumeCall(ctx, req.body)
	case requestResumeName:
		return w.session.resumeName(ctx, req.body)
	case requestResumeFutures:
		return w.session.resumeFutures(ctx, req.body)
	case requestDump:
		return w.dump()
	case requestAbort:
		return w.session.abort(ctx, req.body)
	}
	return event{}, fatalf("a request of kind %d, which is unknown", req.kind)
}

func (w *worker) reset() error {
	w.busy = false
	_, err := w.park()
	w.session = nil
	return err
}
