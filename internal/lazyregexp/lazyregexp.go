// Package lazyregexp has regular expressions that are compiled when they are first
// used. Every process of Glovebox begins with all its packages, those that are
// cells too, and most need none of their expressions.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles an expression once, and panics if it is
// none.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
