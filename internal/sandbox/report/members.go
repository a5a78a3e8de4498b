package report

import (
	"bytes"
	"encoding/json"
	"errors"
)

// members calls yield for each member of a JSON object, whose value is a part
// of the text: a report has up to 64 MiB, and every copy would count.
func members(text []byte, yield func(name string, value []byte) error) error {
	if !json.Valid(text) {
		return json.Unmarshal(text, new(struct{})) // says where it is wrong, before it decodes anything
	}
	if text = space(text); text[0] != '{' {
		return errors.New("it is no object")
	}
	text = space(text[1:])
	for text[0] != '}' {
		end := valueEnd(text)
		var name string
		if err := json.Unmarshal(text[:end], &name); err != nil {
			return err
		}
		text = space(space(text[end:])[1:]) // the colon
		end = valueEnd(text)
		if err := yield(name, text[:end]); err != nil {
			return err
		}
		if text = space(text[end:]); text[0] == ',' {
			text = space(text[1:])
		}
	}
	return nil
}

func space(text []byte) []byte { return bytes.TrimLeft(text, " \t\r\n") }

// valueEnd returns where the first value of a valid text ends.
func valueEnd(text []byte) int {
	if text[0] != '"' && text[0] != '{' && text[0] != '[' {
		if end := bytes.IndexAny(text, ",}] \t\r\n"); end >= 0 {
			return end
		}
		return len(text)
	}
	for i, depth := 0, 0; ; i++ {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
}

// stringEnd returns where the closing quote is of the string that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}
