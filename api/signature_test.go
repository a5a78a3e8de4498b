package api

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/value"
)

func TestCheckName(t *testing.T) {
	const ok = ""
	for _, c := range []struct{ name, asFile, asVariable string }{
		{"x", ok, ok},
		{"_private", ok, ok},
		{"größe", ok, ok},
		{"变量", ok, ok},
		{"match", ok, ok},
		{"solution.py", ok, "is not a Python identifier"},
		{"a-b", ok, "is not a Python identifier"},
		{"1st", ok, "is not a Python identifier"},
		{"two words", ok, "is not a Python identifier"},
		{"\uFB01le", ok, "is not a Python identifier"},
		{"o\u0308", ok, "is not a Python identifier"},
		{"class", ok, "is a Python keyword"},
		{"None", ok, "is a Python keyword"},
		{"__builtins__", ok, `starts with "__"`},
		{"", "is empty", "is empty"},
		{".", "is a directory", "is a directory"},
		{"..", "is a directory", "is a directory"},
		{"-rf", `starts with "-"`, `starts with "-"`},
		{"a/b", `contains "/"`, `contains "/"`},
		{"a\x00b", "contains a control character", "contains a control character"},
		{"a\nb", "contains a control character", "contains a control character"},
		{"a\xff", "is not valid UTF-8", "is not valid UTF-8"},
		{strings.Repeat("a", 256), "is longer than 255 bytes", "is longer than 255 bytes"},
	} {
		checkNameCase(t, c.name, false, c.asFile)
		checkNameCase(t, c.name, true, c.asVariable)
	}
}

func checkNameCase(t *testing.T, name string, identifier bool, want string) {
	t.Helper()
	err := CheckName(name, identifier)
	if want == "" {
		if err != nil {
			t.Errorf("CheckName(%q, %v) = %v", name, identifier, err)
		}
		return
	}
	if !errors.Is(err, &Error{Code: InvalidTask}) || !strings.Contains(err.Error(), want) {
		t.Errorf("CheckName(%q, %v) = %v, want invalid_task: %s", name, identifier, err, want)
	}
}

func TestSignatureCheck(t *testing.T) {
	integer := value.Type{Kind: value.KindInt}
	for _, c := range []struct {
		name       string
		s          Signature
		identifier bool
		code       Code
		message    string
	}{
		{"fine", Signature{Inputs: []value.Param{{Name: "x", Type: integer}}, Outputs: []value.Param{{Name: "x", Type: integer}}}, true, "", ""},
		{"case of variables", Signature{Inputs: []value.Param{{Name: "x", Type: integer}, {Name: "X", Type: integer}}}, true, "", ""},
		{"case of files", Signature{Outputs: []value.Param{{Name: "x", Type: integer}, {Name: "X", Type: integer}}}, false, InvalidTask, `output "X" differs from "x" only in case`},
		{"twice", Signature{Inputs: []value.Param{{Name: "x", Type: integer}, {Name: "x", Type: integer}}}, true, InvalidTask, `input "x" is declared twice`},
		{"bad name", Signature{Outputs: []value.Param{{Name: "a b", Type: integer}}}, true, InvalidTask, `output name "a b" is not a Python identifier`},
		{"no type", Signature{Inputs: []value.Param{{Name: "x", Type: value.Type{}}}}, true, InvalidType, `input x: type ""`},
		{"type made by hand", Signature{Inputs: []value.Param{{Name: "x", Type: value.Type{Kind: "bag"}}}}, true, InvalidType, `unknown type "bag"`},
	} {
		err := c.s.Check(c.identifier)
		if c.code == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if !errors.Is(err, &Error{Code: c.code}) || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: got %v, want %s: %s", c.name, err, c.code, c.message)
		}
	}
}

// A task that is not async has the digest that it always had.
func TestAsyncIsLeftOutIfFalse(t *testing.T) {
	for _, c := range []struct {
		signature Signature
		want      string
	}{{Signature{}, `{}`}, {Signature{Async: true}, `{"async":true}`}} {
		if got, err := json.Marshal(c.signature); err != nil || string(got) != c.want {
			t.Errorf("got %s, %v, want %s", got, err, c.want)
		}
	}
}
