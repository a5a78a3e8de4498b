package blake2_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/blake2"
)

// The digests of "abc" are those of RFC 7693.
func TestRFC(t *testing.T) {
	for kind, want := range map[*blake2.Kind]string{
		blake2.B: "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
		blake2.S: "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982",
	} {
		h := blake2.New(kind, kind.Size, "", "", "")
		if _, err := h.Write([]byte("abc")); err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(h.Sum(nil)); got != want {
			t.Errorf("%s(abc) = %s, want %s", kind.Name, got, want)
		}
	}
}

func TestSavedStateGoesOn(t *testing.T) {
	for _, kind := range []*blake2.Kind{blake2.B, blake2.S} {
		for _, n := range []int{0, 1, 64, 128, 129, 1000} {
			h := blake2.New(kind, 20, "key", "salt", "me")
			write(t, h, strings.Repeat("a", n))
			saved, err := h.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			other := blake2.New(kind, 1, "", "", "")
			if err := other.UnmarshalBinary(saved); err != nil {
				t.Fatal(err)
			}
			write(t, h, "more")
			write(t, other, "more")
			if a, b := h.Sum(nil), other.Sum(nil); string(a) != string(b) {
				t.Errorf("%s after %d bytes: %x, and %x from the saved state", kind.Name, n, a, b)
			}
		}
	}
}

func TestForgedState(t *testing.T) {
	h := blake2.New(blake2.S, 20, "", "", "")
	for _, b := range [][]byte{nil, make([]byte, 73), append([]byte{33}, make([]byte, 72)...), append([]byte{20}, make([]byte, 200)...)} {
		if err := h.UnmarshalBinary(b); err == nil {
			t.Errorf("UnmarshalBinary of %d bytes succeeded", len(b))
		}
	}
}

func write(t *testing.T, h *blake2.Hash, s string) {
	t.Helper()
	if _, err := h.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
}
