package check

import "testing"

// TestHintsFitTheirPlace: a hint is Python of the dialect, for the kind of value
// that is meant, at the line of what is refused.
func TestHintsFitTheirPlace(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"def deco(c):\n    return c\n@deco\nclass C:\n    pass\n1", "line 4, column 7: class (class C) is not available in the strict dialect; use dicts or tuples"},
		{"xs = [1]\nxs[-1] = 2\nxs", "line 2, column 1: subscript assignment (xs[-1] = 2) is not available in the strict dialect; build the list anew instead of changing its items; use .append() for new ones"},
		{"def f(xs):\n    xs[-1] = 2\nf([1])\n1", "line 2, column 5: subscript assignment (xs[-1] = 2) is not available in the strict dialect; build a list anew instead of changing xs[-1]"},
		{"__import__('os')", "line 1, column 1: __import__ is not available; all available functions are provided directly"},
		{"aiter([1])", "line 1, column 1: aiter is not available; use a for loop and await each call inside it"},
	} {
		o := Options{Dialect: Strict}
		expect(t, c.source, o, c.want)
	}
}

// TestImportIsAdvisedWhereThereIsOne: where a dialect has modules, the hint of
// the function is the statement.
func TestImportIsAdvisedWhereThereIsOne(t *testing.T) {
	o := extended()
	expect(t, "__import__('os')", o, "__import__ is not available; use an import statement with a bundled module")
	o.Modules = nil
	expect(t, "__import__('os')", o, "__import__ is not available; all available functions are provided directly")
}
