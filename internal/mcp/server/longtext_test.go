package server

import (
	"strings"
	"testing"
)

// TestLongTexts: a text that comes in pieces is cut and paged as one that is there as a
// whole, and little of it is held.
func TestLongTexts(t *testing.T) {
	whole := strings.Repeat("one line and ä\n", 20_000)
	for _, size := range []int{1, 7, 1000, maxText, len(whole)} {
		e, held := ends{most: maxText}, 0
		for at := 0; at < len(whole); at += size {
			e.add([]byte(whole[at:min(at+size, len(whole))]))
			held = max(held, len(e.text))
		}
		kept, left := e.cut()
		if want, n := cut([]byte(whole), maxText); kept != want || left != n || size < maxText && held > 5*maxText {
			t.Errorf("in pieces of %d: %d bytes, %d left, want %d, %d; held %d", size, len(kept), left, len(want), n, held)
		}
		var text string
		for from := int64(0); ; {
			w := window{from: from}
			for at := 0; at < len(whole); at += size {
				w.add([]byte(whole[at:min(at+size, len(whole))]))
			}
			part, next := w.page()
			if text += part; next == 0 {
				break
			}
			from = next
		}
		if text != whole {
			t.Errorf("in pieces of %d the pages have %d bytes of %d", size, len(text), len(whole))
		}
	}
	w := window{from: 10}
	w.add([]byte("short"))
	if part, next := w.page(); part != "" || next != 0 {
		t.Errorf("behind the end: %q, %d", part, next)
	}
}
