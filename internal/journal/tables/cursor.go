package tables

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"

	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Sizes of pages of lists.
const (
	defaultPage = 50
	maxPage     = 1000
)

// pageSize is how many rows a page has for which so many were asked.
func pageSize(asked int) int {
	if asked <= 0 {
		return defaultPage
	}
	return min(asked, maxPage)
}

// position is the place of a run or a session in a list. A cursor is one as text.
type position struct {
	List    []byte `json:"l"`           // identifies the list, see listOf
	Created string `json:"t,omitempty"` // of the run or session
	Call    uint64 `json:"c,omitempty"` // where calls are listed
	ID      string `json:"i"`
}

// maxCursor bounds a cursor that is read, in bytes.
const maxCursor = 1 << 10

func (p position) cursor() string {
	text, err := json.Marshal(p)
	if err != nil { // only texts and numbers
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// parseCursor reads a cursor of a list, or returns journal.ErrCursor.
func parseCursor(cursor string, list []byte) (*position, error) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(text) > maxCursor {
		return nil, journal.ErrCursor
	}
	p := &position{}
	if json.Unmarshal(text, p) != nil || !slices.Equal(p.List, list) {
		return nil, journal.ErrCursor
	}
	return p, nil
}

// listOf tells lists apart by what they select: query is one without its page. It
// is no secret: a cursor that is made up shows nothing that the list would not show.
func listOf(query any) []byte {
	text, err := json.Marshal(query)
	if err != nil { // a time beyond the year 9999
		text = nil
	}
	sum := sha256.Sum256(text)
	return sum[:8]
}
