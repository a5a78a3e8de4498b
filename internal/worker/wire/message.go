// Package wire is the protocol between the engine and a worker, a process that
// offers functions: JSON objects, one a line, both ways. docs/WORKER.md
// describes every message. What the other side sends is hostile: it is counted
// before it is kept.
package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Protocol is the version of the protocol that this package speaks.
const Protocol = 1

// The bounds of what a message may hold.
const (
	MaxLine      = 64 << 20  // bytes of a line, its end included
	MaxText      = 256 << 10 // bytes of the text of a log
	MaxCapacity  = 4096      // calls at the same time
	MaxFunctions = 4096      // of a worker

	maxList     = 8 << 20   // bytes of the functions and of the calls of a message
	maxFunction = 256 << 10 // bytes of one function
	maxFailure  = 1 << 20   // bytes of an error or exception
	maxID       = 256       // bytes of an id or name
)

// Type says what a message is about.
type Type string

// The types of messages. A type that is not known is ignored.
const (
	Hello   Type = "hello"   // worker: who it is and what it offers; its first message
	Welcome Type = "welcome" // engine: the answer
	Offer   Type = "offer"   // worker: what it offers from now on
	Drain   Type = "drain"   // worker: no new calls
	Bye     Type = "bye"     // both: the end of the connection, and of the session
	Invoke  Type = "call"    // engine: do this
	Started Type = "started" // worker: the function is about to begin
	Log     Type = "log"     // worker: what the function printed
	Report  Type = "report"  // worker: the page that the function wrote, in place of the one before
	Result  Type = "result"  // worker: the function returned
	Failure Type = "failure" // worker: the function failed
	Ack     Type = "ack"     // engine: the end of the call has been received
	Cancel  Type = "cancel"  // engine: stop the call
	Ping    Type = "ping"    // both: are you there?
	Pong    Type = "pong"    // both: the answer
)

// Message is one line. Which fields count depends on its type.
type Message struct {
	Type Type `json:"type"`

	Protocol    int             `json:"protocol,omitempty"`
	Worker      string          `json:"worker,omitempty"` // its id, a secret that cannot be guessed
	Name        string          `json:"name,omitempty"`   // for people
	Capacity    int             `json:"capacity,omitempty"`
	SharedFiles bool            `json:"shared_files,omitempty"` // paths of files mean the same on both sides
	Blobs       bool            `json:"blobs,omitempty"`        // files cross as blobs
	Functions   json.RawMessage `json:"functions,omitempty"`    // see Functions
	Calls       json.RawMessage `json:"calls,omitempty"`        // see Calls

	Session          string `json:"session,omitempty"`
	HeartbeatSeconds int    `json:"heartbeat_seconds,omitempty"`

	Call           string          `json:"call,omitempty"`
	Run            string          `json:"run,omitempty"`
	Function       string          `json:"function,omitempty"`
	Inputs         json.RawMessage `json:"inputs,omitempty"` // as api.EncodeFields writes them
	Timeout        time.Duration   `json:"timeout_ns,omitempty"`
	IdempotencyKey string          `json:"idempotency_key,omitempty"`

	Stream  string          `json:"stream,omitempty"` // stdout or stderr
	Text    string          `json:"text,omitempty"`
	HTML    string          `json:"html,omitempty"`    // the page of a report
	Last    bool            `json:"last,omitempty"`    // no other page follows
	Outputs json.RawMessage `json:"outputs,omitempty"` // as api.EncodeFields writes them

	Error     json.RawMessage `json:"error,omitempty"`     // an api.Error
	Exception json.RawMessage `json:"exception,omitempty"` // an api.Exception

	// Sending is asked right before the message is written; false drops it. It
	// is how the sender learns that from now on the other side may know.
	Sending func() bool `json:"-"`
}

// Encode writes the message as one line with its end.
func (m *Message) Encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		return nil, fmt.Errorf("encode %s: %w", m.Type, err)
	}
	if b.Len() > MaxLine {
		return nil, tooLong()
	}
	return b.Bytes(), nil
}

func tooLong() *api.Error {
	return api.Errorf(api.RequestTooLarge, "a message to or from a worker is longer than %d bytes", MaxLine).
		WithDetails(api.Details{Limit: MaxLine})
}

// Decode reads one line. It returns request_invalid for what is no message.
func Decode(line []byte) (*Message, error) {
	var m Message
	if err := json.Unmarshal(line, &m); err != nil {
		return nil, api.Errorf(api.RequestInvalid, "a message is no JSON object as the protocol has it: %w", err)
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	return &m, nil
}

// Check holds the fields to their bounds. It returns request_invalid.
func (m *Message) Check() error {
	for _, id := range []struct{ field, value string }{
		{"type", string(m.Type)}, {"worker", m.Worker}, {"name", m.Name}, {"session", m.Session},
		{"call", m.Call}, {"run", m.Run}, {"function", m.Function}, {"idempotency_key", m.IdempotencyKey},
	} {
		if err := checkID(id.field, id.value); err != nil {
			return err
		}
	}
	switch m.Type {
	case Hello:
		return m.checkHello()
	case Log:
		return m.checkLog()
	case Report:
		return m.checkReport()
	case Invoke, Started, Result, Failure, Ack, Cancel:
		if m.Call == "" {
			return invalid("call", "the id of a call", "nothing")
		}
	case "":
		return invalid("type", "the type of the message", "nothing")
	}
	return nil
}

func (m *Message) checkHello() error {
	switch {
	case m.Protocol != Protocol:
		return invalid("protocol", fmt.Sprint(Protocol), fmt.Sprint(m.Protocol)).WithHint("use a client of the version of the server")
	case len(m.Worker) < 16:
		return invalid("worker", "an id of at least 16 random characters", fmt.Sprintf("%d", len(m.Worker)))
	case m.Capacity < 1 || m.Capacity > MaxCapacity:
		return invalid("capacity", fmt.Sprintf("1 to %d", MaxCapacity), fmt.Sprint(m.Capacity))
	}
	return nil
}

func (m *Message) checkLog() error {
	switch {
	case m.Call == "":
		return invalid("call", "the id of a call", "nothing")
	case m.Stream != "stdout" && m.Stream != "stderr":
		return invalid("stream", "stdout or stderr", value.Quote(m.Stream))
	case len(m.Text) > MaxText:
		return invalid("text", fmt.Sprintf("at most %d bytes", MaxText), fmt.Sprintf("%d bytes", len(m.Text)))
	}
	return nil
}

func (m *Message) checkReport() error {
	switch {
	case m.Call == "":
		return invalid("call", "the id of a call", "nothing")
	case len(m.HTML) > api.MaxReport:
		return invalid("html", fmt.Sprintf("at most %d bytes", api.MaxReport), fmt.Sprintf("%d bytes", len(m.HTML)))
	}
	return nil
}

func checkID(field, id string) error {
	switch {
	case len(id) > maxID:
		return invalid(field, fmt.Sprintf("at most %d bytes", maxID), fmt.Sprintf("%d bytes", len(id)))
	case bytes.ContainsFunc([]byte(id), unicode.IsControl) || !utf8.ValidString(id):
		return invalid(field, "text without control characters", value.Quote(id))
	}
	return nil
}

// invalid is the error of one field of a message.
func invalid(field, expected, got string) *api.Error {
	return api.Errorf(api.RequestInvalid, "field %s of a message: expected %s, got %s", field, expected, got).
		WithDetails(api.Details{Field: field, Expected: expected, Got: got})
}
