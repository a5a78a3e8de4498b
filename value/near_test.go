package value

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"timeout", "memory", "python", "network", "env"}
	for name, want := range map[string]string{
		"timeuot": "timeout", "tiemout": "timeout", "Memry": "memory", "pyhton": "python", "netwrk": "network", "en": "env",
		"memory": "", "x": "", "colour": "", "": "", strings.Repeat("timeout", 9): "",
	} {
		if got := Nearest(name, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
	if got := Nearest("abx", []string{"abz", "aby"}); got != "aby" {
		t.Errorf("of two equals got %q, want the first in the alphabet", got)
	}
}

func TestSlips(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"same", "same", 0}, {"numpy", "nunpy", 1}, {"requests", "reqeusts", 1},
		{"abc", "acb", 1}, {"ab", "ba", 1}, {"kitten", "sitting", 3},
	} {
		if got := slips(test.a, test.b); got != test.want {
			t.Errorf("slips(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
