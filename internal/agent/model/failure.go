package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// maxWords bounds the words of a provider in an error.
const maxWords = 2 << 10 // bytes

// errStatus says that the response is no answer, whatever its SDK thinks of it.
var errStatus = errors.New("the status is not 200 OK")

// check reports whether there is a stream to read.
func (c *connection) check(err error) error {
	if err == nil && c.response != nil && c.response.StatusCode != http.StatusOK {
		return errStatus
	}
	return err
}

// failure is the error of a question that got no answer.
func (c *connection) failure(err error) *api.Error {
	var known *api.Error
	switch {
	case errors.As(err, &known):
		return known
	case c.response != nil && c.response.StatusCode != http.StatusOK:
		return c.refused(c.response)
	case errors.Is(err, errStream):
		return api.Errorf(api.OutputTooLarge, "the provider of model %s was cut off: %w", c.model.Name, err)
	}
	return api.Errorf(api.ModelUnavailable, "model %s: %s", c.model.Name, value.Shorten(c.words(err), maxWords))
}

// words are those of a provider in the middle of its answer, or of the network.
func (c *connection) words(err error) string {
	var said *ssestream.StreamError
	var failed *anthropic.Error
	var fault *responseFault
	var network *url.Error
	switch {
	case errors.As(err, &said):
		return "the provider failed: " + message(said.Event.Data)
	case errors.As(err, &failed):
		return "the provider failed: " + message([]byte(failed.RawJSON()))
	case errors.As(err, &fault):
		return "the provider failed: " + fault.Error()
	case errors.As(err, &network):
		return fmt.Sprintf("%s could not be asked: %s", host(network.URL), network.Err)
	case errors.Is(err, errGarbage):
		return err.Error()
	}
	return fmt.Sprintf("%s: %s", errGarbage, err)
}

// refused is the error of a response without an answer.
func (c *connection) refused(res *http.Response) *api.Error {
	said, _ := io.ReadAll(io.LimitReader(res.Body, maxFault)) // what came of it will do
	words := fmt.Sprintf("model %s: %s", c.model.Name, value.Shorten(message(said), maxWords))
	status := res.StatusCode
	switch {
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status == http.StatusConflict || status >= 500:
		return api.Errorf(api.ModelUnavailable, "%s (status %d)", words, status)
	case status >= 300 && status < 400:
		return api.Errorf(api.ModelRefused, "model %s: the provider redirects to %s, which is not followed with a key", c.model.Name, host(res.Header.Get("Location"))).
			WithHint("give the address where the provider answers as base_url")
	case status < 400:
		return api.Errorf(api.ModelUnavailable, "model %s: %w (status %d)", c.model.Name, errGarbage, status)
	}
	return api.Errorf(api.ModelRefused, "%s (status %d)", words, status).WithHint("%s", c.hint(status))
}

// hint says what of the task to correct.
func (c *connection) hint(status int) string {
	switch {
	case (status == http.StatusUnauthorized || status == http.StatusForbidden) && c.model.Key == "":
		return "store a key with: glovebox secret set NAME; then name it as key of the model"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fmt.Sprintf("the key is that of the secret %s: store another with: glovebox secret set %s", c.model.Key, c.model.Key)
	case status == http.StatusNotFound:
		return fmt.Sprintf("correct the name of the model, %s, or its base_url", value.Quote(c.model.Name))
	case status == http.StatusRequestEntityTooLarge:
		return "ask for less at once: the conversation is too long"
	}
	return "correct what the provider's message names"
}

// message is what a provider says went wrong, in the form that both protocols have
// or in any other.
func message(text []byte) string {
	var failure struct {
		Error struct {
			Message string `json:"message"`
			Type    string `json:"type"`
		} `json:"error"`
	}
	if json.Unmarshal(text, &failure) == nil && failure.Error.Message != "" {
		return strings.TrimPrefix(failure.Error.Type+": "+failure.Error.Message, ": ")
	}
	if words := strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD")); words != "" {
		return words
	}
	return "the provider did not say why"
}

// host is the host of a URL, for people.
func host(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return value.Shorten(u.Host, 256)
	}
	return "another address"
}
