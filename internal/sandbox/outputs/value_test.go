package outputs

import (
	"errors"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
	"github.com/glovebox-dev/glovebox/value"
)

func TestLargeValues(t *testing.T) {
	list := value.Param{Name: "l", Type: value.ListOf(value.Type{Kind: value.KindAny})}
	text := []byte("[" + strings.Repeat(" ", maxCollection) + "]")
	_, err := Decode(list, text, value.DecodeJSON)
	sandboxtest.WantError(t, err, api.OutputTooLarge, "output l is 33554434 bytes of JSON, more than the 33554432 that a value of type list[Any] may have")
	if _, err := Decode(list, text[:maxCollection], value.DecodeJSON); errors.Is(err, &api.Error{Code: api.OutputTooLarge}) {
		t.Errorf("a list that just fits: %v", err)
	}
}

// Code in a cell must not name files of the host.
func TestFilesInValues(t *testing.T) {
	for _, text := range []string{
		`{"$file":{"path":"/etc/passwd"}}`, `[{"$dir":{"path":"/"}}]`, `{"k":{"$dataframe":{"path":"/x"}}}`, `{"$tuple":[{"$file":{"path":"/x"}}]}`,
	} {
		for name, decode := range map[string]func(value.Type, []byte) (any, error){"JSON": value.DecodeJSON, "text": value.DecodeText} {
			_, err := Decode(value.Param{Name: "a", Type: value.Type{Kind: value.KindAny}}, []byte(text), decode)
			if sandboxtest.WantError(t, err, api.BadOutput); !strings.Contains(err.Error(), "file of the host") {
				t.Errorf("%s %s: %v", name, text, err)
			}
		}
	}
}
