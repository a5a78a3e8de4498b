package value

import (
	"strings"
	"testing"
)

func TestShorten(t *testing.T) {
	for _, test := range []struct {
		s    string
		most int
		want string
	}{
		{"", 0, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc..."}, {"aé", 2, "a..."}, {"a\xff", 2, "a\xff"},
	} {
		if got := Shorten(test.s, test.most); got != test.want {
			t.Errorf("Shorten(%q, %d) = %q, want %q", test.s, test.most, got, test.want)
		}
	}
}

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"":                             `""`,
		"a\x00b":                       `"a\x00b"`,
		strings.Repeat("x", maxQuoted): `"` + strings.Repeat("x", maxQuoted) + `"`,
		strings.Repeat("é", maxQuoted): `"` + strings.Repeat("é", maxQuoted/2) + `"... (120 bytes)`,
	} {
		if got := Quote(s); got != want {
			t.Errorf("Quote(%q) = %s, want %s", s, got, want)
		}
	}
}
