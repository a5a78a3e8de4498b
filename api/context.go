package api

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// Contexts runs code in stateful interpreters of sessions.
type Contexts interface {
	// NewContext starts an interpreter in a session and returns when it is ready.
	NewContext(ctx context.Context, session string, spec ContextSpec) (*Context, error)
	// Contexts lists those of a session, the oldest first.
	Contexts(ctx context.Context, session string) ([]Context, error)
	// RunCode executes code in a context and yields what comes of it, in order; the
	// last is CodeEnded, or an error. Code that raises is no error of this. One
	// execution runs at a time in a context, and further ones wait. Ending the
	// iteration early interrupts the code.
	RunCode(ctx context.Context, session string, r CodeRequest) iter.Seq2[CodeEvent, error]
	// InterruptContext interrupts the code that a context executes, if there is some.
	InterruptContext(ctx context.Context, session, id string) error
	// RestartContext starts the interpreter again, without its state.
	RestartContext(ctx context.Context, session, id string) error
	// RemoveContext ends a context.
	RemoveContext(ctx context.Context, session, id string) error
}

// The languages of contexts.
const (
	LanguagePython     = "python"
	LanguageBash       = "bash"
	LanguageJavaScript = "javascript"
	LanguageTypeScript = "typescript"
	LanguageR          = "r"
	LanguageJava       = "java"
)

// ContextSpec asks for a context.
type ContextSpec struct {
	Language string            `json:"language,omitempty" enum:"python,bash,javascript,typescript,r,java"` // empty means python
	Dir      string            `json:"dir,omitempty"`                                                      // empty means that of the session
	Env      map[string]string `json:"env,omitempty"`                                                      // in addition to that of the session
	Plain    bool              `json:"plain,omitempty"`                                                    // Python without IPython, though the image has it
}

// Context is a stateful interpreter of a session.
type Context struct {
	ID         string      `json:"id"` // given by the server
	Spec       ContextSpec `json:"spec"`
	Created    time.Time   `json:"created"`        // when it was started
	Executions int         `json:"executions"`     // since its start
	Busy       bool        `json:"busy,omitempty"` // it executes code now
}

// CodeRequest asks for an execution.
type CodeRequest struct {
	Code string `json:"code" required:"true"` // in the language of the context
	// Context is the id of one; empty means the one of Language that exists for
	// this, and is started when it is first needed.
	Context  string            `json:"context,omitempty"`
	Language string            `json:"language,omitempty" enum:"python,bash,javascript,typescript,r,java"` // not together with Context; empty means python
	Env      map[string]string `json:"env,omitempty"`                                                      // for this execution
	Timeout  time.Duration     `json:"timeout_ns,omitempty"`                                               // interrupts it; 0 means without bound
}

// The types of CodeEvent.
const (
	CodeStarted = "started"
	CodeStdout  = "stdout"
	CodeStderr  = "stderr"
	CodeResult  = "result"
	CodeError   = "error"
	CodeEnded   = "ended"
)

// CodeEvent is something that comes of an execution.
type CodeEvent struct {
	Type  string    `json:"type" enum:"started,stdout,stderr,result,error,ended"` // what it is
	Time  time.Time `json:"time"`                                                 // when it came
	Count int       `json:"count,omitempty"`                                      // of started: which execution of the context this is, from 1
	Text  string    `json:"text,omitempty"`                                       // of stdout and stderr
	// Main says that a result is the value of the last expression; others were
	// displayed.
	Main bool `json:"main,omitempty"`
	// Data is a result in every form that it has, by MIME type: JSON for those that
	// end in json, base64 of bytes for images and PDF, otherwise text.
	Data  map[string]json.RawMessage `json:"data,omitempty"`
	Error *CodeFailure               `json:"error,omitempty"` // of error
}

// The forms of results that are not types of MIME's registry.
const (
	MIMEChart = "application/vnd.glovebox.chart+json" // the data of a matplotlib figure
	MIMETable = "application/vnd.glovebox.table+json" // a DataFrame: a list of values for each column
)

// CodeFailure is an exception that ended an execution.
type CodeFailure struct {
	Name      string `json:"name"`      // of its class
	Value     string `json:"value"`     // str() of it
	Traceback string `json:"traceback"` // with the lines of the code
}
