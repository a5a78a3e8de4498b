package model

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"

	"github.com/glovebox-dev/glovebox/api"
)

// anthropicVersion is that of the protocol which is spoken.
const anthropicVersion = "2023-06-01"

// messagesRequest is where a question goes to, and its headers.
func messagesRequest(c *connection, q api.ModelRaw) (address string, header map[string]string) {
	base := strings.TrimSuffix(strings.TrimSuffix(c.model.BaseURL, "/"), "/v1")
	if base == "" {
		base = strings.TrimSuffix(anthropicURL, "/")
	}
	address = base + q.Path
	if len(q.Betas) > 0 {
		address += "?beta=true"
	}
	return address, map[string]string{"Anthropic-Version": anthropicVersion, "X-Api-Key": c.key, "Anthropic-Beta": strings.Join(q.Betas, ",")}
}

func readEvents(from io.Reader, onText func(string)) (api.ModelAnswer, error) {
	stream := ssestream.NewStream[anthropic.MessageStreamEventUnion](ssestream.NewDecoder(eventsOf(from)), nil)
	a := &answer{onText: onText}
	usage, err := takeEvents(a, stream)
	if err != nil {
		return api.ModelAnswer{}, err
	}
	if _, err := io.Copy(io.Discard, from); err != nil {
		return api.ModelAnswer{}, err
	}
	return a.asked(anthropicUsage(usage))
}

func readMessage(from io.Reader, onText func(string)) (api.ModelAnswer, error) {
	text, err := io.ReadAll(from)
	if err != nil {
		return api.ModelAnswer{}, err
	}
	var m anthropic.Message
	if err := json.Unmarshal(text, &m); err != nil {
		return api.ModelAnswer{}, errors.Join(errGarbage, err)
	}
	a := &answer{onText: onText, stop: anthropicStop(m.StopReason)}
	for _, block := range m.Content {
		if err := a.block(block); err != nil {
			return api.ModelAnswer{}, err
		}
	}
	u := m.Usage
	return a.asked(anthropicUsage(anthropic.MessageDeltaUsage{
		InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, CacheReadInputTokens: u.CacheReadInputTokens, CacheCreationInputTokens: u.CacheCreationInputTokens,
	}))
}

func (a *answer) block(b anthropic.ContentBlockUnion) error {
	switch b.Type {
	case "text":
		return a.write(b.Text)
	case "tool_use":
		c, err := a.begin(int64(len(a.calls)), b.ID, b.Name)
		if err != nil {
			return err
		}
		return a.argue(c, string(b.Input))
	}
	return nil
}
