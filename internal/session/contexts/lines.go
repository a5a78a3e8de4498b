package contexts

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
)

// lines understands a driver that says each event as one line of JSON.
type lines struct {
	greeting string // whose answer has not come; lines before it may be cut
	deliver  func(message) error
	rest     []byte // of a line that has not ended
}

func (l *lines) Write(p []byte) (int, error) {
	n := len(p)
	for {
		line, after, whole := bytes.Cut(p, []byte("\n"))
		if len(l.rest)+len(line) > maxLine {
			return 0, errors.New("its interpreter wrote a line that is too long")
		}
		if !whole {
			l.rest = append(l.rest, line...)
			return n, nil
		}
		if len(l.rest) > 0 {
			line = append(l.rest, line...)
			l.rest = nil
		}
		if err := l.line(line); err != nil {
			return 0, err
		}
		p = after
	}
}

func (l *lines) line(line []byte) error {
	m, err := parse(line)
	if l.greeting != "" && (err != nil || m.id != l.greeting) {
		return nil
	}
	if err != nil {
		return err
	}
	l.greeting = ""
	return l.deliver(m)
}

// parse reads one line, which may be anything.
func parse(line []byte) (message, error) {
	var said struct {
		ID    string                     `json:"id"`
		Type  string                     `json:"type"`
		Text  string                     `json:"text"`
		Main  bool                       `json:"main"`
		Data  map[string]json.RawMessage `json:"data"`
		Error *api.CodeFailure           `json:"error"`
		Bytes int                        `json:"bytes"`
	}
	if !utf8.Valid(line) {
		return message{}, errors.New("its interpreter wrote what is no text")
	}
	if err := json.Unmarshal(line, &said); err != nil {
		return message{}, errors.New("its interpreter wrote what is no event")
	}
	m := message{id: said.ID, size: len(line)}
	switch said.Type {
	case api.CodeStdout, api.CodeStderr:
		m.event = api.CodeEvent{Type: said.Type, Text: said.Text}
	case api.CodeResult:
		m.event = api.CodeEvent{Type: said.Type, Main: said.Main, Data: forms(said.Data)}
	case api.CodeError:
		if said.Error == nil {
			return message{}, errors.New("its interpreter wrote an error that is none")
		}
		m.event = api.CodeEvent{Type: said.Type, Error: said.Error}
	case "ready":
		m.kind = ready
	case "begun":
		m.kind = begun
	case "end":
		m.kind = ended
	case "dropped":
		m.kind, m.size = dropped, max(0, min(said.Bytes, maxBytes))
	default:
		return message{}, fmt.Errorf("its interpreter wrote an event of type %.20q", said.Type)
	}
	return m, nil
}

// forms returns those forms of a result that are what they are said to be. Code
// may display anything, so others are left out.
func forms(data map[string]json.RawMessage) map[string]json.RawMessage {
	kept := map[string]json.RawMessage{}
	for mime, form := range data {
		if len(kept) < maxForms && isMIME(mime) && fits(mime, form) {
			kept[mime] = form
		}
	}
	return kept
}

func isMIME(s string) bool {
	kind, sub, ok := strings.Cut(s, "/")
	if !ok || kind == "" || sub == "" || len(s) > 128 {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"'<>\`, r) })
}

func fits(mime string, form json.RawMessage) bool {
	if strings.HasSuffix(mime, "json") {
		return true
	}
	var text *string
	if json.Unmarshal(form, &text) != nil || text == nil {
		return false
	}
	if !isBinary(mime) {
		return true
	}
	_, err := base64.StdEncoding.DecodeString(*text)
	return err == nil
}

func isBinary(mime string) bool {
	return mime == "application/pdf" || strings.HasPrefix(mime, "image/") && !strings.HasSuffix(mime, "+xml")
}
