package engine

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"
)

// NewID returns a new id of a run: "run-", then 48 bits of milliseconds since
// 1970 and 72 random bits in lower-case base32hex. Ids sort by their time.
func NewID(now time.Time) string {
	var b [15]byte
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(now.UnixMilli()))
	copy(b[:6], ms[2:])
	rand.Read(b[6:]) // never returns an error: it ends the program instead
	return "run-" + strings.ToLower(base32.HexEncoding.EncodeToString(b[:]))
}
