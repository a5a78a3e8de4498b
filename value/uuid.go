package value

import (
	"encoding/hex"
	"strings"
)

// UUID is a Python UUID.
type UUID [16]byte

// String returns the 32 digits with their dashes.
func (u UUID) String() string {
	digits := hex.EncodeToString(u[:])
	return digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
}

// parseUUID reads what Python's UUID() reads: 32 hexadecimal digits, with
// dashes, braces and a prefix or without.
func parseUUID(s string) (any, bool) {
	for _, prefix := range []string{"urn:", "uuid:"} {
		s = strings.TrimPrefix(s, prefix)
	}
	digits := strings.ReplaceAll(strings.Trim(s, "{}"), "-", "")
	var u UUID
	if len(digits) != 2*len(u) {
		return nil, false
	}
	_, err := hex.Decode(u[:], []byte(digits))
	return u, err == nil
}
