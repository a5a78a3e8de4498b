package secret

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"
)

// A masked text has the length that it had, wherever it is cut.
func TestMask(t *testing.T) {
	const value = "sk-live-0123456789"
	r := NewRedactor([]byte(value))
	for _, encoded := range []string{value, strings.ToUpper(value), base64.StdEncoding.EncodeToString([]byte(value)), value + value} {
		text := "a " + encoded + " z"
		if got := r.Mask(text); len(got) != len(text) || strings.Contains(strings.ToLower(got), "live-0123") || !strings.HasPrefix(got, "a *") || !strings.HasSuffix(got, " z") {
			t.Errorf("%q became %q", text, got)
		}
		for range 50 {
			var out bytes.Buffer
			w := r.Masker(&out)
			for rest := []byte(text); len(rest) > 0; {
				n := 1 + rand.IntN(len(rest))
				w.Write(rest[:n])
				rest = rest[n:]
			}
			w.Close()
			if out.String() != r.Mask(text) {
				t.Fatalf("in pieces %q became %q", text, out.String())
			}
		}
	}
}

// Settle lets the end of a message go, and shows no more than its bound of a value.
func TestSettle(t *testing.T) {
	const value = "sk-live-0123456789"
	for n := range len(value) {
		var out bytes.Buffer
		w := NewRedactor([]byte(value)).Masker(&out)
		w.Write([]byte("data: " + value[:n]))
		w.Settle(4)
		held := len("data: ") + n - out.Len()
		if n <= 4 && held != 0 {
			t.Errorf("%d bytes of a message wait", held)
		}
		if n > 4 && held != n {
			t.Errorf("%d bytes were held back of %d", held, n)
		}
		w.Write([]byte(value[n:] + "\n"))
		w.Close()
		if out.Len() != len("data: "+value+"\n") || strings.Contains(out.String(), value[4:]) {
			t.Errorf("in two pieces, %d and the rest: %q", n, out.String())
		}
	}
}
