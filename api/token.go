package api

import "strings"

// TokenRule says what a token is, for people.
const TokenRule = "printable ASCII without spaces"

// ValidToken reports whether a header can carry a token of a server.
func ValidToken(token string) bool { return visibleASCII(token) }

// visibleASCII reports whether a text has nothing but printable ASCII without spaces.
func visibleASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}
