// Package model runs tasks of kind model: one question to a language model of a
// provider, by the protocol that its task names. The engine itself asks, and adds
// the key where it asks, so that no program, log or error ever has it.
//
// Everything that a provider sends is hostile: it is bounded, a redirect is not
// followed, and what the provider says when it fails is cut and redacted.
package model

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/secret"
)

// Client asks a model of one protocol. It tells onText the text of the answer as
// it comes, and returns the whole answer, its usage without a cost.
type Client interface {
	Ask(ctx context.Context, req api.ModelRequest, onText func(string)) (api.ModelAnswer, error)
}

// Config is what a Runner is made of.
type Config struct {
	// Secret returns a stored secret. It is asked with every question.
	Secret func(name string) ([]byte, error)
	// Ready reports whether a text that is still being written is worth a piece, of
	// which so many bytes were given. Without it every line is.
	Ready func(text string, given int) bool
}

// Runner asks models. It is safe for concurrent use.
type Runner struct {
	config    Config
	transport *http.Transport
	redactors secret.Redactors
	retries   int
	streams   streams
	exchanges exchanges
}

// maxRetries bounds how often a question is sent again because the provider could
// not be reached or asked for patience. Further attempts are the task's to make.
const maxRetries = 4

// New returns a runner. Close it after use.
func New(c Config) *Runner {
	if c.Ready == nil {
		c.Ready = func(text string, given int) bool { return strings.Contains(text[given:], "\n") }
	}
	return &Runner{config: c, transport: newTransport(), retries: maxRetries, streams: streams{live: map[string]*stream{}}}
}

// Close ends the answers that are still coming, and the connections that no
// question uses.
func (r *Runner) Close() {
	r.streams.close()
	r.transport.CloseIdleConnections()
}

// Identity names the protocol: what a provider changes behind the name of a model,
// nobody can know.
func (r *Runner) Identity(_ context.Context, task *api.Task, _ func(api.Progress)) (string, error) {
	return "model/" + task.Model.Protocol, nil
}

// Run asks once, and prints the text of the answer as it comes. Text that is no
// JSON where a schema was asked for is an answer like any other: what to do about
// it is for the caller. The error, if any, is an *api.Error.
func (r *Runner) Run(ctx context.Context, runID string, req *api.Request) (*api.Result, error) {
	result := &api.Result{RunID: runID, Attempts: 1, ExitCode: -1}
	question, err := readRequest(req)
	if err != nil {
		return result, err
	}
	keeps := &tail{limit: int(req.Task.Limits.WithDefaults().Logs)}
	began := time.Now()
	answer, err := r.answer(ctx, req, question, printer(keeps, req.Stdout))
	result.Timings.Exec = time.Since(began)
	result.Stdout = keeps.text
	if err != nil {
		return result, err
	}
	result.ExitCode, result.Usage.Models = 0, answer.Usage
	result.Outputs, err = outputs(req.Task, answer)
	return result, err
}

// answer gets what a question asks for: a whole answer, or a piece of one.
func (r *Runner) answer(ctx context.Context, req *api.Request, question api.ModelRequest, to io.Writer) (api.ModelAnswer, error) {
	switch {
	case question.Rest != nil:
		return r.rest(ctx, req.Parent, *question.Rest, to)
	case question.Pieces != "":
		return r.first(ctx, req, question, to)
	}
	return r.whole(ctx, req, question, to)
}

// whole asks, and prints the text as it comes. Nothing of what it returns and
// prints has the key.
func (r *Runner) whole(ctx context.Context, req *api.Request, question api.ModelRequest, to io.Writer) (api.ModelAnswer, error) {
	key, err := r.key(req.Task.Model.Key)
	if err != nil {
		return api.ModelAnswer{}, err
	}
	redactor := r.redactors.Of([]byte(key))
	printed := redactor.Writer(to)
	answer, err := r.ask(ctx, req, key, question, func(text string) { _, _ = io.WriteString(printed, text) }, // a question does not fail because nobody watches
		func(w io.Writer) io.WriteCloser { return redactor.Writer(w) })
	_ = printed.Close()
	if err != nil {
		return api.ModelAnswer{}, redactError(redactor, err)
	}
	answer = redactAnswer(redactor, answer)
	answer.Usage = answer.Usage.Priced(req.Task.Model.Price)
	return answer, nil
}

// ask asks within the time limit of the task.
func (r *Runner) ask(ctx context.Context, req *api.Request, key string, question api.ModelRequest, onText func(string), clean func(io.Writer) io.WriteCloser) (api.ModelAnswer, error) {
	limit := req.Task.Timeout
	if limit == 0 {
		limit = api.DefaultModelTimeout
	}
	bound, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := &connection{model: req.Task.Model, key: key, idempotency: req.IdempotencyKey, http: r.client(), retries: r.retries}
	answer, err := c.ask(bound, req.Parent, question, onText, clean, &r.exchanges)
	switch {
	case err == nil:
		return answer, nil
	case ctx.Err() != nil:
		return answer, api.Errorf(api.Canceled, "the run was cancelled: %w", context.Cause(ctx))
	case errors.Is(bound.Err(), context.DeadlineExceeded):
		return answer, api.Errorf(api.Timeout, "the model took longer than its limit of %s", limit).WithDetails(api.Details{Duration: limit})
	}
	return answer, c.failure(err)
}

// printer writes to those who keep and those who watch.
func printer(keeps io.Writer, watched io.Writer) io.Writer {
	if watched == nil {
		return keeps
	}
	return io.MultiWriter(keeps, watched)
}

// tail keeps the end of what is written to it.
type tail struct {
	text  []byte
	limit int
}

// Write never fails.
func (t *tail) Write(text []byte) (int, error) {
	t.text = append(t.text, text...)
	t.text = t.text[max(0, len(t.text)-t.limit):]
	return len(text), nil
}
