package e2b

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// silence is how long a client hears nothing of an execution that continues.
const silence = 5 * time.Second

type executeRequest struct {
	Code     string            `json:"code"`
	Context  string            `json:"context_id"`
	Language string            `json:"language"`
	Env      map[string]string `json:"env_vars"`
}

// execute runs code, and sends what comes of it as lines of JSON. A client that
// leaves interrupts the code.
func (c *call) execute() error {
	if token := c.face.envdToken(c.session); token != "" && !equal(c.r.Header.Get("X-Access-Token"), token) {
		return refused{http.StatusUnauthorized, "unauthorized access, please provide a valid access token"}
	}
	var in executeRequest
	if err := readJSON(c.w, c.r, &in); err != nil {
		return err
	}
	if in.Context != "" && in.Language != "" {
		return badRequest("only one of context_id or language can be provided")
	}
	request := api.CodeRequest{Code: in.Code, Context: in.Context, Env: in.Env}
	if in.Context == "" {
		var err error
		if request.Language, err = languageOf(in.Language); err != nil {
			return err
		}
	}
	out := &lines{w: c.w}
	err := alive(c.ctx(), silence, c.face.Sessions.RunCode(c.ctx(), c.session.ID, request), func(e api.CodeEvent) error {
		if (e.Type == api.CodeError || e.Type == api.CodeEnded) && c.left() {
			return api.Errorf(api.SessionEnded, "sandbox %s has ended", c.session.ID) // the interpreter has not: it was ended
		}
		return out.send(lineOf(e))
	}, func() error {
		return out.send(line{Type: "keepalive"})
	})
	switch {
	case err == nil || c.ctx().Err() != nil:
		return nil
	case !out.begun:
		return err
	}
	c.face.logInternal(c.r, http.StatusInternalServerError, err)
	panic(http.ErrAbortHandler) // the client must not take the part for the whole
}

// lines writes lines of JSON. Its answer begins with the first, so that an error
// before that gets a status.
type lines struct {
	w     http.ResponseWriter
	begun bool
}

func (l *lines) send(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if !l.begun {
		l.begun = true
		l.w.Header().Set("Content-Type", "application/x-ndjson")
		l.w.WriteHeader(http.StatusOK)
	}
	if _, err := l.w.Write(append(text, '\n')); err != nil {
		return err
	}
	return http.NewResponseController(l.w).Flush()
}

// line is one event of an execution. Results have a field for each form besides.
type line struct {
	Type           string `json:"type"`
	ExecutionCount int    `json:"execution_count,omitempty"`
	Text           string `json:"text,omitempty"`
	Timestamp      string `json:"timestamp,omitempty"`
	Name           string `json:"name,omitempty"`
	Value          string `json:"value,omitempty"`
	Traceback      string `json:"traceback,omitempty"`
}

func lineOf(e api.CodeEvent) any {
	switch e.Type {
	case api.CodeStarted:
		return line{Type: "number_of_executions", ExecutionCount: e.Count}
	case api.CodeResult:
		return resultOf(e)
	case api.CodeError:
		return struct { // all of them, also those that are empty
			Type string `json:"type"`
			*api.CodeFailure
		}{"error", e.Error}
	case api.CodeEnded:
		return line{Type: "end_of_execution"}
	}
	return line{Type: e.Type, Text: e.Text, Timestamp: e.Time.UTC().Format(time.RFC3339Nano)}
}

// resultFields are the forms of results by the fields in which clients look for
// them.
var resultFields = map[string]string{
	"text/plain": "text", "text/html": "html", "text/markdown": "markdown", "text/latex": "latex", "image/svg+xml": "svg",
	"image/png": "png", "image/jpeg": "jpeg", "application/pdf": "pdf", "application/json": "json",
	"application/javascript": "javascript", api.MIMETable: "data", api.MIMEChart: "chart",
}

func resultOf(e api.CodeEvent) map[string]any {
	extra := map[string]any{}
	out := map[string]any{"type": "result", "is_main_result": e.Main, "extra": extra}
	for mime, v := range e.Data {
		field, ok := resultFields[mime]
		switch {
		case !ok:
			extra[mime] = v
		case field == "text":
			out[field] = unquoted(v)
		default:
			out[field] = v
		}
	}
	return out
}

// unquoted returns text without one pair of quotes around it, as E2B shows a str.
func unquoted(v json.RawMessage) any {
	var text string
	if json.Unmarshal(v, &text) != nil {
		return v
	}
	if n := len(text); n >= 2 && text[0] == text[n-1] && (text[0] == '\'' || text[0] == '"') {
		return text[1 : n-1]
	}
	return text
}
