// Package sandboxtest has what the tests of the sandbox and of its parts share.
package sandboxtest

import (
	"errors"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// WantError checks the code of err and that its text has every word.
func WantError(t *testing.T, err error, code api.Code, words ...string) *api.Error {
	t.Helper()
	var e *api.Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want one of code %s", err, code)
	}
	if e.Code != code {
		t.Errorf("got %v, want code %s", e, code)
	}
	for _, word := range words {
		if !strings.Contains(e.Error(), word) {
			t.Errorf("got message %q, want %q in it", e.Error(), word)
		}
	}
	return e
}

// Params makes parameters of words such as "name:list[int]".
func Params(t *testing.T, pairs ...string) []value.Param {
	t.Helper()
	var out []value.Param
	for _, pair := range pairs {
		name, word, _ := strings.Cut(pair, ":")
		parsed, err := value.ParseType(word)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, value.Param{Name: name, Type: parsed})
	}
	return out
}
