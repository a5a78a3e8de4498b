package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/glovebox-dev/glovebox/api"
)

// maxLines bounds the description of a task.
const maxLines = 100_000

// describe writes a task as lines for people: one for each field, indented by
// what it is in, and one for each line of code.
func describe(task *api.Task) []string {
	text, err := json.Marshal(task)
	if err != nil { // only strings, numbers and types: nothing that can fail
		panic(fmt.Sprintf("encoding a task: %v", err))
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	w := &describer{decoder: d}
	w.value("", "")
	if len(w.lines) <= maxLines {
		return w.lines
	}
	rest := strings.Join(w.lines[maxLines:], "\n")
	return append(w.lines[:maxLines:maxLines], fmt.Sprintf("... %d more lines, %s", len(w.lines)-maxLines, api.DigestOf([]byte(rest))))
}

// describer writes JSON, which it trusts, in the order in which it comes.
type describer struct {
	decoder *json.Decoder
	lines   []string
}

// value writes the next value behind a label.
func (w *describer) value(indent, label string) {
	token, err := w.decoder.Token()
	if err != nil {
		return
	}
	switch token := token.(type) {
	case json.Delim:
		w.container(indent, label, token == '{')
	case string:
		w.text(indent, label, token)
	default:
		w.line(indent, label, fmt.Sprint(token))
	}
}

func (w *describer) line(indent, label, value string) {
	w.lines = append(w.lines, indent+strings.TrimSpace(label+" "+value))
}

func (w *describer) container(indent, label string, object bool) {
	if label != "" {
		w.line(indent, label, "")
		indent += "  "
	}
	for w.decoder.More() {
		if !object {
			w.value(indent, "-")
			continue
		}
		key, err := w.decoder.Token()
		if err != nil {
			return
		}
		w.value(indent, plain(fmt.Sprint(key))+":")
	}
	_, _ = w.decoder.Token() // the closing bracket, which the encoder wrote
}

// text writes a text of several lines as a block.
func (w *describer) text(indent, label, value string) {
	if !strings.Contains(value, "\n") {
		w.line(indent, label, plain(value))
		return
	}
	w.line(indent, label, "|")
	for line := range strings.SplitSeq(value, "\n") {
		w.lines = append(w.lines, indent+"  "+printable(line))
	}
}

// plain returns s, in quotes if it would read as something else.
func plain(s string) string {
	if s == "" || s == "|" || strings.TrimSpace(s) != s || json.Valid([]byte(s)) {
		return strconv.Quote(s)
	}
	return printable(s)
}

// printable returns s, in quotes if it begins with one or holds
// what a terminal would obey.
func printable(s string) string {
	if strings.HasPrefix(s, `"`) || strings.ContainsFunc(s, func(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}
