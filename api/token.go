package api

import "strings"

// TokenRule says what a token is, for people.
const TokenRule = "printable ASCII without spaces"

// ValidToken reports whether a header can carry a token of a server.
func ValidToken(token string) bool {
	return !strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' })
}
