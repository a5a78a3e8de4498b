package e2b

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// The calls of envd are those of the Connect protocol, in JSON, without
// compression: https://connectrpc.com/docs/protocol.

// connectError is an error as Connect writes it.
type connectError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (e connectError) Error() string { return e.Code + ": " + e.Message }

// The codes of errors that are used, with the status of a call that fails so.
const (
	codeCanceled           = "canceled"
	codeInvalidArgument    = "invalid_argument"
	codeDeadlineExceeded   = "deadline_exceeded"
	codeNotFound           = "not_found"
	codeAlreadyExists      = "already_exists"
	codePermissionDenied   = "permission_denied"
	codeResourceExhausted  = "resource_exhausted"
	codeFailedPrecondition = "failed_precondition"
	codeInternal           = "internal"
	codeUnavailable        = "unavailable"
	codeUnauthenticated    = "unauthenticated"
)

var connectStatus = map[string]int{
	codeCanceled: 499, codeInvalidArgument: http.StatusBadRequest, codeDeadlineExceeded: http.StatusGatewayTimeout,
	codeNotFound: http.StatusNotFound, codeAlreadyExists: http.StatusConflict, codePermissionDenied: http.StatusForbidden,
	codeResourceExhausted: http.StatusTooManyRequests, codeFailedPrecondition: http.StatusBadRequest,
	codeInternal: http.StatusInternalServerError, codeUnavailable: http.StatusServiceUnavailable, codeUnauthenticated: http.StatusUnauthorized,
}

// connectErrorOf returns an error of the service as Connect writes it.
func connectErrorOf(err error) connectError {
	var own connectError
	if errors.As(err, &own) {
		return own
	}
	status, message := statusOf(err)
	if e, ok := api.FindError(err); ok && e.Code == api.Canceled {
		return connectError{codeCanceled, message}
	}
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return connectError{codeInvalidArgument, message}
	case http.StatusUnauthorized:
		return connectError{codeUnauthenticated, message}
	case http.StatusForbidden:
		return connectError{codePermissionDenied, message}
	case http.StatusNotFound:
		return connectError{codeNotFound, message}
	case http.StatusConflict:
		return connectError{codeFailedPrecondition, message}
	case http.StatusTooManyRequests, http.StatusRequestEntityTooLarge, http.StatusInsufficientStorage:
		return connectError{codeResourceExhausted, message}
	case http.StatusServiceUnavailable:
		return connectError{codeUnavailable, message}
	case http.StatusGatewayTimeout:
		return connectError{codeDeadlineExceeded, message}
	}
	return connectError{codeInternal, message}
}

// unary is a call with one message each way.
func unary[I, O any](do func(*call, *I) (*O, error)) handler {
	return func(c *call) error {
		in := new(I)
		out, err := (*O)(nil), c.userOfHeader()
		if err == nil {
			err = readJSON(c.w, c.r, in)
		}
		if err == nil {
			out, err = do(c, in)
		}
		if err == nil {
			writeJSON(c.w, http.StatusOK, out)
			return nil
		}
		if c.left() {
			return err
		}
		failure := connectErrorOf(err)
		c.face.logInternal(c.r, connectStatus[failure.Code], err)
		writeJSON(c.w, connectStatus[failure.Code], failure)
		return nil
	}
}

// userOfHeader takes over the user that a client names as that of a login without a
// password.
func (c *call) userOfHeader() error {
	text, ok := strings.CutPrefix(c.r.Header.Get("Authorization"), "Basic ")
	if !ok {
		return nil
	}
	login, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return refused{http.StatusUnauthorized, "the header Authorization cannot be read"}
	}
	name, _, _ := strings.Cut(string(login), ":")
	return c.findUser(name)
}

// deadline returns how long the client lets a call last; 0 means without bound.
func (c *call) deadline() (time.Duration, error) {
	text := c.r.Header.Get("Connect-Timeout-Ms")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || len(text) > 10 {
		return 0, badRequest("Connect-Timeout-Ms is no number of milliseconds")
	}
	return time.Duration(n) * time.Millisecond, nil
}

// The flags of a frame.
const (
	flagCompressed = 1
	flagEnd        = 2
)

// maxFrame bounds one message of a stream, in bytes.
const maxFrame = maxBody

// readFrame reads one message of a stream; io.EOF is its end.
func readFrame(r io.Reader, v any) error {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(head[1:])
	switch {
	case head[0]&flagCompressed != 0:
		return badRequest("a message is compressed, which was not agreed on")
	case size > maxFrame:
		return refused{http.StatusRequestEntityTooLarge, "a message is too large"}
	case head[0]&flagEnd != 0:
		return io.EOF
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(r, text); err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return badRequest("a message cannot be read: " + err.Error())
	}
	return nil
}

// frames writes the messages of a stream.
type frames struct {
	w http.ResponseWriter
}

func (f frames) write(flags byte, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	frame := binary.BigEndian.AppendUint32([]byte{flags}, uint32(len(text)))
	if _, err := f.w.Write(append(frame, text...)); err != nil {
		return err
	}
	return http.NewResponseController(f.w).Flush()
}

func (f frames) send(v any) error { return f.write(0, v) }

// begin sends the header, which a client waits for before there are messages.
func (f frames) begin() error {
	f.w.Header().Set("Content-Type", "application/connect+json")
	f.w.WriteHeader(http.StatusOK)
	return http.NewResponseController(f.w).Flush()
}

// end sends the frame that ends a stream.
func (f frames) end(err error) error {
	out := struct {
		Error *connectError `json:"error,omitempty"`
	}{}
	if err != nil {
		failure := connectErrorOf(err)
		out.Error = &failure
	}
	return f.write(flagEnd, out)
}

// stream is a call with one message of the client, and a stream as its answer.
func stream[I any](do func(*call, *I, frames) error) handler {
	return func(c *call) error {
		in, out := new(I), frames{c.w}
		err := c.userOfHeader()
		if err == nil {
			err = readFrame(http.MaxBytesReader(c.w, c.r.Body, maxFrame+5), in)
		}
		if err == nil {
			_, err = io.Copy(io.Discard, io.LimitReader(c.r.Body, 1)) // to its end, so that the server sees the client leave
		}
		if err := out.begin(); err != nil {
			return nil //nolint:nilerr // the client is gone
		}
		if err == nil {
			err = do(c, in, out)
		}
		return c.endStream(out, err)
	}
}

// endStream ends a stream. That of a sandbox which is gone, or of a server that
// stops, breaks off: an end would say that all had arrived.
func (c *call) endStream(out frames, err error) error {
	if c.ctx().Err() != nil || err != nil && c.left() {
		panic(http.ErrAbortHandler)
	}
	if err != nil {
		c.face.logInternal(c.r, connectStatus[connectErrorOf(err).Code], err)
	}
	_ = out.end(err) // the client may be gone
	return nil
}

// The time between two messages after which a stream says that it lives.
const (
	defaultPing = 90 * time.Second
	minPing     = time.Second
)

// pingInterval returns how often a client wants to hear something.
func (c *call) pingInterval() time.Duration {
	n, err := strconv.Atoi(c.r.Header.Get("Keepalive-Ping-Interval"))
	if err != nil || n <= 0 || n > 3600 {
		return defaultPing
	}
	return max(time.Duration(n)*time.Second, minPing)
}
