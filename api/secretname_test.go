package api

import (
	"strings"
	"testing"
)

func TestValidSecretName(t *testing.T) {
	for name, want := range map[string]bool{
		"API_TOKEN": true, "a.b-c_1": true, strings.Repeat("x", 128): true,
		"": false, strings.Repeat("x", 129): false, "a/b": false, "a b": false, "é": false, "a\n": false,
	} {
		if ValidSecretName(name) != want {
			t.Errorf("%q: got %v", name, !want)
		}
	}
}
