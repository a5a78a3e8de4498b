package session

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
)

// newID returns 20 random lower-case letters and digits: 100 bits. They are part
// of host names, so that nothing else may be in them.
func newID() string {
	var b [13]byte
	rand.Read(b[:]) // never returns an error: it ends the program instead
	return strings.ToLower(base32.HexEncoding.EncodeToString(b[:]))[:20]
}
