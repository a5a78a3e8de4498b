package model

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// The paths of raw questions.
const (
	PathMessages    = "/v1/messages"
	PathCountTokens = "/v1/messages/count_tokens"
	PathResponses   = "/v1/responses"
)

// RawPaths are the paths of raw questions in a protocol.
func RawPaths(protocol string) []string {
	if protocol == api.ProtocolOpenAI {
		return []string{PathResponses}
	}
	return []string{PathMessages, PathCountTokens}
}

const (
	jsonType  = "application/json"
	eventType = "text/event-stream"
)

// Exchange is the program that waits for a raw question, while it waits. What is
// asked in its place has the bytes that it wrote, and it hears of the answer while
// that comes. Without one, as after a crash, the body of the question itself is sent.
type Exchange struct {
	Body []byte // as the program wrote it, with what differs from process to process
	// Begin is called with the first of an answer, and returns who hears the body
	// without the key. It must not block. An answer that is a failure has no body.
	Begin func(status int, retryAfter, mediaType string) io.Writer
}

// exchanges are those that wait, by the run whose program asks and the question.
type exchanges struct {
	mu      sync.Mutex
	waiting map[string][]*Exchange
}

// Expect has the next question of a run that is equal to q asked for an exchange. The
// caller calls forget when it does not wait any more.
func (r *Runner) Expect(parent string, q api.ModelRaw, x *Exchange) (forget func()) {
	e, name := &r.exchanges, exchangeName(parent, q)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.waiting == nil {
		e.waiting = map[string][]*Exchange{}
	}
	e.waiting[name] = append(e.waiting[name], x)
	return func() { e.take(name, x) }
}

// take takes one that waits: that one, or the first if it is nil.
func (e *exchanges) take(name string, which *Exchange) *Exchange {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, x := range e.waiting[name] {
		if which != nil && x != which {
			continue
		}
		e.waiting[name] = append(e.waiting[name][:i:i], e.waiting[name][i+1:]...)
		if len(e.waiting[name]) == 0 {
			delete(e.waiting, name)
		}
		return x
	}
	return nil
}

func exchangeName(parent string, q api.ModelRaw) string {
	return fmt.Sprintf("%s %s %x", parent, q.Path, sha256.Sum256([]byte(q.Body)))
}

// Forward asks a raw question for an exchange, without a run.
func (r *Runner) Forward(ctx context.Context, m *api.Model, q api.ModelRaw, x *Exchange) (api.ModelAnswer, error) {
	req := &api.Request{Task: &api.Task{Name: "model", Kind: api.KindModel, Model: m, Signature: api.ModelSignature()}}
	defer r.Expect("", q, x)()
	return r.whole(ctx, req, api.ModelRequest{Raw: &q}, io.Discard)
}

// checkRaw refuses what no provider may be asked with the key.
func checkRaw(protocol string, q api.ModelRequest) error {
	paths := RawPaths(protocol)
	switch raw := q.Raw; {
	case len(q.Messages) > 0 || len(q.Tools) > 0 || len(q.Schema) > 0 || q.System != "" || q.Pieces != "" || q.Rest != nil || q.MaxTokens != 0 || q.Temperature != nil:
		return wrong("request.raw", "nothing beside it", "something else")
	case !slices.Contains(paths, raw.Path):
		return wrong("request.raw.path", strings.Join(paths, " or "), value.Quote(raw.Path))
	case !json.Valid([]byte(raw.Body)):
		return wrong("request.raw.body", "JSON", "something else")
	}
	return nil
}

// askRaw asks a question as it is. It is sent once: who wrote it knows when to ask
// again.
func (c *connection) askRaw(ctx context.Context, q api.ModelRaw, x *Exchange, onText func(string), clean func(io.Writer) io.WriteCloser) (api.ModelAnswer, error) {
	res, err := c.send(ctx, q, x)
	if err != nil {
		return api.ModelAnswer{}, err
	}
	defer res.Body.Close()
	c.response = res
	media, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	failed := res.StatusCode != http.StatusOK
	if !failed && (err != nil || media != jsonType && media != eventType) {
		return api.ModelAnswer{}, fmt.Errorf("%w: its type is %s", errGarbage, value.Quote(res.Header.Get("Content-Type")))
	}
	kept := &bytes.Buffer{}
	to := io.Writer(kept)
	if x != nil {
		if hears := x.Begin(res.StatusCode, res.Header.Get("Retry-After"), media); hears != nil {
			to = io.MultiWriter(kept, hears)
		}
	}
	if failed {
		return api.ModelAnswer{}, errStatus
	}
	cleaned := clean(to)
	a, err := readRaw(q, media, &limited{from: io.TeeReader(res.Body, cleaned), left: maxAnswer}, onText)
	if closing := cleaned.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return api.ModelAnswer{}, err
	}
	a.Raw = &api.ModelRawAnswer{Type: media, Body: strings.ToValidUTF8(kept.String(), "\uFFFD")}
	return a, nil
}

func (c *connection) send(ctx context.Context, q api.ModelRaw, x *Exchange) (*http.Response, error) {
	body := []byte(q.Body)
	if x != nil {
		body = x.Body
	}
	write := messagesRequest
	if c.model.Protocol == api.ProtocolOpenAI {
		write = responsesRequest
	}
	address, header := write(c, q)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	header["Content-Type"], header["Idempotency-Key"] = jsonType, c.idempotency
	for name, value := range header {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	return c.http.Do(req)
}

// readRaw reads the answer to the end, and says what is in it.
func readRaw(q api.ModelRaw, media string, from io.Reader, onText func(string)) (api.ModelAnswer, error) {
	switch {
	case q.Path == PathResponses && media == eventType:
		return readResponseEvents(from, onText)
	case q.Path == PathResponses:
		return readResponse(from, onText)
	case media == eventType:
		return readEvents(from, onText)
	case q.Path == PathCountTokens:
		_, err := io.Copy(io.Discard, from)
		return api.ModelAnswer{Stop: api.StopEnd}, err
	}
	return readMessage(from, onText)
}

// asked is the answer to a question of a program.
func (a *answer) asked(used api.ModelUsage) (api.ModelAnswer, error) {
	a.usage = used
	out, err := a.finish()
	out.Usage.Asked = 1
	return out, err
}

// eventsOf is a body of events as the decoders of the SDKs take one.
func eventsOf(from io.Reader) *http.Response {
	return &http.Response{Header: http.Header{"Content-Type": {eventType}}, Body: io.NopCloser(from)}
}

// limited fails where a reader is longer than it may be.
type limited struct {
	from io.Reader
	left int
}

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	if l.left -= n; l.left < 0 {
		return 0, errStream
	}
	return n, err
}
