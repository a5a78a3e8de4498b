package regex

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// special are the characters that re.escape puts a backslash before.
const special = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"

// Escape returns a pattern that matches text, as re.escape.
func Escape(m budget.Meter, text string) (string, error) {
	extra := 0
	for i := range len(text) {
		if strings.IndexByte(special, text[i]) >= 0 {
			extra++
		}
	}
	if err := work(m, 10*len(text)); err != nil {
		return "", err
	}
	if extra == 0 {
		return text, nil
	}
	if err := m.Alloc(len(text) + extra); err != nil {
		return "", err
	}
	var b strings.Builder
	b.Grow(len(text) + extra)
	for i := range len(text) {
		if strings.IndexByte(special, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String(), nil
}
