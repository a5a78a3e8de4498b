package check

import "testing"

// TestHintsFitTheirPlace: a hint is Python of the dialect, for the kind of value
// that is meant, at the line of what is refused.
func TestHintsFitTheirPlace(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"def deco(c):\n    return c\n@deco\nclass C:\n    pass\n1", "line 4, column 7: class (class C) is not available in the strict dialect; use dicts or tuples"},
		{"xs = [1]\nxs[-1] = 2\nxs", "line 2, column 1: subscript assignment (xs[-1] = 2) is not available in the strict dialect; build a list anew instead of changing xs[-1]"},
		{"aiter([1])", "line 1, column 1: aiter is not available; use a for loop and await each call inside it"},
	} {
		o := Options{Dialect: Strict}
		expect(t, c.source, o, c.want)
	}
}
