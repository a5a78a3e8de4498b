package calendar

import (
	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// quote shows a text as repr does, for messages.
func quote(s string) string {
	q, _ := text.Repr(budget.Free, text.Of(s)) // a free meter refuses nothing
	return q
}
